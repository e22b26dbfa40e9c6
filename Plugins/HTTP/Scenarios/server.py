"""The server of the scenarios beside it: it answers below /echo with what it was sent."""

import http.server
import json
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "echo"
    sys_version = ""
    # One packet for head and body: the second of two would wait for the first one's receipt.
    wbufsize = -1

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        if self.path == "/events":
            return self.send_event()
        if self.path == "/redirect":
            return self.send(302, "", {"Location": "/echo/redirected"})
        if not self.path.startswith("/echo"):
            return self.send(404, "nothing is here")
        fields = {
            "method": self.command,
            "path": self.path,
            "type": self.headers.get("content-type"),
            "authorization": self.headers.get("authorization"),
            "body": body,
        }
        self.send(200, json.dumps(fields), {"Content-Type": "application/json"})

    def send_event(self):
        # One for each connection, behind the one that the client has seen.
        number = int(self.headers.get("last-event-id", 0)) + 1
        if number > 2:
            return self.send(204, "")
        data = json.dumps({"id": number, "title": ["Barn", "Mill"][number - 1]})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(f"retry: 10\nid: {number}\nevent: added\ndata: {data}\n\n".encode())

    def send(self, status, text, headers={}):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text.encode())

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
