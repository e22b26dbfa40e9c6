#!/usr/bin/env python3
"""Serves one service of the corpus with today's Flask, on a free port of 127.0.0.1.

usage: serve.py APP [PORT]

APP is the service's app.py. SERVICES in the environment is a JSON object with the address of each
other service, PATIENCE a factor for the timeouts of the corpus's networking.json. The first line on
standard output has the address.
"""
import importlib.abc
import importlib.machinery
import json
import logging
import os
import pathlib
import runpy
import sys
import urllib.parse

from werkzeug.serving import make_server


class Nothing:
    """Takes the place of a library that only watches: each name and each call is nothing."""

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **named):
        return self


class Watchers(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of OpenTelemetry and Filibuster, and leaves them empty."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("opentelemetry", "filibuster"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module):
        module.__getattr__ = lambda name: Nothing()


class Helper:
    """Knows the other services by SERVICES, in place of the corpus's helper.py."""

    app = ""
    """The path of the served app.py."""

    def __init__(self, system):
        networking = pathlib.Path(self.app).resolve().parents[3] / "networking.json"
        self.networking = json.loads(networking.read_text())
        self.addresses = json.loads(os.environ.get("SERVICES", "{}"))

    def get_service_url(self, name):
        return self.addresses.get(name, "http://127.0.0.1:9")

    def resolve_requests_host(self, name):
        return urllib.parse.urlsplit(self.get_service_url(name)).hostname

    def get_port(self, name):
        return urllib.parse.urlsplit(self.get_service_url(name)).port

    def get_timeout(self, name):
        return self.networking[name]["timeout-seconds"] * float(os.environ.get("PATIENCE", "1"))

    def get_debug(self):
        return False

    def jaeger_agent_host_name(self):
        return "127.0.0.1"

    def jaeger_agent_port(self):
        return 9


def load(path):
    """The Flask application of an app.py."""
    sys.meta_path.insert(0, Watchers())
    Helper.app = path
    helper = type(sys)("helper")
    helper.Helper = Helper
    sys.modules["helper"] = helper
    return runpy.run_path(path, run_name="service")["app"]


def main():
    sys.dont_write_bytecode = True
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    server = make_server("127.0.0.1", port, load(sys.argv[1]), threaded=True)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
