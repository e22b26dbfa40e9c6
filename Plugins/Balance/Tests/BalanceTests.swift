import FlowCore
import FlowTesting
import PluginHarness
import Testing

@testable import BalancePlugin

@Suite struct BalanceTests {
  struct Step: Sendable, CustomTestStringConvertible {
    let operation: String
    let input: [String: Value]
    let expected: String

    var testDescription: String { operation + " → " + expected }

    init(_ operation: String, _ amount: Value? = nil, _ expected: String) {
      self.operation = operation
      input = amount.map { ["amount": $0] } ?? [:]
      self.expected = expected
    }
  }

  @Test func `a balance is loaded, spent, filled up and guarded`() async throws {
    let folder = try TemporaryFolder()
    let balance = try await open(["opening": "100.00"], folder)
    let steps = [
      Step("load", nil, "{balance: 100.00}"),
      Step("subtract", .decimal(amount("12.50")), "{balance: 87.50}"),
      Step(
        "subtract", .int(1000), "insufficient: 1000 is more than the balance of 87.50"),
      Step("add", .int(2), "{balance: 89.50}"),
      Step("add", .decimal(amount("-2")), "illegal: the amount -2 is negative"),
      Step("subtract", .decimal(amount("-0.01")), "illegal: the amount -0.01 is negative"),
      Step("subtract", .string("2"), "'amount': expected decimal, got \"2\""),
      Step("load", nil, "{balance: 89.50}"),
    ]

    for step in steps {
      #expect(await balance.text(step.operation, step.input) == step.expected)
    }
  }

  @Test func `an opening without cents shows two decimals`() async throws {
    let folder = try TemporaryFolder()

    #expect(await (try open(["opening": "100"], folder)).text("load") == "{balance: 100.00}")
    #expect(await (try open([:], folder)).text("load") == "{balance: 0.00}")
  }

  @Test func `an opening that is not a balance fails the start`() async throws {
    let opening = "-0.01"
    let folder = try TemporaryFolder()

    let error = await #expect(throws: ComponentError.self) {
      try await open(["opening": opening], folder)
    }

    #expect(error?.description == "unavailable: the opening balance \(opening) is negative")
  }

  @Test func `a sum of too many digits is an error and changes nothing`() async throws {
    let folder = try TemporaryFolder()
    let balance = try await open(["opening": "1.00"], folder)
    let longest = BalanceChangeTests.longest

    #expect(
      await balance.text("add", ["amount": amount(longest)])
        == "illegal: \(longest) and the balance of 1.00 have no exact result of 38 digits")
    #expect(await balance.text("load") == "{balance: 1.00}")
  }

  @Test func `an event tells each new value and no other`() async throws {
    let folder = try TemporaryFolder()
    let balance = try await open(["opening": "10.00"], folder)

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
    let folder = try TemporaryFolder()
    let balance = try await open(["opening": "10.00"], folder)

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
}

/// The plugin, opened with settings as a scenario writes them; `opening` is a number.
func open(_ settings: [String: String], _ folder: TemporaryFolder) async throws -> OpenComponent {
  var values: [String: any FieldValue] = settings
  values["opening"] = settings["opening"].map(amount)
  return try await OpenComponent(Balance.self, with: values, in: folder.directory.path)
}
