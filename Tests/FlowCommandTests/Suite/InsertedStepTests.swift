import FlowCommand
import TestKit
import Testing

/// Matchers of steps without an id, whose addresses change with the steps before them.
@Suite struct InsertedStepTests {
  /// Steps before and after a change, and the values of the answers in the new transcript.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [String]
    let after: [String]
    /// The values in the order of the steps, with `~` before the example of a matcher.
    let values: [String]
  }

  private static func echo(_ value: String) -> String { "{uses: p.echo, with: {value: \(value)}}" }
  private static func loop(_ value: String) -> String { "{for: i, in: [1], do: [\(echo(value))]}" }

  @Test(
    arguments: [
      Row(
        testDescription: "inserted before", before: [echo("m")], after: [echo("new"), echo("m")],
        values: ["new", "~m"]),
      Row(
        testDescription: "inserted between", before: [echo("a"), echo("m"), echo("z")],
        after: [echo("a"), echo("new"), echo("m"), echo("z")], values: ["a", "new", "~m", "z"]),
      Row(
        testDescription: "removed before", before: [echo("a"), echo("m"), echo("z")],
        after: [echo("m"), echo("z")], values: ["~m", "z"]),
      Row(
        testDescription: "removed itself", before: [echo("m"), echo("z")], after: [echo("z")],
        values: ["z"]),
      Row(
        testDescription: "another input between equal ones",
        before: [echo("a"), echo("m"), echo("z")],
        after: [echo("new"), echo("a"), echo("mm"), echo("z")], values: ["new", "a", "~mm", "z"]),
      Row(
        testDescription: "a loop before a loop", before: [loop("m")],
        after: [loop("new"), loop("m")], values: ["new", "~m"]),
      Row(
        testDescription: "an equal one before", before: [echo("m")], after: [echo("m"), echo("m")],
        values: ["~m", "m"]),
    ], ["run", "test"])
  func `matchers stay with their step`(_ row: Row, _ command: String) async throws {
    let suite = try SuiteFolder()
    try write(row.before, suite)
    _ = try await suite.flow("run", "@/s.yaml", "--record")
    let recorded = try suite.folder.text("s.transcript.jsonl").unsealed
    try suite.folder.write(
      recorded.replacing(
        existing: #""ok":{"value":"m"}"#,
        with: #""ok":{"value":{"$match":"^m+$","example":"m"}}"#), to: "s.transcript.jsonl")

    try write(row.after, suite)
    let options = command == "run" ? ["run", "@/s.yaml", "--record"] : ["test", "@/s.yaml"]
    let run = try await suite.flow(options + (command == "run" ? [] : ["--update", "failed"]))

    #expect(run.code == .passed, "\(run.errors)")
    let values = try suite.folder.text("s.transcript.jsonl")
      .matches(of: /"ok":{"value":(?:"([a-z]+)"|{"\$match":"\^m\+\$","example":"([a-z]+)"})}/)
      .map { $0.1.map(String.init) ?? "~\($0.2 ?? "")" }
    #expect(values == row.values)
    #expect(try await suite.flow("test", "@/s.yaml", "--update", "never").code == .passed)
  }

  private func write(_ steps: [String], _ suite: SuiteFolder) throws {
    try suite.folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n"
        + steps.map { "  - \($0)\n" }.joined(), to: "s.yaml")
  }
}
