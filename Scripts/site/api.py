"""The public API of the libraries as Markdown pages, from the symbol graphs of the last build."""
import collections
import json
import pathlib
import re
import tempfile

from project import Page

MODULES = {
    "FlowCore": "The types of components: plugins, operations, values and their records.",
    "FlowTesting": "Scenarios and components in Swift tests.",
    "FlowXCTest": "Scenarios as tests of XCTest.",
    "FlowCommand": "The command line, for a `flow` with components of your own.",
}
# The sections of a page, with the kinds of their symbols.
SECTIONS = {
    "Types": ("struct", "enum", "class", "protocol", "typealias", "associatedtype"),
    "Cases": ("enum.case",), "Creating": ("init",), "Properties": ("property", "type.property"),
    "Methods": ("method", "type.method", "subscript", "func", "func.op"),
}
TYPES = SECTIONS["Types"][:4]
# Conformances of nearly every type.
USUAL = {"Copyable", "Escapable", "SendableMetatype"}


class Symbol:
    """A declaration of a symbol graph."""

    def __init__(self, data):
        self.id = data["identifier"]["precise"]
        self.path = data["pathComponents"]
        self.kind = data["kind"]["identifier"].removeprefix("swift.")
        self.declaration = "".join(part["spelling"] for part in data["declarationFragments"])
        self.text = "\n".join(line["text"] for line in data.get("docComment", {}).get("lines", []))
        position = data.get("location", {})
        self.order = (position.get("uri", ""), position.get("position", {}).get("line", 0))

    @property
    def is_type(self):
        return self.kind in TYPES

    @property
    def name(self):
        return ".".join(self.path) if self.is_type else self.path[-1]

    @property
    def summary(self):
        return self.text.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


class Module:
    """The pages of a library: one for itself, one for each type, one for what it adds to others."""

    def __init__(self, name, graphs):
        self.name = name
        self.members = collections.defaultdict(list)
        self.conformances = collections.defaultdict(list)
        self.additions = collections.defaultdict(list)
        self.types = []
        for file in sorted(graphs.glob("*.symbols.json")):
            self.read(json.loads(file.read_text(encoding="utf-8")), "@" in file.name)
        self.types.sort(key=lambda symbol: symbol.name)

    def read(self, graph, is_addition):
        for symbol in sorted(map(Symbol, graph["symbols"]), key=lambda symbol: symbol.order):
            owner = ".".join(symbol.path[:-1])
            (self.additions if is_addition else self.members)[owner].append(symbol)
            if symbol.is_type and not is_addition:
                self.types.append(symbol)
        for relation in graph["relationships"]:
            if relation["kind"] == "conformsTo":
                self.conformances[relation["source"]].append(relation.get("targetFallback", "").split(".")[-1])

    def pages(self):
        yield self.page(f"api/{self.name}.md", self.front())
        for symbol in self.types:
            yield self.page(f"api/{self.name}/{symbol.name}.md", self.type(symbol))
        if self.additions:
            yield self.page(f"api/{self.name}/Extensions.md", self.extensions())

    def page(self, path, text):
        """A page whose names of types in code font are links, outside of headings and blocks."""
        own = {symbol.name: f"{self.name}/{symbol.name}.md" for symbol in self.types}
        up = "../" * (path.count("/") - 1)
        here = pathlib.PurePosixPath(path).stem

        def linked(code):
            name = code[1]
            return f"[`{name}`]({up}{own[name]})" if name in own and name != here else code[0]
        lines = Page(path, text).prose()
        return Page(path, "\n".join(
            re.sub(r"(?<![`\[])`([\w.]+)`(?!`)", linked, line) if line and not line.startswith("#") else source
            for (_, line), source in zip(lines, text.split("\n"))))

    def front(self):
        rows = "".join(f"| `{symbol.name}` | {symbol.summary} |\n" for symbol in self.types)
        more = "\n[Extensions of other types](" + self.name + "/Extensions.md)\n" if self.additions else ""
        table = f"| type | |\n|---|---|\n{rows}" if rows else ""
        return f"# {self.name}\n\n{MODULES[self.name]}\n\n{table}{more}"

    def type(self, symbol):
        text = f"# {symbol.name}\n\n{described(symbol)}"
        conformances = sorted(set(self.conformances[symbol.id]) - USUAL - {""})
        if conformances:
            text += "\nConforms to " + ", ".join(f"`{name}`" for name in conformances) + ".\n"
        text += f"\nOf [{self.name}](../{self.name}.md).\n"
        return text + self.sections(self.members[symbol.name], "##")

    def extensions(self):
        text = f"# Extensions in {self.name}\n\nDeclarations that {self.name} adds to types of other modules.\n"
        for owner, symbols in sorted(self.additions.items()):
            if owner:
                text += f"\n## {owner}\n" + "".join(f"\n### {title(symbol)}\n\n{described(symbol)}"
                                                    for symbol in symbols if not symbol.is_type)
        return text

    @staticmethod
    def sections(members, level):
        text = ""
        for section, kinds in SECTIONS.items():
            found = [symbol for symbol in members if symbol.kind in kinds]
            if not found:
                continue
            text += f"\n{level} {section}\n"
            if section == "Types":
                text += "\n| type | |\n|---|---|\n"
                text += "".join(f"| `{symbol.name}` | {symbol.summary} |\n" for symbol in found)
                continue
            text += "".join(f"\n{level}# {title(symbol)}\n\n{described(symbol)}" for symbol in found)
        return text


def title(symbol):
    return f"`{symbol.path[-1]}`"


def described(symbol):
    """The declaration of a symbol, and its comment."""
    # DocC's lists of parameters are lists of Markdown, too.
    text = re.sub(r"^- (Throws|Returns|Precondition|Parameters?\b[^:]*):", r"- **\1:**", symbol.text, flags=re.M)
    return f"```swift\n{symbol.declaration}\n```\n" + (f"\n{text}\n" if text else "")


def api_pages(root, run):
    """The pages of all libraries."""
    build = root / ".build" / "debug"
    triple = json.loads(run(["swift", "-print-target-info"]).stdout)["target"]["triple"]
    maps = {file.parent for place in (build.glob("*/module.modulemap"), root.glob("Sources/**/module.modulemap"),
                                      root.glob("Plugins/**/module.modulemap")) for file in place}
    includes = [part for folder in sorted(maps) for part in ("-I", str(folder))]
    # Headers of C include those of other targets.
    for headers in sorted([*root.glob("Sources/*/include"), *root.glob("Plugins/**/include")]):
        includes += ["-Xcc", f"-I{headers}"]
    with tempfile.TemporaryDirectory() as work:
        for module in MODULES:
            graphs = pathlib.Path(work, module)
            graphs.mkdir()
            run(["swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-I",
                 str(build / "Modules"), *includes, "-output-dir", str(graphs),
                 "-minimum-access-level", "public", "-skip-inherited-docs", "-skip-synthesized-members"])
            yield from Module(module, graphs).pages()
