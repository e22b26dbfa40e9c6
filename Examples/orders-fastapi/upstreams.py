"""The servers that the service asks: stock with shipments, and payments, on two ports."""

import http.server
import json
import sys
import threading
import time
import uuid

TITLES = {1: ("Barn", 1250), 2: ("Mill", 800), 3: ("Tower", 40000)}
attempts = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


class Stock(Handler):
    def do_GET(self):
        if self.path.startswith("/shipments/"):
            return self.shipment()
        title, cents = TITLES[int(self.path.split("?")[0].split("/")[-1])]
        self.answer(200, {"title": title, "cents": cents})

    def shipment(self):
        """Sends the events of a shipment while it goes on."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for place in ("Basel", "Olten", "Bern"):
            piece = f"event: place\ndata: {place}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
            time.sleep(0.1)
        self.wfile.write(b"0\r\n\r\n")


class Payments(Handler):
    def do_POST(self):
        """Is busy at the first attempt, and declines large amounts."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers["Idempotency-Key"]
        attempts[key] = attempts.get(key, 0) + 1
        if attempts[key] == 1:
            return self.answer(503, {"error": "busy"})
        status = "declined" if body["amount"] > 10000 else "paid"
        self.answer(201, {"id": str(uuid.uuid4()), "status": status})


for port, handler in ((sys.argv[1], Stock), (sys.argv[2], Payments)):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler)
    threading.Thread(target=server.serve_forever).start()
print("listening", flush=True)
