import FlowCore
import Testing

@testable import BalancePlugin

@Suite struct BalanceChangeTests {
  static let longest = "170141183460469231731687303715884105727"

  @Test(arguments: [
    ("adds", "0.00", "12.5", "12.50"),
    ("refuses to add a negative amount", "5.00", "-0.01", "the amount -0.01 is negative"),
    (
      "refuses a sum of too many digits", longest, "1",
      "1 and the balance of \(longest) give a result of more than 38 digits"
    ),
  ])
  func `an addition is exact or refused`(
    _ id: String, to balance: String, of change: String, expected: String
  ) {
    #expect(text(.addition(amount(change)), balance) == expected)
  }

  @Test(arguments: [
    ("subtracts exactly", "0.30", "0.1", "0.20"),
    ("subtracts all of it", "87.50", "87.5", "0.00"),
    ("takes nothing", "0.00", "0", "0.00"),
    ("keeps the digits behind the point", "1.00", "0.001", "0.999"),
    ("refuses a cent too much", "87.50", "87.51", "87.51 is more than the balance of 87.50"),
    ("refuses to take a negative amount", "5.00", "-1", "the amount -1 is negative"),
    (
      "refuses a difference of too many digits", longest, "0.1",
      "0.1 and the balance of \(longest) give a result of more than 38 digits"
    ),
    (
      "calls too much insufficient, however long", "1.00", longest,
      "\(longest) is more than the balance of 1.00"
    ),
  ])
  func `a subtraction is exact or refused`(
    _ id: String, from balance: String, of change: String, expected: String
  ) {
    #expect(text(.subtraction(amount(change)), balance) == expected)
  }

  private func text(_ change: BalanceChange, _ balance: String) -> String {
    do { return "\(try change.applied(to: amount(balance)))" } catch { return "\(error)" }
  }
}

/// The amount of a text that is known to be one.
func amount(_ text: String) -> Decimal {
  guard let amount = Decimal(text) else { preconditionFailure("'\(text)' is not an amount") }
  return amount
}
