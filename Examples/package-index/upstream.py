"""A package index with two packages, one of them with a file to download."""

import gzip
import hashlib
import http.server
import json
import sys

WHEEL = bytes(range(256)) * 8
PAGES = {
    "/simple/": {"projects": [{"name": "barn"}, {"name": "mill"}]},
    "/simple/barn/": {
        "name": "barn",
        "files": [
            {
                "filename": "barn-1.0-py3-none-any.whl",
                "url": "../../files/barn-1.0-py3-none-any.whl",
                "hashes": {"sha256": hashlib.sha256(WHEEL).hexdigest()},
                "requires-python": ">=3.8",
            },
            {"filename": "barn-0.9.tar.gz", "url": "../../files/barn-0.9.tar.gz", "hashes": {}, "yanked": True},
        ],
    },
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path in PAGES:
            body = json.dumps({"meta": {"api-version": "1.0"}, **PAGES[self.path]}).encode()
            self.answer(200, "application/vnd.pypi.simple.v1+json", gzip.compress(body, mtime=0), "gzip")
        elif self.path == "/files/barn-1.0-py3-none-any.whl":
            self.answer(200, "application/octet-stream", WHEEL)
        else:
            self.answer(404, "text/plain", b"not found\n")

    do_HEAD = do_GET

    def answer(self, status, content_type, body, encoding=None):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening", flush=True)
server.serve_forever()
