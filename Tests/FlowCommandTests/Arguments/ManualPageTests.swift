import FlowCommand
import FlowCore
import Foundation
import TestKit
import Testing

/// The page printed by `flow help --man`.
@Suite struct ManualPageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `every command and option is on the page`() async throws {
    let page = try await page()
    let overview = try await FlowCommandRun(["--help"], in: folder).output
    let commands = overview.split(separator: "\n").filter {
      $0.hasPrefix("  ") && !$0.contains("--")
    }
    .compactMap { $0.split(separator: " ").first }

    #expect(commands.count > 15)
    for command in commands {
      let title = command.replacing("-", with: "\\-")
      #expect(page.contains("\n.SS \"flow \(title)"), "\(command)")
      let help = try await FlowCommandRun(["help", String(command)], in: folder).output
      for line in help.split(separator: "\n")
      where line.hasPrefix("  --") && !line.hasPrefix("  --help") {
        let option = line.dropFirst(2).prefix { $0 != " " && $0 != "[" }.replacing("-", with: "\\-")
        #expect(page.contains("\n.B \"\(option)"), "\(command) \(option)")
      }
    }
  }

  @Test func `the codes, the variables and the files have sections`() async throws {
    let page = try await page()

    #expect(page.contains("\n.SH EXIT STATUS\n.TP\n.B \"0\"\npassed\n"))
    #expect(page.contains("\n.TP\n.B \"FLOW_UPDATE\"\n"))
    #expect(page.contains("\n.TP\n.B \"flow.yaml\"\n"))
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"), "no groff here"))
  func `groff has no warning about the page`() async throws {
    try folder.write(try await page(), to: "flow.1")
    let ending = try ChildProcess(
      "/usr/bin/groff", ["-ww", "-man", "-Tutf8", "-rLL=78n", "flow.1"],
      in: folder.directory.path
    ).ending()

    #expect(ending.errors == "")
    #expect(ending.code == 0)
    #expect(ending.output.contains("--update"))
  }

  @Test func `a command cannot be named with --man`() async throws {
    let run = try await FlowCommandRun(["help", "run", "--man"], in: folder)

    #expect(run.errors == "flow: unexpected argument 'run'\nsee 'flow help help'\n")
  }

  @Test(arguments: [
    "run --markdown plugins": "unexpected argument 'run'",
    "--man --markdown plugins": "'--man' cannot be combined with '--markdown'",
    "--markdown plugin":
      "'--markdown': expected commands, plugins, scenario, project or diagnostics, got 'plugin'",
  ])
  func `a page of the reference is named alone`(_ arguments: String, _ error: String) async throws {
    let arguments = ["help"] + arguments.split(separator: " ").map(String.init)
    let run = try await FlowCommandRun(arguments, in: folder)

    #expect(run.errors == "flow: \(error)\nsee 'flow help help'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test func `no line of help is wider than a hundred columns`() async throws {
    let overview = try await FlowCommandRun(["--help"], in: folder).output
    for line in overview.split(separator: "\n") where line.hasPrefix("  ") {
      let command = line.split(separator: " ").first.map(String.init) ?? ""
      let help = try await FlowCommandRun([command, "--help"], in: folder).output
      #expect(help.split(separator: "\n").filter { $0.count > 100 } == [], "\(command)")
    }
  }

  private func page() async throws -> String {
    try await FlowCommandRun(["help", "--man"], in: folder).output
  }
}
