public import FlowCore

/// A balance that never goes below zero.
///
/// `BalanceModel` has the rules. This type offers them to scenarios.
public actor Balance: Component {
  /// The name in `plugin:`.
  public static let pluginName = "balance"

  /// The plugin `balance`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Keeps a balance that never goes below zero.",
    state: { _, file, _, _ in file == nil ? .memory : .external }, reaches: [.files],
    settings: Parameter<Decimal>(
      "opening", "The balance before the first change. Unused if a server keeps it.",
      default: BalanceChange.zero),
    Parameter<String?>("file", "The file of the balance. In memory if absent."),
    Parameter<Bool?>("follow", "Listens for changes on the server. Off if absent."),
    Parameter<Duration?>(
      "poll", "The interval between reads of the server or database. Never read if absent."),
    uses: BalanceServer.uses + BalanceDatabase.uses,
    events: [changed],
    operations: [
      Operation(
        "load", "Returns the current balance, from its file, server or database.", answers: balance,
        errors: [.unavailable],
        retry: .safe
      ) { balance, context in try await balance.load(context) },
      Operation(
        "subtract", "Subtracts an amount from the balance.", amount, answers: balance,
        errors: [.insufficient, .illegal, .unavailable], retry: .safe
      ) { balance, context, amount in try await balance.apply(.subtraction(amount), context) },
      Operation(
        "add", "Adds an amount to the balance.", amount, answers: balance,
        errors: [.illegal, .unavailable], retry: .safe
      ) { balance, context, amount in try await balance.apply(.addition(amount), context) },
    ]
  ) { context, opening, file, follow, poll in
    try await open(
      BalanceSettings(opening: opening, file: file, follow: follow == true, poll: poll), context)
  }.checking { (opening: Decimal, file: String?, follow: Bool?, poll: Duration?) in
    try BalanceSettings(opening: opening, file: file, follow: follow == true, poll: poll).check()
  }.reaching { (_: Decimal, file: String?, _: Bool?, _: Duration?) in file == nil ? [] : [.files] }
    .example

  static let amount = Parameter<Decimal>("amount", "The amount, zero or more.")
  static let balance = Record<Decimal>("balance", "The balance, never below zero.")
  static let changed = EventKind("changed", "The balance has changed.", balance)

  private var model: BalanceModel
  private let store: (any BalanceStore)?
  /// The number of the store's changes up to the last known balance.
  private var version = 0
  /// The order of calls to the store: one at a time, so no answer overtakes another.
  private let turns = Turns()

  private init(_ model: BalanceModel) {
    self.model = model
    store = nil
  }

  private init(_ store: some BalanceStore, _ context: Context) async throws {
    let state = try await store.state(context)
    self.store = store
    model = BalanceModel(known: state.balance)
    version = state.version
  }

  /// Opens a balance in the store that the settings name.
  private static func open(_ settings: BalanceSettings, _ context: Context) async throws -> Balance
  {
    switch try settings.store(in: context) {
    case .process: return Balance(try BalanceModel(opening: settings.openingBalance(), file: nil))
    case .file(let file): return Balance(try BalanceModel(opening: file.opening, file: file))
    case .database:
      let database = try await BalanceDatabase(opening: settings.openingBalance(), context)
      let balance = try await Balance(database, context)
      await balance.poll(every: settings.poll, context)
      return balance
    case .server(let server):
      if settings.follow { try await server.listen(context) }
      let balance = try await Balance(server, context)
      if settings.follow { await balance.follow(server, context) }
      await balance.poll(every: settings.poll, context)
      return balance
    }
  }

  private func follow(_ server: BalanceServer, _ context: Context) {
    context.spawn("follow") { [self] context in
      try await server.follow(context) { try await hear(of: $0, context) }
    }
  }

  private func poll(every interval: Duration?, _ context: Context) {
    guard let interval else { return }
    context.spawn("poll") { [self] context in
      while true {
        try await context.sleep(for: interval)
        // Without an answer the balance stays as it is known.
        _ = try? await load(context)
      }
    }
  }

  private func load(_ context: Context) async throws -> Decimal {
    if let store {
      return try await ask(context, isWhole: true) { try await store.state(context) }
    }
    return try answer(in: context) { model throws(BalanceError) in
      try model.load()
      return model.balance
    }
  }

  private func apply(_ change: BalanceChange, _ context: Context) async throws -> Decimal {
    if let store { return try await ask(context) { try await store.apply(change, context) } }
    return try answer(in: context) { model throws(BalanceError) in
      try model.apply(change) { context.idempotencyKey }
    }
  }

  /// Asks the store, one call after the other.
  ///
  /// `isWhole` marks an answer with the present state.
  private func ask(
    _ context: Context, isWhole: Bool = false, _ work: () async throws -> BalanceState
  ) async throws -> Decimal {
    try await turns.begin()
    defer { turns.end() }
    let state = try await work()
    // A store that starts again counts from 0.
    if isWhole { version = min(version, state.version - 1) }
    note(state, context)
    return state.balance
  }

  /// Notes a report of the server, while no answer is awaited, because the answer may contain the
  /// same change.
  private func hear(of state: BalanceState, _ context: Context) async throws {
    try await turns.begin()
    defer { turns.end() }
    note(state, context)
  }

  /// Notes the store's state unless it is older than the known one, and reports a new value.
  private func note(_ state: BalanceState, _ context: Context) {
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
