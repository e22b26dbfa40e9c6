import FlowCore
import Observation

/// The balance as the screens know it, and the rules of what may be taken from it.
///
/// One for all balance screens: a second screen has the same rules and the same balance.
@Observable final class Account {
  /// The balance known last; nil until there was an answer or a report.
  private(set) var balance: Decimal?
  /// How often the balance became another one.
  @ObservationIgnored private(set) var version = 0

  /// The amount that a text says, when it may be taken.
  ///
  /// - Throws: An alert that says why not; no server is asked.
  func amount(_ text: String) throws(Alert) -> Decimal {
    // Without signs and exponents, which nobody types as an amount.
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

  /// Takes the balance that was reported.
  func hear(_ balance: Decimal) {
    guard balance != self.balance else { return }
    self.balance = balance
    version += 1
  }

  /// Takes an answer, unless the balance has become another one since the question: the answer may be the older one.
  ///
  /// - Returns: Whether it was taken; if not, the question has to be asked again.
  func take(_ answer: Decimal, askedAt version: Int) -> Bool {
    guard version == self.version || answer == balance else { return false }
    hear(answer)
    return true
  }
}

extension Decimal {
  /// With two decimals, rounded half away from zero on both sides of it: `87.50`, `-0.05`.
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
