import FlowCore
import FlowPlan
import TestKit
import Testing

/// Paths, slots and types of blocks, branches and awaited events.
@Suite struct BlockPlanTests {
  private static func plan(_ steps: String) throws -> Plan {
    try ScenarioText.plan(ScenarioText.head + "steps:\n" + steps)
  }

  private static func paths(_ steps: [PlannedStep]) -> [String] {
    steps.flatMap { step in
      let inner: [PlannedStep] =
        switch step.action {
        case .loop(let loop): loop.steps
        case .block(let block): block.steps + block.alternative
        case .parallel(let parallel): parallel.branches.flatMap(\.steps)
        default: []
        }
      return [step.path] + paths(inner) + paths(step.options?.finally ?? [])
    }
  }

  @Test func `no two steps of blocks have one path`() throws {
    let plan = try Self.plan(
      """
        - parallel:
            a: [{uses: p.count}, {uses: p.count}]
            do: [{do: [{uses: p.count}], if: "${{ 1 == 1 }}", else: [{uses: p.count}]}]
          finally: [{uses: p.count}]
        - for: i
          in: ${{ [1] }}
          parallel: 2
          do:
            - parallel:
                b: [{for: j, in: "${{ [1] }}", do: [{parallel: {c: [{id: x, uses: p.count}]}}]}]
          finally: [{do: [{uses: p.count}], finally: [{uses: p.count}]}]
        - {await: p.counted, timeout: 1s}
        - {id: named, do: [{do: [{uses: p.count}]}]}
      """)

    #expect(
      Self.paths(plan.steps) == [
        "parallel", "parallel/a/p.count", "parallel/a/p.count[2]", "parallel/do/do",
        "parallel/do/do/p.count", "parallel/do/do/else/p.count", "parallel/finally/p.count",
        "for", "for/parallel", "for/parallel/b/for", "for/parallel/b/for/parallel",
        "for/parallel/b/for/parallel/c/x", "for/finally/do", "for/finally/do/p.count",
        "for/finally/do/finally/p.count", "await", "named", "named/do", "named/do/p.count",
      ])
  }

  @Test func `each branch has slots of its own, in the order in which they are looked at`() throws {
    let plan = try Self.plan(
      """
        - {id: before, uses: p.count}
        - parallel:
            last: {needs: [first], do: [{id: x, uses: p.count}]}
            first: [{id: y, uses: p.count}, {set: {v: 1}}, {do: [{set: {w: 1}}]}]
            none: [{uses: p.count}, {for: i, in: "${{ [1] }}", do: [{set: {u: 1}}]}]
      """)
    guard case .parallel(let parallel) = plan.steps[1].action else {
      return #expect(Bool(false), "the step has branches")
    }

    #expect(parallel.branches.map(\.name) == ["last", "first", "none"])
    #expect(parallel.branches.map(\.needs) == [[1], [], []])
    #expect(parallel.branches.map(\.slots) == [4..<5, 1..<4, 4..<4])
    #expect(parallel.failsFast)
    #expect(plan.variableCount == 5)
    #expect(plan.runsInParallel)
  }

  @Test func `the answer of an awaited event is its payload`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - {id: seen, await: p.counted, where: "${{ event.value > 1 }}", timeout: 1s}
          - assert:
              - ${{ steps.seen.value == 1 }}
              - ${{ steps.seen.value == 'a' }}
              - ${{ steps.seen.count == 1 }}
              - ${{ event.value == 1 }}
          - {id: own, await: p.counted, where: "${{ steps.own.value > 1 }}", timeout: 1s}
        """)

    #expect(
      problems == [
        "7:13-36: '==' is not defined for (int, string) [F1303] (a string never equals a number; write the number without quotes, or compare string(...))",
        "8:24-29: the record has no field 'count' [F1304] (fields: value)",
        "9:13-18: 'event' is not declared [F1302] (names: steps)",
        "10:51-54: the step 'own' cannot read its own answer [F1313]",
      ])
  }

  @Test func `a plan names the events that its steps wait for`() throws {
    let plan = try Self.plan("  - do: [{await: p.counted, timeout: 1s}]")

    #expect(plan.awaitedEvents == ["p.counted"])
    #expect(!plan.runsInParallel)
  }

  @Test func `the outputs of iterations at once are lists like those of others`() throws {
    let plan = try ScenarioText.plan(
      ScenarioText.head + """
        steps:
          - id: outer
            for: i
            in: ${{ [1, 2] }}
            parallel: 2
            do:
              - parallel:
                  a: [{id: inner, for: j, in: "${{ ['a'] }}", parallel: 2, do: [{wait: 0s}], outputs: {j: "${{ j }}"}}]
            outputs: {j: "${{ steps.inner.j }}", i: "${{ i }}"}
        outputs: {o: "${{ steps.outer }}"}
        """)
    guard case .record(let type) = plan.outputs[0].type else {
      return #expect(Bool(false), "the answer of a loop is a record")
    }

    #expect(
      type.fields.map { "\($0.name): \($0.type)" } == ["j: list(list(string))", "i: list(int)"])
  }

  @Test func `unused ids of steps that nothing is recorded of are reported in every block`() throws
  {
    let text =
      "flow: 1\n" + """
        steps:
          - {do: [{id: a, wait: 0s}], finally: [{id: b, wait: 0s}]}
          - parallel: {x: [{id: c, set: {x: 1}}], y: {do: [{id: d, wait: 0s}]}}
          - {for: i, in: "${{ [1] }}", parallel: 2, do: [{id: e, wait: 0s, if: "${{ i > 0 }}"}]}
          - {if: "${{ 1 == 1 }}", do: [{wait: 0s}], else: [{do: [{id: f, assert: ["${{ 1 == 1 }}"]}]}]}
          - {for: i, in: "${{ [1] }}", do: [{wait: 0s}], finally: [{id: g, wait: 0s}]}
        """
    let warnings = try ScenarioText.warnings(text)

    #expect(
      warnings.compactMap { $0.split(separator: "'").dropFirst().first } == [
        "a", "b", "c", "d", "e", "f", "g",
      ])
  }

  @Test func `an unused id that keeps an address stable is no mistake`() throws {
    let text =
      ScenarioText.head + """
        steps:
          - {id: a, uses: p.count}
          - {id: b, do: [{id: c, uses: s.take}], finally: [{id: d, uses: p.count}]}
          - {id: e, for: i, in: "${{ [1] }}", do: [{id: f, uses: p.count, if: "${{ i > 0 }}"}]}
          - {id: g, parallel: {x: [{id: h, uses: p.count}]}}
        """

    #expect(try ScenarioText.warnings(text) == [])
  }
}
