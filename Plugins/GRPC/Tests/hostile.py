"""A server that breaks the protocol in one way, in bytes of its own. It prints its port."""
import socket
import sys
import threading

kind = sys.argv[1]


def frame(type, flags, stream, content=b""):
    return len(content).to_bytes(3, "big") + bytes([type, flags]) + stream.to_bytes(4, "big") + content


def text(text):
    count = len(text)
    if count < 127: return bytes([count]) + text.encode()
    rest, more = count - 127, [127]
    while rest >= 128: more, rest = more + [rest % 128 + 128], rest // 128
    return bytes(more + [rest]) + text.encode()


def head(*fields, end=False):
    block = b"".join(b"\0" + text(name) + text(value) for name, value in fields)
    return frame(1, 5 if end else 4, 1, block)


def data(content, end=False): return frame(0, 1 if end else 0, 1, content)


OK = head((":status", "200"), ("content-type", "application/grpc"))
END = head(("grpc-status", "0"), end=True)
ANSWERS = {
    "html": head((":status", "404"), ("content-type", "text/html")) + data(b"<p>", end=True),
    "unavailable": head((":status", "503"), end=True),
    "no status": OK + data(b"\0\0\0\0\0", end=True),
    "half a message": OK + data(b"\0\0\0\0\x09ab") + END,
    "two messages": OK + data(b"\0\0\0\0\0\0\0\0\0\0") + END,
    "no message": OK + END,
    "a large message": OK + data(b"\0\x7f\0\0\0"),
    "a wrong flag": OK + data(b"\7\0\0\0\0"),
    "a compressed message": OK + data(b"\1\0\0\0\1a"),
    "a broken message": OK + data(b"\0\0\0\0\x02\x0a\x7f") + END,
    "reset": OK + frame(3, 0, 1, (11).to_bytes(4, "big")),
    "refused": frame(3, 0, 1, (7).to_bytes(4, "big")),
    "going away": frame(7, 0, 0, bytes(8)),
    "an unknown status": head((":status", "200"), ("content-type", "application/grpc"),
                              ("grpc-status", "99"), ("grpc-message", "odd%zz"), end=True),
    "a status that is no number": head((":status", "200"), ("content-type", "application/grpc"),
                                       ("grpc-status", "abc"), end=True),
    "a head in between": head((":status", "103"), ("link", "x")) + OK + data(b"\0\0\0\0\0") + END,
}


def serve(client):
    received = client.recv(65536)
    if kind == "HTTP/1.1": client.sendall(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
    if kind == "garbage": client.sendall(bytes(range(256)) * 10)
    if kind in ("HTTP/1.1", "garbage"): return client.close()
    if kind == "silence":
        while client.recv(65536): pass
        return
    client.sendall(frame(4, 0, 0))
    # The preface and the settings come before the request.
    while b"POST" not in received and b"\x83" not in received[24:]: received += client.recv(65536)
    client.sendall(ANSWERS[kind])
    while client.recv(65536): pass


server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(5)
print(server.getsockname()[1], flush=True)
threading.Thread(target=lambda: [sys.stdin.read(), __import__("os")._exit(0)], daemon=True).start()
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
