"""Pays an item once: what was paid before is in the database."""

import json
import os
import sqlite3
import sys
import urllib.request

database = sqlite3.connect(os.environ["DATABASE"])
item = sys.argv[1]
paid = database.execute("SELECT id FROM payment WHERE item = ?", [item]).fetchone()
if paid:
    print(f"{item} is paid: {paid[0]}")
else:
    body = json.dumps({"item": item}).encode()
    request = urllib.request.Request(
        os.environ["PAYMENTS_URL"] + "/payments", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        payment = json.load(answer)
    with database:
        database.execute("INSERT INTO payment VALUES (?, ?)", [item, payment["id"]])
    print(f"paid {item}: {payment['id']}")
