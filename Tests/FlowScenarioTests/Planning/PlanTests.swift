import FlowCore
import FlowEngine
import FlowPlan
import TestKit
import Testing

/// Paths, types and names of steps and blocks.
@Suite struct PlanTests {
  private static func paths(_ steps: [PlannedStep]) -> [String] {
    steps.flatMap { step in
      guard case .loop(let loop) = step.action else { return [step.path] }
      return [step.path] + paths(loop.steps)
    }
  }

  @Test func `a path is made of ids and of actions with their ordinals`() throws {
    let plan = try ScenarioText.plan(
      ScenarioText.head + """
        steps:
          - uses: p.count
          - {id: b, uses: p.count}
          - uses: p.count
          - set: {x: 1}
          - for: i
            in: ${{ [1] }}
            do:
              - uses: p.count
              - repeat: {until: "${{ true }}", limit: 1}
                do: [{uses: s.take}, {id: c, uses: s.take}, {uses: s.take}]
          - {for: i, in: "${{ [1] }}", do: [{assert: ["${{ true }}"]}]}
          - set: {x: 2}
        finally:
          - uses: p.count
        """)

    #expect(
      Self.paths(plan.steps + plan.finally) == [
        "p.count", "b", "p.count[2]", "set", "for", "for/p.count", "for/repeat",
        "for/repeat/s.take", "for/repeat/c", "for/repeat/s.take[2]", "for[2]", "for[2]/assert",
        "set[2]", "finally/p.count",
      ])
  }

  @Test func `no two steps have one path`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - {for: i, in: "${{ [1] }}", do: [{uses: p.count}]}
          - {id: for, for: i, in: "${{ [1] }}", do: [{uses: p.count}]}
          - {id: finally, for: i, in: "${{ [1] }}", do: [{uses: p.count}]}
          - {id: components, uses: p.count}
        """)

    #expect(
      problems == [
        "5:10-13: 'for' cannot be the name of a step: it is reserved [F1106]",
        "6:10-17: 'finally' cannot be the name of a step: it is reserved [F1106]",
        "7:10-20: 'components' cannot be the name of a step: it is reserved [F1106]",
      ])
  }

  @Test func `the outputs of a loop are lists`() throws {
    let plan = try ScenarioText.plan(
      ScenarioText.head + """
        inputs: {names: {type: list(string)}}
        steps:
          - id: outer
            for: name
            in: ${{ inputs.names }}
            do:
              - id: inner
                repeat: {until: "${{ true }}", limit: 2}
                do: [{id: count, uses: p.count}]
                outputs: {values: "${{ steps.count.value }}", text: "${{ name }}!"}
            outputs: {all: "${{ steps.inner.values }}", name: "${{ name }}", one: 1, index: "${{ loop.index }}"}
        outputs: {o: "${{ steps.outer }}"}
        """)

    guard case .record(let type) = plan.outputs[0].type else {
      return #expect(Bool(false), "the answer of a loop is a record")
    }
    #expect(
      type.fields.map { "\($0.name): \($0.type)" } == [
        "all: list(list(int))", "name: list(string)", "one: list(int)", "index: list(int)",
      ])
  }

  @Test func `the names of a block are unknown outside of it`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - id: loop_
            for: item
            in: ${{ [1, 2] }}
            do:
              - {id: inner, uses: p.count}
              - set: {total: 0}
          - assert:
              - ${{ item == 1 }}
              - ${{ steps.inner.value == 1 }}
              - ${{ total == 0 }}
              - ${{ loop.index == 0 }}
              - ${{ steps.loop_.inner == 1 }}
        """)

    #expect(
      problems == [
        "11:13-17: 'item' is not declared [F1302] (names: steps)",
        "12:19-24: the step 'inner' on line 8 is inside a loop and cannot be read outside it [F1314]"
          + " (list the value in the 'outputs' of the loop)",
        "13:13-18: 'total' is not declared [F1302] (names: steps)",
        "14:13-17: 'loop' is not declared [F1302] (names: steps)",
        "15:25-30: the record has no field 'inner' [F1304] (it has no fields)"
          + " (outside a loop only its 'outputs' are visible, as lists)",
      ])
  }

  @Test func `the index of an inner loop hides that of the outer one`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - id: rows
          for: row
          in: ${{ [10, 20] }}
          do:
            - id: cells
              for: cell
              in: ${{ [1, 2, 3] }}
              do: [{wait: 0s}]
              outputs: {index: "${{ loop.index }}"}
          outputs: {inner: "${{ steps.cells.index }}", outer: "${{ loop.index }}"}
      outputs: {inner: "${{ steps.rows.inner }}", outer: "${{ steps.rows.outer }}"}
      """)

    #expect(
      run.result.outputs.map(\.value.description) == ["[[0, 1, 2], [0, 1, 2]]", "[0, 1]"])
  }

  @Test func `a loop's variable hides one of the same name and gives it back`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - set: {x: 1}
        - id: inner
          for: x
          in: ${{ ['a', 'b'] }}
          do:
            - {for: x, in: "${{ [true] }}", do: [{assert: ["${{ x }}"]}]}
          outputs: {x: "${{ x }}"}
        - set: {x: "${{ x + 1 }}"}
      outputs: {inner: "${{ steps.inner.x }}", x: "${{ x }}"}
      """)

    #expect(run.failures == "")
    #expect(run.result.outputs.map(\.value.description) == [#"["a", "b"]"#, "2"])
  }

  @Test func `a variable keeps its type after a loop over the same name`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - set: {x: 1}
          - {for: x, in: "${{ ['a'] }}", do: [{assert: ["${{ x == 'a' }}"]}]}
          - set: {x: text}
        """)

    #expect(problems == [#"6:14-18: 'x': expected int, got the string "text" [F1206]"#])
  }

  @Test func `setting a loop's variable does not reach the one around the loop`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - set: {x: 1}
        - {for: x, in: "${{ ['a'] }}", do: [{set: {x: b}}, {assert: ["${{ x == 'b' }}"]}]}
        - assert: ["${{ x == 1 }}"]
      """)

    #expect(run.failures == "")
  }

  @Test func `an id is taken as long as it is in sight`() throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - {id: a, uses: p.count}
          - for: i
            in: ${{ [1] }}
            do:
              - {id: a, uses: p.count}
              - {id: b, uses: p.count}
          - {for: i, in: "${{ [1] }}", do: [{id: b, uses: p.count}]}
          - {id: b, uses: p.count}
        finally:
          - {id: b, uses: p.count}
        """)

    #expect(
      problems == [
        "8:14-15: the id 'a' is already used by the step on line 4 [F1107]",
        "13:10-11: the id 'b' is already used by the step on line 11 [F1107]",
      ])
  }

  @Test(arguments: ["inputs", "steps", "loop"])
  func `a name that expressions give a meaning is no variable`(_ name: String) throws {
    let problems = try ScenarioText.problems(
      ScenarioText.head + """
        steps:
          - set: {\(name): 1}
          - {for: \(name), in: "${{ [1] }}", do: [{wait: 0s}]}
        """)

    #expect(
      problems == [
        "4:11-\(11 + name.count): '\(name)' cannot be the name of a variable: it is reserved [F1106]",
        "5:11-\(11 + name.count): '\(name)' cannot be the name of a loop variable: it is reserved [F1106]",
      ])
  }
}
