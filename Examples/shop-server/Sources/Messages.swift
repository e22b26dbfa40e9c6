internal import FlowCore

/// A request as the shop sees it.
struct Request {
  let method: String
  /// Without the query, percent-decoded.
  let path: String
  /// The parameters and headers that the shop reads, by their names.
  let fields: [Field: String]
  let body: Body

  /// A parameter of the query or a header.
  enum Field: String, CaseIterable {
    case start, length
    case key = "Idempotency-Key"
    case lastEvent = "Last-Event-ID"
    case authorization = "Authorization"

    var isHeader: Bool { self != .start && self != .length }
  }

  /// The body reads as JSON of this form.
  func decode<Content>(_ record: Record<Content>) throws(Refusal) -> Content {
    do { return try record.decode(Value(json: body.bytes)) } catch { throw .illegal("\(error)") }
  }

  /// A whole number that is not negative, or nil for a missing field.
  func number(_ field: Field) throws(Refusal) -> Int? {
    guard let text = fields[field] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .illegal("'\(field.rawValue)' is not a whole number of zero or more")
    }
    return number
  }
}

/// The body of a request, which arrives in parts.
struct Body {
  static let limit = 1 << 20

  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false

  /// Appends the next part, without any bytes beyond the limit.
  mutating func append(_ part: some Collection<UInt8>) {
    isTooLarge = isTooLarge || bytes.count + part.count > Self.limit
    if isTooLarge { bytes = [] } else { bytes += part }
  }
}

/// The reaction to a request.
enum Reply {
  case answer(Answer)
  case events(EventStream)
  /// The connection is closed without an answer.
  case nothing
}

/// A whole answer.
struct Answer {
  let status: Int
  let contentType: String
  let body: [UInt8]
  /// The methods of the path, after a request with another one.
  var allow: String?
  /// The number of the last change included in the answer.
  var version: Int?

  init(_ bytes: [UInt8], contentType: String) {
    status = 200
    body = bytes
    self.contentType = contentType
  }

  init(status: Int = 200, _ members: [(String, Value)]) {
    self.status = status
    contentType = "application/json"
    body = Array(Value.map(ValueMap(members)).json.utf8)
  }

  /// `{"balance":"87.50"}`.
  init(_ latest: NumberedBalance) {
    self.init([("balance", .string("\(latest.balance)"))])
    version = latest.number
  }

  /// Creates `{"error":"missing","message":"there is nothing at '/x'"}`.
  init(_ refusal: Refusal) {
    let balance = refusal.balance.map { ("balance", Value.string("\($0)")) }
    self.init(
      status: refusal.status,
      [("error", .string(refusal.error)), ("message", .string(refusal.message))]
        + (balance.map { [$0] } ?? []))
    allow = refusal.allow
  }
}

/// The reason for refusing a request.
struct Refusal: Error {
  let status: Int
  /// The kind, for programs.
  let error: String
  let message: String
  var balance: Decimal?
  var allow: String?

  static func illegal(_ message: String, status: Int = 400) -> Refusal {
    Refusal(status: status, error: "illegal", message: message)
  }

  static func unauthorized(_ message: String) -> Refusal {
    Refusal(status: 401, error: "unauthorized", message: message)
  }

  static func missing(_ path: String) -> Refusal {
    Refusal(status: 404, error: "missing", message: "there is nothing at '\(path)'")
  }

  static func unavailable(_ message: String, status: Int = 503) -> Refusal {
    Refusal(status: status, error: "unavailable", message: message)
  }

  static func insufficient(_ amount: Decimal, balance: Decimal) -> Refusal {
    Refusal(
      status: 409, error: "insufficient",
      message: "\(amount) is more than the balance of \(balance)", balance: balance)
  }
}
