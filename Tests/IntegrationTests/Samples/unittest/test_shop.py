import os
import unittest
import urllib.request


def ask(path):
    base = os.environ.get("SHOP", "http://pay.example")
    assert urllib.request.urlopen(f"{base}/{path}").read() == b"answer"


def setUpModule():
    ask("module-opens")


def tearDownModule():
    ask("module-closes")


class Shop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ask("class-opens")
        cls.addClassCleanup(ask, "class-closes")

    def setUp(self):
        ask("cart-comes")
        self.addCleanup(ask, "cart-goes")

    def test_lamp(self):
        if "LAMP" not in os.environ:
            ask("lamp")

    def test_skips(self):
        ask("look")
        self.skipTest("nothing to see")

    @unittest.skip("a skipped test says nothing")
    def test_skipped(self):
        ask("never")


class Sofa(unittest.IsolatedAsyncioTestCase):
    async def test_sofa(self):
        ask("sofa")
