import FlowCore

extension Counter {
  /// What `with:` of the component holds.
  public struct Settings: Sendable {
    /// The greatest count.
    public var limit: Int
  }
}

/// What `add` takes.
struct Addition: Sendable {
  var amount: Int

  static let record = Record(
    Addition.init(amount:), Field("amount", \.amount, "How far to count on.", default: 1))
}

/// What `add` answers, and what the event carries.
struct Count: Sendable {
  var count: Int
  var date: Timestamp

  static let record = Record(
    Count.init(count:date:),
    Field("count", \.count, "The count now."),
    Field("date", \.date, "When it was reached."))
}

extension ErrorCode {
  static let illegal = ErrorCode("illegal", "The amount is negative.")
  static let full = ErrorCode("full", "The count would exceed the limit.")
}
