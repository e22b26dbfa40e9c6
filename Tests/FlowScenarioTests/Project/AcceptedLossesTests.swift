import FlowCore
import FlowPlan
import FlowScenario
import Testing

/// The losses of checks that a change is meant to have, and the messages about a wrong list.
@Suite struct AcceptedLossesTests {
  private static func losses(_ text: String) throws -> AcceptedLosses {
    try AcceptedLosses(file: "accepted-losses.yaml", bytes: Array(text.utf8))
  }

  @Test func `each entry names a scenario, a value and a reason`() throws {
    let file = try Self.losses(
      """
      losses:
        - scenario: shop/orders.yaml
          value: api.get, ok.json.items[].price
          reason: Prices have a test of their own.
        - {scenario: pay.yaml, value: "api.post {path: \\"/pay\\"}", reason: Nobody pays.}
      """)

    #expect(
      file.losses.map { [$0.scenario, $0.value, $0.reason] } == [
        ["shop/orders.yaml", "api.get, ok.json.items[].price", "Prices have a test of their own."],
        ["pay.yaml", #"api.post {path: "/pay"}"#, "Nobody pays."],
      ])
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let errors: [String]
  }

  @Test(arguments: [
    Wrong(
      testDescription: "no reason", text: "losses:\n  - {scenario: a.yaml, value: x}\n",
      errors: ["2:5: an entry of 'losses' has no 'reason'"]),
    Wrong(
      testDescription: "a blank reason",
      text: "losses:\n  - {scenario: a.yaml, value: x, reason: '  '}\n",
      errors: ["2:42: 'reason' of an entry of 'losses' is empty"]),
    Wrong(
      testDescription: "an unknown key",
      text: "losses:\n  - {scenario: a.yaml, value: x, reason: y, until: z}\n",
      errors: ["2:45: unknown key 'until' in an entry of 'losses'"]),
    Wrong(
      testDescription: "no list", text: "losses: all\n",
      errors: [
        "1:9: 'losses' of a file of accepted losses must be a list, not the string \"all\""
      ]),
    Wrong(
      testDescription: "nothing", text: "{}\n",
      errors: ["1:1: a file of accepted losses has no 'losses'"]),
    Wrong(
      testDescription: "no YAML", text: "losses: [\n",
      errors: ["1:10: expected a value in the flow node"]),
  ])
  func `a wrong list is refused at its place`(wrong: Wrong) throws {
    let error = #expect(throws: ScenarioError.self) { try Self.losses(wrong.text) }

    let messages = (error?.diagnostics ?? []).map { diagnostic in
      let start = diagnostic.span?.start ?? Position(line: 0, column: 0)
      return "\(start.line):\(start.column): \(diagnostic.message)"
    }
    #expect(messages == wrong.errors)
  }
}
