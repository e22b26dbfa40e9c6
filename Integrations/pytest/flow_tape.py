"""A plugin of pytest: each test has its own scope on the tape of flow. Without FLOW_TAPE it does nothing."""
import base64
import json
import os
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import pytest

# Here, since other plugins and each conftest.py may create clients, which read the variables once.
if "FLOW_TAPE" in os.environ and "PYTEST_XDIST_WORKER" in os.environ:
    for name in ("FLOW_TAPE", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        rest = os.environ.get(name, "").split(":", 2)[2:]
        os.environ[name] = ":".join([f"http://flow-{os.environ['PYTEST_XDIST_WORKER']}", *rest])


def pytest_configure(config):
    if "FLOW_TAPE" in os.environ:
        config.pluginmanager.register(Tape(urlsplit(os.environ["FLOW_TAPE"])), "flow_tape_scopes")


class Tape:
    def __init__(self, url):
        self.url = url
        self.has_begun = self.has_passed = False
        self.problems = []  # Of the current phase of a test: its fixtures, and its end.

    def say(self, verb, test):
        """Begins or ends a scope, and returns whether that went well."""
        user = base64.b64encode(f"{self.url.username}:{self.url.password}".encode()).decode()
        headers = {"Proxy-Authorization": f"Basic {user}", "Content-Type": "application/json"}
        try:
            connection = HTTPConnection(self.url.hostname, self.url.port, timeout=60)
            connection.request("POST", f"/{verb}", json.dumps({"test": test}), headers)
            answer = connection.getresponse()
            status, text = answer.status, answer.read().decode("utf-8", "replace")
            connection.close()
        except (OSError, ValueError, HTTPException) as error:
            status, text = type(error).__name__, str(error)
        if status != 204:
            self.problems.append(text if status == 409 else f"flow: {status} {text}")
        return status == 204

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector):
        """Gives the import of a file its own scope, since it is left out with the tests of the file."""
        name = collector.nodeid or "collection"
        self.say("begin", name)
        report = (yield).get_result()
        self.say("end", name)
        if self.problems and report.passed:
            report.outcome, report.longrepr = "failed", "\n".join(self.problems)
        self.problems = []

    # Not before all other hooks, since one of them skips tests.
    def pytest_runtest_setup(self, item):
        self.has_begun = self.say("begin", item.nodeid)
        if not self.has_begun:
            pytest.fail(self.problems.pop(), pytrace=False)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        if call.when == "teardown" and self.has_begun:
            self.say("end", item.nodeid)
            self.has_begun = False
        text, self.problems = "\n".join(self.problems), []
        is_cause = text and call.excinfo is None
        if is_cause:
            try:
                pytest.fail(text, pytrace=False)
            except pytest.fail.Exception:
                call.excinfo = pytest.ExceptionInfo.from_current()
        report = (yield).get_result()
        if text and not is_cause:
            report.sections.append((f"flow at {call.when}", text))
        # A difference is known after the call, so a test that has passed is counted by its teardown.
        if call.when == "call":
            self.has_passed = report.passed and not hasattr(report, "wasxfail")
            report.flow_tape = self.has_passed and ("", "", "")
        elif call.when == "teardown" and self.has_passed:
            self.has_passed = False
            if report.passed:
                report.flow_tape = ("passed", ".", "PASSED")
            elif is_cause:
                report.flow_tape = ("failed", "F", "FAILED")

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report):
        # A subtest has a copy of the report, and an attempt that is repeated another outcome.
        if type(report) is pytest.TestReport and report.outcome != "rerun":
            return tuple(getattr(report, "flow_tape", None) or ()) or None

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        """Gives a shared fixture its own scopes, so that no choice or order of tests moves its requests."""
        if request.scope == "function":
            yield
            return
        number = f"[{request.param_index}]" if hasattr(request, "param") else ""
        name = f"{request.node.nodeid}@{fixturedef.argname}{number}"
        # Finalizers run in reverse order, so these are around those of the fixture.
        fixturedef.addfinalizer(lambda: self.say("end", f"{name} teardown"))
        self.say("begin", name)
        yield
        self.say("end", name)
        fixturedef.addfinalizer(lambda: self.say("begin", f"{name} teardown"))
