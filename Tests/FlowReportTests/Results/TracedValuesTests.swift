import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowReport
import FlowScenario
import FlowSystem
import Foundation
import TestKit
import Testing

/// The part of a run's values kept by its trace.
@Suite struct TracedValuesTests {
  private static let picture =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A] + [UInt8](repeating: 7, count: 3_000)
  private static let long = String(repeating: "long ", count: 30_000)

  /// Expressions of values longer than a page shows, and of short ones.
  static let values = [
    "inputs.long", "lists.range(40000)", "lists.range(9000).map(i, {'k': [i, 'é'], 'n': i})",
    "[inputs.lines, inputs.picture, 'end']",
    "{'a': inputs.long, 'b': inputs.picture, 'c': lists.range(2000)}",
    "[inputs.picture.size(), inputs.bytes]", "1.5", "'short'",
  ]

  /// A run with a step that passes with a value and one that fails with it.
  private func run(_ value: String, _ options: TraceOptions) async throws -> ScenarioReport {
    let plan = try ProbeRun.plan(
      """
      flow: 1
      components: {p: {plugin: probe}}
      inputs:
        {long: {type: string}, lines: {type: string}, picture: {type: bytes}, bytes: {type: bytes}}
      steps:
        - set: {given: "${{ \(value) }}"}
        - {uses: p.echo, with: {value: "${{ given }}"}}
        - {uses: p.echo, with: {value: "${{ given }}"}, expect: {value: nothing of the kind}}
      """)
    let tracer = RunTracer(options)
    var session = Session.Options(in: Directory("."))
    session.clock = TickingClock(.milliseconds(10))
    let run = await Session(of: plan, sinks: [tracer], options: session).run(
      inputs: [
        .string(Self.long), .string(String(repeating: "x\n", count: 50_000)),
        .bytes(Bytes(Self.picture)), .bytes(Bytes([UInt8](repeating: 9, count: 99_000))),
      ])
    #expect(run.diagnostics.map(\.code.name) == ["F2001"], "\(run.diagnostics)")
    return WrittenReports.scenario(
      "s.yaml", .failed, runs: [(false, run.diagnostics)], tracer.trace)
  }

  @Test(arguments: values)
  func `a page shows the same of what is kept as of the whole`(_ value: String) async throws {
    let whole = try await run(value, .comparison)
    let kept = try await run(value, TraceOptions())

    #expect(try WrittenReports([kept]).text("html") == WrittenReports([whole]).text("html"))
  }

  @Test func `what is kept of a value is bounded, of steps that passed to less`() async throws {
    let trace = try #require(try await run(Self.values[0], TraceOptions()).attempts.first?.trace)

    let sizes = trace.spans.compactMap(\.outcome).compactMap { outcome -> Int? in
      guard case .answer(let answer) = outcome else { return nil }
      return "\(answer)".utf8.count
    }

    #expect(sizes.filter { $0 > 1_000 }.count == 2)
    #expect(sizes.max() ?? 0 < 70_000)
    #expect(sizes.filter { $0 > 1_000 }.min() ?? .max < 5_000)
  }

  @Test func `where only steps are shown no value is kept`() async throws {
    var options = TraceOptions()
    (options.keepsExcerpts, options.keepsLines) = (false, false)

    let scenario = try await run(Self.values[0], options)

    let trace = try #require(scenario.attempts.first?.trace)
    #expect(trace.spans.allSatisfy { $0.input == nil && $0.outcome == nil })
    #expect(try WrittenReports([scenario]).text("tap14").contains("    not ok 3 - p.echo"))
  }

  @Test func `JSON Lines and a page have the computed values`() async throws {
    let report = WrittenReports([try await run("inputs.bytes.size() * 2", TraceOptions())])

    #expect(
      try report.text("jsonl").contains(
        #""values":[{"use":"set","name":"given","source":"${{ inputs.bytes.size() * 2 }}","value":198000"#
      ))
    #expect(
      try report.text("html").contains(
        "<tr><th scope=\"row\">set given</th><td>198000</td>"
          + "<td>${{ inputs.bytes.size() * 2 }}"))
  }

  @Test func `JSON Lines hide a secret that the run learnt after its values`() async throws {
    let plan = try ProbeRun.plan(
      """
      flow: 1
      inputs: {raw: {type: string, default: hunter-98765-zebra}}
      components: {p: {plugin: probe}}
      steps:
        - {name: "log in ${{ inputs.raw }}", set: {t: "${{ inputs.raw + '' }}"}}
        - for: i
          in: "${{ [inputs.raw] }}"
          cases: "case ${{ i }}"
          do: [{uses: p.echo, with: {value: "${{ i }}"}, if: "${{ i != '' }}"}]
          outputs: {o: "${{ i }}"}
        - {scenario: sub.yaml, with: {a: "${{ t }}"}}
      outputs: {t: "${{ t }}"}
      """,
      files: [
        "sub.yaml": """
        flow: 1
        inputs: {a: {type: string, secret: true}}
        steps: [{assert: ["${{ inputs.a != '' }}"]}]
        """
      ])
    let tracer = RunTracer()
    _ = await Session(of: plan, sinks: [tracer], options: .init(in: Directory(".")))
      .run(inputs: try plan.inputValues(texts: []))

    let lines = try WrittenReports([
      WrittenReports.scenario("s.yaml", .passed, runs: [(true, [])], tracer.trace)
    ]).text("jsonl")

    #expect(lines.contains(#""use":"set","name":"t""#))
    #expect(lines.contains(#""value":"${secret:a}""#))
    #expect(!lines.contains(#""value":"hunter"#) && !lines.contains(#""value":"log in hunter"#))
  }

  @Test func `the computed values of one step are bounded, and the last one is kept`() async throws
  {
    let plan = try ProbeRun.plan(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps: [{repeat: {until: "${{ loop.index == 79 }}", limit: 99}, do: [{wait: 0s}]}]
      """)
    let tracer = RunTracer()

    _ = await Session(of: plan, sinks: [tracer], options: .init(in: Directory("."))).run(inputs: [])

    let report = WrittenReports([
      WrittenReports.scenario("s.yaml", .passed, runs: [(true, [])], tracer.trace)
    ])
    let lines = try report.text("jsonl")
    #expect(lines.components(separatedBy: #""use":"until""#).count == 51)
    #expect(lines.contains(#"{"text":"loop.index","value":"79"}]}],"omittedValues":30"#))
  }

  @Test func `JSON Lines have each value, whole`() async throws {
    let lines = try WrittenReports([try await run("['s', inputs.long]", TraceOptions())])
      .text("jsonl").split(separator: "\n")

    let calls = lines.filter { $0.contains("\"kind\":\"call\"") && $0.contains("p.echo") }
    let answers = calls.map {
      (try? JSONParser.parse(Array($0.utf8)[...]))?["payload"]?["answer"]?["value"]
    }
    #expect(answers.count == 2)
    #expect(answers.allSatisfy { $0 == .array([.string("s"), .string(Self.long)]) })
  }

  @Test func `a page says that values are left out when there are too many`() async throws {
    let plan = try ProbeRun.plan(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - for: i
          in: "${{ lists.range(3000) }}"
          do: [{uses: p.echo, with: {value: "${{ lists.range(1200) }}"}}]
      """)
    let tracer = RunTracer()
    _ = await Session(of: plan, sinks: [tracer], options: .init(in: Directory(".")))
      .run(inputs: try plan.inputValues(texts: []))

    let trace = tracer.trace

    #expect(trace.spans.contains { $0.leavesOutValues })
    #expect(!trace.spans.prefix(100).contains { $0.leavesOutValues })
  }
}
