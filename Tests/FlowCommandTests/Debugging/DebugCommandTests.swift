import FlowCommand
import FlowCore
import TestKit
import Testing

/// Whole sessions of the debugger in the terminal.
@Suite struct DebugCommandTests {
  @Test func `three commands find where a wrong value comes from`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml", ["continue", "origin total", "print steps.first.value * 10"], in: folder,
      isTerminal: true)

    #expect(
      run.output == """
        @/totals.yaml:6: first#1
             6 |   - id: first
        (flow) @/totals.yaml:21:14: error: 'last#1' did not answer as expected [F2001]
           21 |     expect: {value: 42}
              |              ^^^^^^^^^
          note: value: expected 42, got 36
          input: {value: 36}
            value: total (36), set at line 17 in iteration 3 from total (28) and steps.inner.value (8) at line 14
              total (28), set at line 17 in iteration 2 from total (23) and steps.inner.value (5) at line 14
              total (23), set at line 17 in iteration 1 from total (20) and steps.inner.value (3) at line 14
              total (20), set at line 9 from steps.first.value (2) at line 6
          answer: {value: 36}
        (flow) total (36), set at line 17 in iteration 3 from total (28) and steps.inner.value (8) at line 14
          total (28), set at line 17 in iteration 2 from total (23) and steps.inner.value (5) at line 14
          total (23), set at line 17 in iteration 1 from total (20) and steps.inner.value (3) at line 14
          total (20), set at line 9 from steps.first.value (2) at line 6
        (flow) 20
        (flow) 
        """)
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `a recording is gone through forward and back`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.transcript.jsonl",
      [
        "n", "next", "step", "end", "values", "where", "back", "out", "back", "list", "reverse",
        "back",
      ], in: folder)

    #expect(
      run.output == """
        @/totals.yaml:6: first#1
             6 |   - id: first
        @/totals.yaml:9: set#1
             9 |   - set: {total: "${{ steps.first.value * 10 }}"}
        @/totals.yaml:10: rows#1
            10 |   - id: rows
        @/totals.yaml:14: rows/inner#1
            14 |       - id: inner
        @/totals.yaml:14: rows/inner#1 passed
            14 |       - id: inner
          it = {value: 3}
        inputs.by = 2
        steps.first = {value: 2}
        total = 20
        loop.index = 0
        row = 1
        steps.inner = {value: 3}
        rows/inner#1 at @/totals.yaml:14
        rows#1 at @/totals.yaml:10
        @/totals.yaml:14: rows/inner#1
            14 |       - id: inner
        @/totals.yaml:18: last#1
            18 |   - id: last
        @/totals.yaml:10: rows#1
            10 |   - id: rows
             5 | steps:
             6 |   - id: first
             7 |     uses: probe.count
             8 |     with: {by: "${{ inputs.by }}"}
             9 |   - set: {total: "${{ steps.first.value * 10 }}"}
        >   10 |   - id: rows
            11 |     for: row
            12 |     in: [1, 2, 3]
            13 |     do:
            14 |       - id: inner
            15 |         uses: probe.count
        @/totals.yaml:6: first#1
             6 |   - id: first
        @/totals.yaml:6: first#1
             6 |   - id: first

        """)
  }

  @Test func `breakpoints have conditions and numbers of hits`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml",
      [
        "break inner hit >= 2", "break 17 if row == 3", "break", "c", "c", "c", "r", "delete 1",
        "delete 1", "delete", "break iner", "break 99", "break inner if rw == 1",
        "break inner if row", "break inner hit often", "break @/other.yaml:3",
      ].map { $0.replacing("@/", with: folder.directory.path + "/") }, in: folder)

    #expect(
      run.output == """
        @/totals.yaml:6: first#1
             6 |   - id: first
        breakpoint 1: rows/inner at @/totals.yaml:14
        breakpoint 2: rows/set at @/totals.yaml:17 if row == 3
        breakpoint 1: rows/inner at @/totals.yaml:14
        breakpoint 2: rows/set at @/totals.yaml:17 if row == 3
        breakpoint 1: @/totals.yaml:14: rows/inner#2
            14 |       - id: inner
        breakpoint 1: @/totals.yaml:14: rows/inner#3
            14 |       - id: inner
        breakpoint 2: @/totals.yaml:17: rows/set#3
            17 |       - set: {total: "${{ total + steps.inner.value }}"}
        breakpoint 1: @/totals.yaml:14: rows/inner#3
            14 |       - id: inner
        removed 1 breakpoint
        there is no such breakpoint
        removed 1 breakpoint
        no step 'iner'; did you mean 'inner'?
        '@/totals.yaml' has no step at or after line 99
        the condition: 'rw' is not declared; did you mean 'row'?
        the condition is a int, not a bool
        'often' is no number of hits; write 3, >= 3 or % 3
        '@/other.yaml' is not a file of the scenario

        """)
  }

  @Test func `changes are tried on the recorded answers`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml",
      [
        "continue", "try it.value == 36", "try expect: {value: 36}", "try expect: {value: 41}",
        "try expct: {value: 36}", "try with: {value: [}", "try", "try totl == 1", "print it.value",
        "print totl", "print", "origin", "origin 1 + 1", "live", "no", "again", "reload",
      ], in: folder)

    #expect(
      run.output == """
        @/totals.yaml:6: first#1
             6 |   - id: first
        @/totals.yaml:21:14: error: 'last#1' did not answer as expected [F2001]
           21 |     expect: {value: 42}
              |              ^^^^^^^^^
          note: value: expected 42, got 36
          input: {value: 36}
            value: total (36), set at line 17 in iteration 3 from total (28) and steps.inner.value (8) at line 14
              total (28), set at line 17 in iteration 2 from total (23) and steps.inner.value (5) at line 14
              total (23), set at line 17 in iteration 1 from total (20) and steps.inner.value (3) at line 14
              total (20), set at line 9 from steps.first.value (2) at line 6
          answer: {value: 36}
        true
          it.value is 36
        the step passes; the run passes
        @/totals.yaml:21:14: 'last#1' did not answer as expected [F2001]
          value: expected 41, got 36
        the step fails; the run fails
        the step has no 'expct'; did you mean 'expect'?
        expected a value in the flow node
        try needs a condition, or a key of the step with another value
        'totl' is not declared; did you mean 'total'?
        36
        'totl' is not declared; did you mean 'total'?
        print needs an expression
        origin needs a name or an expression
        it reads no values
        the answers before 'last#1' are served; 'last#1' and all later steps call the components 'probe' (probe)
        nothing was run; 'yes' runs it
        a step can be run again in a live run only
        @/totals.yaml:18: last#1
            18 |   - id: last

        """)
  }

  @Test func `a step that has not answered yet is told from one that does not exist`()
    async throws
  {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml",
      [
        "print steps.first.value", "print 1 + steps.last.value", "print total",
        "print steps.lost.value", "origin steps.last.value", "next", "print steps.first.value",
        "print steps.last.value", "continue", "print steps.inner.value",
      ], in: folder)

    let said = run.output.split(separator: "\n").filter { $0.hasPrefix("'") || $0 == "2" }
    #expect(
      said == [
        "'steps.first' has no answer yet", "'steps.last' has no answer yet",
        "'total' has no value here", "'steps' is not declared", "'steps.last' has no answer yet",
        "2", "'steps.last' has no answer yet", "'steps.inner' has no answer here",
      ])
  }

  @Test func `an unknown command is answered in one line`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun("@/totals.yaml", ["nexxt", "xyz", "re", "quit", "n"], in: folder)

    #expect(
      run.output == """
        @/totals.yaml:6: first#1
             6 |   - id: first
        no command 'nexxt'; did you mean 'next'?
        no command 'xyz'; 'help' lists the commands
        no command 're'; 'help' lists the commands

        """)
  }

  @Test func `a recording goes on live, with its answers before the step`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun(
      "@/totals.yaml",
      ["break inner hit 2", "c", "live", "yes", "e", "again", "c", "c", "n"], in: folder)

    #expect(
      run.output == """
        @/totals.yaml:6: first#1
             6 |   - id: first
        breakpoint 1: rows/inner at @/totals.yaml:14
        breakpoint 1: @/totals.yaml:14: rows/inner#2
            14 |       - id: inner
        the answers before 'rows/inner#2' are served; 'rows/inner#2' and all later steps call the components 'probe' (probe)
        breakpoint 1: @/totals.yaml:14: rows/inner#2
            14 |       - id: inner
        @/totals.yaml:14: rows/inner#2 passed
            14 |       - id: inner
          it = {value: 5}
        @/totals.yaml:14: rows/inner#2 passed
            14 |       - id: inner
          it = {value: 7}
        @/totals.yaml:21:14: error: 'last#1' did not answer as expected [F2001]
           21 |     expect: {value: 42}
              |              ^^^^^^^^^
          note: value: expected 42, got 40
          input: {value: 40}
            value: total (40), set at line 17 in iteration 3 from total (30) and steps.inner.value (10) at line 14
              total (30), set at line 17 in iteration 2 from total (23) and steps.inner.value (7) at line 14
              total (23), set at line 17 in iteration 1 from total (20) and steps.inner.value (3) at line 14
              total (20), set at line 9 from steps.first.value (2) at line 6
          answer: {value: 40}
        the run has ended: failed
        the run has ended

        """)
    #expect(run.code == .failed)
  }

  @Test func `a live run stops at a failed step, and runs it again`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {probe: {plugin: probe}}
      steps:
        - {id: flaky, uses: probe.flaky, with: {failures: 1, code: refused}}
        - {id: end, uses: probe.echo, with: {value: "${{ steps.flaky.value }}"}}

      """, to: "flaky.yaml")

    let run = try await DebugRun(
      "@/flaky.yaml", ["back", "c", "values", "again", "v", "c", "n", "reload", "live"], in: folder)

    #expect(
      run.output == """
        @/flaky.yaml:4: flaky#1
             4 |   - {id: flaky, uses: probe.flaky, with: {failures: 1, code: refused}}
        a live run cannot go back; 'flow debug' on its recording can
        @/flaky.yaml:4:23: error: 'flaky#1' failed with the error 'refused' [F2002]
            4 |   - {id: flaky, uses: probe.flaky, with: {failures: 1, code: refused}}
              |                       ^^^^^^^^^^^
          note: attempt 1 failed
          input: {failures: 1, code: "refused"}
        steps.flaky = (not set)
        @/flaky.yaml:4: flaky#1 passed
             4 |   - {id: flaky, uses: probe.flaky, with: {failures: 1, code: refused}}
          it = {value: 2}
        steps.flaky = {value: 2}
        the run has ended: passed
        the run has ended
        the file of a live run cannot be read again
        the run is live already

        """)
    #expect(run.code == .passed)
  }

  @Test func `the end of the input cancels a live run`() async throws {
    let folder = try await DebugRun.recorded()

    let run = try await DebugRun("@/totals.yaml", ["n"], in: folder, live: true)

    #expect(run.code == .interrupted)
  }

  @Test func `no value shows a secret`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {token: {type: string, secret: true}}
      components: {probe: {plugin: probe}}
      steps:
        - {id: sent, uses: probe.echo, with: {value: "${{ inputs.token }}"}}
        - set: {short: "${{ inputs.token.substring(0, 6) }}"}
        - {assert: "${{ short == steps.sent.value }}"}

      """, to: "secret.yaml")

    let run = try await DebugRun(
      "@/secret.yaml",
      [
        "c", "values", "print inputs.token + '!'", "print short", "print [inputs.token]",
        "print inputs.token.size()", "print inputs.token == 'x'", "origin short",
        "print steps.sent.value", "back", "end", "try it.value", "break sent if inputs.token",
      ], in: folder, live: true, options: ["--input", "token=canary-77-of-mine"])

    #expect(!run.output.contains("canary"))
    #expect(
      run.output == """
        @/secret.yaml:5: sent#1
             5 |   - {id: sent, uses: probe.echo, with: {value: "${{ inputs.token }}"}}
        @/secret.yaml:7:19: error: 'assert#1': assertion failed [F2004]
            7 |   - {assert: "${{ short == steps.sent.value }}"}
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^
          note: short is ${secret:token}, set at line 6 from inputs.token (${secret:token})
          note: steps.sent.value is "${secret:token}", from line 5
        inputs.token = "${secret:token}"
        steps.sent = {value: "${secret:token}"}
        short = "${secret:token}"
        "${secret:token}"
        "${secret:token}"
        ["${secret:token}"]
        "${secret:token}"
        false
        short (${secret:token}), set at line 6 from inputs.token (${secret:token})
        "${secret:token}"
        a live run cannot go back; 'flow debug' on its recording can
        the run has ended: failed
        'it' is not declared
        the condition is a string, not a bool

        """)
  }

  @Test func `a file that is neither a scenario nor a recording is refused`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"flow\": 9}\n", to: "odd.jsonl")

    let run = try await DebugRun("@/none.yaml", [], in: folder)
    let odd = try await DebugRun("@/odd.jsonl", [], in: folder)

    #expect(run.errors == "error: cannot read '@/none.yaml': no such file [F1001]\n")
    #expect(
      odd.errors == """
        @/odd.jsonl:1:1: error: a scenario has no 'steps' [F1103]
            1 | {"flow": 9}
              | ^
        @/odd.jsonl:1:10: error: unknown format version '9', expected 1 [F1101]
            1 | {"flow": 9}
              |          ^

        """)
    #expect([run.code, odd.code] == [.badInput, .badInput])
  }
}
