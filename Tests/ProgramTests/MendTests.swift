import FlowCore
import Foundation
import TestKit
import Testing

/// Planted mistakes that a script mends which knows nothing of flow, from verdicts alone.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct MendTests {
  private static let scenario = """
    flow: 1
    name: Spend
    inputs:
      amount: {type: decimal, default: 12.50}
    components:
      balance: {plugin: balance, with: {opening: 100.00}}
    steps:
      - id: load
        uses: balance.load
        expect: {balance: 100.00}
      - set: {left: "${{ steps.load.balance - inputs.amount }}"}
      - id: spend
        uses: balance.subtract
        with: {amount: "${{ inputs.amount }}"}
        expect:
          balance: 87.50
      - assert: ["${{ left == 87.50 }}"]
      - uses: balance.subtract
        with: {amount: 1000.00}
        expect: {error: insufficient}
      - id: after
        uses: balance.load
        expect: {balance: "${{ left }}"}

    """

  /// A mistake, and the command that finds it.
  struct Mistake: CustomTestStringConvertible {
    let testDescription: String
    let right: String
    let wrong: String
    var command = "check"
    /// True if the mended scenario is another one than before.
    var isAccepted = false

    init(
      _ name: String, _ right: String, _ wrong: String, command: String = "check",
      isAccepted: Bool = false
    ) {
      (testDescription, self.right, self.wrong) = (name, right, wrong)
      (self.command, self.isAccepted) = (command, isAccepted)
    }
  }

  static let mistakes = [
    Mistake("plugin", "plugin: balance", "plugin: balanse"),
    Mistake("component", "uses: balance.load", "uses: balence.load"),
    Mistake("operation", "balance.subtract", "balance.substract"),
    Mistake("field of an input", "{amount: 1000.00}", "{amuont: 1000.00}"),
    Mistake("setting", "{opening: 100.00}", "{openning: 100.00}"),
    Mistake("field of an answer", "expect: {balance: 100.00}", "expect: {balence: 100.00}"),
    Mistake("error", "error: insufficient", "error: insuficient"),
    Mistake("step", "steps.load.", "steps.laod."),
    Mistake("field in an expression", "steps.load.balance", "steps.load.balnce"),
    Mistake("input", "- inputs.amount", "- inputs.amuont"),
    Mistake("variable", "left == 87", "lefft == 87"),
    Mistake("key of a step", "uses: balance.load", "usse: balance.load"),
    Mistake("key of an assertion", "- assert:", "- asert:"),
    Mistake("key of the scenario", "inputs:\n", "input:\n"),
    Mistake("missing version", "flow: 1\n", ""),
    Mistake("other version", "flow: 1", "flow: 2"),
    Mistake("quoted version", "flow: 1", "flow: \"1\""),
    Mistake("type", "type: decimal", "type: decimel"),
    Mistake("number in quotes", "amount: 1000.00", "amount: \"1000.00\""),
    Mistake("id of another step", "id: after", "id: load", isAccepted: true),
    Mistake(
      "answer", "expect: {balance: 100.00}", "expect: {balance: 90.00}", command: "run"),
    Mistake("answer in a block", "balance: 87.50\n", "balance: 78.50\n", command: "test"),
    Mistake(
      "transcript that no longer fits", "{amount: 1000.00}", "{amount: 2000.00}", command: "test",
      isAccepted: true),
    Mistake(
      "settings of a recorded component", "amount: 1000.00", "amount: 3000.00",
      command: "replay", isAccepted: true),
  ]

  @Test(arguments: mistakes) func `a verdict alone is enough to mend it`(
    _ mistake: Mistake
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    let flow = BuiltProgram.url("flow").path
    try #require(try run(flow, ["run", "s.yaml", "--record"], in: folder) == 0)
    try folder.write(
      Self.scenario.replacing(existing: mistake.right, with: mistake.wrong), to: "s.yaml")
    let file = mistake.command == "replay" ? "s.transcript.jsonl" : "s.yaml"
    #expect(try run(flow, [mistake.command, file], in: folder) != 0)

    let script = ProjectFiles.root + "/Scripts/mend"
    let mended = try ChildProcess(
      "/usr/bin/python3", [script, flow, mistake.command, file], in: folder.directory.path
    ).ending()

    #expect(mended.code == 0, "\(mended.output)\(mended.errors)")
    #expect(try run(flow, [mistake.command, file], in: folder) == 0)
    if !mistake.isAccepted { #expect(try folder.text("s.yaml") == Self.scenario) }
  }

  private func run(
    _ flow: String, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> Int32 {
    try ChildProcess(flow, arguments, in: folder.directory.path).ending().code
  }
}
