import Testing

/// Branches cut off by another one's failure, replayed as far as they came.
@Suite struct CutOffTests {
  private static func scenario(_ step: String) -> String {
    """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {continue-on-error: true, \(step)}
    outputs: {end: "${{ 1 }}"}

    """
  }

  private static let failing =
    "{uses: p.sleep, with: {span: 5s}}, {uses: p.fail, with: {code: refused}}"
  private static let echo = "{uses: p.echo, with: {value: 1}}"
  private static let nap = "{uses: p.sleep, with: {span: 1s}}"

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let step: String
    /// The number of recorded calls, including the component's opening.
    let calls: Int
  }

  static let samples = [
    Sample(
      testDescription: "in the middle of a call",
      step: """
        parallel: {a: [\(failing)], b: [\(nap), \(echo), \(echo), \(echo), {uses: p.sleep, with: {span: 60s}}]}
        """,
      calls: 8),
    Sample(
      testDescription: "in the middle of a wait",
      step: "parallel: {a: [\(failing)], b: [\(nap), \(echo), \(echo), \(echo), {wait: 60s}]}",
      calls: 7),
    Sample(
      testDescription: "after a wait",
      step:
        "parallel: {a: [\(failing)], b: [{wait: 1s}, \(echo), {wait: 2s}, \(echo), {wait: 60s}]}",
      calls: 5),
    Sample(
      testDescription: "when they have passed",
      step: "parallel: {a: [\(failing)], b: [\(nap), \(echo), \(echo), \(echo), \(nap)]}", calls: 8
    ),
    Sample(
      testDescription: "when others that need them have begun",
      step: """
        parallel: {a: [\(failing)], b: [\(nap)], c: {needs: [b], do: [\(nap), \(echo), {wait: 9s}, \(echo)]}}
        """,
      calls: 6),
    Sample(
      testDescription: "when more iterations have begun",
      step: """
        for: i, in: "${{ [5, 1, 1, 1, 1, 1, 1] }}", parallel: 2, do: [
          {uses: p.sleep, with: {span: "${{ duration(string(i) + 's') }}"}}, \(echo),
          {assert: ["${{ i == 1 }}"]}]
        """,
      calls: 12),
    Sample(
      testDescription: "with something to clear up",
      step: """
        parallel: {a: [\(failing)], b: [{do: [\(nap), \(echo), {wait: 60s}, \(echo)], finally: [\(nap), \(echo)]}]}
        """,
      calls: 7),
    Sample(
      testDescription: "before a call that the others come to sooner in the replay",
      step: """
        parallel: {a: [{wait: 1s}, \(nap), {wait: 1500ms}, {uses: p.fail, with: {code: refused}}],
          b: [{uses: p.sleep, with: {span: 2s}}, {wait: 2s}, \(echo)]}
        """,
      calls: 4),
    Sample(
      testDescription: "inside of branches",
      step: """
        parallel: {x: [{continue-on-error: true, parallel: {a: [\(failing)],
          b: [\(nap), \(echo), \(echo), \(echo), {wait: 60s}]}}], y: [\(nap), \(nap), \(echo)]}
        """,
      calls: 10),
  ]

  @Test(arguments: samples) func `branches are cut off where they were`(
    _ sample: Sample
  ) async throws {
    let recorded = try await Recorded(Self.scenario(sample.step))
    let failures = try await recorded.replay(recorded.text)

    #expect(recorded.text.matches(of: /"invoke"/).count == sample.calls)
    #expect(recorded.text.contains(#""end":"passed""#))
    #expect(failures == "")
  }

  @Test func `calls that never come hold nothing up`() async throws {
    let recorded = try await Recorded(
      Self.scenario("parallel: {a: [\(Self.failing)], b: [\(Self.nap), \(Self.echo), {wait: 60s}]}")
    )
    let now = Self.scenario("parallel: {a: [\(Self.failing)], b: [\(Self.nap), {wait: 60s}]}")

    let failures = try await recorded.replay(recorded.text, now)

    #expect(failures.contains("error: 1 recorded call was never made [F3006]"))
    #expect(failures.contains("line 10: 'parallel/b/p.echo#1' called 'p.echo'"))
  }
}
