public import FlowCore

/// Counts up to a limit.
public actor Counter: Component {
  /// The plugin `counter`.
  public static let plugin = Plugin("counter", version: "1.0", summary: "Counts up to a limit.")

  /// What `with:` of the component holds.
  public static let settings = Record(
    Settings.init(limit:), Field("limit", \.limit, "The greatest count.", default: 10))

  /// What scenarios can ask of it.
  public static let operations: [Operation<Counter>] = [
    Operation(
      "add", "Counts on.", input: Addition.record, output: Count.record, errors: [.illegal, .full]
    ) { counter, input, context in
      try await counter.add(input.amount, context)
    }
  ]

  /// What it reports by itself.
  public static let events = [reached.description]

  static let reached = EventKind("reached", "The count is at its limit.", Count.record)

  private var model: CounterModel

  /// A counter at zero.
  public init(configuration: Settings, context: Context) async throws {
    model = CounterModel(limit: configuration.limit)
  }

  private func add(_ amount: Int, _ context: Context) throws -> Count {
    do { try model.add(amount) } catch {
      switch error {
      case .negative: throw ComponentError(.illegal, "\(error)")
      case .full: throw ComponentError(.full, "\(error)")
      }
    }
    let count = Count(count: model.count, date: context.date)
    if model.count == model.limit { context.emit(Self.reached, count) }
    return count
  }
}
