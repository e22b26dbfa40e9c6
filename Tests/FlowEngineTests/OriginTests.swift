import FlowCore
import FlowScenario
import TestKit
import Testing

@testable import FlowEngine

/// The origins of values that failures print.
@Suite struct OriginTests {
  private struct Sample: CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    var files: [String: String] = [:]
    let notes: [String]
  }

  private static let head = "flow: 1\ncomponents: {p: {plugin: probe}}\n"

  /// The notes and the circumstances of the failures of steps, which start at line 4.
  private static func notes(_ steps: String, files: [String: String] = [:]) async throws -> [String]
  {
    let run = try await ProbeRun(head + "steps:\n" + steps, files: files)
    return run.result.diagnostics.flatMap { $0.notes + $0.context }
  }

  private static let samples = [
    Sample(
      testDescription: "an answer",
      steps: """
        - {id: a, uses: p.echo, with: {value: {price: 12.50}}}
        - assert: ["${{ steps.a.value.price == 13.00 }}"]
        """,
      notes: ["steps.a.value.price is 12.50, from line 4"]),
    Sample(
      testDescription: "a variable of variables",
      steps: """
        - {id: a, uses: p.echo, with: {value: {price: 12.50}}}
        - set:
            fee: 2.50
            price: "${{ steps.a.value.price }}"
        - set: {total: "${{ price + fee }}"}
        - assert: ["${{ total * 2 == 31.00 }}"]
        """,
      notes: [
        "total * 2 is 30.00, from total (15.00)",
        "  total (15.00), set at line 8 from price (12.50) and fee (2.50)",
        "  price (12.50), set at line 7 from steps.a.value.price (12.50) at line 4",
        "  fee (2.50), set at line 6",
      ]),
    Sample(
      testDescription: "an expected value",
      steps: """
        - {id: a, uses: p.echo, with: {value: 13.00}}
        - set: {total: "${{ steps.a.value * 2 }}"}
        - {uses: p.echo, with: {value: 25.00}, expect: {value: "${{ total }}"}}
        """,
      notes: [
        "value: expected 26.00, got 25.00",
        "total is 26.00, set at line 5 from steps.a.value (13.00) at line 4",
        "input: {value: 25.00}", "answer: {value: 25.00}",
      ]),
    Sample(
      testDescription: "the input of a failed call",
      steps: """
        - {id: a, uses: p.echo, with: {value: 101}}
        - set: {by: "${{ int(steps.a.value) }}"}
        - {uses: p.count, with: {by: "${{ by }}"}}
        """,
      notes: [
        "101 is more than 100", "input: {by: 101}",
        "  by: by (101), set at line 5 from steps.a.value (101) at line 4",
      ]),
    Sample(
      testDescription: "the last iteration of a loop",
      steps: """
        - set: {total: 0}
        - for: item
          in: "${{ [3, 5] }}"
          do:
            - {id: e, uses: p.echo, with: {value: "${{ item }}"}}
            - set: {total: "${{ total + int(steps.e.value) }}"}
        - assert: ["${{ total == 9 }}"]
        """,
      notes: [
        "total is 8, set at line 9 in iteration 2 from total (3) and steps.e.value (5) at line 8",
        "  total (3), set at line 9 in iteration 1 from total (0) and steps.e.value (3) at line 8",
        "  total (0), set at line 4",
      ]),
  ]

  @Test(arguments: samples)
  private func `a failure tells the origins of its values`(_ sample: Sample) async throws {
    #expect(try await Self.notes(sample.steps, files: sample.files) == sample.notes)
  }
}
