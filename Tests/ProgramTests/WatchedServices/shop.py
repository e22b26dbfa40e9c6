"""A shop with psycopg. Its second argument names a fault, or is 'sound'."""

import json, os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

import psycopg

fault = sys.argv[2]
url = os.environ["DATABASE_URL"]


def rows(db, sql, *values):
    return db.execute(sql, values).fetchall()


def orders(db):
    limit = "" if fault == "unlimited list" else " LIMIT 20"
    found = rows(db, f"SELECT id, status FROM watched_orders ORDER BY id{limit}")
    ids = [id for id, _ in found]
    if fault == "items of each order":
        each = "SELECT order_id FROM watched_items WHERE order_id = %s LIMIT 9"
        items = [item for id in ids for item in rows(db, each, id)]
    else:
        all = "SELECT order_id FROM watched_items WHERE order_id = ANY(%s) LIMIT 500"
        items = rows(db, all, ids)
    return [{"id": id, "status": status, "items": items.count((id,))} for id, status in found]


def order(db, id):
    all = "SELECT product_id FROM watched_items WHERE order_id = %s LIMIT 50"
    items = rows(db, all, id)
    ids = [id for id, in items]
    if fault == "product of each item":
        each = "SELECT name FROM watched_products WHERE id = %s"
        names = [rows(db, each, id)[0] for id in ids]
    else:
        names = rows(db, "SELECT name FROM watched_products WHERE id = ANY(%s) LIMIT 50", ids)
    return {"items": [name for name, in names]}


def create(db):
    if fault == "no transaction":
        db.autocommit = True
    id, = rows(db, "INSERT INTO watched_orders (status) VALUES ('new') RETURNING id")[0]
    for product in [1, 2]:
        db.execute("INSERT INTO watched_items VALUES (%s, %s)", (id, product))
    return {"items": 2}


def pay(db, id):
    db.execute("UPDATE watched_orders SET status = 'paid' WHERE id = %s", (id,))
    if fault == "two transactions":
        db.commit()
    db.execute("INSERT INTO watched_payments VALUES (%s)", (id,))
    return {"paid": id}


def report(db):
    count, = rows(db, "SELECT count(*) FROM watched_payments")[0]
    return {"payments": count}


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        parts = self.path.strip("/").split("/")
        with psycopg.connect(url) as db:
            if self.command == "POST":
                result = create(db) if len(parts) == 1 else pay(db, int(parts[1]))
            elif parts[0] == "report":
                result = report(db)
            else:
                result = orders(db) if len(parts) == 1 else order(db, int(parts[1]))
        body = json.dumps(result).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


with psycopg.connect(url) as db:
    for table in ["orders", "items", "products", "payments"]:
        db.execute(f"DROP TABLE IF EXISTS watched_{table}")
    db.execute("CREATE TABLE watched_orders (id SERIAL PRIMARY KEY, status TEXT)")
    db.execute("CREATE TABLE watched_items (order_id INT, product_id INT)")
    db.execute("CREATE TABLE watched_products (id INT, name TEXT)")
    db.execute("CREATE TABLE watched_payments (order_id INT)")
    db.execute("INSERT INTO watched_orders (status) SELECT 'new' FROM generate_series(1, 60)")
    products = "generate_series(1, 5) p"
    db.execute(f"INSERT INTO watched_items SELECT o, p FROM generate_series(1, 60) o, {products}")
    db.execute(f"INSERT INTO watched_products SELECT p, 'product ' || p FROM {products}")
server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening", flush=True)
server.serve_forever()
