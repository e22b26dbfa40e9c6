package import FlowCore

/// A component that does all it does through others, several at a time.
package actor Shopper: Component {
  /// The plugin `shopper`.
  package static let plugin = Plugin(
    "shopper", version: "1.0", "Buys something.",
    state: { kind in ComponentState(rawValue: kind) ?? .external },
    settings: Parameter<String>("state", "Where it keeps its state."),
    uses: [subtract, add, save],
    operations: [
      Operation(
        "buy", "Buys something.", Parameter<Decimal>("amount", "The price."),
        answers: Record(
          Answer.init(left:saved:count:), Field("left", \.left, "What is left."),
          Field("saved", \.saved, "What is saved."), Field("count", \.count, "How often.")),
        errors: [insufficient], retry: .safe
      ) { shopper, context, amount in try await shopper.buy(amount, context) }
    ]
  ) { _, state in Shopper(counts: state == "memory") }

  private static let balance = Record<Decimal>("balance", "The balance.")
  private static let insufficient = ErrorCode("insufficient", "Not enough.")
  private static let errors = [
    insufficient, ErrorCode("illegal", ""), ErrorCode("unavailable", ""),
  ]
  private static let store = Role("store", "Where the money is.")
  private static let amount = Parameter<Decimal>("amount", "How much.")
  private static let subtract = store.call("subtract", amount, answers: balance, errors: errors)
  private static let add = store.call("add", amount, answers: balance, errors: errors)
  private static let save = Role("purse", "Where money is saved.")
    .call("add", amount, answers: balance, errors: errors)

  private let counts: Bool
  /// How often something was bought.
  package private(set) var count = 0

  /// A shopper that counts, or not, as a fault would.
  package init(counts: Bool) { self.counts = counts }

  /// Pays, gets something back in small change, and saves some of it, all at the same time but for paying.
  private func buy(_ amount: Decimal, _ context: Context) async throws -> Answer {
    if counts { count += 1 }
    _ = try await Self.subtract(amount, in: context)
    async let half = Self.add(Decimal(significand: 50, scale: 2), in: context)
    // Equal, at the same time and answered differently: without labels a replay could not tell them apart.
    async let quarter = Self.add(Decimal(significand: 25, scale: 2), as: "first", in: context)
    async let other = Self.add(Decimal(significand: 25, scale: 2), as: "second", in: context)
    async let saved = Self.save(Decimal(significand: 1, scale: 0), in: context)
    async let more = Self.save(Decimal(significand: 2, scale: 0), in: context)
    return Answer(
      left: try await max(half, quarter, other), saved: try await max(saved, more), count: count)
  }

  private struct Answer: Sendable {
    var left: Decimal
    var saved: Decimal
    var count: Int
  }
}
