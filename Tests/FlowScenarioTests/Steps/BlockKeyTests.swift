import TestKit
import Testing

/// Every way of getting the keys of blocks and of awaited events wrong.
@Suite struct BlockKeyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let step: String
    let problems: [String]
    var testDescription: String { step }
  }

  @Test(arguments: blocks) func `a malformed block says what must stand there`(_ sample: Case)
    throws
  {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + sample.step)

    #expect(problems == sample.problems)
  }

  @Test(arguments: events) func `a malformed wait for an event says what must stand there`(
    _ sample: Case
  ) throws {
    let problems = try ScenarioText.problems(ScenarioText.head + "steps:\n - " + sample.step)

    #expect(problems == sample.problems)
  }

  static let blocks: [Case] = [
    Case(
      step: "{do: }",
      problems: ["4:9-9: 'do' of a step must be a list, not nothing [F1104]"]),
    Case(
      step: "{do: 3}",
      problems: ["4:9-10: 'do' of a step must be a list, not the number 3 [F1104]"]),
    Case(
      step: "{do: {uses: p.count}}",
      problems: ["4:9-24: 'do' of a step must be a list, not a mapping [F1104]"]),
    Case(
      step: "{do: []}",
      problems: ["4:9-11: 'do' of a step is empty [F1104]"]),
    Case(
      step: "{do: [3]}",
      problems: ["4:10-11: a step must be a mapping, not the number 3 [F1104]"]),
    Case(
      step: "{do: [null]}",
      problems: ["4:10-14: a step must be a mapping, not nothing [F1104]"]),
    Case(
      step: "{do: [{wait: 0s}], else: [{wait: 0s}]}",
      problems: ["4:23-27: 'else' needs an 'if' [F1110]"]),
    Case(
      step: "{do: [{wait: 0s}], fi: \"${{ true }}\", else: [{wait: 0s}]}",
      problems: ["4:23-25: unknown key 'fi' in a step; did you mean 'if'? [F1102]"]),
    Case(
      step: "{do: [{wait: 0s}], if: \"${{ 1 == 1 }}\", else: }",
      problems: ["4:50-50: 'else' of a step must be a list, not nothing [F1104]"]),
    Case(
      step: "{do: [{wait: 0s}], if: \"${{ 1 == 1 }}\", else: []}",
      problems: ["4:50-52: 'else' of a step is empty [F1104]"]),
    Case(
      step: "{do: [{wait: 0s}], if: \"${{ 1 == 1 }}\", else: 3}",
      problems: ["4:50-51: 'else' of a step must be a list, not the number 3 [F1104]"]),
    Case(
      step: "{do: [{wait: 0s}], if: \"${{ 1 == 1 }}\", else: {uses: p.count}}",
      problems: ["4:50-65: 'else' of a step must be a list, not a mapping [F1104]"]),
    Case(
      step: "{do: [{wait: 0s}], if: , else: [{wait: 0s}]}",
      problems: ["4:27-27: 'if' must be an expression, '${{ ... }}' [F1306]"]),
    Case(
      step: "{do: [{wait: 0s}], if: \"${{ 1 }}\", else: [{wait: 0s}]}",
      problems: ["4:27-37: 'if': expected bool, the expression returns int [F1305]"]),
    Case(
      step: "{else: [{wait: 0s}], if: \"${{ 1 == 1 }}\"}",
      problems: [
        "4:4-5: the step has no action: it needs one of 'uses', 'for', 'repeat', 'do', 'parallel', 'set', 'assert', 'wait', 'await' or 'scenario' [F1108]"
      ]),
    Case(
      step: "{uses: p.count, if: \"${{ 1 == 1 }}\", else: [{wait: 0s}]}",
      problems: ["4:41-45: 'else' cannot be combined with 'uses' [F1110]"]),
    Case(
      step: "{do: [{wait: 0s}], outputs: {x: 1}}",
      problems: ["4:23-30: 'outputs' cannot be combined with 'do' [F1110]"]),
    Case(
      step: "{do: [{wait: 0s}], with: {x: 1}}",
      problems: ["4:23-27: 'with' cannot be combined with 'do' [F1110]"]),
    Case(
      step: "{do: [{wait: 0s}], in: \"${{ [1] }}\"}",
      problems: ["4:23-25: 'in' cannot be combined with 'do' [F1110]"]),
    Case(
      step: "{do: [{wait: 0s}], fail-fast: true}",
      problems: ["4:23-32: 'fail-fast' cannot be combined with 'do' [F1110]"]),
    Case(
      step: "{do: [{wait: 0s}], where: \"${{ true }}\"}",
      problems: ["4:23-28: 'where' cannot be combined with 'do' [F1110]"]),
    Case(
      step: "{do: [{wait: 0s}], finally: }",
      problems: ["4:32-32: 'finally' of a step must be a list, not nothing [F1104]"]),
    Case(
      step: "{do: [{wait: 0s}], finally: []}",
      problems: ["4:32-34: 'finally' of a step is empty [F1104]"]),
    Case(
      step: "{do: [{wait: 0s}], finally: 3}",
      problems: ["4:32-33: 'finally' of a step must be a list, not the number 3 [F1104]"]),
    Case(
      step: "{do: [{wait: 0s}], finally: {uses: p.count}}",
      problems: ["4:32-47: 'finally' of a step must be a list, not a mapping [F1104]"]),
    Case(
      step: "{uses: p.count, finally: [{wait: 0s}]}",
      problems: ["4:20-27: 'finally' cannot be combined with 'uses' [F1110]"]),
    Case(
      step: "{set: {x: 1}, finally: [{wait: 0s}]}",
      problems: ["4:18-25: 'finally' cannot be combined with 'set' [F1110]"]),
    Case(
      step: "{finally: [{wait: 0s}]}",
      problems: [
        "4:4-5: the step has no action: it needs one of 'uses', 'for', 'repeat', 'do', 'parallel', 'set', 'assert', 'wait', 'await' or 'scenario' [F1108]"
      ]),
    Case(
      step: "{id: do, do: [{wait: 0s}]}",
      problems: ["4:9-11: 'do' cannot be the name of a step: it is reserved [F1106]"]),
    Case(
      step: "{id: else, wait: 0s}",
      problems: ["4:9-13: 'else' cannot be the name of a step: it is reserved [F1106]"]),
  ]

  static let events: [Case] = [
    Case(
      step: "{await: p.counted}",
      problems: [
        "4:12-21: 'await' has no 'timeout' [F1103] (the event may never come, so the wait needs a limit)"
      ]),
    Case(
      step: "{await: p.counted, timeuot: 1s}",
      problems: ["4:23-30: unknown key 'timeuot' in a step; did you mean 'timeout'? [F1102]"]),
    Case(
      step: "{await: p.counted, timeout: }",
      problems: ["4:32-32: 'timeout': expected duration, got nothing [F1206]"]),
    Case(
      step: "{await: p.counted, timeout: 5}",
      problems: [
        "4:32-33: 'timeout': expected duration, got the number 5; did you mean '5s'? [F1206]"
      ]),
    Case(
      step: "{await: p.counted, timeout: -5s}",
      problems: ["4:32-35: 'timeout' must be zero or more, not -5s [F1104]"]),
    Case(
      step: "{await: , timeout: 1s}",
      problems: ["4:12-12: 'await' of a step must be text, not nothing [F1104]"]),
    Case(
      step: "{await: 3, timeout: 1s}",
      problems: ["4:12-13: unknown component '3'; did you mean 'p' or 's'? [F1202]"]),
    Case(
      step: "{await: [p.counted], timeout: 1s}",
      problems: ["4:12-23: 'await' of a step must be text, not a list [F1104]"]),
    Case(
      step: "{await: {p: counted}, timeout: 1s}",
      problems: ["4:12-24: 'await' of a step must be text, not a mapping [F1104]"]),
    Case(
      step: "{await: p, timeout: 1s}",
      problems: ["4:12-13: 'p' is not an event; write 'p.event' [F1209] (events: counted)"]),
    Case(
      step: "{await: p., timeout: 1s}",
      problems: ["4:12-14: 'p.' is not an event; write 'p.event' [F1209] (events: counted)"]),
    Case(
      step: "{await: .counted, timeout: 1s}",
      problems: ["4:12-12: unknown component ''; did you mean 'p' or 's'? [F1202]"]),
    Case(
      step: "{await: q.counted, timeout: 1s}",
      problems: ["4:12-13: unknown component 'q'; did you mean 'p' or 's'? [F1202]"]),
    Case(
      step: "{await: p.conuted, timeout: 1s}",
      problems: ["4:14-21: 'p' reports no event 'conuted'; did you mean 'counted'? [F1209]"]),
    Case(
      step: "{await: p.nothing, timeout: 1s}",
      problems: ["4:14-21: 'p' reports no event 'nothing' [F1209] (events: counted)"]),
    Case(
      step: "{await: s.counted, timeout: 1s}",
      problems: ["4:14-21: 's' reports no event 'counted' [F1209] (it has no events)"]),
    Case(
      step: "{await: s, timeout: 1s}",
      problems: ["4:12-13: 's' is not an event; write 's.event' [F1209] (it has no events)"]),
    Case(
      step: "{await: \"${{ 'p.counted' }}\", timeout: 1s}",
      problems: ["4:12-32: unknown component '${{ 'p' [F1202] (components: p, s)"]),
    Case(
      step: "{await: p.counted, where: , timeout: 1s}",
      problems: ["4:30-30: 'where' must be an expression, '${{ ... }}' [F1306]"]),
    Case(
      step: "{await: p.counted, where: 3, timeout: 1s}",
      problems: ["4:30-31: 'where' must be an expression, '${{ ... }}' [F1306]"]),
    Case(
      step: "{await: p.counted, where: [a], timeout: 1s}",
      problems: ["4:30-33: 'where' must be an expression, '${{ ... }}' [F1306]"]),
    Case(
      step: "{await: p.counted, where: {a: b}, timeout: 1s}",
      problems: [
        "4:30-36: 'where' must be an expression, '${{ ... }}' [F1306] (YAML reads ': ' as a mapping; quote the whole value)"
      ]),
    Case(
      step: "{await: p.counted, where: \"event.value > 1\", timeout: 1s}",
      problems: [
        "4:30-47: 'where' must be an expression, '${{ ... }}'; did you mean '${{ event.value > 1 }}'? [F1306]"
      ]),
    Case(
      step: "{await: p.counted, where: \"${{ event.value }}\", timeout: 1s}",
      problems: ["4:30-50: 'where': expected bool, the expression returns int [F1305]"]),
    Case(
      step: "{await: p.counted, where: \"${{ event.valeu > 1 }}\", timeout: 1s}",
      problems: ["4:41-46: the record has no field 'valeu'; did you mean 'value'? [F1304]"]),
    Case(
      step: "{await: p.counted, where: \"${{ evnt.value > 1 }}\", timeout: 1s}",
      problems: ["4:35-39: 'evnt' is not declared; did you mean 'event'? [F1302]"]),
    Case(
      step: "{await: p.counted, timeout: 1s, expect: {value: 1}}",
      problems: ["4:36-42: 'expect' cannot be combined with 'await' [F1110]"]),
    Case(
      step: "{await: p.counted, timeout: 1s, retry: {attempts: 2}}",
      problems: ["4:36-41: 'retry' cannot be combined with 'await' [F1110]"]),
    Case(
      step: "{await: p.counted, timeout: 1s, with: {x: 1}}",
      problems: ["4:36-40: 'with' cannot be combined with 'await' [F1110]"]),
    Case(
      step: "{await: p.counted, timeout: 1s, finally: [{wait: 0s}]}",
      problems: ["4:36-43: 'finally' cannot be combined with 'await' [F1110]"]),
    Case(
      step: "{await: p.counted, timeout: 1s, uses: p.count}",
      problems: ["4:4-5: a step has one action, but this one has 'uses' and 'await' [F1109]"]),
    Case(
      step: "{uses: p.count, where: \"${{ true }}\"}",
      problems: ["4:20-25: 'where' cannot be combined with 'uses' [F1110]"]),
    Case(
      step: "{id: await, wait: 0s}",
      problems: ["4:9-14: 'await' cannot be the name of a step: it is reserved [F1106]"]),
  ]
}
