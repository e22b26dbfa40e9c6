import FlowCore

/// One change of a balance, and the only place with its rules.
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
  /// - Throws: `.illegalOpening` for one below zero.
  static func opening(_ amount: Decimal) throws(BalanceError) -> Decimal {
    do { return try BalanceChange.addition(amount).applied(to: zero) } catch {
      throw .illegalOpening(amount)
    }
  }

  /// The amount.
  ///
  /// Not negative if the rules are met.
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

/// The reason for an unchanged or unknown balance.
enum BalanceError: CodedError, Hashable, CustomStringConvertible {
  /// The amount to take is more than the balance.
  case insufficient(amount: Decimal, balance: Decimal)
  /// An amount is below zero.
  case negative(Decimal)
  /// The new balance would have more than 38 digits.
  case overflow(amount: Decimal, balance: Decimal)
  /// The server refuses an amount.
  case refused(Decimal)
  /// The opening amount is below zero.
  case illegalOpening(Decimal)
  /// Settings that exclude each other.
  case settings(String)
  /// The file of this path does not hold a balance.
  case brokenFile(String)
  /// The file cannot be read or written, for this reason.
  case unavailable(String)

  /// `1000.00 is more than the balance of 87.50`.
  var description: String {
    switch self {
    case .insufficient(let amount, let balance): "\(amount) is more than the balance of \(balance)"
    case .negative(let amount): "the amount \(amount) is negative"
    case .overflow(let amount, let balance):
      "\(amount) and the balance of \(balance) give a result of more than 38 digits"
    case .refused(let amount): "the server refuses the amount \(amount)"
    case .illegalOpening(let amount): "the opening balance \(amount) is negative"
    case .brokenFile(let path): "'\(path)' must contain one line with an amount of zero or more"
    case .unavailable(let reason), .settings(let reason): reason
    }
  }

  /// The operation's error code for this case.
  var code: ErrorCode {
    switch self {
    case .insufficient: .insufficient
    case .negative, .overflow, .refused: .illegal
    case .illegalOpening, .brokenFile, .unavailable: .unavailable
    case .settings: .settings
    }
  }
}

extension ErrorCode {
  static let insufficient = ErrorCode("insufficient", "The balance would fall below zero.")
  static let illegal = ErrorCode(
    "illegal", "The amount is negative, or the exact result has more than 38 digits.")
  static let unavailable = ErrorCode("unavailable", "The file, server or database cannot be used.")
}
