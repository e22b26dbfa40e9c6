import TestKit
import Testing

/// Every way of getting the keys of steps at the same time, and of loops, wrong.
@Suite struct ParallelKeyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let step: String
    let problems: [String]
    var testDescription: String { step }
  }

  @Test(arguments: branches) func `malformed branches say what must stand there`(_ sample: Case)
    throws
  {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + sample.step)

    #expect(problems == sample.problems)
  }

  @Test(arguments: loops) func `a malformed loop says what must stand there`(_ sample: Case) throws
  {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + sample.step)

    #expect(problems == sample.problems)
  }

  static let branches: [Case] = [
    Case(
      step: "{parallel: }",
      problems: ["4:15-15: 'parallel' of a step must be a mapping, not nothing [F1104]"]),
    Case(
      step: "{parallel: 3}",
      problems: ["4:15-16: 'parallel' of a step must be a mapping, not the number 3 [F1104]"]),
    Case(
      step: "{parallel: [a]}",
      problems: ["4:15-18: 'parallel' of a step must be a mapping, not a list [F1104]"]),
    Case(
      step: "{parallel: {}}",
      problems: ["4:15-17: 'parallel' of a step is empty [F1104]"]),
    Case(
      step: "{parallel: {a: }}",
      problems: [
        "4:19-19: the branch 'a' must be a list of steps, or a mapping with 'do', not nothing [F1104]"
      ]),
    Case(
      step: "{parallel: {a: 3}}",
      problems: [
        "4:19-20: the branch 'a' must be a list of steps, or a mapping with 'do', not the number 3 [F1104]"
      ]),
    Case(
      step: "{parallel: {a: []}}",
      problems: ["4:19-21: the branch 'a' is empty [F1104]"]),
    Case(
      step: "{parallel: {a: {}}}",
      problems: ["4:19-20: the branch 'a' has no 'do' [F1103]"]),
    Case(
      step: "{parallel: {a: {do: }}}",
      problems: ["4:24-24: 'do' of the branch 'a' must be a list, not nothing [F1104]"]),
    Case(
      step: "{parallel: {a: {do: []}}}",
      problems: ["4:24-26: 'do' of the branch 'a' is empty [F1104]"]),
    Case(
      step: "{parallel: {a: {do: 3}}}",
      problems: ["4:24-25: 'do' of the branch 'a' must be a list, not the number 3 [F1104]"]),
    Case(
      step: "{parallel: {a: {needs: [b]}, b: [{wait: 0s}]}}",
      problems: ["4:19-20: the branch 'a' has no 'do' [F1103]"]),
    Case(
      step: "{parallel: {a: {do: [{wait: 0s}], needs: b}, b: [{wait: 0s}]}}",
      problems: ["4:45-46: 'needs' of the branch 'a' must be a list, not the string \"b\" [F1104]"]),
    Case(
      step: "{parallel: {a: {do: [{wait: 0s}], needs: }, b: [{wait: 0s}]}}",
      problems: ["4:45-45: 'needs' of the branch 'a' must be a list, not nothing [F1104]"]),
    Case(
      step: "{parallel: {a: {do: [{wait: 0s}], needs: {b: 1}}, b: [{wait: 0s}]}}",
      problems: ["4:45-51: 'needs' of the branch 'a' must be a list, not a mapping [F1104]"]),
    Case(
      step: "{parallel: {a: {do: [{wait: 0s}], needs: [[b]]}, b: [{wait: 0s}]}}",
      problems: ["4:46-49: a name in 'needs' must be text, not a list [F1104]"]),
    Case(
      step: "{parallel: {a: {do: [{wait: 0s}], needs: [null]}, b: [{wait: 0s}]}}",
      problems: ["4:46-50: a name in 'needs' must be text, not nothing [F1104]"]),
    Case(
      step: "{parallel: {a: {do: [{wait: 0s}], needs: [3]}, b: [{wait: 0s}]}}",
      problems: ["4:46-47: no other branch is named '3'; did you mean 'b'? [F1112]"]),
    Case(
      step: "{parallel: {a: {do: [{wait: 0s}], nedes: [b]}, b: [{wait: 0s}]}}",
      problems: ["4:38-43: unknown key 'nedes' in the branch 'a'; did you mean 'needs'? [F1102]"]),
    Case(
      step: "{parallel: {a: {od: [{wait: 0s}], needs: [b]}, b: [{wait: 0s}]}}",
      problems: ["4:20-22: unknown key 'od' in the branch 'a'; did you mean 'do'? [F1102]"]),
    Case(
      step: "{parallel: {a: {uses: p.count}}}",
      problems: [
        "4:19-34: the branch 'a' must be a list of steps, or a mapping with 'do', not a single step [F1104]"
      ]),
    Case(
      step: "{parallel: {a-b: [{wait: 0s}]}}",
      problems: [
        "4:16-19: 'a-b' cannot be the name of a branch: use a letter, then letters, digits or '_' [F1106]"
      ]),
    Case(
      step: "{parallel: {finally: [{wait: 0s}]}}",
      problems: ["4:16-23: 'finally' cannot be the name of a branch: it is reserved [F1106]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, fail-fast: }",
      problems: ["4:45-45: 'fail-fast': expected bool, got nothing [F1206]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, fail-fast: no}",
      problems: ["4:45-47: 'fail-fast': expected bool, got the string \"no\" [F1206]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, fail-fast: 0}",
      problems: ["4:45-46: 'fail-fast': expected bool, got the number 0 [F1206]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, fail-fast: {}}",
      problems: ["4:45-47: 'fail-fast': expected bool, got a mapping [F1206]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, do: [{wait: 0s}]}",
      problems: ["4:34-36: 'do' cannot be combined with 'parallel' [F1110]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, uses: p.count}",
      problems: ["4:5-13: 'parallel' cannot be combined with 'uses' [F1110]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, outputs: {x: 1}}",
      problems: ["4:34-41: 'outputs' cannot be combined with 'parallel' [F1110]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, else: [{wait: 0s}]}",
      problems: ["4:34-38: 'else' cannot be combined with 'parallel' [F1110]"]),
    Case(
      step: "{parallel: {a: [{wait: 0s}]}, limit: 3}",
      problems: ["4:34-39: unknown key 'limit' in a step [F1102]"]),
    Case(
      step: "{id: parallel, wait: 0s}",
      problems: ["4:9-17: 'parallel' cannot be the name of a step: it is reserved [F1106]"]),
  ]

  static let loops: [Case] = [
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: , do: [{wait: 0s}]}",
      problems: ["4:41-41: 'parallel' must be a whole number from 1 to 1000, not nothing [F1111]"]),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: 0, do: [{wait: 0s}]}",
      problems: [
        "4:41-42: 'parallel' must be a whole number from 1 to 1000, not the number 0 [F1111]"
      ]),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: 1001, do: [{wait: 0s}]}",
      problems: [
        "4:41-45: 'parallel' must be a whole number from 1 to 1000, not the number 1001 [F1111]"
      ]),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: 1.5, do: [{wait: 0s}]}",
      problems: [
        "4:41-44: 'parallel' must be a whole number from 1 to 1000, not the number 1.5 [F1111]"
      ]),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: true, do: [{wait: 0s}]}",
      problems: [
        "4:41-45: 'parallel' must be a whole number from 1 to 1000, not the bool true [F1111]"
      ]),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: \"${{ 2 }}\", do: [{wait: 0s}]}",
      problems: [
        "4:41-51: 'parallel' must be a whole number from 1 to 1000, not the string \"${{ 2 }}\" [F1111]"
      ]),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: {a: [{wait: 0s}]}, do: [{wait: 0s}]}",
      problems: ["4:41-58: 'parallel' must be a whole number from 1 to 1000, not a mapping [F1111]"]
    ),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: [1], do: [{wait: 0s}]}",
      problems: ["4:41-44: 'parallel' must be a whole number from 1 to 1000, not a list [F1111]"]),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", parallel: 0, fail-fast: 1, do: [{wait: 0s}]}",
      problems: [
        "4:41-42: 'parallel' must be a whole number from 1 to 1000, not the number 0 [F1111]",
        "4:55-56: 'fail-fast': expected bool, got the number 1 [F1206]",
      ]),
    Case(
      step: "{for: x, in: \"${{ [1] }}\", else: [{wait: 0s}], do: [{wait: 0s}]}",
      problems: ["4:31-35: 'else' cannot be combined with 'for' [F1110]"]),
    Case(
      step: "{repeat: {until: \"${{ true }}\", limit: 1}, parallel: 2, do: [{wait: 0s}]}",
      problems: ["4:47-55: 'parallel' cannot be combined with 'repeat' [F1110]"]),
    Case(
      step: "{repeat: {until: \"${{ true }}\", limit: 1}, fail-fast: true, do: [{wait: 0s}]}",
      problems: ["4:47-56: 'fail-fast' cannot be combined with 'repeat' [F1110]"]),
    Case(
      step: "{repeat: {limit: 1}, do: [{wait: 0s}]}",
      problems: ["4:13-14: 'repeat' has no 'until' or 'while' [F1103]"]),
    Case(
      step:
        "{repeat: {until: \"${{ true }}\", while: \"${{ true }}\", limit: 1}, do: [{wait: 0s}]}",
      problems: ["4:36-41: 'while' cannot be combined with 'until' [F1110]"]),
    Case(
      step: "{repeat: {whlie: \"${{ true }}\", limit: 1}, do: [{wait: 0s}]}",
      problems: ["4:14-19: unknown key 'whlie' in 'repeat'; did you mean 'while'? [F1102]"]),
    Case(
      step: "{repeat: {while: , limit: 1}, do: [{wait: 0s}]}",
      problems: ["4:21-21: 'while' must be an expression, '${{ ... }}' [F1306]"]),
    Case(
      step: "{repeat: {while: 3, limit: 1}, do: [{wait: 0s}]}",
      problems: ["4:21-22: 'while' must be an expression, '${{ ... }}' [F1306]"]),
    Case(
      step: "{repeat: {while: \"${{ 3 }}\", limit: 1}, do: [{wait: 0s}]}",
      problems: ["4:21-31: 'while': expected bool, the expression returns int [F1305]"]),
    Case(
      step: "{repeat: {while: {a: b}, limit: 1}, do: [{wait: 0s}]}",
      problems: [
        "4:21-27: 'while' must be an expression, '${{ ... }}' [F1306] (YAML reads ': ' as a mapping; quote the whole value)"
      ]),
    Case(
      step: "{repeat: {while: [true], limit: 1}, do: [{wait: 0s}]}",
      problems: ["4:21-27: 'while' must be an expression, '${{ ... }}' [F1306]"]),
    Case(
      step: "{repeat: {while: \"${{ true }}\"}, do: [{wait: 0s}]}",
      problems: ["4:13-14: 'repeat' has no 'limit' [F1103]"]),
    Case(
      step: "{repeat: {while: \"${{ true }}\", limit: 0}, do: [{wait: 0s}]}",
      problems: [
        "4:43-44: 'limit' must be a whole number from 1 to 1000000000, not the number 0 [F1111]"
      ]),
  ]
}
