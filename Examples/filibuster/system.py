"""Starts the services of a system, and watches their ports when they have ended."""
import http.server
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import threading

SERVE = pathlib.Path(__file__).resolve().parent / "serve.py"


class System:
    """The services of a system as processes of their own, on ports of 127.0.0.1."""

    def __init__(self, folder, outside):
        self.folder = folder
        apps = sorted(folder.glob("services/*/*/app.py"))
        self.apps = {app.parents[1].name: app for app in apps}
        self.ports = {name: free_port() for name in [*self.apps, *outside]}
        self.addresses = {name: f"http://127.0.0.1:{port}" for name, port in self.ports.items()}
        self.processes, self.sites = {}, []

    def start(self, by_name=()):
        """Starts all services. Those of `by_name` are known to the others by their names."""
        services = {**self.addresses, **{name: f"http://{name}:80" for name in by_name}}
        environment = {**os.environ, "SERVICES": json.dumps(services)}
        for name, app in self.apps.items():
            command = [sys.executable, SERVE, app, str(self.ports[name])]
            with open(self.folder / f"{name}.log", "w") as log:
                self.processes[name] = subprocess.Popen(
                    command, env=environment, stdout=subprocess.PIPE, stderr=log
                )
        for name, process in self.processes.items():
            if not process.stdout.readline().startswith(b"listening"):
                self.stop()
                sys.exit(f"{name} of {self.folder.name} did not start: {self.folder}/{name}.log")
            threading.Thread(target=process.stdout.read, daemon=True).start()
        for name in self.ports.keys() - self.apps.keys():
            site = http.server.ThreadingHTTPServer(("127.0.0.1", self.ports[name]), Site)
            threading.Thread(target=site.serve_forever, daemon=True).start()
            self.sites.append(site)

    def stop(self):
        for process in self.processes.values():
            process.kill()
            process.wait()
        for site in self.sites:
            site.shutdown()
            site.server_close()
        self.processes, self.sites = {}, []


class Site(http.server.BaseHTTPRequestHandler):
    """A site outside of a system, which only has to answer."""

    def do_HEAD(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def free_port():
    """A port below those that the system gives out by itself, so that nothing else takes it."""
    while True:
        port = random.randrange(10000, 32000)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Counter:
    """Listens on the ports of a stopped system, and counts the connections."""

    def __init__(self, ports):
        self.count, self.listeners = 0, []
        for port in ports:
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", port))
            listener.listen()
            self.listeners.append(listener)
            threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.count += 1
            connection.close()

    def close(self):
        for listener in self.listeners:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
