"""A stand-in for the proxy of `flow tape`: answers each request, and writes what it was asked.

usage: standin.py LOG CERTIFICATE [TEST]...
The first line of its output is its URL with the token. The end of each TEST is a difference. Servers
are answered in clear, in a tunnel, and, for runs without a proxy, at its own address.
"""
import base64
import http.server
import json
import ssl
import sys

log, certificate, differing = sys.argv[1], sys.argv[2], sys.argv[3:]
token = "0123456789abcdef" * 2


def write(line):
    with open(log, "a", encoding="utf-8") as file:
        file.write(line + "\n")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    user, tunnel = None, ""

    def respond(self, status, text=""):
        self.send_response(status)
        if status == 407:
            self.send_header("Proxy-Authenticate", 'Basic realm="flow"')
        if status != 204:
            self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        given = self.headers.get("Proxy-Authorization", "Basic ").removeprefix("Basic ")
        user, _, password = base64.b64decode(given).decode().partition(":")
        if self.tunnel:
            user = self.user
        elif password != token and (given or not self.path.startswith("/")):
            return self.respond(407)
        if self.command == "CONNECT":
            self.connect(user)
        elif self.path in ("/begin", "/end") and not self.tunnel:
            test = json.loads(body)["test"]
            write(f"{user} {self.path[1:]} {test}")
            differs = self.path == "/end" and test in differing
            self.respond(409 if differs else 204, f"{test} differs:\n  GET /lämp" if differs else "")
        else:
            write(f"{user or 'nobody'} {self.command} {self.tunnel}{self.path}")
            self.respond(200, "answer")

    def connect(self, user):
        self.user, self.tunnel = user, "https://" + self.path.removesuffix(":443")
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.connection = context.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", 0)
        self.close_connection = False

    do_GET = do_POST = do_CONNECT = handle_any

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://flow:{token}@127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
