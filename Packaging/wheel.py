#!/usr/bin/env python3
"""Makes a wheel for PyPI of a tarball of Scripts/dist. The same tarball gives the same bytes.

usage: wheel.py TARBALL FOLDER HOMEPAGE [MODULE]...

The program becomes a script of the wheel, the tarball's lib and share its data, and each MODULE, a
file in Python, a plugin of pytest. Prints the path of the wheel.
"""

import base64
import hashlib
import os
import pathlib
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

NAME = "flow_tape"
# What PEP 600 lets a program expect of each system of its C library.
C_LIBRARY = re.compile(r"(libc|libm|libpthread|libdl|librt|ld-linux[-a-z0-9_]*)\.so\.[0-9]+$")
LICENSES = ["LICENSE", "share/doc/flow/copyright", "share/doc/flow/GPL-3", "share/doc/flow/LGPL-3"]
METADATA = """\
Metadata-Version: 2.4
Name: flow-tape
Version: {version}
Summary: Runs, records and replays YAML scenarios against HTTP servers, programs and databases
Keywords: testing,replay,recording,http,api,pytest
Classifier: Environment :: Console
Classifier: Framework :: Pytest
Classifier: Topic :: Software Development :: Testing
Project-URL: Source, {homepage}
License-Expression: Apache-2.0
{licenses}Requires-Python: >=3.9
Description-Content-Type: text/markdown

{description}"""


def main(tarball, folder, homepage, *modules):
    named = re.fullmatch(r"flow-(.+)-(linux|macos)-(x86_64|aarch64)\.tar\.gz", pathlib.Path(tarball).name)
    if not named:
        sys.exit(f"wheel: '{tarball}' is no tarball of Scripts/dist")
    version, system, processor = named.groups()
    version = version_of_python(version)
    tree, moment = unpacked(tarball)
    platform = linux(tree, processor) if system == "linux" else macos(tree, processor)
    files = contents(tree, modules, version, homepage, f"py3-none-{platform}")
    wheel = pathlib.Path(folder, f"{NAME}-{version}-py3-none-{platform}.whl")
    write(wheel, files, moment)
    print(wheel)


def version_of_python(version):
    """The version by PEP 440. PyPI takes those of releases alone."""
    return re.sub(r"~git(\d+)\.([0-9a-f]+)", r".dev\1+g\2", version)


def unpacked(tarball):
    """The files below the folder of the tarball, and the time of the newest one in seconds."""
    with tarfile.open(tarball) as archive:
        members = [member for member in archive if not member.isdir()]
        tree = {member.name.split("/", 1)[1]: archive.extractfile(member).read() for member in members}
    return tree, max(member.mtime for member in members)


def contents(tree, modules, version, homepage, tag):
    """The files of the wheel by path, except the record."""
    notes, data = f"{NAME}-{version}.dist-info", f"{NAME}-{version}.data"
    modules = [pathlib.Path(module) for module in modules]
    description = pathlib.Path(__file__).with_name("pypi.md").read_text("utf-8")
    licenses = [path for path in LICENSES if path in tree]
    files = {module.name: module.read_bytes() for module in modules}
    files[f"{data}/scripts/flow"] = tree["bin/flow"]
    for path, content in tree.items():
        if path.startswith(("lib/", "share/")):
            files[f"{data}/data/{path}"] = content
    for path in licenses:
        files[f"{notes}/licenses/{path}"] = tree[path]
    lines = "".join(f"License-File: {path}\n" for path in licenses)
    texts = {
        "METADATA": METADATA.format(
            version=version, homepage=homepage, licenses=lines, description=description),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: flow\nRoot-Is-Purelib: false\nTag: {tag}\n",
    }
    if modules:
        points = "".join(f"{module.stem} = {module.stem}\n" for module in modules)
        texts["entry_points.txt"] = "[pytest11]\n" + points
    return files | {f"{notes}/{name}": text.encode() for name, text in texts.items()}


def write(wheel, files, moment):
    """Writes the files and their record, in one order and with one time."""
    record = next(path for path in files if path.endswith("/WHEEL"))[: -len("WHEEL")] + "RECORD"
    lines = []
    for path, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    lines.append(f"{record},,\n")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in [*sorted(files.items()), (record, "".join(lines).encode())]:
            entry = zipfile.ZipInfo(path, time.gmtime(moment)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose modes follow.
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            archive.writestr(entry, content)


def linux(tree, processor):
    """The tag of the oldest glibc that has all that the program asks of it.

    A program that needs other libraries, too, runs on machines like this one alone. Its tag says so, and PyPI
    refuses it.
    """
    with tempfile.NamedTemporaryFile() as program:
        program.write(tree["bin/flow"])
        program.flush()
        command = ["readelf", "--wide", "--dynamic", "--version-info", program.name]
        lines = subprocess.run(command, check=True, capture_output=True, env=os.environ | {"LC_ALL": "C"}).stdout.decode()
    libraries = re.findall(r"\(NEEDED\) +Shared library: \[(.+)\]", lines)
    # In the section of what is needed, each line has `Flags`, which definitions of the program's own have not.
    versions = re.findall(r" Name: GLIBC_(\S+)  Flags: ", lines)
    numbers = [tuple(map(int, version.split("."))) for version in versions if re.fullmatch(r"[0-9.]+", version)]
    if len(numbers) < len(versions) or not all(map(C_LIBRARY.match, libraries)):
        return f"linux_{processor}"
    major, minor = max(numbers)[:2]
    return f"manylinux_{major}_{minor}_{processor}"


def macos(tree, processor):
    """The tag of the oldest macOS for which the program and its libraries were built.

    pip knows no minor versions of macOS, so a later one than .0 asks for the next.
    """
    oldest = [macos_of(content) for path, content in tree.items() if path.startswith(("bin/", "lib/"))]
    major, minor = max(oldest)
    processor = processor.replace("aarch64", "arm64")
    return f"macosx_{major + (minor > 0)}_0_{processor}"


def macos_of(program):
    """The version in a program's load command LC_BUILD_VERSION (mach-o/loader.h)."""
    place = 32
    for _ in range(struct.unpack_from("<I", program, 16)[0]):
        command, size, _, version = struct.unpack_from("<4I", program, place)
        if command == 0x32:
            return version >> 16, version >> 8 & 0xFF
        place += size
    sys.exit("wheel: a file of the tarball does not name its macOS")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n\n")[1])
    main(*sys.argv[1:])
