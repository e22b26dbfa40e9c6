import TestSupport
import Testing

/// One mistake is one problem: what depends on a broken part is not called wrong as well.
@Suite struct CascadeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let text: String
    let problem: String
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `a mistake is told once`(_ sample: Case) throws {
    #expect(try ScenarioText.problems("flow: 1\n" + sample.text) == [sample.problem])
  }

  static let cases: [Case] = [
    Case(
      id: "an unknown plugin",
      text:
        "components: {p: {plugin: prob}}\nsteps: [{id: a, uses: p.count}, {assert: [\"${{ steps.a.value > 0 }}\"]}]",
      problem: "2:26-30: unknown plugin 'prob'; did you mean 'probe'? [F1201]"),
    Case(
      id: "a mistyped key of a component",
      text: "components: {p: {plugni: probe}}\nsteps: [{uses: p.count}]",
      problem: "2:18-24: unknown key 'plugni' in the component 'p'; did you mean 'plugin'? [F1102]"),
    Case(
      id: "a component that is no mapping",
      text: "components: {p: probe}\nsteps: [{uses: p.count}, {uses: p.count}]",
      problem: #"2:17-22: the component 'p' must be a mapping, not the text "probe" [F1104]"#),
    Case(
      id: "an invalid name of a component",
      text: "components: {my-p: {plugin: probe}}\nsteps: [{uses: my-p.count}]",
      problem:
        "2:14-18: 'my-p' is no name for a component: letters, digits and '_', a letter first [F1106]"
    ),
    Case(
      id: "a wrong setting",
      text: "components: {p: {plugin: probe, with: {start: many}}}\nsteps: [{uses: p.count}]",
      problem: #"2:47-51: 'start': expected int, got the text "many" [F1206]"#),
    Case(
      id: "an unknown type of an input",
      text: "inputs: {a: {type: text}}\nsteps: [{assert: [\"${{ inputs.a == 1 }}\"]}]",
      problem: "2:20-24: unknown type 'text' [F1208]"),
    Case(
      id: "a mistyped key of an input",
      text: "inputs: {a: {typ: int}}\nsteps: [{assert: [\"${{ inputs.a == 1 }}\"]}]",
      problem: "2:14-17: unknown key 'typ' in the input 'a'; did you mean 'type'? [F1102]"),
    Case(
      id: "an input without a type",
      text: "inputs: {a: {default: 1}}\nsteps: [{assert: [\"${{ inputs.a == 1 }}\"]}]",
      problem: "2:13-14: the input 'a' has no 'type' [F1103]"),
    Case(
      id: "an input that is no mapping",
      text: "inputs: {a: int}\nsteps: [{assert: [\"${{ inputs.a == 1 }}\"]}]",
      problem: #"2:13-16: the input 'a' must be a mapping, not the text "int" [F1104]"#),
    Case(
      id: "a mistyped field",
      text: "components: {p: {plugin: probe}}\nsteps: [{uses: p.fail, with: {cod: x}}]",
      problem: "3:31-34: 'p.fail' has no field 'cod'; did you mean 'code'? [F1204]"),
    Case(
      id: "a mistyped key of the scenario", text: "stesp: []",
      problem: "2:1-6: unknown key 'stesp' in a scenario; did you mean 'steps'? [F1102]"),
    Case(
      id: "a mistyped action",
      text:
        "components: {p: {plugin: probe}}\nsteps: [{id: a, usse: p.count}, {assert: [\"${{ steps.a.value > 0 }}\"]}]",
      problem: "3:17-21: unknown key 'usse' in a step; did you mean 'uses'? [F1102]"),
    Case(
      id: "a step with two actions",
      text:
        "components: {p: {plugin: probe}}\nsteps: [{id: a, uses: p.count, set: {}}, {assert: [\"${{ steps.a.value > 0 }}\"]}]",
      problem: "3:9-10: a step does one thing, and this one has 'uses' and 'set' [F1109]"),
    Case(
      id: "an unknown operation",
      text:
        "components: {p: {plugin: probe}}\nsteps: [{id: a, uses: p.cuont}, {assert: [\"${{ steps.a.value > 0 }}\"]}]",
      problem: "3:25-30: 'p' has no operation 'cuont'; did you mean 'count'? [F1203]"),
    Case(
      id: "a loop over no list",
      text:
        "steps: [{id: a, for: x, in: \"${{ 1 }}\", do: [{assert: [\"${{ x.y }}\"]}], outputs: {y: \"${{ x }}\"}}, {assert: [\"${{ steps.a.y[0] }}\"]}]",
      problem: "2:29-39: 'in': expected list(any value), the expression gives int [F1305]"),
    Case(
      id: "a loop without a list",
      text:
        "steps: [{id: a, for: x, do: [{wait: 0s}], outputs: {y: \"${{ x }}\"}}, {assert: [\"${{ steps.a.y[0] }}\"]}]",
      problem: "2:9-10: a step has no 'in' [F1103]"),
    Case(
      id: "a mistyped limit",
      text:
        "steps: [{id: a, repeat: {until: \"${{ true }}\", limti: 3}, do: [{wait: 0s}], outputs: {y: 1}}, {assert: [\"${{ steps.a.y[0] == 1 }}\"]}]",
      problem: "2:48-53: unknown key 'limti' in 'repeat'; did you mean 'limit'? [F1102]"),
    Case(
      id: "a variable without a value",
      text: "steps: [{set: {x: \"${{ no }}\"}}, {assert: [\"${{ x == 1 }}\"]}]",
      problem: "2:24-26: 'no' is not declared [F1302]"),
    Case(
      id: "an output of a loop without a value",
      text:
        "steps: [{id: a, for: x, in: \"${{ [1] }}\", do: [{wait: 0s}], outputs: {y: \"${{ no }}\"}}, {assert: [\"${{ steps.a.y == [] }}\"]}]",
      problem: "2:79-81: 'no' is not declared [F1302]"),
  ]

  @Test func `independent mistakes are all told, in file order`() throws {
    let problems = try ScenarioText.problems(
      """
      flow: 1
      tagss: [x]
      components: {p: {plugin: probe, with: {strat: 1, title: [a]}}}
      steps:
        - {uses: p.count, with: {by: x, yb: 1}, expect: {value: y}}
        - {uses: p.nothing}
        - {uses: q.count}
        - {uses: p.echo, with: {value: ["${{ a }}", {b: "${{ b }}"}]}, if: "${{ 1 }}"}
      outputs: {x-y: 1, z: "${{ z }}"}
      """)

    #expect(
      problems.compactMap { $0.split(separator: ": ").first } == [
        "2:1-6", "3:40-45", "3:57-60", "5:32-33", "5:35-37", "5:59-60", "6:14-21", "7:12-13",
        "8:40-41", "8:56-57", "8:70-80", "9:11-14", "9:27-28",
      ])
  }
}
