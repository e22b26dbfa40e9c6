import FlowCore

/// A component that asks for a secret and leaks it in another way with each operation.
struct Leak: Component {
  static let plugin = Plugin(
    "leak", version: "1.0", "Tells secrets.", state: .none, settings: settings, events: [told],
    operations: operations
  ) { context, settings in try Leak(configuration: settings, context: context) }
  static let settings = Record(
    Settings.init(fails:), Field("fails", \.fails, "Whether it fails to open.", default: false))
  static let told = EventKind("told", "Something was told.", Word.record)
  static let operations: [Operation<Leak>] = [
    says("reversed") { String($0.reversed()) },
    says("capitals") { $0.uppercased() },
    says("digest") { String($0.utf8.reduce(5381 as UInt64) { $0 &* 33 &+ UInt64($1) }) },
    says("end") { "…" + $0.suffix(2) },
    says("length") { "\($0.utf8.count) bytes" },
    says("nothing") { _ in "nothing" },
    Operation("names", "Tells it in a name.", answers: Anything.record) {
      leak, _ in
      Anything(any: .map(ValueMap([(String(leak.secret.reversed()), .string("x"))])))
    },
    Operation("scales", "Tells it in a number.", answers: Scaled.record) {
      leak, _ in
      Scaled(
        number: Decimal(significand: leak.secret < "n" ? 10 : 1, scale: leak.secret < "n" ? 1 : 0))
    },
    Operation("takes", "Takes a text.", input: Word.record, answers: .none) { _, _, _ in },
    Operation("fails", "Tells it in an error.", answers: .none, errors: [.empty]) {
      leak, _ in throw ComponentError(.empty, "it is not \(String(leak.secret.reversed()))")
    },
    Operation("refuses", "Fails by its letters.", answers: .none, errors: [.empty]) {
      leak, _ in if leak.secret < "n" { throw ComponentError(.empty, "refused") }
    },
    Operation("reports", "Tells it in an event.", answers: .none) {
      leak, context in
      context.emit(told, Word(text: String(leak.secret.reversed())))
    },
    Operation("logs", "Tells it in the log.", answers: .none) { leak, context in
      context.log("it ends with \(leak.secret.suffix(2))")
    },
  ]

  struct Scaled: Sendable {
    let number: Decimal
    static let record = Record(Scaled.init(number:), Field("number", \.number, "One."))
  }

  struct Settings: Sendable {
    let fails: Bool
  }

  struct Anything: Sendable {
    let any: Value
    static let record = Record(Anything.init(any:), Field("any", \.any, "Any value."))
  }

  private let secret: String

  init(configuration: Settings, context: Context) throws {
    secret = try context.secrets.value("token")
    if configuration.fails { throw ComponentError(.empty, "it ends with \(secret.suffix(2))") }
  }

  private static func says(
    _ name: String, _ text: @escaping @Sendable (String) -> String
  ) -> Operation<Leak> {
    Operation(name, "Tells something of the secret.", answers: Word.record) {
      leak, _ in Word(text: text(leak.secret))
    }
  }
}
