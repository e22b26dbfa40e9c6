"""A shop with a GraphQL interface, for the scenario beside it: python3 server.py 8080.

It needs graphql-core 3.
"""

import http.server
import json
import pathlib
import sys

from graphql import GraphQLError, build_schema, graphql_sync

ORDERS = [{"__typename": "Order", "id": "7", "total": 4.5}]
USERS = [
    {"id": "1", "name": "Ann", "kind": "ADMIN", "born": "1990-02-01", "boss": None},
    {"id": "2", "name": "Bob", "kind": "GUEST", "born": None},
]


class Shop:
    """The fields of the queries and mutations."""

    def user(self, info, id):
        return next((complete(user) for user in USERS if user["id"] == id), None)

    def users(self, info, kind=None, limit=10):
        return [complete(user) for user in USERS if kind in (None, user["kind"])][:limit]

    def search(self, info, text):
        found = [user for user in self.users(info) if text in user["name"]]
        return found + [{**ORDERS[0], "owner": complete(USERS[0])}]

    def addUser(self, info, user):
        if not user["name"]:
            raise GraphQLError("a user needs a name", extensions={"code": "NO_NAME"})
        return complete({"id": "3", **user})


def complete(user):
    def refuse(info):
        raise GraphQLError("not for guests")

    boss = {"boss": complete(USERS[0])} if user["id"] == "2" else {}
    orders = [{**order, "owner": user} for order in ORDERS] if user["id"] == "1" else []
    return {"__typename": "User", "email": refuse, "orders": lambda info, open=None: orders,
            **user, **boss}


SCHEMA = build_schema(pathlib.Path(__file__).with_name("shop.graphql").read_text())


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "shop"
    sys_version = ""
    # One packet for head and body.
    wbufsize = -1

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        result = graphql_sync(
            SCHEMA, body["query"], Shop(), variable_values=body.get("variables"),
            operation_name=body.get("operationName"))
        answer = json.dumps(result.formatted).encode()
        # An error of a field has a path, and one of the query has none.
        is_refused = any(error.path is None for error in result.errors or [])
        self.send_response(400 if is_refused else 200)
        self.send_header("content-type", "application/graphql-response+json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
