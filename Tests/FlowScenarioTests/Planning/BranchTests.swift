import TestKit
import Testing

/// Steps of branches that read each other's answers.
@Suite struct BranchTests {
  private static func problems(_ steps: String) throws -> [String] {
    try ScenarioText.problems(ScenarioText.head + "steps:\n" + steps)
  }

  @Test func `an id of a branch is known where it is needed and after the block`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            a: [{id: x, uses: p.count}, {assert: ["${{ steps.x.value == 1 }}"]}]
            b:
              needs: [a]
              do: [{id: y, uses: p.count, with: {by: "${{ steps.x.value }}"}}]
            c: {needs: [b], do: [{assert: ["${{ steps.x.value + steps.y.value == 2 }}"]}]}
        - assert: ["${{ steps.x.value + steps.y.value == 2 }}"]
      """)

    #expect(problems == [])
  }

  @Test func `branches may stand before those that they need, and need one over two ways`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            d: {needs: [b, c], do: [{assert: ["${{ steps.x.value + steps.y.value + steps.z.value == 3 }}"]}]}
            b: {needs: [a], do: [{id: y, uses: p.count, with: {by: "${{ steps.x.value }}"}}]}
            c: {needs: [a, a], do: [{id: z, uses: p.count, with: {by: "${{ steps.x.value }}"}}]}
            a: [{id: x, uses: p.count}]
      """)

    #expect(problems == [])
  }

  @Test func `an id of a branch is unknown where nothing waits for it`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            a: [{id: x, uses: p.count}, {assert: ["${{ steps.y.value == 1 }}"]}]
            b: [{assert: ["${{ has(steps.x) }}"]}, {id: y, uses: p.count}]
            c: {needs: [b], do: [{assert: ["${{ steps.x.value == 1 && steps.y.value == 1 }}"]}]}
      """)

    #expect(
      problems == [
        Self.beside("5:56-57", "y", line: 6, branch: "b"),
        Self.beside("6:30-35", "x", line: 5, branch: "a"),
        Self.beside("7:49-50", "x", line: 5, branch: "a"),
      ])
  }

  @Test func `the outermost branch that is another one is what a step could wait for`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            one:
              - parallel:
                  inner: [{id: x, uses: p.count}]
                  other: [{assert: ["${{ steps.x.value == 1 }}"]}]
            two: [{do: [{assert: ["${{ steps.x.value == 1 }}"]}]}]
      """)

    #expect(
      problems == [
        Self.beside("8:36-41", "x", line: 7, branch: "inner"),
        Self.beside("9:34-39", "x", line: 7, branch: "one"),
      ])
  }

  @Test func `a step of the same branch that comes later is only that`() throws {
    let problems = try Self.problems(
      """
        - parallel: {a: [{assert: ["${{ steps.x.value == 1 }}"]}, {id: x, uses: p.count}], b: [{wait: 0s}]}
      """)

    #expect(problems == ["4:35-40: the step 'x' comes later, on line 4 [F1313]"])
  }

  @Test func `a loop in a branch keeps its steps to itself all the same`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            a: [{for: i, in: "${{ [1] }}", do: [{id: x, uses: p.count}]}]
            b: {needs: [a], do: [{assert: ["${{ steps.x.value == 1 }}"]}]}
      """)

    #expect(
      problems == [
        "6:43-48: the step 'x' on line 5 is inside a loop and cannot be read outside it [F1314]"
          + " (list the value in the 'outputs' of the loop)"
      ])
  }

  @Test func `an id is taken in all branches, those that are out of sight included`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            a: [{id: x, uses: p.count}]
            b: [{id: x, uses: p.count}, {for: i, in: "${{ [1] }}", do: [{id: x, uses: p.count}]}]
            c: [{parallel: {d: [{id: x, uses: p.count}]}}]
        - {id: x, uses: p.count}
      """)

    #expect(
      problems == [
        "6:16-17: the id 'x' is already used by the step on line 5 [F1107]",
        "6:72-73: the id 'x' is already used by the step on line 5 [F1107]",
        "7:32-33: the id 'x' is already used by the step on line 5 [F1107]",
        "8:10-11: the id 'x' is already used by the step on line 5 [F1107]",
      ])
  }

  @Test func `an id of a loop whose iterations run at once is free again behind it`() throws {
    let loop = "{for: i, in: \"${{ [1] }}\", parallel: 2, do: [{id: x, uses: p.count}]}"
    let problems = try Self.problems("  - \(loop)\n  - \(loop)\n  - {id: x, uses: p.count}")

    #expect(problems == [])
  }

  // MARK: - Cycles

  struct Cycle: Sendable, CustomTestStringConvertible {
    /// Each branch with its `needs`.
    let needs: [(String, String)]
    let problems: [String]
    var testDescription: String { "\(needs)" }
  }

  @Test(arguments: cycles) func `branches that wait for each other are told once`(
    _ sample: Cycle
  ) throws {
    let branches = sample.needs.map {
      "      \($0): {needs: [\($1)], do: [{id: x\($0), uses: p.count}]}\n"
    }
    let problems = try Self.problems(
      "  - parallel:\n" + branches.joined()
        + "  - assert: [\"${{ steps.x\(sample.needs[0].0).value == 1 }}\"]")

    #expect(problems == sample.problems)
  }

  static let cycles: [Cycle] = [
    Cycle(needs: [("a", "a")], problems: ["5:19-20: no other branch is named 'a' [F1112]"]),
    Cycle(
      needs: [("a", "b"), ("b", "a")],
      problems: ["5:7-8: branches wait for each other: 'a' needs 'b' needs 'a' [F1113]"]),
    Cycle(
      needs: [("a", "c"), ("b", "a"), ("c", "b")],
      problems: [
        "5:7-8: branches wait for each other: 'a' needs 'c' needs 'b' needs 'a' [F1113]"
      ]),
    // What only waits for a cycle is no part of it.
    Cycle(
      needs: [("a", "b"), ("b", "d"), ("c", ""), ("d", "e, c"), ("e", "d")],
      problems: ["8:7-8: branches wait for each other: 'd' needs 'e' needs 'd' [F1113]"]),
  ]

  @Test func `a name that no branch has is told, with the near ones`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            left: [{wait: 0s}]
            right: {needs: [lefd, other, right], do: [{wait: 0s}]}
      """)

    #expect(
      problems == [
        "6:23-27: no other branch is named 'lefd'; did you mean 'left'? [F1112]",
        "6:29-34: no other branch is named 'other' [F1112] (branches: left)",
        "6:36-41: no other branch is named 'right' [F1112] (branches: left)",
      ])
  }

  @Test func `problems stand in file order, though branches are looked at as they wait`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            a: {needs: [c], do: [{uses: p.one}]}
            b: {needs: [a], do: [{uses: p.two}]}
            c: [{uses: p.three}]
      """)

    #expect(problems.map { $0.prefix(2) } == ["5:", "6:", "7:"])
  }

  @Test func `there are at most a thousand branches`() throws {
    let branches = (0...1_000).map { "b\($0): [{wait: 0s}]" }.joined(separator: ",\n ")

    #expect(
      try Self.problems("  - parallel: {\(branches)}") == [
        "1004:2-7: 'parallel' has more than 1000 branches [F1104]"
      ])
  }

  private static func beside(
    _ place: String, _ id: String, line: Int, branch: String
  ) -> String {
    "\(place): the step '\(id)' on line \(line) is in a branch that runs at the same time [F1315]"
      + " (make this branch wait for it: needs: [\(branch)])"
  }
}
