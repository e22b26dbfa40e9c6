public import FlowCore

/// A balance that never goes below zero.
///
/// The rules are `BalanceModel`'s; this type brings them to scenarios.
public actor Balance: Component {
  /// The plugin `balance`.
  public static let plugin = Plugin(
    "balance", version: "1.0", "A balance that never goes below zero.",
    state: { _, file in file == nil ? .memory : .external }, reaches: [.files],
    settings: Parameter<Decimal>(
      "opening", "The balance before the first change.", default: BalanceChange.zero),
    Parameter<String?>("file", "Where the balance is kept; in memory when absent."),
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
  ) { context, opening, file in
    try Balance(opening: opening, file: file, in: context.directory)
  }

  static let amount = Parameter<Decimal>("amount", "How much; zero or more.")
  static let balance = Record<Decimal>("balance", "The balance; never below zero.")
  static let changed = EventKind("changed", "The balance has another value.", balance)

  private var model: BalanceModel

  private init(opening: Decimal, file: String?, in directory: Directory) throws {
    let opening = try BalanceChange.opening(opening)
    model = try BalanceModel(
      opening: opening,
      file: file.map { BalanceFile(directory: directory, path: $0, opening: opening) })
  }

  private func load(_ context: Context) throws(BalanceError) -> Decimal {
    try answer(in: context) { model throws(BalanceError) in
      try model.load()
      return model.balance
    }
  }

  private func apply(_ change: BalanceChange, _ context: Context) throws(BalanceError) -> Decimal {
    let key = context.idempotencyKey
    return try answer(in: context) { model throws(BalanceError) in
      try model.apply(change, key: key)
    }
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
