"""Looks at the written site as a reader does: a browser follows every link, and searches."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

# What a reader types, and the page that must come first.
SEARCHES = {
    "csrf": "Docs/how-to/csrf.html",
    "F1203": "Docs/rules.html#f1203-",
    "http.get": "Docs/reference/plugins.html#httpget",
    "resume": "Docs/reference/commands.html#flow-resume",
    "allow-host": "Docs/reference/",
    "--rerun-failed": "Docs/reference/commands.html#flow-test",
    "Decimal": "api/FlowCore/Decimal.html",
    "ScenarioRun": "api/FlowTesting/ScenarioRun.html",
    "nightly job": "Docs/tutorials/nightly.html",
}
# The pages of the pictures.
PICTURED = ["index.html", "README.html", "Docs/tutorials/http.html", "Docs/reference/commands.html",
            "Docs/reference/plugins.html", "api/FlowCore/Decimal.html"]
SIZES = {"wide": (1400, 900), "narrow": (420, 800)}
# The links of a page, its anchors, and pictures that did not load.
FACTS = """return {
  links: [...document.querySelectorAll('a[href], link[href]')].map(link => link.href),
  ids: [...document.querySelectorAll('[id]')].map(element => element.id),
  pictures: [...document.images].filter(image => !image.naturalWidth).map(image => image.src),
  width: document.documentElement.scrollWidth - document.documentElement.clientWidth,
}"""
# How long the search may take to load its index, in seconds.
PATIENCE = 30
# How often the driver is started. It takes a free port of IPv4, and ends if the same port of IPv6 is in use.
STARTS = 5


def started():
    """A driver and its port."""
    for _ in range(STARTS):
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        line = ""
        for line in driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                return driver, found[1]
        driver.wait()
    sys.exit(f"docs: chromedriver did not start: {line.strip()}")


class Browser:
    """A headless Chromium behind its driver, by the protocol of WebDriver."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="flow-site-")
        self.driver, port = started()
        self.address = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--user-data-dir={self.folder.name}"]
        options = {"args": arguments}
        if path := shutil.which("chromium"):
            options["binary"] = path
        capabilities = {"alwaysMatch": {"goog:chromeOptions": options}}
        self.address += "/" + self.ask("POST", "", {"capabilities": capabilities})["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.folder.cleanup()

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise OSError(json.load(error)["value"]["message"].split("\n")[0]) from error

    def open(self, address):
        self.ask("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def resize(self, width, height):
        # A window has a least width; the page itself can be narrower.
        self.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}})

    def picture(self):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": "Page.captureScreenshot", "params": {}})["data"]


def problems(folder):
    """Yields what is wrong with the site of a folder; at the end, nothing."""
    root = folder.as_uri() + "/"
    with Browser() as browser:
        browser.resize(*SIZES["narrow"])
        facts = yield from followed(browser, root)
        browser.resize(*SIZES["wide"])
        for text, expected in SEARCHES.items():
            first = searched(browser, root, text)
            if not first.startswith(expected):
                yield f"the search for '{text}' finds '{first}' first, not '{expected}'"
    print(f"{len(facts)} pages, {sum(len(fact['links']) for fact in facts.values())} links followed, "
          f"{len(SEARCHES)} searches")


def followed(browser, root):
    """Opens every page that can be reached from the first one, and checks all links, anchors and pictures."""
    facts, waiting, seen = {}, [root + "index.html"], {root + "index.html"}
    while waiting:
        address = waiting.pop()
        browser.open(address)
        facts[address] = browser.run(FACTS)
        name = address.removeprefix(root)
        for picture in facts[address]["pictures"]:
            yield f"{name}: the picture '{picture.removeprefix(root)}' does not load"
        if facts[address]["width"] > 0:
            yield f"{name}: on a narrow screen the page is {facts[address]['width']} pixels too wide"
        for link in facts[address]["links"]:
            target = link.partition("#")[0]
            if not target.startswith("file:") or target in seen:
                continue
            seen.add(target)
            file = pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(target).path))
            if not target.startswith(root) or not file.is_file():
                yield f"{name}: the link '{link.removeprefix(root)}' leads to no file of the site"
            elif file.suffix == ".html":
                waiting.append(target)
    for address, fact in facts.items():
        for link in fact["links"]:
            target, _, anchor = link.partition("#")
            if anchor and target in facts and urllib.parse.unquote(anchor) not in facts[target]["ids"]:
                yield f"{address.removeprefix(root)}: the link '{link.removeprefix(root)}' leads to no heading"
    return facts


def searched(browser, root, text):
    """Types a text into the field of the first page, and returns the first result."""
    browser.open(root + "index.html")
    field = browser.ask("POST", "/element", {"using": "css selector", "value": "header input"})
    browser.ask("POST", f"/element/{next(iter(field.values()))}/value", {"text": text})
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = browser.run("return [...document.querySelectorAll('#results li')].map(row => "
                            "row.querySelector('a')?.href || '')")
        if found:
            return found[0].removeprefix(root)
        time.sleep(0.05)
    return ""


def draw(site, folder):
    """Writes pictures of some pages, on a wide and a narrow screen, and one of the search."""
    import base64
    folder.mkdir(parents=True, exist_ok=True)
    root = site.as_uri() + "/"

    def put(name):
        (folder / f"{name}.png").write_bytes(base64.b64decode(browser.picture()))
    with Browser() as browser:
        for size, (width, height) in SIZES.items():
            browser.resize(width, height)
            for page in PICTURED:
                browser.open(root + page)
                put(f"{page[:-5].replace('/', '-')}-{size}")
            searched(browser, root, "rerun failed")
            put(f"search-{size}")
