"""The server of the scenarios beside it: it answers below /echo with what it was sent.

For authentication.yaml it knows the user 'ann' and the client and key 'ann', all with the
password 'open sesame'.
"""

import hashlib
import hmac
import http.server
import json
import re
import sys
import urllib.parse

PASSWORD = "open sesame"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "echo"
    sys_version = ""
    # One packet for head and body: the second of two would wait for the first one's receipt.
    wbufsize = -1

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        path = self.path.partition("?")[0]
        if path in self.special:
            return self.special[path](self, body)
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

    def send_lines(self, body):
        """Answers with the headers that the scenarios choose, and the body."""
        names = ("x-", "cookie")
        lines = [f"{name}: {value}" for name, value in self.headers.items()]
        lines = sorted(line for line in lines if line.lower().startswith(names))
        self.send_json(200, {"path": self.path, "headers": lines, "body": body})

    def set_cookie(self, body):
        self.send(302, "", {"Location": "/lines", "Set-Cookie": "sid=1; Path=/"})

    def send_token(self, body):
        Handler.tokens += 1
        form = urllib.parse.parse_qs(body)
        if form.get("grant_type") != ["client_credentials"] or "scope" not in form:
            return self.send_json(400, {"error": "invalid_request"})
        token = f"token-{Handler.tokens}-{form['scope'][0]}"
        self.send_json(200, {"access_token": token, "token_type": "Bearer", "expires_in": 600})

    def check_token(self, body):
        token = self.headers.get("authorization", "")
        # The second token was withdrawn.
        is_good = token.endswith("-orders") and "token-2-" not in token
        self.send_json(200 if is_good else 401, {"token": token})

    def check_digest(self, body):
        """RFC 7616, with MD5."""
        fields = re.findall(r'(\w+)=(?:"([^"]*)"|([^, ]+))', self.headers.get("authorization", ""))
        given = {name: quoted or plain for name, quoted, plain in fields}

        def digest(*parts):
            return hashlib.md5(":".join(parts).encode()).hexdigest()

        secret = digest("ann", "shop", PASSWORD)
        request = digest(self.command, self.path)
        parts = [given.get(name, "") for name in ("nonce", "nc", "cnonce", "qop")]
        if given.get("response") == digest(secret, *parts, request):
            return self.send_json(200, {"user": given["username"], "body": body})
        challenge = 'Digest realm="shop", qop="auth", nonce="barn"'
        self.send(401, "", {"WWW-Authenticate": challenge})

    def check_signature(self, body):
        """Signature version 4, from the documentation of AWS."""
        given = dict(re.findall(r"(\w+)=([^, ]+)", self.headers.get("authorization", "")))
        if "Signature" not in given:
            return self.send_json(403, {"signed": False})
        _, *scope = given["Credential"].split("/")
        names = given["SignedHeaders"].split(";")
        lines = [f"{name}:{' '.join(self.headers.get(name, '').split())}" for name in names]
        path, _, query = self.path.partition("?")
        query = "&".join(sorted(query.split("&"))) if query else ""
        content = hashlib.sha256(body.encode()).hexdigest()
        canonical = [self.command, path, query, *lines, "", given["SignedHeaders"], content]
        digest = hashlib.sha256("\n".join(canonical).encode()).hexdigest()
        date = self.headers["x-amz-date"]
        text = "\n".join(["AWS4-HMAC-SHA256", date, "/".join(scope), digest])
        key = b"AWS4" + PASSWORD.encode()
        for part in scope:
            key = hmac.digest(key, part.encode(), "sha256")
        good = hmac.digest(key, text.encode(), "sha256").hex() == given["Signature"]
        self.send_json(200 if good else 403, {"signed": good, "service": scope[2]})

    def send_json(self, status, value):
        self.send(status, json.dumps(value), {"Content-Type": "application/json"})

    tokens = 0
    special = {
        "/lines": send_lines,
        "/login": set_cookie,
        "/token": send_token,
        "/orders": check_token,
        "/digest": check_digest,
        "/signed": check_signature,
    }

    def send_event(self):
        # One for each connection, behind the one that the client has seen.
        if self.command == "POST":
            self.headers["last-event-id"] = "1"
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
