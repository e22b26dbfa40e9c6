import FlowCore

/// What `subtract` and `add` take.
struct Amount: Sendable {
  var amount: Decimal

  static let record = Record(
    Amount.init(amount:), Field("amount", \.amount, "How much; zero or more."))
}

/// What every operation answers, and what the event carries.
struct Statement: Sendable {
  var balance: Decimal

  static let record = Record(
    Statement.init(balance:), Field("balance", \.balance, "The balance; never below zero."))
}
