import FlowCore
import FlowPlan
import TestKit
import Testing

/// Errors found before the run in steps that run another scenario.
@Suite struct InclusionTests {
  private static let login = """
    flow: 1
    components: {p: {plugin: probe}}
    inputs:
      user: {type: string}
      tries: {type: int, default: 3}
    steps:
      - {id: count, uses: p.count}
      - {set: {secret: 1}}
    outputs:
      token: ${{ inputs.user }}
    """
  private static let files = ["parts/login.yaml": login]
  private static let inputs =
    " (the inputs of 'parts/login.yaml' are declared in parts/login.yaml:3:1)"
  private static let outputs =
    " (the outputs of 'parts/login.yaml' are declared in parts/login.yaml:9:1)"

  struct Case: Sendable, CustomTestStringConvertible {
    let step: String
    let problem: String
    var testDescription: String { step }
  }

  @Test(arguments: inputCases) func `what is given is checked like the input of a call`(
    _ sample: Case
  ) throws {
    let text = "flow: 1\nsteps:\n - \(sample.step)"

    #expect(try ScenarioText.problems(text, files: Self.files) == [sample.problem])
  }

  static let inputCases: [Case] = [
    Case(
      step: "{scenario: parts/login.yaml, with: {usr: a}}",
      problem: "3:40-43: 'parts/login.yaml' has no field 'usr'; did you mean 'user'? [F1204]"
        + inputs),
    Case(
      step: "{scenario: parts/login.yaml}",
      problem: "3:15-31: 'parts/login.yaml' needs the field 'user', string [F1205]" + inputs),
    Case(
      step: "{scenario: parts/login.yaml, with: {user: [a]}}",
      problem: "3:46-49: 'user': expected string, got a list [F1206]" + inputs),
    Case(
      step: "{scenario: parts/login.yaml, with: {user: \"${{ 5 }}\"}}",
      problem: "3:46-56: 'user': expected string, the expression returns int [F1305]"
        + " (string(...) converts it to a string)" + inputs),
    Case(
      step: "{scenario: parts/login.yaml, with: {user: \"${{ inputs.x }}\"}}",
      problem: "3:51-57: 'inputs' is not declared [F1302] (the scenario has no 'inputs')"),
  ]

  @Test(arguments: pathCases) func `a path is written down and stays in the folder`(
    _ sample: Case
  ) throws {
    let text = "flow: 1\nsteps:\n - \(sample.step)"

    #expect(try ScenarioText.problems(text, files: Self.files) == [sample.problem])
  }

  static let pathCases: [Case] = [
    Case(
      step: "{scenario: parts/logni.yaml}",
      problem: "3:15-31: cannot read 'parts/logni.yaml': no such file [F1210]"
        + " (the path is relative to the folder of 'test.yaml')"),
    Case(
      step: "{scenario: ../parts/login.yaml}",
      problem: "3:15-34: cannot read '../parts/login.yaml': "
        + "the path is outside the scenario's folder [F1210] (to include files of other folders, put a 'flow.yaml' in a folder that contains both)"
    ),
    Case(
      step: "{scenario: /parts/login.yaml}",
      problem: "3:15-32: cannot read '/parts/login.yaml': "
        + "the path is outside the scenario's folder [F1210]"),
    Case(
      step: "{scenario: \"${{ 'parts/login.yaml' }}\"}",
      problem: "3:15-42: 'scenario' must be a path, not an expression [F1104]"),
    Case(
      step: "{scenario: [parts/login.yaml]}",
      problem: "3:15-33: 'scenario' of a step must be text, not a list [F1104]"),
    Case(
      step: "{scenario: parts/login.yaml, with: {user: a}, expect: {token: a}}",
      problem: "3:50-56: 'expect' cannot be combined with 'scenario' [F1110]"),
    Case(
      step: "{id: scenario, scenario: parts/login.yaml, with: {user: a}}",
      problem: "3:9-17: 'scenario' cannot be the name of a step: it is reserved [F1106]"),
  ]

  @Test(arguments: answerCases) func `only the outputs of the other scenario are known`(
    _ sample: Case
  ) throws {
    let text = """
      flow: 1
      steps:
        - {id: login, scenario: parts/login.yaml, with: {user: a}}
        - {set: {kept: "${{ steps.login }}"}}
        - \(sample.step)
      """

    #expect(try ScenarioText.problems(text, files: Self.files) == [sample.problem])
  }

  static let answerCases: [Case] = [
    Case(
      step: "{assert: [\"${{ steps.login.tokn == 'a' }}\"]}",
      problem: "5:32-36: the record has no field 'tokn'; did you mean 'token'? [F1304]" + outputs),
    Case(
      step: "{assert: [\"${{ kept.tokn == 'a' }}\"]}",
      problem: "5:25-29: the record has no field 'tokn'; did you mean 'token'? [F1304]" + outputs),
    Case(
      step: "{assert: [\"${{ steps.login.token > 1 }}\"]}",
      problem: "5:20-41: '>' is not defined for (string, int) [F1303]"),
    Case(
      step: "{assert: [\"${{ steps.count.value > 1 }}\"]}",
      problem: "5:26-31: 'steps.count' is not declared [F1302] (steps: login)"),
    Case(
      step: "{assert: [\"${{ secret == 1 }}\"]}",
      problem: "5:20-26: 'secret' is not declared [F1302] (names: kept, steps)"),
    Case(
      step: "{uses: p.count}",
      problem: "5:12-13: unknown component 'p' [F1202] (the scenario declares no 'components')"),
  ]

  @Test func `nothing of the caller is known inside`() throws {
    let text = """
      flow: 1
      inputs: {amount: {type: int}}
      components: {p: {plugin: probe}}
      steps:
        - {id: count, uses: p.count}
        - {set: {total: 0}}
        - {scenario: a.yaml}
      """
    let inner = """
      flow: 1
      steps:
        - {uses: p.count}
        - assert: ["${{ inputs.amount > 0 }}", "${{ steps.count.value > 0 }}", "${{ total > 0 }}"]
      """

    let from = " (included from test.yaml:7:16)"
    #expect(
      try ScenarioText.problems(text, files: ["a.yaml": inner]) == [
        "3:12-13: unknown component 'p' [F1202] (the scenario declares no 'components')" + from,
        "4:19-25: 'inputs' is not declared [F1302] (the scenario has no 'inputs')" + from,
        "4:47-52: 'steps' is not declared [F1302]"
          + " (no step before this one has an 'id' and an answer)" + from,
        "4:79-84: 'total' is not declared [F1302]" + from,
      ])
  }

  // MARK: - Files

  @Test func `problems of every file come once, each with those that include it`() throws {
    let error = try #require(throws: ScenarioError.self) {
      try ScenarioText.plan(
        "flow: 1\nsteps: [{scenario: a/a.yaml}, {scenario: a/b.yaml}, {wait: [2]}]",
        files: [
          "a/a.yaml": "flow: 1\nsteps:\n - scenario: ./b.yaml\n - wait: [1]",
          "a/b.yaml": "flow: 1\nsteps: [{wait: [3]}]",
        ])
    }

    #expect(
      error.diagnostics.map { "\($0.span?.description ?? "") \($0.code) \($0.notes)" } == [
        "test.yaml:2:60 F1206 []",
        #"a/a.yaml:4:10 F1206 ["included from test.yaml:2:20"]"#,
        #"a/b.yaml:2:16 F1206 ["included from a/a.yaml:3:14", "included from test.yaml:2:20"]"#,
      ])
  }

  @Test func `a scenario cannot include itself, directly or through others`() throws {
    let files = [
      "test.yaml": "flow: 1\nsteps: [{scenario: x/a.yaml}, {scenario: test.yaml}]",
      "x/a.yaml": "flow: 1\nsteps: [{scenario: b.yaml}]",
      "x/b.yaml": "flow: 1\nsteps: [{scenario: ./a.yaml}, {scenario: .././test.yaml}]",
    ]

    #expect(
      try ScenarioText.problems(files["test.yaml"] ?? "", files: files) == [
        "2:42-51: 'test.yaml' includes itself [F1211]",
        "2:20-28: 'x/a.yaml' includes itself [F1211]"
          + " (included from x/a.yaml:2:20) (included from test.yaml:2:20)",
        "2:42-56: 'test.yaml' includes itself [F1211]"
          + " (included from x/a.yaml:2:20) (included from test.yaml:2:20)",
      ])
  }

  /// Files named by numbers, each including the next one.
  private static func chain(_ count: Int) -> [String: String] {
    var files = ["\(count)": "flow: 1\nsteps: []"]
    for number in 1..<count { files["\(number)"] = "flow: 1\nsteps: [{scenario: \(number + 1)}]" }
    return files
  }

  @Test func `files include each other over 32 levels and no more`() throws {
    let text = "flow: 1\nsteps: [{scenario: '1'}]"

    let plan = try ScenarioText.plan(text, files: Self.chain(32))
    let deeper = try ScenarioText.problems(text, files: Self.chain(33))

    #expect(plan.allScenarios.count == 32)
    #expect(deeper.count == 1)
    #expect(
      deeper.first?.hasPrefix(
        "2:20-22: scenarios include each other more than 32 levels deep [F1211] (included from 31:2:20)"
      )
        ?? false)
  }

  @Test func `a file that was loaded higher up can be too deep`() throws {
    // The chain is known with its 31 levels when the second step includes it two levels deeper.
    var files = Self.chain(31)
    files["x"] = "flow: 1\nsteps: [{scenario: 'y'}]"
    files["y"] = "flow: 1\nsteps: [{scenario: '1'}]"

    let problems = try ScenarioText.problems(
      "flow: 1\nsteps: [{scenario: '1'}, {scenario: x}]", files: files)

    #expect(
      problems == [
        "2:20-23: scenarios include each other more than 32 levels deep [F1211]"
          + " (included from x:2:20) (included from test.yaml:2:37)"
      ])
  }

  @Test func `a scenario includes 1000 files and no more`() throws {
    var files: [String: String] = [:]
    var text = "flow: 1\nsteps:\n"
    for number in 1...1_001 {
      files["\(number)"] = "flow: 1\nsteps: []"
      text += "- scenario: '\(number)'\n"
    }

    #expect(
      try ScenarioText.problems(text, files: files) == [
        "1003:13-19: a scenario includes more than 1000 files [F1211]"
      ])
  }

  @Test func `files that include each other many times over are planned once each`() throws {
    var files = ["30": "flow: 1\nsteps: []"]
    for number in 0..<30 {
      let step = "{scenario: '\(number + 1)'}"
      files["\(number)"] = "flow: 1\nsteps: [\(step), \(step)]"
    }

    let plan = try ScenarioText.plan("flow: 1\nsteps: [{scenario: '0'}]", files: files)

    #expect(plan.allScenarios.count == 31)
  }

  @Test func `deep loops in deep files do not exhaust the stack`() throws {
    let nested = 40
    var files = ["32": "flow: 1\nsteps: []"]
    for number in 1..<32 {
      var text = "flow: 1\nsteps:\n"
      for level in 0..<nested {
        text += String(repeating: " ", count: level * 2) + "- for: x\n"
        text += String(repeating: " ", count: level * 2) + "  in: ${{ [1] }}\n"
        text += String(repeating: " ", count: level * 2) + "  do:\n"
      }
      text += String(repeating: " ", count: nested * 2) + "- scenario: '\(number + 1)'\n"
      files["\(number)"] = text
    }

    let plan = try ScenarioText.plan("flow: 1\nsteps: [{scenario: '1'}]", files: files)

    #expect(plan.allScenarios.count == 32)
  }

  @Test func `the digest covers what is included, at any depth`() throws {
    let text = "flow: 1\nsteps: [{scenario: a.yaml}]"
    let files = ["a.yaml": "flow: 1\nsteps: [{scenario: b.yaml}]", "b.yaml": "flow: 1\nsteps: []"]

    let digest = try ScenarioText.plan(text, files: files).digest
    let same = try ScenarioText.plan(text, files: files).digest
    let changed = files.merging(["b.yaml": "flow: 1\nsteps: [] # changed"]) { $1 }

    #expect(digest == same)
    #expect(digest.hasPrefix("sha256:"))
    #expect(digest != (try ScenarioText.plan(text, files: changed).digest))
  }
}
