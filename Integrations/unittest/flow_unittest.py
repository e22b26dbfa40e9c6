"""`python -m unittest` with a scope of each test on the tape of flow. Without FLOW_TAPE it does nothing."""
import base64
import json
import os
import sys
import unittest
from http.client import HTTPConnection, HTTPException
from unittest import TestCase, TestSuite
from urllib.parse import urlsplit

__unittest = True  # So unittest leaves the lines of this module out of the places of a failure.


def say(verb, test):
    """Begins or ends a scope, or fails with the difference."""
    url = urlsplit(os.environ["FLOW_TAPE"])
    user = base64.b64encode(f"{url.username}:{url.password}".encode()).decode()
    headers = {"Proxy-Authorization": f"Basic {user}", "Content-Type": "application/json"}
    try:
        connection = HTTPConnection(url.hostname, url.port, timeout=60)
        connection.request("POST", f"/{verb}", json.dumps({"test": test}), headers)
        answer = connection.getresponse()
        status, text = answer.status, answer.read().decode("utf-8", "replace")
        connection.close()
    except (OSError, ValueError, HTTPException) as error:
        status, text = type(error).__name__, str(error)
    if status != 204:
        raise AssertionError(text if status == 409 else f"flow: {status} {text}") from None


def run(test, result=None, run=TestCase.run):
    set_up = test.setUp

    def begin():
        say("begin", test.id())
        # The first cleanup is the last one to run.
        test.addCleanup(say, "end", test.id())
        set_up()

    test.setUp = begin  # A skipped test sets nothing up.
    try:
        return run(test, result)
    finally:
        del test.setUp


class Fixture(TestCase):
    """Stands in the report for the fixtures of a class or a module."""
    runTest = None
    id = __str__ = lambda self: self.name


def scoped(method, name_of):
    """A method of suites, with a scope around the fixtures that it runs."""
    def wrapped(suite, *given):
        result = given[-1]
        old, new = getattr(result, "_previousTestClass", None), type(given[0])
        fixture = Fixture()
        fixture.name = name_of(old, new)
        try:
            if fixture.name:
                say("begin", fixture.name)
            method(suite, *given)
            if fixture.name:
                say("end", fixture.name)
        except AssertionError:
            result.addFailure(fixture, sys.exc_info())
    return wrapped


def of_class(one, other, name):
    """The scope of a class that the tests enter from another one, or leave for it."""
    if one is other or one is None or getattr(one, "__unittest_skip__", False):
        return None
    own = {attribute for base in one.__mro__ if base is not TestCase for attribute in vars(base)}
    return f"{one.__module__}.{one.__qualname__}@{name}" if own & {"setUpClass", "tearDownClass"} else None


def of_module(one, other, name):
    module = getattr(one, "__module__", None)
    is_other = module != getattr(other, "__module__", None)
    return f"{module}@{name}" if is_other and hasattr(sys.modules.get(module), name) else None


SCOPES = {
    "_handleClassSetUp": lambda old, new: of_class(new, old, "setUpClass"),
    "_tearDownPreviousClass": lambda old, new: of_class(old, new, "tearDownClass"),
    "_handleModuleFixture": lambda old, new: of_module(new, old, "setUpModule"),
    "_handleModuleTearDown": lambda old, _: of_module(old, None, "tearDownModule"),
}

if __name__ == "__main__":
    import flow_unittest  # As the tests may do, so that there is one of it.
    unittest.main(module=None)
elif "FLOW_TAPE" in os.environ:
    TestCase.run = run
    for each, name_of in SCOPES.items():
        setattr(TestSuite, each, scoped(getattr(TestSuite, each), name_of))
