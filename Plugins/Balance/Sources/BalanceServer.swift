import FlowCore

/// A balance on a server, reached through an `http` component.
///
/// `GET balance` returns it. `POST balance/add` and `POST balance/subtract` change it by an
/// `amount`. Amounts are strings, such as `{"balance": "87.50"}`, and the header `ETag` counts the
/// changes. `GET events` is a stream of the changes, with the same numbers as ids.
struct BalanceServer: BalanceStore {
  /// The operations and events of the `http` component in use.
  static let uses: [any DeclaredRoleUse] = [get, post, listen, received]

  static let role = Role(
    "server", "Keeps the balance: an 'http' component for the shop's server.", optional: true)
  private static let path = Parameter<String>("path", "The path of the request.")
  private static let get = role.call("get", path, answers: Reply.record, errors: failures)
  private static let post = role.call(
    "post", path, Parameter<Value>("json", "The change."),
    Parameter<Bool>("idempotency", "Lets the server recognise a repeated change."),
    answers: Reply.record, errors: failures)
  private static let listen = role.call(
    "listen", path, answers: Record<Int>("status", "The status code."), errors: failures)
  private static let received = role.event("received", Message.record)
  // Each means that there is no answer.
  private static let failures = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
  ].map { ErrorCode($0, "") }

  /// A response of the server.
  private struct Reply: Sendable {
    var status: Int
    var headers: [String: String]
    var json: Value

    static let record = Record(
      Reply.init(status:headers:json:), Field("status", \.status, "The status code."),
      Field("headers", \.headers, "The headers. One has the number of the change."),
      Field("json", \.json, "The balance, or the reason for its absence."))

    func state() throws(BalanceError) -> BalanceState {
      BalanceState(balance: try balance(), version: try version(headers["etag"] ?? ""))
    }

    /// The kind of a refusal.
    var error: String? {
      guard case .map(let members) = json, case .string(let error)? = members["error"] else {
        return nil
      }
      return error
    }

    /// `"17"`, as an entity tag is written.
    private func version(_ tag: String) throws(BalanceError) -> Int {
      guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
        let version = Int(tag.dropFirst().dropLast()), version >= 0
      else { throw .unavailable("the server's response has no valid ETag") }
      return version
    }

    func balance() throws(BalanceError) -> Decimal {
      guard let balance = json.balance else {
        throw .unavailable("the server returned \(status) without a balance")
      }
      return balance
    }
  }

  /// A message of the stream.
  private struct Message: Sendable {
    var event: String
    var data: String
    var id: String

    static let record = Record(
      Message.init(event:data:id:), Field("event", \.event, "Its type."),
      Field("data", \.data, "The balance."), Field("id", \.id, "The number of the change."))

    /// The state after a change, or nil for other messages.
    var state: BalanceState? {
      guard event == "changed", let version = Int(id), version >= 0,
        let balance = (try? Value(json: Array(data.utf8)))?.balance
      else { return nil }
      return BalanceState(balance: balance, version: version)
    }
  }

  func state(_ context: Context) async throws -> BalanceState {
    let reply = try await answerOfStore { try await Self.get("balance", in: context) }
    guard reply.status == 200 else {
      throw BalanceError.unavailable("the server returned \(reply.status)")
    }
    return try reply.state()
  }

  func apply(_ change: BalanceChange, _ context: Context) async throws -> BalanceState {
    guard change.amount >= .zero else { throw BalanceError.negative(change.amount) }
    let json = Value.map(ValueMap([("amount", .string("\(change.amount)"))]))
    let reply = try await answerOfStore {
      try await Self.post("balance/\(change.name)", json, true, in: context)
    }
    switch reply.status {
    case 200: return try reply.state()
    case 409 where reply.error == "insufficient":
      throw BalanceError.insufficient(amount: change.amount, balance: try reply.balance())
    case 422: throw BalanceError.refused(change.amount)
    default: throw BalanceError.unavailable("the server returned \(reply.status)")
    }
  }

  /// Opens the stream of changes.
  ///
  /// - Throws: `BalanceError`, `CancellationError`.
  func listen(_ context: Context) async throws {
    let status = try await answerOfStore { try await Self.listen("events", in: context) }
    guard status == 200 else {
      throw BalanceError.unavailable("the server returned \(status)")
    }
  }

  /// Passes on each state of the stream, and returns at its end.
  func follow(_ context: Context, _ changed: (BalanceState) async throws -> Void) async throws {
    for try await message in Self.received.reports(in: context) {
      if let state = message.state { try await changed(state) }
    }
  }

}

extension Value {
  /// The balance in `{"balance": "87.50"}`.
  fileprivate var balance: Decimal? {
    guard case .map(let members) = self, case .string(let text)? = members["balance"],
      let balance = Decimal(text), balance >= .zero
    else { return nil }
    return balance
  }
}

extension BalanceChange {
  /// The last part of its path.
  fileprivate var name: String {
    switch self {
    case .addition: "add"
    case .subtraction: "subtract"
    }
  }
}
