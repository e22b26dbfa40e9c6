"""A service that takes orders: FastAPI, httpx and a database in SQLite."""

import asyncio
import datetime
import os
import sqlite3
import uuid

import fastapi
import httpx

STOCK, PAYMENTS = os.environ["STOCK_URL"], os.environ["PAYMENTS_URL"]
app = fastapi.FastAPI()
client = httpx.AsyncClient(timeout=5)
database = sqlite3.connect(os.environ.get("DATABASE", ":memory:"), check_same_thread=False)
database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, cents INTEGER, payment TEXT)")


async def item(number: int) -> dict:
    answer = await client.get(f"{STOCK}/items/{number}", params={"currency": "EUR"})
    return answer.raise_for_status().json()


async def pay(cents: int) -> dict:
    """Pays with one key for all attempts, so that the customer pays once."""
    key = str(uuid.uuid4())
    for attempt in range(3):
        created = datetime.datetime.now(datetime.timezone.utc).isoformat()
        answer = await client.post(
            f"{PAYMENTS}/payments",
            json={"amount": cents, "created": created},
            headers={"Idempotency-Key": key},
        )
        if answer.status_code != 503:
            break
    return answer.raise_for_status().json()


@app.post("/orders", status_code=201)
async def order(wanted: list[int], response: fastapi.Response):
    items = await asyncio.gather(*(item(number) for number in wanted))
    cents = sum(item["cents"] for item in items)
    payment = await pay(cents)
    if payment["status"] != "paid":
        response.status_code = 402
        return {"status": payment["status"]}
    with database:
        row = database.execute(
            "INSERT INTO orders (cents, payment) VALUES (?, ?)", (cents, payment["id"])
        )
    return {"order": row.lastrowid, "cents": cents, "payment": payment["id"]}


@app.get("/orders/{number}/shipping")
async def shipping(number: int):
    """Reads the events of a shipment, line by line, until it has arrived."""
    if not database.execute("SELECT 1 FROM orders WHERE id = ?", (number,)).fetchone():
        raise fastapi.HTTPException(404)
    places = []
    async with client.stream("GET", f"{STOCK}/shipments/{number}") as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                places.append(line.removeprefix("data: "))
    return {"places": places}


@app.exception_handler(httpx.HTTPError)
async def failed(request, error):
    return fastapi.responses.JSONResponse({"error": "try again later"}, 503)
