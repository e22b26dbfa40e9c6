import os
import urllib.request

import pytest


def ask(path):
    base = os.environ.get("SHOP", "http://pay.example")
    assert urllib.request.urlopen(f"{base}/{path}").read() == b"answer"


@pytest.fixture(scope="session")
def shop():
    ask("shop-opens")
    yield
    ask("shop-closes")


@pytest.fixture(scope="module", params=["red", "blue"])
def colour(request, shop):
    ask(f"{request.param}-comes")
    yield request.param
    ask(f"{request.param}-goes")


@pytest.fixture
def cart(shop):
    ask("cart-comes")
    yield
    ask("cart-goes")
