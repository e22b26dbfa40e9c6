import FlowCore
import Observation

/// The balance known to the screens, and the rules for withdrawals.
///
/// All balance screens share one: a second screen has the same rules and the same balance.
@Observable final class Account {
  /// The latest known balance, or nil before the first answer or report.
  private(set) var balance: Decimal?
  /// The number of changes of the balance.
  @ObservationIgnored private(set) var version = 0

  /// Parses an amount and checks that it may be withdrawn.
  ///
  /// - Throws: An alert with the reason, without asking a server.
  func amount(_ text: String) throws(Alert) -> Decimal {
    // Without signs and exponents, which people do not type in an amount.
    let isPlain = text.utf8.allSatisfy {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".")
    }
    guard isPlain, let amount = Decimal(text), amount.normalized.scale <= 2 else {
      throw Alert(
        title: "Illegal value", message: "Enter an amount with at most two decimals, such as 12.50")
    }
    guard let balance else {
      throw Alert(title: "Not loaded", message: "The balance is not known yet")
    }
    if balance < amount {
      throw Alert(
        title: "Illegal value", message: "The balance cannot go below zero")
    }
    return amount
  }

  /// Takes a reported balance.
  func hear(_ balance: Decimal) {
    guard balance != self.balance else { return }
    self.balance = balance
    version += 1
  }

  /// Takes an answer, unless the balance has changed since the request, since the answer may be
  /// older.
  ///
  /// - Returns: True if it was taken. Otherwise the request has to be repeated.
  func take(_ answer: Decimal, askedAt version: Int) -> Bool {
    guard version == self.version || answer == balance else { return false }
    hear(answer)
    return true
  }
}

extension Decimal {
  /// The amount with two decimals, rounded half away from zero for either sign: `87.50`, `-0.05`.
  var money: String {
    var (significand, scale) = (significand, Int(scale))
    while scale > 3 {
      significand /= 10
      scale -= 1
    }
    if scale == 3 {
      // On the quotient, which has room for one more.
      let (quotient, rest) = significand.quotientAndRemainder(dividingBy: 10)
      (significand, scale) = (quotient + (rest >= 5 ? 1 : rest <= -5 ? -1 : 0), 2)
    }
    while scale < 2 {
      let (next, overflows) = significand.multipliedReportingOverflow(by: 10)
      if overflows { return description }
      significand = next
      scale += 1
    }
    return Decimal(significand: significand, scale: 2).description
  }
}
