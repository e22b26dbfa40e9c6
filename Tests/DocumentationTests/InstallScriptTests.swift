import FlowCore
import Foundation
import TestKit
import Testing

/// The script that installs a release.
@Suite struct InstallScriptTests {
  private let release: FakeRelease
  private var folder: TemporaryFolder { release.folder }

  init() throws {
    release = try FakeRelease()
  }

  @Test(.enabled(if: Python.having("http.server") != nil, "no Python here"))
  func `a release at an address is verified and installed`() throws {
    let server = try ChildProcess(
      Python.having("http.server") ?? "", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1"],
      in: folder.directory.path)
    let port = server.firstLine().split(separator: " ").first { Int($0) != nil } ?? ""
    let address = "http://127.0.0.1:\(port)/release"

    let run = try release.install(["--from", address + "/", "--prefix", "prefix"])
    try folder.write("another tarball", to: "release/\(release.tarball)")
    let other = try release.install(["--from", address, "--prefix", "other"])

    #expect(
      run.errors == """
        install: downloading \(address)/\(release.tarball)
        install: installed flow 9.8.7 to \(release.prefix)/bin/flow
        install: \(release.prefix)/bin is not in PATH; add it with: export PATH="\(release.prefix)/bin:$PATH"

        """)
    #expect(run.output == "")
    #expect(try Tool.run(release.prefix + "/bin/flow", [], in: "/") == "flow 9.8.7\n")
    #expect(other.errors.hasSuffix("Nothing was installed\n"))
    #expect(other.code == 1)
    #expect(!folder.directory.contains("other"))
  }

  struct Redirect: Sendable, CustomTestStringConvertible {
    let target: String
    /// The error, or nil if the release is installed.
    var error: String?
    var testDescription: String { target }
  }

  /// Redirects a release to another address, and has its files there.
  private static let wget = """
    #!/bin/sh
    while [ $# -gt 1 ]; do [ "$1" != -O ] || file=$2; shift; done
    case $1 in
    */moved/*)
      printf '  HTTP/1.1 302 Found\\r\\n  Location: %s\\r\\n' "TARGET/${1##*/}" >&2
      exit 8 ;;
    esac
    cp "release/${1##*/}" "$file"

    """

  @Test(arguments: [
    Redirect(target: "https://files.test"), Redirect(target: "//files.test"),
    Redirect(target: "/files"),
    Redirect(
      target: "http://files.test",
      error: "'https://flow.test/moved/SHA256SUMS' redirects to 'http://files.test/SHA256SUMS', "
        + "which is not an https address"),
    Redirect(
      target: "/moved",
      error: "'https://flow.test/moved/SHA256SUMS' redirects too often"),
  ])
  func `wget follows redirects to https alone`(_ redirect: Redirect) throws {
    try folder.write(Self.wget.replacing("TARGET", with: redirect.target), to: "tools/wget")
    try folder.setMode(0o755, of: "tools/wget")
    // Everything but curl.
    try release.shell(
      """
      for tool in cat cp cut dirname echo find grep gzip id mkdir mktemp mv rm sed sha256sum shasum \
        sh sort tail tar tr uname; do
        path=$(command -v $tool) && case $path in /*) ln -s "$path" tools/ ;; esac || true
      done
      """)

    let run = try release.install(
      ["--from", "https://flow.test/moved", "--prefix", "prefix"], path: folder.path("tools"))

    #expect(
      run.errors.hasPrefix(
        redirect.error.map { "install: \($0)\n" }
          ?? "install: downloading https://flow.test/moved/\(release.tarball)\n"), "\(run.errors)")
    #expect(run.code == (redirect.error == nil ? 0 : 1))
    #expect(folder.directory.contains("prefix/bin/flow") == (redirect.error == nil))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The commands that change the release.
    var change = ":"
    var arguments = ["--from", "release", "--prefix", "prefix"]
    /// The last line of the errors; `TARBALL`, `PLATFORM` and `DIGEST` stand for those of the release.
    let error: String
    var code: Int32 = 1
  }

  static let refusals = [
    Refusal(
      testDescription: "a damaged tarball", change: "printf x >>release/TARBALL",
      error: """
        TARBALL is damaged or was replaced: its SHA-256 is ACTUAL, and not DIGEST. Nothing was \
        installed
        """),
    Refusal(
      testDescription: "a cut tarball", change: ": >release/TARBALL",
      error: """
        TARBALL is damaged or was replaced: its SHA-256 is ACTUAL, and not DIGEST. Nothing was \
        installed
        """),
    Refusal(
      testDescription: "no checksums", change: "rm release/SHA256SUMS",
      error: "cannot read 'release/SHA256SUMS'"),
    Refusal(
      testDescription: "no tarball", change: "rm release/TARBALL",
      error: "cannot read 'release/TARBALL'"),
    Refusal(
      testDescription: "another platform",
      change: "sed 's/-PLATFORM/-plan9-mips/' release/SHA256SUMS >s && mv s release/SHA256SUMS",
      error: "'release' has no tarball for SYSTEM on PROCESSOR"),
    Refusal(
      testDescription: "a name that is a path",
      change: "sed 's|flow-9|flow-../9|' release/SHA256SUMS >s && mv s release/SHA256SUMS",
      error: "'release' has no tarball for SYSTEM on PROCESSOR"),
    Refusal(
      testDescription: "two versions",
      change: "sed p release/SHA256SUMS | sed 2s/-9.8.7/-9.8.8/ >s && mv s release/SHA256SUMS",
      error: "'release' has more than one tarball for SYSTEM on PROCESSOR"),
    Refusal(
      testDescription: "another digest than that of the user",
      arguments: ["--from", "release", "--sha256", String(repeating: "0", count: 64)],
      error: """
        the SHA-256 of TARBALL is DIGEST, and not \(String(repeating: "0", count: 64))
        """),
    Refusal(
      testDescription: "half a digest", arguments: ["--from", "release", "--sha256", "0123"],
      error: "--sha256 needs 64 digits of 0-9 and a-f", code: 64),
    Refusal(
      testDescription: "no address", arguments: ["--prefix", "prefix"],
      error: "this script is not from a release and knows no address; give it with --from",
      code: 64),
    Refusal(
      testDescription: "an address of another kind",
      arguments: ["--from", "ftp://127.0.0.1/release"],
      error: "'ftp://127.0.0.1/release' is neither an http or https address nor a folder", code: 64),
    Refusal(
      testDescription: "an option without a value", arguments: ["--prefix"],
      error: "--prefix needs a value", code: 64),
    Refusal(
      testDescription: "a prefix that is a file", change: "echo text >prefix",
      error: """
        cannot write 'PREFIX/bin/flow'; choose a folder with --prefix, or run this as its owner
        """),
    Refusal(
      testDescription: "a program that does not run",
      change: """
        name=flow-9.8.7-PLATFORM
        printf '#!/no/such/shell\\n' >$name/bin/flow
        tar -czf release/TARBALL $name
        (cd release && { sha256sum TARBALL || shasum -a 256 TARBALL; } >SHA256SUMS)
        """,
      error: "the program does not run here; is the C library too old?"),
    Refusal(
      testDescription: "no installation to remove", arguments: ["--remove", "--prefix", "prefix"],
      error: """
        there is no flow that this script installed to PREFIX (no share/doc/flow/installed-files)
        """),
  ]

  @Test(arguments: refusals)
  func `what cannot be trusted or written is not installed`(_ refusal: Refusal) throws {
    let original = try release.digest
    try release.shell(named(refusal.change))
    let run = try release.install(refusal.arguments)
    let actual = try? Tool.run(
      "sh", ["-c", "{ sha256sum \(release.tarball) || shasum -a 256 \(release.tarball); } 2>&-"],
      in: folder.path("release"))

    let expected = named(refusal.error).replacing("DIGEST", with: original)
      .replacing("ACTUAL", with: actual?.prefix(64) ?? "")
    #expect(run.errors.split(separator: "\n").last == "install: \(expected)")
    #expect(run.output == "")
    #expect(run.code == refusal.code)
    #expect(try folder.names(in: "home") == [])
    #expect(!folder.directory.contains("prefix/bin/flow"))
  }

  @Test func `a dry run names the tarball and writes nothing`() throws {
    let run = try release.install(["--from", "release", "--prefix", "prefix", "--dry-run"])

    #expect(
      run.output == """
        would download release/\(release.tarball)
        would require the SHA-256 \(try release.digest)
        would install to \(release.prefix)

        """)
    #expect(run.errors == "")
    #expect(run.code == 0)
    #expect(!folder.directory.contains("prefix"))
  }

  @Test func `a second run upgrades, and a removal takes its own files alone`() throws {
    _ = try release.install(["--from", "release", "--prefix", "prefix"])
    try folder.write("mine", to: "prefix/bin/other")
    let before = try files()
    try release.publish("9.9.0", files: ["share/man/man1/flow.1", "share/doc/flow/notes"])

    let upgrade = try release.install(["--from", "release", "--prefix", "prefix"])
    let after = try files()
    let listing = try release.install(["--remove", "--prefix", "prefix", "--dry-run"])
    let removal = try release.install(["--remove", "--prefix", "prefix"])

    let list = "share/doc/flow/installed-files"
    let shared = ["bin/flow", "bin/other", list]
    #expect(before == (shared + ["share/doc/flow/old notes", "share/man/man1/flow.1"]).sorted())
    #expect(after == (shared + ["share/doc/flow/notes", "share/man/man1/flow.1"]).sorted())
    #expect(upgrade.errors.contains("installed flow 9.9.0 to"))
    #expect(
      listing.output
        == ["bin/flow", "share/doc/flow/notes", "share/man/man1/flow.1", list]
        .map { "would remove \(release.prefix)/\($0)\n" }.joined())
    #expect(removal.errors == "install: removed flow from \(release.prefix)\n")
    #expect(try files() == ["bin/other"])
    #expect(try folder.names(in: "prefix/share/doc") == [])
  }

  @Test func `a removal stays inside the prefix`() throws {
    _ = try release.install(["--from", "release", "--prefix", "prefix"])
    try folder.write("kept", to: "outside")
    try folder.write(
      "bin/../../outside\n\(folder.path("outside"))\n../outside\nbin/flow\n",
      to: "prefix/share/doc/flow/installed-files")

    let run = try release.install(["--remove", "--prefix", "prefix"])

    #expect(run.code == 0)
    #expect(!folder.directory.contains("prefix/bin/flow"))
    #expect(try folder.text("outside") == "kept")
  }

  @Test func `a script that was cut anywhere does nothing`() throws {
    let script = try ProjectFiles.text("Packaging/install.sh")
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)

    for count in stride(from: 0, to: lines.count - 2, by: 7) {
      try folder.write(lines.prefix(count).joined(separator: "\n"), to: "half.sh")
      let run = try release.install(
        ["--from", "release", "--prefix", "prefix"], script: folder.path("half.sh"))
      #expect(run.output == "" && !folder.directory.contains("prefix"), "\(count) lines")
    }
  }

  /// The files below the prefix, sorted.
  private func files() throws -> [String] {
    try Tool.run("find", [".", "-type", "f"], in: release.prefix).split(separator: "\n")
      .map { String($0.dropFirst(2)) }.sorted()
  }

  private func named(_ text: String) -> String {
    let parts = release.platform.split(separator: "-")
    return text.replacing("TARBALL", with: release.tarball)
      .replacing("PLATFORM", with: release.platform)
      .replacing("SYSTEM", with: parts[0]).replacing("PROCESSOR", with: parts[1])
      .replacing("PREFIX", with: release.prefix)
  }
}
