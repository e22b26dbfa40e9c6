"""A server for clients: each answer depends on the request, and one comes in pieces."""

import http.server
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/stream":
            return self.stream()
        self.answer(200, b"a b" if self.path in ("/get?text=a+b", "/get?text=a%20b") else b"?")

    do_HEAD = do_GET

    def do_POST(self):
        body = self.body()
        self.answer(201 if self.path == "/json" else 200, body.replace(b": ", b":"))

    def body(self):
        if self.headers["Transfer-Encoding"] != "chunked":
            return self.rfile.read(int(self.headers["Content-Length"] or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for word in (b"one", b"two", b"three"):
            self.wfile.write(b"%x\r\ndata: %s\n\n\r\n" % (len(word) + 8, word))
            self.wfile.flush()
            time.sleep(0.05)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
