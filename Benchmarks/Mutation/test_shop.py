"""The tests of the service: one request each, the same as in shop.yaml."""

import http.client
import json
import threading
from http.server import ThreadingHTTPServer

import pytest

import shop


@pytest.fixture(scope="session")
def port():
    server = ThreadingHTTPServer(("127.0.0.1", 0), shop.Handler)
    # The default would wait half a second at the end of each run.
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield server.server_port
    server.shutdown()


def ask(port, method, path, value=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request(method, path, json.dumps(value) if value is not None else None)
    response = connection.getresponse()
    return response.status, json.load(response)


def test_items(port):
    status, body = ask(port, "GET", "/items")
    assert status == 200
    assert [item["id"] for item in body] == ["chair", "lamp", "table"]


def test_order(port):
    status, body = ask(port, "POST", "/quotes", {"items": ["lamp", "chair"], "country": "CH"})
    assert status == 200
    assert body["shipping"] == 0
    assert body["total"] == 14485


def test_small_order(port):
    status, body = ask(port, "POST", "/quotes", {"items": ["lamp"], "country": "DE"})
    assert status == 200
    assert body["shipping"] == 900
    assert body["tax"] == 1026


def test_coupon(port):
    status, body = ask(port, "POST", "/quotes", {"items": ["table"], "coupon": "TEN"})
    assert status == 200
    assert body["discount"] == 2590


def test_empty(port):
    status, body = ask(port, "POST", "/quotes", {"items": []})
    assert status == 422
    assert body["error"] == "empty"


def test_unknown_item(port):
    status, body = ask(port, "POST", "/quotes", {"items": ["sofa"]})
    assert status == 404
    assert body["error"] == "unknown_item"


def test_unknown_country(port):
    status, _ = ask(port, "POST", "/quotes", {"items": ["lamp"], "country": "XX"})
    assert status == 422


def test_unknown_path(port):
    status, _ = ask(port, "GET", "/nothing")
    assert status == 404
