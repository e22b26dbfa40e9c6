"""The orders of a small shop, as a server of the Model Context Protocol."""

from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel

server = MCPServer("orders")
orders = {7: {"item": "lamp", "cents": 2050, "state": "delivered"}}


class Order(BaseModel):
    number: int
    item: str
    cents: int
    state: str


@server.tool()
def find_order(number: int) -> Order:
    """Finds an order by its number."""
    return Order(number=number, **orders[number])


@server.tool()
def refund(number: int, cents: int) -> Order:
    """Returns an amount in cents to the customer of an order."""
    order = orders[number]
    if cents > order["cents"]:
        raise ValueError(f"order {number} has cost {order['cents']} cents")
    order["state"] = "refunded"
    return Order(number=number, **order)


server.run()
