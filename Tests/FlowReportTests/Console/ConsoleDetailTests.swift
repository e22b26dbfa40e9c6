import FlowReport
import Testing

/// The console's lines about tolerated failures, about calls, and about resumed steps.
@Suite struct ConsoleDetailTests {
  @Test func `a failure that the scenario goes on after says why, with its attempts`() async throws
  {
    let report = try await Report(
      """
      steps:
        - {id: a, uses: p.count, with: {by: 101}, continue-on-error: true, retry: {attempts: 3}}
        - {id: b, uses: p.flaky, with: {failures: 1, code: refused}, retry: {attempts: 3}}
      """)

    #expect(
      report.text == """
        test.yaml
          failed a  (continue-on-error, 3 attempts, 10 ms)
            'a#1' failed with the error 'too-many': 101 is more than 100
          passed b  (2 attempts, 10 ms)
        passed in 50 ms: steps 1 passed, 1 failed

        """)
  }

  // Far longer than a busy machine takes, and shorter than a look at each earlier block would.
  @Test(.timeLimit(.minutes(10))) func `a repeated block in a loop is forgotten at its end`()
    async throws
  {
    let report = try await Report(
      """
      steps:
        - for: i
          in: ${{ lists.range(60000) }}
          do: [{retry: {attempts: 2}, do: [{set: {n: "${{ i }}"}}]}]
      """)

    #expect(report.text.contains("passed for  (120000 steps, "), "\(report.text)")
  }

  @Test func `a failure inside of a step is told above its line, and a few are enough`()
    async throws
  {
    let report = try await Report(
      """
      steps:
        - id: a
          for: i
          in: ${{ lists.range(12) }}
          do: [{uses: p.count, with: {by: 101}, continue-on-error: true, retry: {attempts: 2}}]
      """)

    let lines = report.text.split(separator: "\n")
    #expect(lines.count == 14)
    #expect(
      lines[10] == "    'a/p.count#10' failed with the error 'too-many': 101 is more than 100 "
        + "(2 attempts)")
    #expect(lines[11].hasPrefix("  passed a  (12 steps, "))
    #expect(lines[12] == "    and 2 more steps failed")
    #expect(lines[13].hasSuffix(": steps 1 passed, 12 failed"))
  }

  @Test func `names are printed as they are, but for what breaks a line`() async throws {
    let report = try await Report(#"steps: [{name: "say \"hi\" \\ back\n\e[31m", uses: p.count}]"#)

    #expect(report.text.contains(#"  passed say "hi" \ back\n\u{1b}[31m  ("#))
  }

  @Test func `a step around one that failed is not counted as failed`() async throws {
    let report = try await Report(
      "steps: [{id: a, for: i, in: [1], do: [{do: [{uses: p.crash}]}]}, {uses: p.count}]")

    #expect(report.text.hasSuffix(": steps 0 passed, 1 failed, 1 not run\n"))
  }

  @Test func `a step that may fail says what failed inside of it`() async throws {
    let report = try await Report(
      "steps: [{id: a, continue-on-error: true, do: [{uses: p.count, with: {by: 101}}]}]")

    #expect(
      report.text.hasPrefix(
        """
        test.yaml
          failed a  (continue-on-error, 1 step, 30 ms)
            'a/p.count#1' failed with the error 'too-many': 101 is more than 100

        """))
  }

  @Test func `computed values are shown with what they are made of`() async throws {
    let scenario = """
      steps:
        - set: {n: 2, text: "a b"}
        - {name: "Take ${{ n }}", if: "${{ n > 1 }}", uses: p.count}
        - {if: "${{ n > 5 }}", uses: p.count}
      outputs: {twice: "${{ n * 2 }}"}
      """
    let report = try await Report(scenario) { $0.detail = .calls }

    let lines = report.text.split(separator: "\n").filter { $0.hasPrefix("    ") }
    #expect(
      lines.filter { !$0.contains("->") } == [
        "    set#1: set n = 2", #"    set#1: set text = "a b""#,
        "    p.count#1: if ${{ n > 1 }} is true where n is 2",
        #"    p.count#1: name "Take ${{ n }}" is "Take 2" where n is 2"#,
        "    p.count[2]#1: if ${{ n > 5 }} is false where n is 2",
        "    outputs/twice#1: output twice = 4 from ${{ n * 2 }} where n is 2",
      ])
    #expect(try await !Report(scenario).text.contains("set#1"))
  }

  @Test func `every call is shown with its input and answer`() async throws {
    let report = try await Report(Self.calls) { $0.detail = .calls }

    #expect(
      report.text.split(separator: "\n").filter { $0.hasPrefix("    ") } == [
        "    components/p#1 {start: 0} -> opened",
        "    a#1: p.count {by: 2} -> {value: 2}",
        "    p.count#1 {by: 101} -> error 'too-many': 101 is more than 100",
        "    'p.count#1' failed with the error 'too-many': 101 is more than 100",
        "    p.echo#1 {value: \"\(String(repeating: "x", count: 390))… -> "
          + "{value: \"\(String(repeating: "x", count: 390))…",
      ])
  }

  @Test func `events and waits are shown as well`() async throws {
    let report = try await Report(
      "steps: [{id: a, uses: p.count}, {wait: 2s}, {await: p.counted, timeout: 1h}]"
    ) { $0.detail = .events }

    #expect(
      report.text == """
        test.yaml
            components/p#1 {start: 0} -> opened
            a#1: event p.counted {value: 1}
            a#1: p.count {by: 1} -> {value: 1}
          passed a  (10 ms)
            wait#1: waits 2s
          passed wait  (20 ms)
            await#1: waits for p.counted
            await#1: p.counted -> {value: 1}
          passed await  (20 ms)
        passed in 90 ms: steps 3 passed

        """)
  }

  private static let calls = """
    steps:
      - {id: a, uses: p.count, with: {by: 2}}
      - {uses: p.count, with: {by: 101}, continue-on-error: true}
      - {uses: p.echo, with: {value: "\(String(repeating: "x", count: 500))"}}
    """
}
