import Testing

/// The required order of recorded calls in a replay.
@Suite struct RequestOrderTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The steps when it was recorded.
    let steps: String
    /// The steps when it is replayed.
    let now: String
    /// The message of the replay, or an empty string if it passes.
    var problem = ""
  }

  @Test(arguments: samples) func `calls come in their recorded order`(
    _ sample: Sample
  ) async throws {
    let recorded = try await Recorded(Self.scenario(sample.steps))
    let same = try await recorded.replay(recorded.text)
    let failures = try await recorded.replay(recorded.text, Self.scenario(sample.now))

    #expect(same == "")
    #expect(failures.contains(sample.problem))
    #expect(failures.isEmpty == sample.problem.isEmpty)
  }

  private static func scenario(_ steps: String) -> String {
    "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n  \(steps)\n"
  }

  private static let a = "{id: a, uses: p.echo, with: {value: 1}}"
  private static let b = "{id: b, uses: p.echo, with: {value: 2}}"
  private static let swapped =
    "error: 'a#1' comes after 'b#1', but was recorded before its end [F3010]"

  static let samples = [
    Sample(
      testDescription: "one after the other", steps: "[\(a), \(b)]", now: "[\(b), \(a)]",
      problem: swapped),
    Sample(
      testDescription: "in a set", steps: "[{do: [\(a), \(b)], compare: set}]",
      now: "[{do: [\(b), \(a)], compare: set}]"),
    Sample(
      testDescription: "before a set", steps: "[\(a), {do: [\(b)], id: x, compare: set}]",
      now: "[{do: [\(b)], id: x, compare: set}, \(a)]",
      problem: "error: 'a#1' comes after 'x/b#1', but was recorded before its end"),
    Sample(
      testDescription: "causal in a set",
      steps: "[{do: [{do: [\(a), \(b)], compare: causal}], compare: set}]",
      now: "[{do: [{do: [\(b), \(a)], compare: causal}], compare: set}]",
      problem: "'do/do/a#1' comes after 'do/do/b#1'"),
    Sample(
      testDescription: "a free call",
      steps: "[{id: a, uses: p.echo, with: {value: 1}, compare: set}, \(b)]",
      now: "[\(b), {id: a, uses: p.echo, with: {value: 1}, compare: set}]"),
    Sample(
      testDescription: "branches", steps: "[{parallel: {x: [\(a)], y: [\(b)]}}]",
      now: "[{parallel: {y: [\(b)], x: [\(a)]}}]"),
    Sample(
      testDescription: "in a branch",
      steps: "[{parallel: {x: [\(a), \(b)], y: [{uses: p.count}]}}]",
      now: "[{parallel: {x: [\(b), \(a)], y: [{uses: p.count}]}}]",
      problem: "'parallel/x/a#1' comes after 'parallel/x/b#1'"),
    Sample(
      testDescription: "before branches", steps: "[\(a), {parallel: {x: [\(b)]}}]",
      now: "[{parallel: {x: [\(b)]}}, \(a)]", problem: "'a#1' comes after 'parallel/x/b#1'"),
    Sample(
      testDescription: "after branches", steps: "[{parallel: {x: [\(b)]}}, \(a)]",
      now: "[\(a), {parallel: {x: [\(b)]}}]", problem: "'parallel/x/b#1' comes after 'a#1'"),
    Sample(
      testDescription: "branches that need each other, causally",
      steps: "[{parallel: {x: [\(a)], y: {needs: [x], do: [\(b)]}}}]",
      now: "[{parallel: {x: {needs: [y], do: [\(a)]}, y: [\(b)]}}]"),
    Sample(
      testDescription: "iterations at once in a set",
      steps:
        "[{for: i, in: \"${{ [1, 2] }}\", parallel: 2, compare: set, do: [\(a), \(b), {wait: 1s}]}]",
      now:
        "[{for: i, in: \"${{ [1, 2] }}\", parallel: 2, compare: set, do: [\(b), \(a), {wait: 1s}]}]"
    ),
  ]

  @Test func `lines of two calls that interleave are not in sequence`() async throws {
    let recorded = try await Recorded(Self.scenario("[\(Self.a), \(Self.b)]"))
    var lines = recorded.text.split(separator: "\n")
    lines.swapAt(4, 5)
    let failures = try await recorded.replay(lines.joined(separator: "\n") + "\n")

    #expect(failures.contains("'b#1' comes after 'a#1', but was recorded before its end"))
    #expect(failures.contains("note: line 5: 'b#1' called 'p.echo'\n"))
    #expect(failures.contains("note: line 4: 'a#1' called 'p.echo', answered on line 6\n"))
  }
}
