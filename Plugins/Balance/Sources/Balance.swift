public import FlowCore

/// A balance that never goes below zero.
///
/// The rules are `BalanceModel`'s; this type brings them to scenarios.
public actor Balance: Component {
  /// The plugin `balance`.
  public static let plugin = Plugin(
    "balance", version: "1.0", summary: "A balance that never goes below zero.")

  /// What `with:` of the component holds.
  public static let settings = Record(
    Settings.init(opening:file:),
    Field(
      "opening", \.opening, "The balance before the first change.", default: BalanceChange.zero),
    Field("file", \.file, "Where the balance is kept; in memory when absent."))

  /// What scenarios can ask of it.
  public static let operations: [Operation<Balance>] = [
    Operation(
      "load", "Asks the store for the balance.", input: .none, output: Statement.record,
      errors: [.unavailable], retry: .safe
    ) { balance, _, context in
      try await balance.answer(in: context) { model throws(BalanceError) in
        try model.load()
        return model.balance
      }
    },
    Operation(
      "subtract", "Takes an amount from the balance.", input: Amount.record,
      output: Statement.record, errors: [.insufficient, .illegal, .unavailable], retry: .safe
    ) { balance, input, context in
      try await balance.change(.subtraction(input.amount), in: context)
    },
    Operation(
      "add", "Puts an amount on the balance.", input: Amount.record, output: Statement.record,
      errors: [.illegal, .unavailable], retry: .safe
    ) { balance, input, context in
      try await balance.change(.addition(input.amount), in: context)
    },
  ]

  /// What it reports by itself.
  public static let events = [changed.description]

  static let changed = EventKind("changed", "The balance has another value.", Statement.record)

  /// In memory, unless a file keeps the balance.
  public static func state(for settings: Settings) -> Plugin.State {
    settings.file == nil ? .memory : .external
  }

  private var model: BalanceModel

  /// Opens the balance.
  ///
  /// - Throws: an error that says why the opening amount is no balance or the file cannot be read.
  public init(configuration: Settings, context: Context) async throws {
    let opening = try configuration.balance
    let store: any BalanceStore =
      if let file = configuration.file {
        FileBalanceStore(directory: context.directory, path: file, opening: opening)
      } else {
        InMemoryBalanceStore(balance: opening)
      }
    model = try BalanceModel(store: store)
  }

  private func change(_ change: BalanceChange, in context: Context) throws -> Statement {
    let key = context.idempotencyKey
    return try answer(in: context) { model throws(BalanceError) in
      try model.apply(change, key: key)
    }
  }

  private func answer(
    in context: Context, _ work: (inout BalanceModel) throws(BalanceError) -> Decimal
  ) throws -> Statement {
    let before = model.balance
    // A refusal by the store, too, can bring another value than the one known so far.
    defer {
      if model.balance != before {
        context.emit(Self.changed, Statement(balance: model.balance))
      }
    }
    do { return Statement(balance: try work(&model)) } catch {
      throw ComponentError(error.code, error.description)
    }
  }
}
