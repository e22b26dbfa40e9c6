import BalancePlugin
import FlowCore
import FlowTesting
import Testing

@Suite struct BalanceTests {
  private static let longest = BalanceChangeTests.longest

  @Test(arguments: ComponentCheck.allCases)
  func `the balance passes the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../spend.yaml")

    try await ComponentChecks(Balance.self, sample: sample).verify(check)
  }

  @Test func `a balance is loaded, spent, filled up and guarded`() async throws {
    let balance = try await open("100.00")
    let steps: [(operation: String, amount: Value?, expected: String)] = [
      ("load", nil, "{balance: 100.00}"),
      ("subtract", .decimal(amount("12.50")), "{balance: 87.50}"),
      ("subtract", .int(1000), "insufficient: 1000 is more than the balance of 87.50"),
      ("add", .int(2), "{balance: 89.50}"),
      ("add", .decimal(amount("-2")), "illegal: the amount -2 is negative"),
      (
        "add", .decimal(amount(Self.longest)),
        "illegal: \(Self.longest) and the balance of 89.50 give a result of more than 38 digits"
      ),
      ("subtract", .decimal(amount("-0.01")), "illegal: the amount -0.01 is negative"),
      ("subtract", .string("2"), "'amount': expected decimal, got \"2\""),
      ("load", nil, "{balance: 89.50}"),
    ]

    for step in steps {
      let input = step.amount.map { ["amount": $0] } ?? [:]
      #expect(await balance.text(step.operation, input) == step.expected)
    }
  }

  @Test func `an opening without cents shows two decimals`() async throws {
    #expect(await (try open("100")).text("load") == "{balance: 100.00}")
    #expect(await (try OpenComponent(Balance.self)).text("load") == "{balance: 0.00}")
  }

  @Test func `an opening that is not a balance fails the start`() async throws {
    let error = await #expect(throws: ComponentError.self) { try await open("-0.01") }

    #expect(error?.description == "unavailable: the opening balance -0.01 is negative")
  }

  @Test func `an event tells each new value and no other`() async throws {
    let balance = try await open("10.00")

    _ = await balance.text("load", at: "first")
    _ = await balance.text("subtract", ["amount": 1], at: "spend")
    _ = await balance.text("subtract", ["amount": 0], at: "nothing")
    _ = await balance.text("subtract", ["amount": 100], at: "refused")
    _ = await balance.text("add", ["amount": 5], at: "fill")

    #expect(
      balance.events == [
        "spend#1 balance.changed {balance: 9.00}", "fill#1 balance.changed {balance: 14.00}",
      ])
  }

  @Test func `callers at once take no more than there is`() async throws {
    let balance = try await open("10.00")

    let answers = await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { await balance.text("subtract", ["amount": 1]) }
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }

    let refusals = answers.filter { $0.hasPrefix("insufficient") }
    let refusal = "insufficient: 1 is more than the balance of 0.00"
    #expect(refusals == Array(repeating: refusal, count: 10))
    #expect(await balance.text("load") == "{balance: 0.00}")
  }

  private func open(_ opening: String) async throws -> OpenComponent {
    try await OpenComponent(Balance.self, with: ["opening": amount(opening)])
  }
}
