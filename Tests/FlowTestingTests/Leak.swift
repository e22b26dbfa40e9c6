import FlowCore

/// A component that asks for a secret and tells what it has made of it, in one way for each operation.
struct Leak: Component {
  static let plugin = Plugin("leak", version: "1.0", summary: "Tells secrets.", state: .none)
  static let settings = Record(
    Settings.init(fails:), Field("fails", \.fails, "Whether it fails to open.", default: false))
  static let told = EventKind("told", "Something was told.", Word.record)
  static let events = [told.description]
  static let operations: [Operation<Leak>] = [
    says("reversed") { String($0.reversed()) },
    says("capitals") { $0.uppercased() },
    says("digest") { String($0.utf8.reduce(5381 as UInt64) { $0 &* 33 &+ UInt64($1) }) },
    says("end") { "…" + $0.suffix(2) },
    says("length") { "\($0.utf8.count) bytes" },
    says("nothing") { _ in "nothing" },
    Operation("names", "Tells it in a name.", input: .none, output: Anything.record) {
      leak, _, _ in
      Anything(any: .map(ValueMap([(String(leak.secret.reversed()), .string("x"))])))
    },
    Operation("scales", "Tells it in a number.", input: .none, output: Scaled.record) {
      leak, _, _ in
      Scaled(
        number: Decimal(significand: leak.secret < "n" ? 10 : 1, scale: leak.secret < "n" ? 1 : 0))
    },
    Operation("takes", "Takes a text.", input: Word.record, output: .none) { _, _, _ in },
    Operation("fails", "Tells it in an error.", input: .none, output: .none, errors: [.empty]) {
      leak, _, _ in throw ComponentError(.empty, "it is not \(String(leak.secret.reversed()))")
    },
    Operation("refuses", "Fails by its letters.", input: .none, output: .none, errors: [.empty]) {
      leak, _, _ in if leak.secret < "n" { throw ComponentError(.empty, "refused") }
    },
    Operation("reports", "Tells it in an event.", input: .none, output: .none) {
      leak, _, context in
      context.emit(told, Word(text: String(leak.secret.reversed())))
    },
    Operation("logs", "Tells it in the log.", input: .none, output: .none) { leak, _, context in
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

  init(configuration: Settings, context: Context) async throws {
    secret = try context.secrets.value("token")
    if configuration.fails { throw ComponentError(.empty, "it ends with \(secret.suffix(2))") }
  }

  private static func says(
    _ name: String, _ text: @escaping @Sendable (String) -> String
  ) -> Operation<Leak> {
    Operation(name, "Tells something of the secret.", input: .none, output: Word.record) {
      leak, _, _ in Word(text: text(leak.secret))
    }
  }
}
