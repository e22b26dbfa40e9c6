import FlowCore

/// Why a balance did not change or is not known.
enum BalanceError: CodedError, Hashable {
  /// The amount to take is more than there is.
  case insufficient(amount: Decimal, balance: Decimal)
  /// An amount is below zero.
  case negative(Decimal)
  /// The new balance would have more than 38 digits.
  case overflow(amount: Decimal, balance: Decimal)
  /// The opening amount is no balance.
  case illegalOpening(Decimal)
  /// The file of this path does not hold a balance.
  case brokenFile(String)
  /// The store failed, for this reason.
  case unavailable(String)
}

extension BalanceError: CustomStringConvertible {
  /// `1000.00 is more than the balance of 87.50`.
  var description: String {
    switch self {
    case .insufficient(let amount, let balance): "\(amount) is more than the balance of \(balance)"
    case .negative(let amount): "the amount \(amount) is negative"
    case .overflow(let amount, let balance):
      "\(amount) and the balance of \(balance) have no exact result of 38 digits"
    case .illegalOpening(let amount): "the opening balance \(amount) is negative"
    case .brokenFile(let path): "'\(path)' does not hold one line with an amount of zero or more"
    case .unavailable(let reason): reason
    }
  }

  /// What an operation answers in this case.
  var code: ErrorCode {
    switch self {
    case .insufficient: .insufficient
    case .negative, .overflow: .illegal
    case .illegalOpening, .brokenFile, .unavailable: .unavailable
    }
  }
}

extension ErrorCode {
  static let insufficient = ErrorCode("insufficient", "The balance would fall below zero.")
  static let illegal = ErrorCode(
    "illegal", "The amount is negative, or the exact result has more than 38 digits.")
  static let unavailable = ErrorCode("unavailable", "The store does not answer.")
}
