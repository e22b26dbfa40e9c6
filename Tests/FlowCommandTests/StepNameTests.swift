import FlowCommand
import TestKit
import Testing

/// Expressions in the names of steps.
@Suite struct StepNameTests {
  private static let scenario = """
    flow: 1
    name: Names
    inputs: {key: {type: string, secret: true}, amount: {type: decimal, default: 12.50}}
    components: {p: {plugin: probe}}
    steps:
      - {name: "Take ${{ inputs.amount }} with ${{ inputs.key }}", uses: p.count}
      - name: ${{ inputs.amount * 2 }}
        for: i
        in: ${{ [1, 2] }}
        do: [{name: "Number ${{ loop.index }}: ${{ i }}", uses: p.echo, with: {value: "${{ i }}"}}]
      - {name: "Not ${{ inputs.amount }}", if: "${{ inputs.amount > 100.0 }}", uses: p.count}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, environment: ["FLOW_SECRET_KEY": "s3cret+token"])
  }

  @Test func `a report has the values in a step's name, and placeholders for secrets`()
    async throws
  {
    let run = try await flow("run", "@/s.yaml", "--virtual-time")

    #expect(
      run.output.withoutDurations == """
        Names
          passed Take 12.50 with ${secret:key}  (T)
          passed 25.00  (2 steps, T)
          not run Not ${{ inputs.amount }}  (its condition is false)
        passed in T of virtual time: steps 4 passed, 1 not run

        """)
    #expect(run.errors == "")
  }

  @Test func `a failure in a loop has the step's name, and placeholders for secrets`() async throws
  {
    try folder.write(
      Self.scenario.replacing(
        existing: #"Number ${{ loop.index }}: ${{ i }}", uses: p.echo, with: {value: "${{ i }}"}"#,
        with: #"${{ i }} with ${{ inputs.key }}", uses: p.echo, with: {value: "${{ i }}"}, "#
          + #"expect: {value: 1}"#), to: "s.yaml")

    let run = try await flow("run", "@/s.yaml", "--virtual-time")

    #expect(
      run.errors == #"""
        @/s.yaml:10:102: error: 'for/p.echo#2' did not answer as expected [F2001]
           10 | {{ i }}"}, expect: {value: 1}}]
              |                     ^^^^^^^^
          note: value: expected 1, got 2
          note: the step's name is "2 with ${secret:key}"
          input: {value: 2}
          answer: {value: 2}
          in 'for', iteration 2: i is 2

        """#)
  }

  @Test func `what would be done has the name as it is written`() async throws {
    let run = try await flow("run", "@/s.yaml", "--dry-run")

    #expect(run.output.contains("  p.count (Take ${{ inputs.amount }} with ${{ inputs.key }})\n"))
    #expect(run.output.contains("p.echo (Number ${{ loop.index }}: ${{ i }})\n"))
  }

  @Test func `a transcript does not depend on the names of steps`() async throws {
    let recorded = try await flow("run", "@/s.yaml", "--record")
    let transcript = try folder.text("s.transcript.jsonl")
    try folder.write(Self.scenario.replacing("Number", with: "No."), to: "s.yaml")
    let replayed = try await flow("replay", "@/s.transcript.jsonl")
    let tested = try await flow("test", "@/s.yaml")

    #expect(recorded.errors + tested.errors == "")
    #expect(replayed.errors == "note: '@/s.yaml' has changed since it was recorded\n")
    #expect([recorded.code, replayed.code, tested.code] == [.passed, .passed, .passed])
    #expect(replayed.output.contains("passed Take 12.50 with ${secret:key}  ("))
    #expect(!transcript.contains("Take"))
  }

  @Test func `a step whose name has no value fails where the expression is`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - set: {list: [1]}
        - name: First ${{ list[0] }}, third ${{ list[2] }}
          continue-on-error: true
          uses: p.count
        - {id: after, name: "${{ list[3] }}", uses: p.count}
      """)

    #expect(
      run.failures == """
        test.yaml:8:28: error: 'after#1': list[3]: no element 3; the list has 1 element [F2005]
            8 |   - {id: after, name: "${{ list[3] }}", uses: p.count}
              |                            ^^^^^^^

        """)
    #expect(
      run.events.map(\.line).filter { $0.contains("p.count") || $0.contains("after") } == [
        "p.count#1 failed", "after#1 failed",
      ])
  }

  @Test func `a name is checked before the run`() throws {
    let problems = try ProbeRun.problems(
      """
      flow: 1
      inputs: {amount: {type: decimal}}
      components: {p: {plugin: probe}}
      steps:
        - {id: one, if: "${{ inputs.amount > 1.0 }}", uses: p.count}
        - {name: "Take ${{ inputs.amuont }}", uses: p.count}
        - {name: "After ${{ steps.one.value }}", uses: p.count}
        - {id: self, name: "Own ${{ steps.self.value }}", uses: p.count}
        - {name: "Open ${{ inputs.amount", uses: p.count}
        - {if: "${{ inputs.amount > 1.0 }}", name: "Known ${{ steps.one.value }}", uses: p.count}
      """)

    #expect(
      problems == """
        test.yaml:6:29: error: 'inputs.amuont' is not declared; did you mean 'amount'? [F1302]
            6 |   - {name: "Take ${{ inputs.amuont }}", uses: p.count}
              |                             ^^^^^^
        test.yaml:7:23: error: 'steps.one' may have no value here [F1311]
            7 |   - {name: "After ${{ steps.one.value }}", uses: p.count}
              |                       ^^^^^^^^^
          note: its step runs under an 'if'; use it under the same condition, or check it with has(steps.one) first
        test.yaml:8:37: error: the step 'self' cannot read its own answer [F1313]
            8 |   - {id: self, name: "Own ${{ steps.self.value }}", uses: p.count}
              |                                     ^^^^
        test.yaml:9:18: error: '${{' is not closed by '}}' [F1307]
            9 |   - {name: "Open ${{ inputs.amount", uses: p.count}
              |                  ^^^

        """)
  }
}
