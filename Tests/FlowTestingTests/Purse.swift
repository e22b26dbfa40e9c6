import FlowCore

/// A correct component, which pays, waits and reports.
actor Purse: Component {
  static let plugin = Plugin(
    "purse", version: "1.0", "Holds money.", state: .memory, settings: settings, events: [paid],
    operations: operations
  ) { _, settings in Purse(money: settings.money) }
  static let settings = Record(
    Settings.init(money:), Field("money", \.money, "What is in it.", default: 10))
  static let paid = EventKind("paid", "Something was paid.", Money.record)
  static let operations: [Operation<Purse>] = [
    Operation("pay", "Pays.", input: Money.record, answers: Money.record, errors: [.empty]) {
      purse, context, input in try await purse.pay(input.money, context)
    },
    Operation("rest", "Waits.", input: Rest.record, answers: .none) { _, context, input in
      try await context.sleep(for: input.span)
    },
  ]

  struct Settings: Sendable {
    let money: Int
  }

  private(set) var money: Int

  init(money: Int) {
    self.money = money
  }

  private func pay(_ amount: Int, _ context: Context) throws -> Money {
    guard amount <= money else { throw ComponentError(.empty, "only \(money) left") }
    money -= amount
    context.emit(Self.paid, Money(money: amount))
    return Money(money: money)
  }
}

struct Money: Sendable {
  var money: Int

  static let record = Record(Money.init(money:), Field("money", \.money, "How much."))
}

struct Rest: Sendable {
  var span: Duration

  static let record = Record(Rest.init(span:), Field("span", \.span, "How long."))
}

/// A component that rests and reports the time.
struct Sundial: Component {
  static let plugin = Plugin(
    "sundial", version: "1.0", "Shows the time.", state: .none,
    operations: [
      Operation("rest", "Waits.", input: Rest.record, answers: Shadow.record) { _, context, input in
        let before = context.date
        try await context.sleep(for: input.span)
        return Shadow(before: before, after: context.date)
      }
    ]
  ) { _ in Sundial() }

  struct Shadow: Sendable {
    let before: Timestamp
    let after: Timestamp

    static let record = Record(
      Shadow.init(before:after:), Field("before", \.before, "When the rest began."),
      Field("after", \.after, "When it was over."))
  }
}

extension ErrorCode {
  static let empty = ErrorCode("empty", "There is not enough money.")
}
