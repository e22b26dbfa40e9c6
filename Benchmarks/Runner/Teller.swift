import FlowCore

/// A component that makes as many calls of a balance as it is asked for.
struct Teller: Component {
  static let plugin = Plugin(
    "teller", version: "1.0", "Adds to a balance.", state: .none, uses: [add],
    operations: [
      Operation(
        "pay", "Adds often.", Parameter<Int>("count", "How often."), answers: Record<Void>.none
      ) { _, context, count in
        for number in 1...count {
          // As different as the amounts of different steps.
          _ = try await add(Decimal(significand: Int128(number % 1_000), scale: 2), in: context)
        }
      }
    ]
  ) { _ in Teller() }

  private static let add = Role("store", "Where the money is.").call(
    "add", Parameter<Decimal>("amount", "How much."),
    answers: Record<Decimal>("balance", "The balance."),
    errors: [ErrorCode("illegal", ""), ErrorCode("unavailable", "")])

  /// One step, with this many calls of the balance.
  static func scenario(calls: Int) -> [UInt8] {
    Array(
      """
      flow: 1
      components:
        balance: {plugin: balance}
        teller: {plugin: teller, using: {store: balance}}
      steps: [{uses: teller.pay, with: {count: \(calls)}}]

      """.utf8)
  }
}
