import FlowCore
import Testing

@testable import ScreensPlugin

/// The rules of what may be taken, and which of two answers counts.
@Suite struct AccountTests {
  private static func text(_ typed: String, _ balance: String?) -> String {
    let account = Account()
    if let balance = balance.flatMap({ Decimal($0) }) { account.hear(balance) }
    do throws(Alert) { return "\(try account.amount(typed))" } catch {
      return "\(error.title): \(error.message)"
    }
  }

  private static let form =
    "Illegal value: Enter an amount with at most two decimals, such as 12.50"
  private static let below = "Illegal value: The balance cannot go below zero"

  @Test(arguments: [
    ("12.5", "100", "12.5"), ("100.00", "100", "100.00"), ("0", "0", "0"), ("1.500", "2", "1.500"),
    ("100.01", "100", below), ("-1", "100", form), ("0.005", "100", form), ("", "100", form),
    ("12,50", "100", form), ("1e2", "1000", form), ("+5", "100", form), ("1.5e-0", "100", form),
    ("1", nil, "Not loaded: The balance is not known yet"),
  ]) func `an amount is checked before anything is asked`(
    _ typed: String, _ balance: String?, _ expected: String
  ) {
    #expect(Self.text(typed, balance) == expected)
  }

  @Test func `an answer that was overtaken is not taken`() {
    let account = Account()
    #expect(account.take(Decimal(100), askedAt: 0))
    let version = account.version
    account.hear(Decimal(110))

    #expect(!account.take(Decimal(100), askedAt: version))
    #expect(account.balance == Decimal(110))
    // The report was of the very change that is answered.
    #expect(account.take(Decimal(110), askedAt: version))
    #expect(account.take(Decimal(90), askedAt: account.version))
    #expect(account.balance == Decimal(90))
  }
}
