"""A small service: prices of orders, in whole cents.

GET /items, POST /quotes {"items": [...], "country": "CH", "coupon": "TEN"}.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ITEMS = {
    "lamp": {"title": "Lamp", "cents": 4500},
    "chair": {"title": "Chair", "cents": 8900},
    "table": {"title": "Table", "cents": 25900},
}
TAXES = {"CH": 81, "DE": 190, "US": 0}
CURRENCIES = {"CH": "CHF", "DE": "EUR", "US": "USD"}
COUPONS = {"TEN": 10, "HALF": 50}


def items():
    return [{"id": name, **item} for name, item in sorted(ITEMS.items())]


def quote(order):
    """Returns the status and the body of an answer to an order."""
    names = order.get("items") or []
    country = order.get("country", "CH")
    if not names:
        return 422, {"error": "empty", "message": "an order has at least one item"}
    unknown = [name for name in names if name not in ITEMS]
    if unknown:
        return 404, {"error": "unknown_item", "message": f"there is no '{unknown[0]}'"}
    if country not in TAXES:
        return 422, {"error": "country", "message": f"nothing is sent to {country}"}
    total = sum(ITEMS[name]["cents"] for name in names)
    discount = total * COUPONS.get(order.get("coupon"), 0) // 100
    shipping = 0 if total - discount >= 10000 else 900
    net = total - discount + shipping
    tax = (net * TAXES[country] + 500) // 1000
    return 200, {
        "lines": [{"item": name, "cents": ITEMS[name]["cents"]} for name in names],
        "discount": discount,
        "shipping": shipping,
        "tax": tax,
        "total": net + tax,
        "currency": CURRENCIES[country],
    }


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/items":
            return self.answer(200, items())
        return self.answer(404, {"error": "unknown_path"})

    def do_POST(self):
        if self.path != "/quotes":
            return self.answer(404, {"error": "unknown_path"})
        length = int(self.headers.get("content-length", 0))
        return self.answer(*quote(json.loads(self.rfile.read(length))))

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    server.serve_forever()
