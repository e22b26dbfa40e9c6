"""A WebSocket server for scenarios, without packages: each path has a behaviour of its own."""

import base64
import hashlib
import socket
import sys
import threading
import urllib.parse

REFUSAL = b"HTTP/1.1 401 Unauthorized\r\nContent-Type: text/plain\r\n"


def head(file):
    """Reads a request, and returns its target and its headers by lower-case names."""
    target = file.readline().split(b" ")[1].decode()
    headers = {}
    while (line := file.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    return target, headers


def accept(headers, more=""):
    """The response to a request for a connection."""
    key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    digest = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    offered = headers.get("sec-websocket-protocol", "").split(", ")
    if "chat" in offered:
        more += "Sec-WebSocket-Protocol: chat\r\n"
    return (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {digest}\r\n{more}\r\n"
    ).encode()


def frame(opcode, payload):
    """A frame of the server."""
    count = len(payload)
    length = (
        bytes([count])
        if count < 126
        else bytes([126]) + count.to_bytes(2, "big")
        if count < 65536
        else bytes([127]) + count.to_bytes(8, "big")
    )
    return bytes([0x80 | opcode]) + length + payload


def frames(file):
    """The frames of the client: opcode and payload."""
    while start := file.read(2):
        count = start[1] & 127
        if count > 125:
            count = int.from_bytes(file.read(2 if count == 126 else 8), "big")
        mask = file.read(4)
        payload = file.read(count)
        yield start[0] & 15, bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def echo(file, write):
    """Returns each message, and answers control frames."""
    for opcode, payload in frames(file):
        if opcode == 9:
            write(frame(10, payload))
        elif opcode == 8:
            return write(frame(8, payload))
        elif payload == b"bye":
            write(frame(8, (4001).to_bytes(2, "big") + b"as asked"))
        elif payload == b"drop":
            return
        elif payload == b"ping":
            write(frame(9, b"are you there?"))
        elif opcode == 10:
            write(frame(1, b"pong " + payload))
        else:
            write(frame(opcode, payload))


def serve(connection):
    file = connection.makefile("rb")
    write = connection.sendall
    target, headers = head(file)
    path, _, query = target.partition("?")
    if "sec-websocket-key" not in headers:
        write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    elif path == "/refuse":
        write(REFUSAL + b"Content-Length: 10\r\n\r\nwho is it?")
    elif path == "/refuse-in-chunks":
        write(REFUSAL + b"Transfer-Encoding: chunked\r\n\r\n4\r\nwho \r\n6;a=b\r\nis it?\r\n0\r\n\r\n")
    elif path == "/refuse-and-close":
        write(REFUSAL + b"\r\nwho is it?")
    elif path == "/no-http":
        write(b"SSH-2.0-OpenSSH\r\n\r\n")
    elif path == "/nothing":
        return
    elif path == "/silence":
        file.read()
    elif path == "/wrong-key":
        write(accept({"sec-websocket-key": "other"}))
    elif path == "/interim":
        write(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + accept(headers))
        echo(file, write)
    elif path == "/headers":
        names = ["host", "user-agent", "authorization", "cookie", "x-a", "sec-websocket-version"]
        lines = [target] + [f"{name}: {headers[name]}" for name in names if name in headers]
        write(accept(headers) + frame(1, "\n".join(lines).encode()))
        echo(file, write)
    elif path == "/bytes":
        write(accept(headers) + bytes.fromhex(urllib.parse.unquote(query)))
        connection.shutdown(socket.SHUT_WR)
        # The client ends the connection.
        file.read()
    elif path == "/count":
        write(accept(headers))
        for number in range(int(query)):
            write(frame(1, b'{"number": %d}' % number))
        echo(file, write)
    elif path == "/report":
        write(accept(headers))
        for opcode, payload in frames(file):
            print(opcode, payload.hex(), flush=True)
    elif path == "/deaf":
        # Neither a pong nor a close frame.
        write(accept(headers))
        file.read()
    else:
        write(accept(headers, "X-Server: flow\r\n"))
        echo(file, write)


def run(connection):
    with connection:
        try:
            serve(connection)
        except OSError:
            pass


listener = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=run, args=(listener.accept()[0],), daemon=True).start()
