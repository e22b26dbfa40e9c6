import FlowCommand
import FlowCore
import FlowScenario
import Foundation
import TestKit
import Testing

/// The lines that `flow mutate` proposes for the recorded scenarios of this repository.
@Suite struct ProposedExpectationTests {
  @Test(arguments: RecordedScenarios.paths)
  func `each proposed line passes, and fails on the alterations that it is for`(
    _ path: String
  ) async throws {
    let scenario = try ProposingScenario(ProjectFiles.root + "/" + path, mostAlterations: 12)

    try await scenario.checkLines()
  }

  /// Random answers of all forms, in steps with and without an expectation.
  @Test(arguments: 1...16 as ClosedRange<UInt64>)
  func `the lines for values of any form pass, and fail on the alterations`(
    _ seed: UInt64
  ) async throws {
    let folder = try TemporaryFolder()
    var values = RandomValues(seed)
    let steps = (1...3).map { _ in
      "  - {uses: p.echo, with: {value: \(values.next())}}\n"
        + "  - uses: p.echo\n    with: {value: {\(values.next(key: "a")), b: 1}} # a comment\n"
        + "    expect: {value: {b: \"${{ it > 0 || it == null }}\"}}\n"
        + "    compare: set\n"
    }
    try folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n\(steps.joined())", to: "s.yaml")
    try await Self.record("s.yaml", in: folder)

    try await ProposingScenario(folder.path("s.yaml"), [Probe.self], mostAlterations: 40)
      .checkLines()
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var file = "s.yaml"
    let text: String
    var reasons: [NoProposal: Int] = [:]
  }

  @Test(arguments: samples) func `a step of every kind has a line or a reason`(
    _ sample: Sample
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\n"
        + "steps: [{id: c, uses: p.count}, {id: e, uses: p.echo, with: {value: [x, 1.50]}}]\n"
        + "outputs: {n: \"${{ steps.c.value }}\"}\n", to: "parts/part.yaml")
    try folder.write(sample.text, to: sample.file)
    try await Self.record(sample.file, in: folder)
    let scenario = try ProposingScenario(folder.path(sample.file), [Probe.self])

    try await scenario.checkLines()

    let reasons = try await scenario.reasons(of: scenario.unnoticed())
    #expect(reasons == sample.reasons)
  }

  private static let start = "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n"

  static let samples = [
    Sample(
      testDescription: "a step that is tried again",
      text: start
        + "  - {id: a, uses: p.count, expect: {value: \"${{ it > 2 }}\"}, retry: {attempts: 3}}\n"
        + "  - {uses: p.flaky, with: {failures: 1, code: refused}, retry: {attempts: 2}}\n",
      reasons: [.triedAgain: 4]),
    Sample(
      testDescription: "a block that was not tried again",
      text: start + "  - {retry: {attempts: 2}, do: [{uses: p.count}]}\n"),
    Sample(
      testDescription: "a block that was tried again",
      text: start + "  - retry: {attempts: 2}\n    do:\n      - {id: a, uses: p.count}\n"
        + "      - assert: [\"${{ steps.a.value > 1 }}\"]\n",
      reasons: [.triedAgain: 2]),
    Sample(
      testDescription: "steps that may fail",
      text: start + "  - {uses: p.count, continue-on-error: true}\n"
        + "  - {continue-on-error: true, do: [{uses: p.count}]}\n"
        + "  - {uses: p.fail, with: {code: refused}, continue-on-error: true}\n",
      reasons: [.mayFail: 5, .isError: 1]),
    Sample(
      testDescription: "an event",
      text: start + "  - {uses: p.count}\n"
        + "  - {await: p.counted, timeout: 1s}\n", reasons: [.event: 2]),
    Sample(
      testDescription: "a scenario that is included twice",
      text: start + "  - {id: a, scenario: parts/part.yaml}\n"
        + "  - {id: b, scenario: parts/part.yaml}\n"),
    Sample(
      testDescription: "loops, with few and many values",
      text: start
        + "  - {for: n, in: [1, 2, 3], do: [{uses: p.echo, with: {value: \"${{ n }}\"}}]}\n"
        + "  - {for: n, in: \"${{ lists.range(12) }}\", do: [{uses: p.count}]}\n"
        + "  - for: n\n    in: \"${{ lists.range(9) }}\"\n    cases: \"${{ string(n) }}\"\n    do:\n"
        + "      - uses: p.echo\n        with:\n          value: \"row ${{ n }}\"\n",
      reasons: [.differs: 32]),
    Sample(
      testDescription: "JSON, with and without an expectation", file: "s.json",
      text: #"{"flow": 1, "components": {"p": {"plugin": "probe"}}, "steps": ["# + "\n"
        + #"  {"uses": "p.types", "expect": {"bool": true}},"# + "\n"
        + #"  {"uses": "p.echo", "with": {"value": {"it's": "\"é\"", "n": 1.50}}},"# + "\n"
        + #"  {"# + "\n" + #"    "uses": "p.count""# + "\n  }\n]}\n"),
    Sample(
      testDescription: "a text in lines of its own, comments and other indents",
      text: start + "- # first\n  uses: p.echo # second\n  with:\n      value: |\n        a\n"
        + "        # no comment\n\n  # third\n  name: x\n- uses: p.echo\n  with: {value: [a]}\n"
        + "  expect:\n    value:\n      - \"${{ size(it) > 0 }}\" # kept\n  # last\n"
        + "- {uses: p.echo,\n   with: {value: b}}\n- uses: p.count"),
    Sample(
      testDescription: "keys with a meaning of their own",
      text: start + "  - {uses: p.echo, with: {value: {schema: a.json, error: x, it: 1, in: 2}}}\n"
        + "  - uses: p.echo\n    with: {value: {schema: a.json, error: x, b: 1}}\n"
        + "    expect: {value: {b: 1}}\n",
      reasons: [.hasNoForm: 2]),
  ]

  private static func record(_ file: String, in folder: TemporaryFolder) async throws {
    let run = try await FlowCommandRun(["run", folder.path(file), "--record"])
    #expect(run.code == .passed, "\(run.errors)")
  }
}

/// Values of JSON with all that is hard to write.
private struct RandomValues {
  private static let texts = [
    "", "x", "a b", "é ü 漢字 👍🏽", "it's", "\\\"q\\\"", "${{ '$' + '{{ it }' + '}' }}", "}}", "null",
    "true", "12",
    "1e3",
    "2024-02-30T12:00:00Z", "- a", "a: b", "#c", "\\n line \\t", "\\u202e", "\\u0000", "~", "&a",
    "*a",
    String(repeating: "long ", count: 40), "ends ", " starts", "it", "\\\\d+", "1.50s", "0x1F",
  ]
  private static let numbers = [
    "0", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
    "123456789012345678901234567890", "0.10", "-12.50", "1e300", "5e-324", "0.1e-3", "1.0", "-0.0",
  ]
  private static let keys = [
    "a", "b", "it", "in", "schema", "error", "a b", "é", "0", "true", "a.b", "x-y", "$a", "'", "}}",
    "as", "", "null",
  ]

  private var random: SeededGenerator

  init(_ seed: UInt64) { random = SeededGenerator(seed: seed, label: "values") }

  mutating func next(key: String? = nil) -> String {
    let value = value(depth: 0)
    return key.map { "\"\($0)\": \(value)" } ?? value
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 2 ? 4 : 7), using: &random) {
    case 0: return Self.numbers.randomElement(using: &random) ?? ""
    case 1: return Bool.random(using: &random) ? "true" : "null"
    case 2, 3: return "\"\(Self.texts.randomElement(using: &random) ?? "")\""
    case 4:
      let count = Int.random(in: 0...4, using: &random)
      return "[" + (0..<count).map { _ in value(depth: depth + 1) }.joined(separator: ", ") + "]"
    default:
      let keys = Self.keys.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
      return "{" + keys.map { "\"\($0)\": \(value(depth: depth + 1))" }.joined(separator: ", ")
        + "}"
    }
  }
}

/// The recorded scenarios of this repository, among them tapes.
enum RecordedScenarios {
  private static let ending = ".transcript.jsonl"

  static let paths = ["Scenarios", "Examples", "Plugins", "Tests/DocumentationTests"].flatMap {
    folder in
    let files = FileManager.default.enumerator(atPath: ProjectFiles.root + "/" + folder)
    return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(ending) }
      .map { "\(folder)/\($0.dropLast(ending.count)).yaml" }
  }.filter { !withoutPlugin.contains($0) }.sorted()

  /// Their components need the lock of a project.
  private static let withoutPlugin = [
    "Examples/agents/anthropic.yaml", "Examples/agents/openai.yaml",
    "Examples/agents/pydantic-ai.yaml", "Plugins/GRPC/Scenarios/health.yaml",
    "Plugins/MCP/Scenarios/counter.yaml",
  ]
}
