import FlowCore

/// A balance that a server keeps, reached through an `http` component.
///
/// `GET balance` answers it, `POST balance/add` and `POST balance/subtract` change it by an `amount`; amounts are
/// texts, such as `{"balance": "87.50"}`. `GET events` is a stream of what changes it.
struct BalanceServer: Sendable {
  /// What is used of the `http` component.
  static let uses: [any DeclaredRoleUse] = [get, post, listen, received]

  static let role = Role(
    "server", "Keeps the balance: an 'http' component with the shop's server.", optional: true)
  private static let path = Parameter<String>("path", "What is asked for.")
  private static let get = role.call("get", path, answers: Reply.record, errors: failures)
  private static let post = role.call(
    "post", path, Parameter<Value>("json", "The change."),
    Parameter<Bool>("idempotency", "Whether the server recognises a change that comes again."),
    answers: Reply.record, errors: failures)
  private static let listen = role.call(
    "listen", path, answers: Record<Int>("status", "The status code."), errors: failures)
  private static let received = role.event("received", Record<String>("event", "Its type."))
  // Each means that there is no answer, whatever the reason.
  private static let failures = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
  ].map { ErrorCode($0, "") }

  /// What the server answers.
  private struct Reply: Sendable {
    var status: Int
    var json: Value

    static let record = Record(
      Reply.init(status:json:), Field("status", \.status, "The status code."),
      Field("json", \.json, "The balance, or why there is none."))

    /// The balance in it.
    func balance() throws(BalanceError) -> Decimal {
      guard case .map(let members) = json, case .string(let text)? = members["balance"],
        let balance = Decimal(text), balance >= .zero
      else { throw .unavailable("the server answered \(status) and no balance") }
      return balance
    }
  }

  /// The balance now.
  ///
  /// - Throws: `BalanceError`, `CancellationError`.
  func balance(_ context: Context) async throws -> Decimal {
    let reply = try await Self.reply { try await Self.get("balance", in: context) }
    guard reply.status == 200 else {
      throw BalanceError.unavailable("the server answered \(reply.status)")
    }
    return try reply.balance()
  }

  /// Changes the balance, once for each call however often it is tried, and answers the new one.
  ///
  /// - Throws: `BalanceError`, `CancellationError`.
  func apply(_ change: BalanceChange, _ context: Context) async throws -> Decimal {
    guard change.amount >= .zero else { throw BalanceError.negative(change.amount) }
    let json = Value.map(ValueMap([("amount", .string("\(change.amount)"))]))
    let reply = try await Self.reply {
      try await Self.post("balance/\(change.name)", json, true, in: context)
    }
    switch reply.status {
    case 200: return try reply.balance()
    case 409:
      throw BalanceError.insufficient(amount: change.amount, balance: try reply.balance())
    case 422: throw BalanceError.refused(change.amount)
    default: throw BalanceError.unavailable("the server answered \(reply.status)")
    }
  }

  /// Opens the stream of changes.
  ///
  /// - Throws: `BalanceError`, `CancellationError`.
  func listen(_ context: Context) async throws {
    let status = try await Self.reply { try await Self.listen("events", in: context) }
    guard status == 200 else {
      throw BalanceError.unavailable("the server answered \(status)")
    }
  }

  /// Calls something whenever the stream says that the balance has changed; returns at its end.
  func follow(_ context: Context, _ changed: () async -> Void) async throws {
    for try await event in Self.received.reports(in: context) where event == "changed" {
      await changed()
    }
  }

  /// An answer; what the `http` component declares means that the store does not answer.
  private static func reply<Answer>(
    _ ask: () async throws -> Answer
  ) async throws -> Answer {
    do { return try await ask() } catch let error as ComponentError
      where failures.contains(error.code)
    {
      throw BalanceError.unavailable("\(error)")
    }
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
