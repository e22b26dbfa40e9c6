import os

import pytest
from conftest import ask

ask("import")


def test_lamp(cart):
    if "LAMP" not in os.environ:
        ask("lamp")


def test_colour(colour):
    ask(colour)


@pytest.mark.skip
def test_skipped():
    ask("never")


def test_sofa(shop):
    ask("sofa")
