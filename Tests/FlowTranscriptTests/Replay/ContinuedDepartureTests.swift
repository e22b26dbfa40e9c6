import TestKit
import Testing

/// Steps that may fail, which tolerate failures of the scenario but no differences from the
/// transcript.
@Suite struct ContinuedDepartureTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The step that may fail, around the call.
    let step: String
  }

  static let samples = [
    Sample(testDescription: "a call", step: "{CALL, continue-on-error: true}"),
    Sample(testDescription: "a block", step: "{do: [{CALL}], continue-on-error: true}"),
    Sample(
      testDescription: "a loop",
      step: #"{for: x, in: "${{ [1] }}", do: [{CALL}], continue-on-error: true}"#),
    Sample(
      testDescription: "a branch",
      step: "{parallel: {a: [{CALL}], b: [{wait: 1s}]}, continue-on-error: true}"),
    Sample(
      testDescription: "a finally",
      step: "{do: [{wait: 0s}], finally: [{CALL, continue-on-error: true}]}"),
    Sample(
      testDescription: "a block that comes to the end of its time",
      step: """
        {timeout: 1s, continue-on-error: true,
          parallel: {a: [{CALL}], b: [{wait: 1h}]}, fail-fast: false}
        """),
  ]

  @Test(arguments: samples) func `a step that may fail may not depart from the transcript`(
    _ sample: Sample
  ) async throws {
    let scenario = { (value: Int) in
      let call = "id: it, uses: p.echo, with: {value: \(value)}"
      return "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n  - "
        + sample.step.replacing(existing: "CALL", with: call) + "\n"
    }
    let recorded = try await Recorded(scenario(1))

    #expect(recorded.text.contains(#""end":"passed""#))
    #expect(try await recorded.replay(recorded.text) == "")
    let failures = try await recorded.replay(recorded.text, scenario(2))
    #expect(failures.contains("it#1' has changed [F3003]\n"))
    #expect(failures.contains("note: value: recorded 1, now 2\n"))
  }
}
