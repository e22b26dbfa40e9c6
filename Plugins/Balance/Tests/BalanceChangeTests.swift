import FlowCore
import Testing

@testable import BalancePlugin

@Suite struct BalanceChangeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let balance: String
    let change: BalanceChange
    let expected: String

    var testDescription: String { id }
  }

  static let longest = "170141183460469231731687303715884105727"

  static let cases = [
    Case(id: "adds", balance: "0.00", change: .addition(amount("12.5")), expected: "12.50"),
    Case(
      id: "subtracts exactly", balance: "0.30", change: .subtraction(amount("0.1")),
      expected: "0.20"),
    Case(
      id: "subtracts all of it", balance: "87.50", change: .subtraction(amount("87.5")),
      expected: "0.00"),
    Case(id: "takes nothing", balance: "0.00", change: .subtraction(.zero), expected: "0.00"),
    Case(
      id: "keeps the digits behind the point", balance: "1.00",
      change: .subtraction(amount("0.001")), expected: "0.999"),
    Case(
      id: "refuses a cent too much", balance: "87.50", change: .subtraction(amount("87.51")),
      expected: "87.51 is more than the balance of 87.50"),
    Case(
      id: "refuses to add a negative amount", balance: "5.00", change: .addition(amount("-0.01")),
      expected: "the amount -0.01 is negative"),
    Case(
      id: "refuses to take a negative amount", balance: "5.00", change: .subtraction(amount("-1")),
      expected: "the amount -1 is negative"),
    Case(
      id: "refuses a sum of too many digits", balance: longest, change: .addition(amount("1")),
      expected: "1 and the balance of \(longest) have no exact result of 38 digits"),
    Case(
      id: "refuses a difference of too many digits", balance: longest,
      change: .subtraction(amount("0.1")),
      expected: "0.1 and the balance of \(longest) have no exact result of 38 digits"),
    Case(
      id: "calls too much insufficient, however long", balance: "1.00",
      change: .subtraction(amount(longest)),
      expected: "\(longest) is more than the balance of 1.00"),
  ]

  @Test(arguments: cases)
  func `a change is exact or refused`(_ example: Case) {
    let result: String
    do { result = "\(try example.change.applied(to: amount(example.balance)))" } catch {
      result = "\(error)"
    }

    #expect(result == example.expected)
  }
}

/// The amount of a text that is known to be one.
func amount(_ text: String) -> Decimal {
  guard let amount = Decimal(text) else { preconditionFailure("'\(text)' is no amount") }
  return amount
}
