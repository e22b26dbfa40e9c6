import FlowCore

/// One change of a balance, and the rules it obeys: the only place that has them.
enum BalanceChange: Sendable, Hashable {
  /// The amount is put on the balance.
  case addition(Decimal)
  /// The amount is taken from the balance.
  case subtraction(Decimal)

  /// The empty balance, with two decimals.
  ///
  /// A sum has the greater scale of its parts, so every balance that starts here has at least two.
  static let zero = Decimal(significand: 0, scale: 2)

  /// An opening amount as a balance, with two decimals at least.
  ///
  /// - Throws: `.illegalOpening` for one below zero, or of too many digits.
  static func opening(_ amount: Decimal) throws(BalanceError) -> Decimal {
    do { return try BalanceChange.addition(amount).applied(to: zero) } catch {
      throw .illegalOpening(amount)
    }
  }

  /// How much; not negative when the rules are met.
  var amount: Decimal {
    switch self {
    case .addition(let amount), .subtraction(let amount): amount
    }
  }

  /// The balance after this change, exactly.
  ///
  /// - Throws: `.negative`, `.insufficient`, or `.overflow` when no decimal holds the result.
  func applied(to balance: Decimal) throws(BalanceError) -> Decimal {
    guard amount >= .zero else { throw .negative(amount) }
    do {
      switch self {
      case .addition: return try balance + amount
      case .subtraction where amount <= balance: return try balance - amount
      case .subtraction: break
      }
    } catch {
      throw .overflow(amount: amount, balance: balance)
    }
    throw .insufficient(amount: amount, balance: balance)
  }
}
