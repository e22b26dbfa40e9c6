import FlowCore
import Foundation
import TestKit
import Testing

/// The files of a release beside its tarballs and packages.
@Suite struct ReleaseTests {
  private let folder: TemporaryFolder
  private let address = "https://forge.example/team/flow/releases/download/v0.2.0"

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the version is the same wherever it is written`() throws {
    let line = try Tool.run(BuiltProgram.url("flow").path, ["--version"], in: "/")
    let version = line.dropFirst("flow ".count).dropLast()
    let pages = try ["README.md", "Docs/ci.md", "Docs/installing.md"].map(ProjectFiles.text)

    #expect(line == "flow \(version)\n")
    #expect(try script(["version"]).output == version + "\n")
    #expect(try ProjectFiles.text("CHANGELOG.md").contains("\n## \(version)\n"))
    for page in pages {
      let named = page.matches(of: /flow[-_](\d+\.\d+\.\d+)/).map(\.1)
      #expect(named.allSatisfy { $0 == version })
    }
  }

  @Test func `files gives every file the address and the digests of the release`() throws {
    try makeArtefacts(leaving: "")

    let run = try script(["files", address + "/", folder.path("dist")])

    let names = [
      "SHA256SUMS", "flow-0.2.0-linux-aarch64.tar.gz", "flow-0.2.0-linux-x86_64.tar.gz",
      "flow-0.2.0-macos-aarch64.tar.gz", "flow.gitlab-ci.yaml", "flow.rb", "flow_0.2.0-1_amd64.deb",
      "flow_0.2.0-1_arm64.deb", "install.sh",
    ]
    let sums = try folder.text("dist/SHA256SUMS").split(separator: "\n")
    #expect(run.errors == "")
    #expect(try folder.names(in: "dist") == names)
    #expect(sums.map { String($0.dropFirst(66)) } == Array(names.dropFirst()))
    #expect(try folder.text("dist/install.sh").contains("\naddress=\"\(address)\"\n"))
    #expect(try folder.text("dist/flow.gitlab-ci.yaml").contains("default: '\(address)'\n"))
    let formula = try folder.text("dist/flow.rb")
    for line in sums where line.contains(".tar.gz") {
      #expect(formula.contains("url \"\(address)/\(line.dropFirst(66))\"\n"))
      #expect(formula.contains("sha256 \"\(line.prefix(64))\"\n"))
    }
    #expect(formula.contains("homepage \"https://forge.example/team/flow\"\n"))
  }

  @Test func `the notes are the changes of the version, each in one line`() throws {
    try makeArtefacts(leaving: "")

    let lines = try script(["files", address, folder.path("dist")]).output
      .split(separator: "\n", omittingEmptySubsequences: false)

    let page = "https://forge.example/team/flow/blob/v0.2.0"
    #expect(
      lines.prefix(5).map { $0.prefix(60) } == [
        "The first release for other people. `flow` runs YAML scenari",
        "", "### Scenarios", "", "- Steps call operations of components: `uses`, `with`, `expe",
      ])
    #expect(
      lines.contains {
        $0.hasSuffix("[Every function](\(page)/Docs/expressions.md) has an example.")
      })
    #expect(
      lines.suffix(8).joined(separator: "\n")
        == """

        ### Install

        ```sh
        curl -fsSLO \(address)/install.sh && sh install.sh
        ```

        \(page)/Docs/installing.md has the other ways, and explains how to verify a file.

        """.dropFirst())
  }

  @Test(arguments: [
    "flow-0.2.0-linux-aarch64.tar.gz", "flow-0.2.0-macos-aarch64.tar.gz", "flow_0.2.0-1_arm64.deb",
  ])
  func `a release without the file of a machine is none`(_ name: String) throws {
    try makeArtefacts(leaving: name)

    let run = try script(["files", address, folder.path("dist")])

    #expect(run.errors == "release: there is no \(folder.path("dist"))/\(name)\n")
    #expect(run.code == 1)
    #expect(try !folder.names(in: "dist").contains("SHA256SUMS"))
  }

  @Test(arguments: [
    ("v0.1.0", "the tag is v0.1.0, and 'flow --version' says 0.2.0"),
    ("0.2.0", "the tag is 0.2.0, and 'flow --version' says 0.2.0"),
  ])
  func `a tag of another version is refused`(_ tag: String, _ error: String) throws {
    let run = try script(["check", tag])

    #expect(run.errors == "release: \(error)\n")
    #expect(run.code == 1)
  }

  @Test func `an address that could be a command is refused`() throws {
    for address in ["https://x.example/$(id)", "https://x.example/a|b", "/folder"] {
      let run = try script(["files", address, "."])
      #expect(run.errors == "release: '\(address)' is no address\n")
    }
  }

  @Test func `the action installs a release and puts it into the path`() throws {
    let release = try FakeRelease()

    let run = try action(["FLOW_ADDRESS": "release"], in: release)
    let alone = try action(["GITHUB_SERVER_URL": "https://forge.example"], in: release)
    let pinned = try action(
      ["FLOW_ADDRESS": "release", "FLOW_SHA256": String(repeating: "0", count: 64)], in: release)

    #expect(run.code == 0)
    #expect(try release.folder.text("path") == "\(release.folder.path("tools"))/flow/bin\n")
    #expect(try release.folder.text("output") == "version=9.8.7\n")
    #expect(
      alone.errors
        == "setup-flow: the action of a checkout belongs to no release; give 'address'\n")
    #expect(alone.code == 64)
    #expect(pinned.code == 1)
  }

  private func action(
    _ variables: [String: String], in release: FakeRelease
  ) throws -> ChildProcess.Ending {
    let files = ["GITHUB_PATH": "path", "GITHUB_OUTPUT": "output", "RUNNER_TOOL_CACHE": "tools"]
      .mapValues(release.folder.path)
    return try ChildProcess(
      "/bin/sh", [ProjectFiles.root + "/Packaging/setup-flow/install"],
      in: release.folder.directory.path, environment: variables.merging(files) { $1 }
    ).ending()
  }

  private func makeArtefacts(leaving absent: String) throws {
    let names =
      ["linux-x86_64", "linux-aarch64", "macos-aarch64"].map { "flow-0.2.0-\($0).tar.gz" }
      + ["amd64", "arm64"].map { "flow_0.2.0-1_\($0).deb" }
    for name in names where name != absent { try folder.write(name, to: "dist/\(name)") }
  }

  private func script(_ arguments: [String]) throws -> ChildProcess.Ending {
    try ChildProcess(
      "/bin/sh", [ProjectFiles.root + "/Scripts/release"] + arguments,
      in: folder.directory.path
    ).ending()
  }
}
