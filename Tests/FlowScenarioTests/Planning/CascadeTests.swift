import TestKit
import Testing

/// One problem for one mistake, without any about the parts that depend on the broken one.
@Suite struct CascadeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let text: String
    let problem: String
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `a mistake is told once`(_ sample: Case) throws {
    let problems = try ScenarioText.problems("flow: 1\n" + sample.text)

    #expect(problems == [sample.problem])
  }

  private static let types =
    " (types: any, bool, bytes, decimal, double, duration, int, list(TYPE), map(TYPE), string, "
    + "timestamp)"

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
      problem: #"2:17-22: the component 'p' must be a mapping, not the string "probe" [F1104]"#),
    Case(
      id: "an invalid name of a component",
      text: "components: {my-p: {plugin: probe}}\nsteps: [{uses: my-p.count}]",
      problem:
        "2:14-18: 'my-p' cannot be the name of a component: use a letter, then letters, digits or '_' [F1106]"
    ),
    Case(
      id: "a wrong setting",
      text: "components: {p: {plugin: probe, with: {start: many}}}\nsteps: [{uses: p.count}]",
      problem: #"2:47-51: 'start': expected int, got the string "many" [F1206]"#),
    Case(
      id: "an unknown type of an input",
      text: "inputs: {a: {type: text}}\nsteps: [{assert: [\"${{ inputs.a == 1 }}\"]}]",
      problem: "2:20-24: unknown type 'text'; did you mean 'string'? [F1208]" + types),
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
      problem: #"2:13-16: the input 'a' must be a mapping, not the string "int" [F1104]"#),
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
      problem: "3:9-10: a step has one action, but this one has 'uses' and 'set' [F1109]"),
    Case(
      id: "an unknown operation",
      text:
        "components: {p: {plugin: probe}}\nsteps: [{id: a, uses: p.cuont}, {assert: [\"${{ steps.a.value > 0 }}\"]}]",
      problem: "3:25-30: 'p' has no operation 'cuont'; did you mean 'count'? [F1203]"),
    Case(
      id: "a loop over no list",
      text:
        "steps: [{id: a, for: x, in: \"${{ 1 }}\", do: [{assert: [\"${{ x.y }}\"]}], outputs: {y: \"${{ x }}\"}}, {assert: [\"${{ steps.a.y[0] }}\"]}]",
      problem: "2:29-39: 'in': expected list(any value), the expression returns int [F1305]"),
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
      problem: "2:79-81: 'no' is not declared [F1302] (names: loop, x)"),
    Case(
      id: "a branch with a wrong name",
      text:
        "steps: [{parallel: {a-b: [{id: x, wait: 0s}], c: {needs: [a-b], do: [{assert: [\"${{ has(steps.x) }}\"]}]}}}]",
      problem:
        "2:21-24: 'a-b' cannot be the name of a branch: use a letter, then letters, digits or '_' [F1106]"
    ),
    Case(
      id: "a branch without steps",
      text:
        "steps: [{parallel: {a: {}, c: {needs: [a], do: [{wait: 0s}]}}}]",
      problem: "2:24-25: the branch 'a' has no 'do' [F1103]"),
    Case(
      id: "a mistyped 'do' of a branch",
      text:
        "steps: [{parallel: {a: {od: [{id: x, wait: 0s}], needs: [c]}, c: [{wait: 0s}]}}, {assert: [\"${{ has(steps.x) }}\"]}]",
      problem: "2:25-27: unknown key 'od' in the branch 'a'; did you mean 'do'? [F1102]"),
    Case(
      id: "a step in the place of a branch",
      text:
        "components: {p: {plugin: probe}}\nsteps: [{parallel: {a: {id: x, uses: p.count}}}, {assert: [\"${{ steps.x.value == 1 }}\"]}]",
      problem:
        "3:24-46: the branch 'a' must be a list of steps, or a mapping with 'do', not a single step [F1104]"
    ),
    Case(
      id: "branches that wait for each other",
      text:
        "steps: [{parallel: {a: {needs: [b], do: [{id: x, wait: 0s}]}, b: {needs: [a], do: [{assert: [\"${{ has(steps.x) }}\"]}]}}}, {assert: [\"${{ has(steps.x) }}\"]}]",
      problem: "2:21-22: branches wait for each other: 'a' needs 'b' needs 'a' [F1113]"),
    Case(
      id: "a block beside another action",
      text:
        "steps: [{set: {y: 1}, do: [{id: x, wait: 0s}]}, {assert: [\"${{ has(steps.x) && y == 1 }}\"]}]",
      problem: "2:23-25: 'do' cannot be combined with 'set' [F1110]"),
    Case(
      id: "a block with two actions",
      text:
        "steps: [{set: {y: 1}, wait: 0s, do: [{id: x, wait: 0s}]}, {assert: [\"${{ has(steps.x) }}\"]}]",
      problem: "2:9-10: a step has one action, but this one has 'set' and 'wait' [F1109]"),
    Case(
      id: "a wrong condition of a block with 'else'",
      text:
        "components: {p: {plugin: probe}}\nsteps: [{if: \"${{ no }}\", do: [{id: x, uses: p.count}], else: [{id: y, uses: p.count}]}, {assert: [\"${{ steps.x.value == steps.y.value }}\"]}]",
      problem: "3:19-21: 'no' is not declared [F1302]"),
    Case(
      id: "a mistyped 'if' of a block with 'else'",
      text:
        "steps: [{fi: \"${{ true }}\", do: [{id: x, wait: 0s}], else: [{wait: 0s}]}, {assert: [\"${{ has(steps.x) }}\"]}]",
      problem: "2:10-12: unknown key 'fi' in a step; did you mean 'if'? [F1102]"),
    Case(
      id: "a mistyped 'while'",
      text:
        "steps: [{id: a, repeat: {whlie: \"${{ true }}\", limit: 3}, do: [{wait: 0s}], outputs: {y: 1}}, {assert: [\"${{ steps.a.y[0] == 1 }}\"]}]",
      problem: "2:26-31: unknown key 'whlie' in 'repeat'; did you mean 'while'? [F1102]"),
    Case(
      id: "a wrong 'while'",
      text:
        "steps: [{id: a, repeat: {while: \"${{ no }}\", limit: 3}, do: [{wait: 0s}], outputs: {y: 1}}, {assert: [\"${{ steps.a.y[0] == 1 }}\"]}]",
      problem: "2:38-40: 'no' is not declared [F1302] (names: loop)"),
    Case(
      id: "a wrong number of iterations at once",
      text:
        "steps: [{id: a, for: x, in: \"${{ [1] }}\", parallel: 0, do: [{wait: 0s}], outputs: {y: \"${{ x }}\"}}, {assert: [\"${{ steps.a.y[0] == 1 }}\"]}]",
      problem: "2:53-54: 'parallel' must be a whole number from 1 to 1000, not the number 0 [F1111]"
    ),
    Case(
      id: "an unknown event",
      text:
        "components: {p: {plugin: probe}}\nsteps: [{id: a, await: p.conuted, where: \"${{ event.value > 1 }}\", timeout: 1s}, {assert: [\"${{ steps.a.value > 1 }}\"]}]",
      problem: "3:26-33: 'p' reports no event 'conuted'; did you mean 'counted'? [F1209]"),
    Case(
      id: "a wait for an event without an end",
      text:
        "components: {p: {plugin: probe}}\nsteps: [{id: a, await: p.counted}, {assert: [\"${{ steps.a.value > 1 }}\"]}]",
      problem:
        "3:24-33: 'await' has no 'timeout' [F1103] (the event may never come, so the wait needs a limit)"
    ),
    Case(
      id: "a wait for an event of a broken component",
      text:
        "components: {p: {plugin: prob}}\nsteps: [{id: a, await: p.counted, where: \"${{ event.value > 1 }}\", timeout: 1s}, {assert: [\"${{ steps.a.value > 1 }}\"]}]",
      problem: "2:26-30: unknown plugin 'prob'; did you mean 'probe'? [F1201]"),
    Case(
      id: "a 'finally' that is no list",
      text:
        "steps: [{id: a, do: [{id: x, wait: 0s}], finally: {id: y, wait: 0s}}, {assert: [\"${{ has(steps.x) && has(steps.y) }}\"]}]",
      problem: "2:51-68: 'finally' of a step must be a list, not a mapping [F1104]"),
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
