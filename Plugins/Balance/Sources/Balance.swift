public import FlowCore

/// A balance that never goes below zero.
///
/// The rules are `BalanceModel`'s; this type brings them to scenarios.
public actor Balance: Component {
  /// The plugin `balance`.
  public static let plugin = Plugin(
    "balance", version: "1.0", "A balance that never goes below zero.",
    state: { _, file, _, _ in file == nil ? .memory : .external }, reaches: [.files],
    settings: Parameter<Decimal>(
      "opening", "The balance before the first change; not for a server's.",
      default: BalanceChange.zero),
    Parameter<String?>("file", "Where the balance is kept; in memory when absent."),
    Parameter<Bool?>("follow", "Whether the server says when the balance changes; no when absent."),
    Parameter<Duration?>("poll", "How often the server is asked besides; never when absent."),
    uses: BalanceServer.uses,
    events: [changed],
    operations: [
      Operation(
        "load", "Asks the store for the balance.", answers: balance, errors: [.unavailable],
        retry: .safe
      ) { balance, context in try await balance.load(context) },
      Operation(
        "subtract", "Takes an amount from the balance.", amount, answers: balance,
        errors: [.insufficient, .illegal, .unavailable], retry: .safe
      ) { balance, context, amount in try await balance.apply(.subtraction(amount), context) },
      Operation(
        "add", "Puts an amount on the balance.", amount, answers: balance,
        errors: [.illegal, .unavailable], retry: .safe
      ) { balance, context, amount in try await balance.apply(.addition(amount), context) },
    ]
  ) { context, opening, file, follow, poll in
    guard BalanceServer.role.isFilled(in: context) else {
      if follow == true || poll != nil {
        throw BalanceError.settings("'follow' and 'poll' need a server")
      }
      return try Balance(opening: opening, file: file, in: context.directory)
    }
    if file != nil { throw BalanceError.settings("a server keeps the balance, not a file") }
    // Compared by what it is: the default cannot be told from one that was given.
    if opening != .zero { throw BalanceError.settings("a server keeps the balance, not 'opening'") }
    if let poll, poll <= .zero { throw BalanceError.settings("'poll' is more than no time") }
    return try await Balance(follow: follow == true, poll: poll, context)
  }

  static let amount = Parameter<Decimal>("amount", "How much; zero or more.")
  static let balance = Record<Decimal>("balance", "The balance; never below zero.")
  static let changed = EventKind("changed", "The balance has another value.", balance)

  private var model: BalanceModel
  private let server: BalanceServer?
  /// How many changes of the server led to the balance known last.
  private var version = 0
  /// Lets one call at a time ask the server, so that no answer overtakes another.
  private let turns = Turns()

  private init(opening: Decimal, file: String?, in directory: Directory) throws {
    let opening = try BalanceChange.opening(opening)
    server = nil
    model = try BalanceModel(
      opening: opening,
      file: file.map { BalanceFile(directory: directory, path: $0, opening: opening) })
  }

  private init(follow: Bool, poll: Duration?, _ context: Context) async throws {
    let server = BalanceServer()
    self.server = server
    if follow { try await server.listen(context) }
    let state = try await server.state(context)
    model = BalanceModel(known: state.balance)
    version = state.version
    if follow {
      context.spawn("follow") { [self] context in
        try await server.follow(context) { try await hear(of: $0, context) }
      }
    }
    guard let poll else { return }
    context.spawn("poll") { [self] context in
      while true {
        try await context.sleep(for: poll)
        // Without an answer the balance stays as it is known.
        _ = try? await load(context)
      }
    }
  }

  private func load(_ context: Context) async throws -> Decimal {
    if let server {
      return try await ask(context, isWhole: true) { try await server.state(context) }
    }
    return try answer(in: context) { model throws(BalanceError) in
      try model.load()
      return model.balance
    }
  }

  private func apply(_ change: BalanceChange, _ context: Context) async throws -> Decimal {
    if let server { return try await ask(context) { try await server.apply(change, context) } }
    let key = context.idempotencyKey
    return try answer(in: context) { model throws(BalanceError) in
      try model.apply(change, key: key)
    }
  }

  /// What the server answers, one call after the other; `isWhole` says that it is the present state.
  private func ask(
    _ context: Context, isWhole: Bool = false, _ work: () async throws -> BalanceServer.State
  ) async throws -> Decimal {
    try await turns.begin()
    defer { turns.end() }
    let state = try await work()
    // A server that begins anew counts from 0 again.
    if isWhole { version = min(version, state.version - 1) }
    note(state, context)
    return state.balance
  }

  /// Takes what the server says by itself, when no answer is waited for: the same change may be in that.
  private func hear(of state: BalanceServer.State, _ context: Context) async throws {
    try await turns.begin()
    note(state, context)
    turns.end()
  }

  /// Takes what the server keeps, unless it is older than what is known, and reports another value.
  private func note(_ state: BalanceServer.State, _ context: Context) {
    guard state.version > version else { return }
    version = state.version
    if state.balance == model.balance { return }
    model = BalanceModel(known: state.balance)
    context.emit(Self.changed, state.balance)
  }

  private func answer(
    in context: Context, _ work: (inout BalanceModel) throws(BalanceError) -> Decimal
  ) throws(BalanceError) -> Decimal {
    let before = model.balance
    // A refusal by the file, too, can bring another value than the one known so far.
    defer { if model.balance != before { context.emit(Self.changed, model.balance) } }
    return try work(&model)
  }
}
