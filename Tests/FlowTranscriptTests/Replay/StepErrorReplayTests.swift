import FlowTranscript
import TestKit
import Testing

/// Read errors, attempts of blocks, and cases, in a transcript and its replay.
@Suite struct StepErrorReplayTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: x, uses: p.fail, with: {code: refused}, continue-on-error: true}
      - {uses: p.echo, with: {value: "${{ steps.x.error.code + ': ' + steps.x.error.message }}"}}
      - id: b
        retry: {attempts: 2, backoff: 1s}
        do:
          - {uses: p.count}
          - {uses: p.flaky, with: {failures: 1}}
      - for: i
        in: [a, b]
        cases: ${{ i }}
        parallel: 2
        do: [{uses: p.echo, with: {value: "${{ i }}"}}]
    outputs: {message: "${{ steps.x.error.message }}"}
    """

  @Test func `a recorded error is read again in a replay`() async throws {
    let recorded = try await Recorded(Self.scenario)

    #expect(try await recorded.replay(recorded.text) == "")
    #expect(
      recorded.text.contains(
        #"{"at":"p.echo#1","invoke":"p.echo","input":{"value":"refused: asked to fail with refused"}}"#
      ))
  }

  @Test func `another recorded error changes what later calls are given`() async throws {
    let recorded = try await Recorded(Self.scenario)
    let other = recorded.text.replacing(
      existing: #""message":"asked to fail"#, with: #""message":"told to fail"#)

    let failures = try await recorded.replay(other.unsealed)

    #expect(failures.contains("[F3003]"), "\(failures)")
  }

  @Test func `the attempts of a block have addresses like iterations`() async throws {
    let recorded = try await Recorded(Self.scenario)
    let lines = recorded.text.split(separator: "\n").filter {
      $0.contains(#"{"at":"b/"#) && $0.contains("invoke")
    }

    #expect(
      lines.map { $0.prefix(20) } == [
        #"{"at":"b/p.count#1","#, #"{"at":"b/p.flaky#1","#, #"{"at":"b/p.count#2","#,
        #"{"at":"b/p.flaky#2","#,
      ])
  }
}
