"""The pages of a project as a static site, with a search that needs no server."""
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess

from project import is_elsewhere, resolved

HERE = pathlib.Path(__file__).resolve().parent
# The groups of the menu: their folders, and the weight of their pages in the search.
GROUPS = {
    "": ("Starting", 1), "Docs/tutorials": ("Tutorials", 1.1), "Docs/how-to": ("How-to pages", 1.2),
    "Docs/reference": ("Reference", 1.1), "Docs": ("Documentation", 1), "Plugins": ("Plugins", 1),
    "api": ("Swift libraries", 0.8), "Examples": ("Examples", 0.6), "Docs/decisions": ("Decisions", 0.5),
}
MEMBERS = 0.5
# Pages whose options and keys are found by their names.
WITH_ROWS = {f"Docs/reference/{name}.md" for name in ("commands", "scenario", "project")}
# Pages for those who change flow; they are found, but after the others.
FOR_CONTRIBUTORS = {"CHANGELOG.md": 0.3, "CONTRIBUTING.md": 0.4, "Docs/performance.md": 0.6}


def group(path):
    """The group of a page, or None for one that the menu leaves out."""
    folder = str(pathlib.PurePosixPath(path).parent)
    first = path.split("/")[0]
    if first == "api":
        return "api" if folder == "api" else None
    folder = {".": ""}.get(folder, first if first in ("Plugins", "Examples") else folder)
    return folder if folder in GROUPS else None


def weight(path):
    first = "api" if path.startswith("api/") else group(path)
    return FOR_CONTRIBUTORS.get(path, GROUPS[first][1] if first in GROUPS else 0.5)


class Site:
    """The project's pages as HTML, with what they link to."""

    def __init__(self, project, target):
        self.project = project
        self.target = target

    def write(self):
        for page in self.project.pages.values():
            self.put(self.place(page.path), self.document(page))
        for page in self.project.pages.values():
            for _, link in page.links:
                if not is_elsewhere(link):
                    self.bring(resolved(page.path, link)[0])
        self.put("index.html", self.index())
        self.put("search-index.js", "window.flowSections = " + self.search_index() + ";\n")
        for name in ("style.css", "search.js"):
            shutil.copyfile(HERE / name, self.target / name)

    def put(self, path, text):
        file = self.target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def bring(self, path):
        """Copies a file that is no page; a folder becomes a list of what is in it."""
        if path in self.project.folders:
            if path + "/README.md" not in self.project.pages:
                self.put(path + "/index.html", self.listing(path))
        elif path not in self.project.pages:
            (self.target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.project.root / path, self.target / path)

    def listing(self, folder):
        items = ""
        for file in sorted(self.project.files):
            if file.startswith(folder + "/"):
                self.bring(file)
                name = self.project.pages[file].title if file in self.project.pages else file
                items += f'<li><a href="{self.place(file)[len(folder) + 1:]}">{html.escape(name)}</a></li>\n'
        return self.frame(folder + "/index.html", folder, f"<h1>{folder}</h1>\n<ul>\n{items}</ul>\n")

    def place(self, path):
        if path in self.project.folders:
            return path + ("/README.html" if path + "/README.md" in self.project.pages else "/index.html")
        return path[:-3] + ".html" if path.endswith(".md") else path

    def document(self, page):
        body = subprocess.run(
            ["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink"],
            input=page.text, capture_output=True, text=True, check=True).stdout
        anchors = iter(page.anchors)
        body = re.sub(r"<(h[1-6])>", lambda tag: f'<{tag[1]} id="{next(anchors, "")}">', body)
        body = re.sub(r'(<(?:a href|img src)=")([^"]*)"',
                      lambda match: f'{match[1]}{self.target_of(page.path, match[2])}"', body)
        return self.frame(self.place(page.path), page.title, body)

    def target_of(self, page, link):
        link = html.unescape(link)
        if not is_elsewhere(link) and not link.startswith("#"):
            path, anchor = resolved(page, link)
            link = "../" * page.count("/") + self.place(path) + ("#" + anchor if anchor else "")
        return html.escape(link)

    def frame(self, place, title, body):
        up = "../" * place.count("/")
        return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
                f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
                f'<title>{html.escape(title)}</title>\n<link rel="stylesheet" href="{up}style.css">\n</head>\n'
                f'<body>\n<header><a href="{up}index.html">flow</a>\n'
                f'<form role="search"><input type="search" placeholder="Search" aria-label="Search" '
                f'autocomplete="off"><ul id="results"></ul></form></header>\n'
                f'<div class="page">\n<nav><details class="menu" open><summary>All pages</summary>\n'
                f'{self.menu(place, up)}</details></nav>\n<main>\n{body}</main>\n</div>\n'
                f'<script src="{up}search.js" data-root="{up}"></script>\n</body>\n</html>\n')

    # MARK: - The menu, the first page and the search

    def pages(self, folder):
        found = [page for page in self.project.pages.values() if group(page.path) == folder]
        return sorted(found, key=lambda page: not page.path.endswith("README.md")
                      or page.path.count("/") > folder.count("/") + 1)

    def menu(self, place, up):
        text = ""
        here = "api" if place.startswith("api/") else None if place == "index.html" else group(place)
        for folder, (name, _) in GROUPS.items():
            items = ""
            for page in self.pages(folder):
                mark = ' aria-current="page"' if self.place(page.path) == place else ""
                items += f'<li><a href="{up}{self.place(page.path)}"{mark}>{html.escape(page.title)}</a></li>\n'
            is_open = " open" if here == folder else ""
            text += f"<details{is_open}><summary>{name}</summary>\n<ul>\n{items}</ul>\n</details>\n"
        return text

    def index(self):
        body = ("<h1>flow</h1>\n<p>YAML scenarios run against components, recorded, replayed and compared. "
                'Begin with <a href="README.html">the overview</a> or search with the <code>/</code> key.</p>\n')
        for folder, (name, _) in GROUPS.items():
            items = "".join(f'<li><a href="{self.place(page.path)}">{html.escape(page.title)}</a></li>\n'
                            for page in self.pages(folder))
            body += f"<h2>{name}</h2>\n<ul class=\"index\">\n{items}</ul>\n"
        return self.frame("index.html", "flow", body)

    def search_index(self):
        rows = []
        for page in self.project.pages.values():
            place = self.place(page.path)
            for number, (heading, anchor, text) in enumerate(page.sections()):
                address = place if number == 0 else f"{place}#{anchor}"
                # The members of a type have names like any others'; the type itself counts more.
                share = MEMBERS if number > 0 and page.path.startswith("api/") else 1
                rows.append([page.title, heading, address, weight(page.path) * share, text])
            if page.path in WITH_ROWS:
                rows += [[f"{page.title}: {heading}", code, f"{place}#{anchor}", weight(page.path), text]
                         for heading, anchor, code, text in page.rows()]
        return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


class Addresses(html.parser.HTMLParser):
    """The ids and the links of a page of the site."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.add(values.get("id"))
        self.links += [values[name] for name in ("href", "src") if values.get(name)]


def broken_links(target):
    """Links of the written pages that lead nowhere, whatever the Markdown was taken for."""
    pages = {file.relative_to(target).as_posix(): Addresses(file.read_text(encoding="utf-8"))
             for file in target.rglob("*.html")}
    for path, page in sorted(pages.items()):
        for link in page.links:
            if is_elsewhere(link):
                continue
            place, anchor = resolved(path, link + "index.html" if link.endswith("/") else link)
            if not place or not (target / place).is_file() or anchor and anchor not in pages[place].ids:
                yield f"{path}: error: the link '{link}' is dead"
