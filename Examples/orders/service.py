"""A service that takes orders: it asks one server for items, and another one for payments."""

import concurrent.futures
import datetime
import http.client
import http.server
import json
import os
import urllib.error
import urllib.parse
import urllib.request
import uuid

STOCK, PAYMENTS = os.environ["STOCK_URL"], os.environ["PAYMENTS_URL"]
TOKEN = os.environ["PAYMENTS_TOKEN"]
TIMEOUT = float(os.environ.get("UPSTREAM_TIMEOUT", "5"))
pool = concurrent.futures.ThreadPoolExecutor(8)
orders = {}


class UpstreamError(Exception):
    """An upstream that gives no useful answer."""


def call(method, url, body=None, headers={}):
    """Sends a request and returns the status and the JSON of the answer."""
    data = None if body is None else json.dumps(body).encode()
    if data is not None:
        headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise UpstreamError(str(error)) from error


def payments(method, path, body=None, headers={}):
    headers = {"Authorization": f"Bearer {TOKEN}", **headers}
    return call(method, f"{PAYMENTS}{path}", body, headers)


def item(number):
    """Returns an item with its price."""
    query = urllib.parse.urlencode({"currency": "EUR"})
    status, found = call("GET", f"{STOCK}/items/{number}?{query}", headers={"Accept-Language": "en"})
    if status != 200:
        raise UpstreamError(f"item {number}: {status}")
    return found


def pay(amount):
    """Pays with one key for all attempts, so that the customer pays once."""
    key, reference = str(uuid.uuid4()), f"R-{uuid.uuid4().hex}"
    for attempt in range(3):
        created = datetime.datetime.now(datetime.timezone.utc).isoformat()
        body = {"amount": amount, "reference": reference, "created": created}
        status, payment = payments("POST", "/payments", body, {"Idempotency-Key": key})
        if status != 503:
            break
    if status != 201 or payment["reference"] != reference:
        raise UpstreamError(f"payment: {status}")
    return payment


def order(wanted):
    """Reserves the items, then pays; a declined payment ends the reservation."""
    items = list(pool.map(item, wanted))
    total = sum(item["cents"] for item in items)
    status, reservation = call("POST", f"{STOCK}/reservations", {"items": wanted})
    if status != 201:
        raise UpstreamError(f"reservation: {status}")
    payment = pay(total)
    if payment["status"] == "declined":
        call("DELETE", f"{STOCK}/reservations/{reservation['id']}")
        return 402, {"status": "declined"}
    if payment["status"] != "pending":
        raise UpstreamError(f"payment: {payment['status']}")
    status, _ = call("PUT", f"{STOCK}/reservations/{reservation['id']}", {"state": "sold"})
    if status != 200:
        raise UpstreamError(f"reservation: {status}")
    number = len(orders) + 1
    orders[number] = payment["id"]
    titles = [item["title"] for item in items]
    return 201, {"order": number, "cents": total, "items": titles, "payment": payment["id"]}


def state(number):
    """Asks for the state of the order's payment, which changes."""
    status, payment = payments("GET", f"/payments/{orders[number]}")
    if status != 200:
        raise UpstreamError(f"payment: {status}")
    return 200, {"order": number, "state": payment["status"]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        wanted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["items"]
        self.answer(lambda: order(wanted))

    def do_GET(self):
        if self.path == "/":
            self.answer(lambda: (200, {}))
        else:
            number = int(self.path.split("/")[-1])
            self.answer(lambda: state(number))

    def answer(self, work):
        try:
            status, body = work()
        except UpstreamError:
            status, body = 503, {"error": "try again later"}
        except Exception as error:
            status, body = 500, {"error": type(error).__name__}
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
