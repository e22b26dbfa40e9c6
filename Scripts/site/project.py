"""The Markdown pages of a project: their headings, links and widths."""
import pathlib
import re
import subprocess
import urllib.parse

# How wide a line of prose may be, in characters.
COLUMNS = 100
# Folders of no interest where Git does not know the project.
HIDDEN = {".build", ".git", ".venv", ".flow", ".swiftpm"}
HEADING = r"#{1,6} +(.*?)[ #]*$"
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\]\([^)]*\)|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")


def git_files(root):
    """The paths of the files that git has, or would take; of all files where it does not know the folder."""
    found = subprocess.run(["git", "-C", root, "ls-files", "-z", "-co", "--exclude-standard"],
                           capture_output=True, text=True)
    if found.returncode == 0:
        return sorted(path for path in found.stdout.split("\0") if path and (root / path).exists())
    found = [path.relative_to(root) for path in root.rglob("*") if path.is_file()]
    return sorted(path.as_posix() for path in found if not HIDDEN.intersection(path.parts))


class Page:
    """A Markdown file: its links and the anchors of its headings, as GitHub names them."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.links = []
        self.anchors = []
        self.title = path
        prose = list(self.prose())
        self.wide = [(number, len(line)) for number, line in prose if len(line) > COLUMNS and is_breakable(line)]
        for _, line in prose:
            if heading := re.match(HEADING, line):
                self.add(heading.group(1))
        # A link may go over the end of a line, but not over that of a paragraph.
        for first, paragraph in paragraphs(prose):
            for match in LINK.finditer(without_code(paragraph)):
                line = first + paragraph.count("\n", 0, match.start(1))
                self.links.append((line, match.group(1)))
                for inner in LINK.finditer(match.group(0)[2:]):
                    self.links.append((line, inner.group(1)))

    def prose(self):
        """The lines outside of code blocks, with their numbers; others are empty."""
        fence = None
        for number, line in enumerate(self.text.split("\n"), 1):
            mark = re.match(r" *(```+|~~~+)", line)
            if mark and (fence is None or line.strip().startswith(fence)):
                fence = mark.group(1) if fence is None else None
                line = ""
            yield number, line if fence is None else ""

    def sections(self):
        """The headings with their anchors and the text below each, code included."""
        anchors = iter(self.anchors)
        found = []
        for (_, line), text in zip(self.prose(), self.text.split("\n")):
            if heading := re.match(HEADING, line):
                found.append((plain(heading.group(1)), next(anchors), []))
            elif found:
                found[-1][2].append(text)
        return [(heading, anchor, plain(" ".join(lines))) for heading, anchor, lines in found]

    def rows(self):
        """The rows of tables that start with code: the heading above, its anchor, the code and the text."""
        anchors = iter(self.anchors)
        heading, anchor = self.title, ""
        for _, line in self.prose():
            if found := re.match(HEADING, line):
                heading, anchor = plain(found.group(1)), next(anchors)
            elif found := re.match(r"\| `(-\w, )?([^\s`=\[]+)[^|]*\|", line):
                yield heading, anchor, found.group(2), plain(line)

    def add(self, heading):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        if not self.anchors:
            self.title = plain(text)
        # Of Markdown's marks only what is around words disappears: `_` in a name stays.
        text = re.sub(r"(?<!\w)_([^_]+)_(?!\w)", r"\1", text)
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        count = sum(1 for anchor in self.anchors if re.fullmatch(re.escape(slug) + r"(-\d+)?", anchor))
        self.anchors.append(f"{slug}-{count}" if slug in self.anchors else slug)


def plain(text):
    """The words of a Markdown text, without the targets of links and without marks."""
    text = re.sub(r"<!--.*?-->|</?[a-z][^<>]*>", " ", re.sub(r"\]\([^)\s]*\)", " ", text))
    text = re.sub(r"[`*|\[\]\\]|-{3,}", " ", text)
    return re.sub(r"\s+", " ", text).strip()


def is_breakable(line):
    """Whether a line of prose can be wrapped: it is no heading, table or HTML, and has more than one word."""
    return re.match(r" *(#{1,6} |\||<)", line) is None and re.match(r"[ >]*([-*+] |\d+\. )? *\S+$", line) is None


def without_code(text):
    """The text with blanks in place of code spans, so that positions stay."""
    return re.sub(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)",
                  lambda code: re.sub(r"[^\n]", " ", code.group(0)), text, flags=re.S)


def paragraphs(lines):
    block, first = [], 0
    for number, line in lines + [(0, "")]:
        if line.strip() and not re.match(r"#{1,6} |\|", line):
            first = first if block else number
            block.append(line)
            continue
        if block:
            yield first, "\n".join(block)
        block = []
        if line.strip():
            yield number, line


def is_elsewhere(link):
    return re.match(r"[a-z][a-z0-9+.-]*:|//", link) is not None


def resolved(page, link):
    """The path that a link of a page leads to, inside of the project, and the anchor in it."""
    path, _, anchor = urllib.parse.unquote(link).partition("#")
    if not path:
        return page, anchor
    parts = []
    for part in (pathlib.PurePosixPath(page).parent / path).parts:
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            return None, anchor
    return "/".join(parts), anchor


class Project:
    """The pages of a folder, and what they may link to."""

    def __init__(self, root):
        self.root = root
        self.files = set(git_files(root))
        self.folders = {str(folder) for file in self.files for folder in pathlib.PurePosixPath(file).parents}
        self.pages = {path: Page(path, (root / path).read_text(encoding="utf-8"))
                      for path in sorted(self.files) if path.endswith(".md")}

    def add(self, pages):
        """Takes pages that are no files."""
        for page in pages:
            self.pages[page.path] = page
            self.files.add(page.path)

    def dead_links(self):
        for page in self.pages.values():
            for line, link in page.links:
                if problem := None if is_elsewhere(link) else self.problem(page, link):
                    yield f"{page.path}:{line}: error: {problem}"

    def wide_lines(self):
        for page in self.pages.values():
            for line, columns in page.wide:
                yield f"{page.path}:{line}: error: the line has {columns} columns; wrap it at {COLUMNS}"

    def problem(self, page, link):
        path, anchor = resolved(page.path, link)
        if path is None or path not in self.files | self.folders:
            return f"the link '{link}' leads to no file of the project"
        if anchor and path not in self.pages:
            return f"the link '{link}' has an anchor, and '{path}' is no page"
        if anchor and anchor not in self.pages[path].anchors:
            return f"the link '{link}' leads to no heading of '{path}'"
        return None
