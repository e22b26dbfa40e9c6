import FlowCore
import Foundation
import TestKit
import Testing

/// The wheels that `Packaging/wheel.py` makes of tarballs.
@Suite(.enabled(if: Python.having("ensurepip") != nil, "no Python here"))
struct WheelTests {
  private let folder: TemporaryFolder
  private let python = Python.having("ensurepip") ?? ""

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("def pytest_configure(config): pass\n", to: "flow_tape.py")
  }

  // The program of the tests needs more libraries than that of a release, so its wheel is for this machine alone.
  @Test(.enabled(if: ["readelf", "strip"].allSatisfy { Tool.path($0) != nil }, "no binutils here"))
  func `an installed wheel runs the first steps of the tutorial and has a plugin`() throws {
    let processor = try shell("uname -m").dropLast()
    try shell("mkdir -p bin && strip -o bin/flow '\(BuiltProgram.url("flow").path)'")
    let wheel = try makeWheel("0.2.0-linux-\(processor)").output.dropLast()

    let output = try shell(
      """
      '\(python)' -m venv venv
      venv/bin/pip install --quiet --disable-pip-version-check --no-index '\(wheel)'
      (cd venv && find share -type f; cd lib/python*/site-packages && ls -d flow_tape.py */licenses/*) | sort
      venv/bin/python -I -c '
      from importlib.metadata import entry_points
      for point in entry_points(group="pytest11"):
          print(point.name, "in", point.load().pytest_configure.__module__)'
      PATH="$PWD/venv/bin:$PATH"
      flow init packages >said
      cd packages
      flow test >>../said
      grep -oE "^(wrote packages/flow|passed +Scenarios/hello)[.]yaml" ../said
      """)

    #expect(wheel == "flow_tape-0.2.0-py3-none-linux_\(processor).whl")
    #expect(
      output == """
        flow_tape-0.2.0.dist-info/licenses/LICENSE
        flow_tape-0.2.0.dist-info/licenses/share
        flow_tape.py
        share/doc/flow/copyright
        share/man/man1/flow.1
        flow_tape in flow_tape
        wrote packages/flow.yaml
        passed   Scenarios/hello.yaml

        """)
  }

  @Test func `a tarball gives the same wheel at any time, with the digest of each file`() throws {
    try folder.write(Self.machO(version: 15 << 16), to: "bin/flow")

    let name = "0.2.0~git20261129.964e3f0.changed-macos-aarch64"
    let wheel = try String(makeWheel(name).output.dropLast())
    let bytes = try folder.directory.read(wheel)
    let again = try makeWheel(name).output.dropLast()
    let checked = try shell("'\(python)' -c '\(Self.check)' '\(wheel)'")

    #expect(wheel == "flow_tape-0.2.0.dev20261129+g964e3f0.changed-py3-none-macosx_15_0_arm64.whl")
    #expect(try again == wheel && folder.directory.read(wheel) == bytes)
    #expect(
      checked.replacing("flow_tape-0.2.0.dev20261129+g964e3f0.changed.", with: "") == """
        0o100644 data/data/share/doc/flow/copyright
        0o100644 data/data/share/man/man1/flow.1
        0o100755 data/scripts/flow
        0o100644 dist-info/METADATA
        0o100644 dist-info/WHEEL
        0o100644 dist-info/entry_points.txt
        0o100644 dist-info/licenses/LICENSE
        0o100644 dist-info/licenses/share/doc/flow/copyright
        0o100644 flow_tape.py

        """)
  }

  /// Prints the files of a wheel with their modes, and an error for each that is not as recorded.
  private static let check = """
    import base64, csv, hashlib, sys, zipfile
    wheel = zipfile.ZipFile(sys.argv[1])
    rows = {path: digest for path, digest, _ in csv.reader(wheel.read(wheel.namelist()[-1]).decode().splitlines())}
    assert list(rows) == wheel.namelist()
    for entry in wheel.infolist()[:-1]:
        digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(entry)).digest()).decode()
        assert rows[entry.filename] == "sha256=" + digest.rstrip("="), entry
        print(oct(entry.external_attr >> 16), entry.filename)
    """

  struct Needs: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let lines: String
    let tag: String
  }

  @Test(arguments: [
    Needs(
      testDescription: "the C library",
      lines: """
         0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]
         0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
         0x0000000000000001 (NEEDED)             Shared library: [ld-linux-x86-64.so.2]
          0x0010:   Name: GLIBC_2.36  Flags: none  Version: 14
          0x0020:   Name: GLIBC_2.2.5  Flags: none  Version: 9
        """, tag: "manylinux_2_36_x86_64"),
    Needs(
      testDescription: "another library",
      lines: """
         0x0000000000000001 (NEEDED)             Shared library: [libyaml-0.so.2]
         0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
          0x0010:   Name: GLIBC_2.34  Flags: none  Version: 14
        """, tag: "linux_x86_64"),
    Needs(
      testDescription: "a version of no release",
      lines: """
         0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
          0x0010:   Name: GLIBC_2.34  Flags: none  Version: 14
          0x0020:   Name: GLIBC_PRIVATE  Flags: none  Version: 9
        """, tag: "linux_x86_64"),
  ])
  func `the tag of a program is the oldest system that has what it needs`(_ needs: Needs) throws {
    try folder.write("", to: "bin/flow")
    try folder.write("#!/bin/sh\ncat <<END\n\(needs.lines)\nEND\n", to: "tools/readelf")
    try folder.setMode(0o755, of: "tools/readelf")

    let run = try makeWheel("0.2.0-linux-x86_64")

    #expect(run.output == "flow_tape-0.2.0-py3-none-\(needs.tag).whl\n")
    #expect(run.errors == "")
  }

  @Test(arguments: [(15 << 16, "15"), (15 << 16 | 4 << 8, "16"), (26 << 16 | 1, "26")])
  func `the tag of a program for macOS has the version that it was built for`(
    _ version: UInt32, _ tag: String
  ) throws {
    try folder.write(Self.machO(version: 14 << 16), to: "bin/flow")
    try folder.write(Self.machO(version: version), to: "lib/flow/libre2.dylib")

    let run = try makeWheel("0.2.0-macos-aarch64")

    #expect(run.output == "flow_tape-0.2.0-py3-none-macosx_\(tag)_0_arm64.whl\n")
    #expect(run.errors == "")
  }

  @Test func `a release without tarballs or the plugin has no wheels`() throws {
    for name in [
      "Scripts/release", "Packaging/wheel.py", "Sources/FlowCommand/Context/CommandContext.swift",
    ] {
      try folder.write(try ProjectFiles.text(name), to: name)
    }
    let address = "https://forge.example/team/flow/releases/download/v0.2.0"
    let command = ["Scripts/release", "wheels", address, "."]

    let none = try ChildProcess("/bin/sh", command, in: folder.directory.path).ending()
    try folder.write("", to: "Integrations/pytest/flow_tape.py")
    let empty = try ChildProcess("/bin/sh", command, in: folder.directory.path).ending()

    #expect(none.errors == "release: there is no Integrations/pytest/flow_tape.py\n")
    #expect(empty.errors == "release: there is no tarball in .\n")
    #expect([none.code, empty.code] == [1, 1])
  }

  /// A header of Mach-O with the command LC_SYMTAB, and LC_BUILD_VERSION with a version.
  private static func machO(version: UInt32) -> [UInt8] {
    let header: [UInt32] = [0xFEED_FACF, 0x0100_000C, 0, 2, 2, 48, 0, 0]
    let symbols: [UInt32] = [2, 24, 0, 0, 0, 0]
    let build: [UInt32] = [0x32, 24, 1, version, version, 0]
    return (header + symbols + build).flatMap { word in
      (0..<4).map { UInt8(word >> ($0 * 8) & 0xFF) }
    }
  }

  /// Packs `bin`, `lib` and what every tarball has beside them, and makes the wheel in the folder.
  private func makeWheel(_ version: String) throws -> ChildProcess.Ending {
    let name = "flow-\(version)"
    for file in ["LICENSE", "share/doc/flow/copyright", "share/man/man1/flow.1"] {
      try folder.write("the file \(file)\n", to: "\(name)/\(file)")
    }
    try shell(
      """
      cp -R bin '\(name)'; [ ! -e lib ] || cp -R lib '\(name)'
      find '\(name)' -exec touch -t 202611290800 {} +
      tar -cf - '\(name)' | gzip -1 >'\(name).tar.gz'
      """)
    return try ChildProcess(
      python,
      [
        ProjectFiles.root + "/Packaging/wheel.py", "\(name).tar.gz", ".",
        "https://forge.example/team/flow", "flow_tape.py",
      ], in: folder.directory.path,
      environment: ["PATH": folder.path("tools") + ":/usr/bin:/bin"]
    ).ending()
  }

  @discardableResult
  private func shell(_ script: String) throws -> String {
    try Tool.run("sh", ["-ec", script], in: folder.directory.path)
  }
}
