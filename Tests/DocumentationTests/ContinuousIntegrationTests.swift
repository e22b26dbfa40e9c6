import FlowCore
import Foundation
import TestKit
import Testing

/// What services and shells read of the project and of its page on continuous integration.
@Suite struct ContinuousIntegrationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [("github", ".github/workflows/flow.yaml"), ("gitlab", ".gitlab-ci.yml")])
  func `the page shows the file that flow init writes`(_ service: String, _ file: String) throws {
    let address = "https://example.org/flow-0.2.0-linux-x86_64.tar.gz"

    try initialize(".", service, ["--flow", address])

    let shown = MarkdownPage(try ProjectFiles.text("Docs/ci.md")).blocks.filter { $0.file == file }
    #expect(shown.map(\.code) == [try folder.text(file)])
  }

  @Test(.enabled(if: Tool.path("yamllint") != nil, "no yamllint here"))
  func `yamllint has no complaint about a workflow`() throws {
    let own = [
      ".github/workflows/ci.yaml", ".github/workflows/release.yaml",
      "Packaging/setup-flow/action.yaml", "Packaging/flow.gitlab-ci.yaml",
    ]
    for path in own { try folder.write(try ProjectFiles.text(path), to: "own/\(path)") }
    let gate = MarkdownPage(try ProjectFiles.text("Docs/how-to/gate.md")).blocks
      .filter { $0.file.hasPrefix(".git") }
    let shown =
      MarkdownPage(try ProjectFiles.text("Docs/ci.md")).blocks.filter { $0.language == "yaml" }
      + gate
    for (number, block) in shown.enumerated() {
      try folder.write(block.code, to: "page/\(number).yaml")
    }
    for service in ["github", "gitlab"] {
      try initialize(service, service, [])
      try initialize(service + "-clone", service, ["--flow", "https://example.org/flow.git"])
    }

    let run = try Tool.run("yamllint", ["--no-warnings", "."], in: folder.directory.path)

    #expect(shown.count == 6)
    #expect(run == "")
  }

  @Test(.enabled(if: Tool.path("shellcheck") != nil, "no shellcheck here"))
  func `shellcheck has no complaint about a script`() throws {
    let scripts = try FileManager.default.contentsOfDirectory(
      atPath: ProjectFiles.root + "/Scripts"
    )
    .map { "Scripts/\($0)" }.sorted()
    // The clients of upstreams and the makers of the site are in other languages.
    .filter { !["Scripts/clients", "Scripts/site"].contains($0) }
    .filter { try !ProjectFiles.text($0).hasPrefix("#!/usr/bin/env python3") }

    let others = [
      ".ci/run", "Packaging/install.sh", "Packaging/linux.sh", "Packaging/macos.sh",
      "Packaging/setup-flow/install",
    ]
    let run = try Tool.run("shellcheck", scripts + others, in: ProjectFiles.root)

    #expect(scripts.contains("Scripts/dist"))
    #expect(run == "")
  }

  @Test(.enabled(if: Tool.path("shellcheck") != nil, "no shellcheck here"))
  func `shellcheck has no complaint about the completions of bash`() throws {
    let script = try Tool.run(
      BuiltProgram.url("flow").path, ["completions", "bash"], in: folder.directory.path)
    try folder.write(script, to: "flow.bash")

    let run = try Tool.run(
      "shellcheck", ["--shell", "bash", "flow.bash"], in: folder.directory.path)

    #expect(script.hasSuffix("complete -o default -F _flow flow\n"))
    #expect(run == "")
  }

  private func initialize(
    _ place: String, _ service: String, _ options: [String]
  ) throws {
    let ending = try ChildProcess(
      BuiltProgram.url("flow").path, ["init", place, "--ci", service] + options,
      in: folder.directory.path
    ).ending()
    try #require(ending.errors == "" && ending.code == 0)
  }
}
