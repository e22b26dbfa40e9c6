import FlowCore
import FlowTesting
import TestKit

/// A folder with a scenario of one's own.
struct Workshop {
  let folder: TemporaryFolder
  let scenario: ScenarioFile

  /// Writes a scenario over the purse, or over another plugin.
  init(_ steps: String, plugin: String = "purse", head: String = "") throws {
    folder = try TemporaryFolder()
    let text = "flow: 1\n\(head)components:\n  it: {plugin: \(plugin)}\nsteps:\n\(steps)\n"
    try folder.write(text, to: "it.yaml")
    scenario = try ScenarioFile(folder.directory.path + "/it.yaml")
  }

  /// Runs the scenario on a purse and keeps the transcript beside it.
  func record() async throws {
    let run = await scenario.attempt(try Registry([Purse.self]))
    try folder.write(run.transcript, to: "it.transcript.jsonl")
  }

  /// The text without the folder's path, which is random.
  func text(_ problems: [ScenarioProblem]) -> String {
    problems.map { $0.text.replacing(folder.directory.path + "/", with: "") + "\n" }.joined()
  }

  /// `a - uses` step per line.
  static let payment =
    "  - id: spend\n    uses: it.pay\n    with: {money: 4}\n    expect: {money: 6}"
}
