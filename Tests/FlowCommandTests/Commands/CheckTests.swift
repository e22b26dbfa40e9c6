import FlowCommand
import TestKit
import Testing

/// The output of `flow check` for several scenarios, and for one on standard input.
@Suite struct CheckTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\nsteps: [{wait: 1s}]\n", to: "all/good.yaml")
    try folder.write("flow: 1\nsteps: [{id: a, wait: 1s}]\n", to: "all/odd.yaml")
    try folder.write("flow: 1\nsteps: [{wiat: 1s}, {wait: 1}]\n", to: "all/wrong.yaml")
  }

  @Test func `mistakes are counted behind them, and the scenarios that have them`() async throws {
    let run = try await FlowCommandRun(["check", "@/all"], in: folder)

    #expect(run.output == "1 of 3 scenarios has mistakes: 2 errors, 1 warning\n")
    #expect(run.errors.hasPrefix("@/all/odd.yaml:2:"))
    #expect(run.code == .badInput)
  }

  @Test func `with --strict a scenario with a warning has a mistake`() async throws {
    let run = try await FlowCommandRun(["check", "@/all", "--strict"], in: folder)

    #expect(run.output == "2 of 3 scenarios have mistakes: 2 errors, 1 warning\n")
    #expect(run.code == .badInput)
  }

  @Test func `with -v the parts of answers are named that the scenario reads`() async throws {
    try folder.write("flow: 1\nsteps: [{wait: 0s}]\noutputs: {o: 1}\n", to: "reads/idle.yaml")
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {id: a, uses: p.echo, with: {value: 1}, expect: {value: 1}}
        - repeat: {until: "${{ steps.b.value.done }}", limit: 2}
          do: [{id: b, uses: p.echo, with: {value: {done: true}}}]
        - {id: c, uses: p.echo, with: {value: {}}}
        - {id: d, scenario: part.yaml}
        - set: {all: "${{ steps.c }}"}

      """, to: "reads/one.yaml")
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {id: e, uses: p.echo, with: {value: {a: 1}}}
        - {if: "${{ has(steps.e.value.a) }}", uses: p.count}

      """, to: "reads/part.yaml")
    let run = try await FlowCommandRun(
      ["check", "-v", "@/reads/idle.yaml", "@/reads/one.yaml"], in: folder)

    #expect(
      run.output == """
        @/reads/one.yaml reads
          a: value
          repeat/b: value.done
          c: everything
          d/e: has(value.a)
          d/p.count: nothing
        2 scenarios checked, no mistakes

        """)
    let quiet = try await FlowCommandRun(["check", "-v", "-q", "@/reads"], in: folder)
    #expect(quiet.errors.hasPrefix("flow: '--quiet'"))
  }

  @Test(arguments: [
    ("good", "1 scenario checked, no mistakes\n"), ("odd", "1 scenario checked, 1 warning\n"),
    ("wrong", "1 scenario checked, 2 errors\n"),
  ])
  func `a single scenario is summed up in a line`(_ name: String, _ line: String) async throws {
    let run = try await FlowCommandRun(["check", "@/all/\(name).yaml"], in: folder)

    #expect(run.output == line)
  }

  @Test func `without a path the scenarios of the project are checked`() async throws {
    try folder.write("flow: 1\nscenarios: [all]\nexclude: [all/wrong.yaml]\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: [{wiat: 1s}]\n", to: "elsewhere.yaml")
    let run = try BuiltFlow(#""$0" check"#, in: folder)

    #expect(run.output == "2 scenarios checked, 1 warning\n")
    #expect(run.code == 0)
  }

  @Test func `a component that flow.yaml runs live opens its port in a replay`() throws {
    try folder.write(
      """
      flow: 1
      tags: [whole]
      components:
        pay: {plugin: upstream}
        programs: {plugin: process, live: true}
      steps:
        - {id: pay, uses: pay.address}
        - {uses: programs.run, with: {argv: [curl, "${{ steps.pay.url }}"]}}

      """, to: "pay.yaml")
    let closed = try BuiltFlow(#""$0" check pay.yaml"#, in: folder)
    try folder.write("flow: 1\nlive: [{components: [pay], tag: whole}]\n", to: "flow.yaml")
    let open = try BuiltFlow(#""$0" check pay.yaml"#, in: folder)
    try folder.write("flow: 1\nlive: [{components: [pay], tag: other}]\n", to: "flow.yaml")
    let other = try BuiltFlow(#""$0" check pay.yaml"#, in: folder)

    #expect(closed.errors.contains("pay.yaml:4:3: warning: 'pay' is not live, so a replay opens"))
    #expect(open.errors == "")
    #expect(other.errors == closed.errors)
  }

  @Test func `a scenario on standard input has the name and the folder of its file`() throws {
    try folder.write("flow: 1\nsteps: [{wait: 1s}]\n", to: "all/parts/part.yaml")
    let shell = """
      printf 'flow: 1\\nsteps: [{scenario: parts/part.yaml}, {wiat: 1s}]\\n' \
      | "$0" check - --stdin-filename all/./unsaved.yaml
      """
    let run = try BuiltFlow(shell, in: folder)
    let other = try BuiltFlow(
      #"printf 'flow: 1\nsteps: [{scenario: parts/part.yaml}]\n' | "$0" check - "#
        + "--stdin-filename all/unsaved.yaml", in: folder)

    #expect(
      run.errors == """
        all/unsaved.yaml:2:39: error: unknown key 'wiat' in a step; did you mean 'wait'? [F1102]
            2 | steps: [{scenario: parts/part.yaml}, {wiat: 1s}]
              |                                       ^^^^

        """)
    #expect(run.code == 65)
    #expect(other.output.hasSuffix("1 scenario checked, no mistakes\n"))
    #expect(other.errors == "")
  }

  @Test func `a name for standard input needs it`() async throws {
    let run = try await FlowCommandRun(
      ["check", "@/all", "--stdin-filename", "@/x.yaml"], in: folder)

    #expect(
      run.errors
        == "flow: '--stdin-filename' needs '-', a scenario on standard input\nsee 'flow help check'\n"
    )
    #expect(run.code == .badCommandLine)
  }

  @Test func `a scenario on standard input is checked and quoted`() throws {
    let run = try BuiltFlow(#"cat all/wrong.yaml | "$0" check -"#, in: folder)

    #expect(
      run.errors == """
        standard input:2:10: error: unknown key 'wiat' in a step; did you mean 'wait'? [F1102]
            2 | steps: [{wiat: 1s}, {wait: 1}]
              |          ^^^^
        standard input:2:28: error: 'wait': expected duration, got the number 1; did you mean '1s'? [F1206]
            2 | steps: [{wiat: 1s}, {wait: 1}]
              |                            ^

        """)
    #expect(run.output == "1 scenario checked, 2 errors\n")
    #expect(run.code == 65)
  }

  @Test func `standard input is checked after the files`() throws {
    let run = try BuiltFlow(#"cat all/good.yaml | "$0" check - all/good.yaml"#, in: folder)

    #expect(run.output == "2 scenarios checked, no mistakes\n")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }
}
