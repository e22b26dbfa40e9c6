import FilePlugin
import FlowCommand
import FlowCore
import FlowImport
import HTTPPlugin
import RandomPlugin
import TestKit
import Testing
import TimePlugin

/// A file of requests, its scenario, and the messages about it.
struct ImportCase: Sendable, CustomTestStringConvertible {
  /// The file's name, which determines its format.
  let name: String
  let text: String
  let scenario: String
  /// A line for each.
  var notes = ""
  /// The output of `flow check` for the scenario.
  var problems = ""

  var testDescription: String { name }

  /// Compares the scenario and the notes, and has the checker read the scenario.
  func check() async throws {
    let result = try Import(reading: Array(text.utf8), named: name)

    #expect(result.scenario == scenario)
    #expect(result.notes.map { "\($0.line): \($0.message)\n" }.joined() == notes)
    #expect(try await CheckedScenario(result.scenario).problems == problems)
  }
}

/// The output of `flow check` about a scenario.
struct CheckedScenario {
  /// Errors and warnings, or an empty string.
  let problems: String
  /// Errors alone.
  var errors: String { problems.contains(": error: ") ? problems : "" }

  init(_ scenario: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(scenario, to: "imported.yaml")
    let run = try await FlowCommandRun(
      ["check", "@/imported.yaml"], in: folder,
      components: [Files.self, HTTP.self, RandomValues.self, Times.self])
    problems =
      run.errors.replacing("@/", with: "")
      + (run.code == .passed ? "" : "exit code \(run.code.rawValue)\n")
  }
}
