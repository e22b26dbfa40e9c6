import FlowCore
import FlowEngine
import TestKit
import Testing

/// Variables of `set` beside parallel steps, and the places where they have a value.
@Suite struct SharedVariableTests {
  private static func problems(_ steps: String) throws -> [String] {
    try ScenarioText.problems(
      ScenarioText.head + "inputs: {a: {type: bool}, b: {type: bool}}\nsteps:\n" + steps)
  }

  private static func shared(_ place: String, _ name: String) -> String {
    "\(place): '\(name)' is shared by steps that run at the same time and cannot be set here [F1316]"
      + " (list the value in the 'outputs' of the loop, or read the answers of the branch)"
  }

  private static func absent(_ place: String, _ name: String) -> String {
    "\(place): '\(name)' may have no value here [F1311]"
      + " (it is set under an 'if'; use it under the same condition, or set it before)"
  }

  @Test func `a variable of outside is read in a branch and not set`() throws {
    let problems = try Self.problems(
      """
        - set: {x: 1}
        - parallel:
            a: [{set: {x: "${{ x + 1 }}"}}, {do: [{set: {x: 2}}]}]
            b: [{for: i, in: "${{ [1] }}", do: [{set: {x: 2}}]}]
        - {for: i, in: "${{ [1] }}", parallel: 2, do: [{set: {x: 2}}]}
        - set: {x: 2}
      """)

    #expect(
      problems == [
        Self.shared("7:18-19", "x"), Self.shared("7:52-53", "x"), Self.shared("8:50-51", "x"),
        Self.shared("9:57-58", "x"),
      ])
  }

  @Test func `a variable of an iteration is not set in branches inside of it`() throws {
    let problems = try Self.problems(
      """
        - for: i
          in: ${{ [1] }}
          parallel: 2
          do:
            - set: {x: 1}
            - set: {x: 2}
            - parallel: {a: [{set: {x: 3}}], b: [{set: {y: 1}}, {set: {y: 2}}]}
            - set: {x: 4}
      """)

    #expect(problems == [Self.shared("11:31-32", "x")])
  }

  @Test func `a variable of a branch stays in it`() throws {
    let problems = try Self.problems(
      """
        - parallel:
            a: [{set: {x: 1}}, {set: {x: 2}}, {assert: ["${{ x == 2 }}"]}]
            b: {needs: [a], do: [{set: {x: text}}, {assert: ["${{ x == 'text' }}"]}]}
            c: {needs: [a], do: [{assert: ["${{ x == 2 }}"]}]}
        - assert: ["${{ x == 2 }}"]
        - set: {x: 1s}
      """)

    #expect(
      problems == [
        "8:43-44: 'x' is not declared [F1302] (names: inputs)",
        "9:19-20: 'x' is not declared [F1302] (names: inputs)",
      ])
  }

  @Test func `a variable of a branch gives a loop's variable of its name back`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - for: x
          in: ${{ [1] }}
          do:
            - parallel:
                a: [{set: {x: text}}, {assert: ["${{ x == 'text' }}"]}]
                b: {needs: [a], do: [{assert: ["${{ x == 1 }}"]}]}
            - assert: ["${{ x == 1 }}"]
      """)

    #expect(run.failures == "")
  }

  // MARK: - Conditions

  @Test func `a variable that both blocks of an 'if' set has a value behind them`() async throws {
    let text = """
      flow: 1
      inputs: {a: {type: bool}}
      steps:
        - if: ${{ inputs.a }}
          do: [{set: {x: 1}}]
          else: [{set: {x: 2}}, {assert: ["${{ x == 2 }}"]}]
      outputs: {x: "${{ x }}"}
      """
    let first = try await ProbeRun(text, inputs: [("a", "true")])
    let second = try await ProbeRun(text, inputs: [("a", "false")])

    #expect(first.result.outputs.map(\.value.description) == ["1"])
    #expect(second.result.outputs.map(\.value.description) == ["2"])
  }

  @Test func `a variable that one block sets has none behind them`() throws {
    let problems = try Self.problems(
      """
        - if: ${{ inputs.a }}
          do: [{set: {x: 1}}, {if: "${{ inputs.b }}", set: {y: 1}}]
          else: [{set: {z: 1, y: 1}}, {if: "${{ inputs.b }}", set: {x: 1}}]
        - assert: ["${{ x == 1 }}", "${{ y == 1 }}", "${{ z == 1 }}"]
        - {if: "${{ inputs.a }}", assert: ["${{ x == 1 }}", "${{ y == 1 }}", "${{ z == 1 }}"]}
        - {if: "${{ !inputs.a }}", assert: ["${{ x == 1 }}", "${{ y == 1 }}", "${{ z == 1 }}"]}
      """)

    #expect(
      problems == [
        Self.absent("8:19-20", "x"), Self.absent("8:36-37", "y"), Self.absent("8:53-54", "z"),
        Self.absent("9:60-61", "y"), Self.absent("9:77-78", "z"), Self.absent("10:44-45", "x"),
        Self.absent("10:61-62", "y"),
      ])
  }

  @Test func `a variable that is set again has a value from there on`() throws {
    let problems = try Self.problems(
      """
        - {if: "${{ inputs.a }}", set: {x: 1}}
        - if: ${{ inputs.b }}
          do: [{set: {x: 2}}, {assert: ["${{ x == 2 }}"]}]
        - assert: ["${{ x == 1 }}"]
        - {for: i, in: "${{ [1] }}", do: [{set: {x: 3}}, {assert: ["${{ x == 3 }}"]}]}
        - assert: ["${{ x == 1 }}"]
        - {continue-on-error: true, set: {x: 3}}
        - assert: ["${{ x == 1 }}"]
        - do: [{set: {x: 4}}]
        - assert: ["${{ x == 4 }}"]
      """)

    #expect(
      problems == [
        Self.absent("8:19-20", "x"), Self.absent("10:19-20", "x"), Self.absent("12:19-20", "x"),
      ])
  }

  @Test func `a variable that was set before and in both blocks keeps its value`() throws {
    let problems = try Self.problems(
      """
        - {if: "${{ inputs.b }}", set: {x: 1}}
        - if: ${{ inputs.a }}
          do: [{set: {x: 2}}]
          else: [{set: {x: 3}}]
        - assert: ["${{ x == 3 }}"]
      """)

    #expect(problems == [])
  }
}
