"""A server for the pages of this folder: python3 server.py 8971"""

import http.cookies
import http.server
import json
import random
import secrets
import sys
import urllib.parse

ITEMS = [{"id": number, "title": f"Barn {number}"} for number in range(1, 26)]
sessions, jobs, counts = {}, {}, {"weather": 0}
FORM = '<form method="post"><input type="hidden" name="csrf" value="{}"><input name="user"></form>'


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/login":
            session, token = secrets.token_hex(8), secrets.token_hex(8)
            sessions[session] = {"token": token, "user": None}
            self.answer(200, FORM.format(token), {"Set-Cookie": f"session={session}; HttpOnly"})
        elif url.path == "/me":
            user = self.session().get("user")
            self.answer(200, {"user": user}) if user else self.answer(401, {"error": "log in"})
        elif url.path == "/roles":
            self.answer(200, {"user": "ann", "roles": random.sample(["admin", "editor", "reader"], 3)})
        elif url.path == "/items":
            after = int(query.get("after", "0"))
            last = after + 10 if after + 10 < len(ITEMS) else None
            self.answer(200, {"items": ITEMS[after:after + 10], "next": last})
        elif url.path.startswith("/jobs/") and url.path[6:] in jobs:
            jobs[url.path[6:]] += 1
            self.answer(200, {"state": "done" if jobs[url.path[6:]] > 2 else "running"})
        elif url.path == "/weather":
            counts["weather"] += 1
            self.answer(200, {"sky": "clear" if counts["weather"] % 2 else "cloudy"})
        else:
            self.answer(404, {"error": "not found"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.path == "/login":
            form, session = dict(urllib.parse.parse_qsl(body.decode())), self.session()
            if not session or form.get("csrf") != session["token"]:
                self.answer(403, {"error": "the token is wrong"})
            elif form.get("password") != "correct horse":
                self.answer(401, {"error": "the password is wrong"})
            else:
                session["user"] = form["user"]
                self.answer(303, "", {"Location": "/me"})
        elif self.path == "/jobs":
            number = str(len(jobs) + 1)
            jobs[number] = 0
            self.answer(202, {"url": f"/jobs/{number}"})
        elif self.path == "/pictures":
            self.answer(201, {"parts": body.count(b"Content-Disposition"), "png": b"\x89PNG" in body})
        else:
            self.answer(404, {"error": "not found"})

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.answer(201, {"size": len(body)})

    def session(self):
        cookie = http.cookies.SimpleCookie(self.headers.get("Cookie", ""))
        return sessions.get(cookie["session"].value, {}) if "session" in cookie else {}

    def answer(self, status, value, headers={}):
        kind = "text/html" if isinstance(value, str) else "application/json"
        text = (value if isinstance(value, str) else json.dumps(value)).encode()
        self.send_response(status)
        for name, header in {"Content-Type": kind, "Content-Length": str(len(text)), **headers}.items():
            self.send_header(name, header)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
