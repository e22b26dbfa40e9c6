import FlowCore

/// A component that receives secrets, asks for one, and keeps them in all its output.
struct Safe: Component {
  static let plugin = Plugin(
    "safe", version: "1.0", "Keeps secrets.", state: .none, settings: settings, events: [opened],
    operations: operations
  ) { context, settings in try Safe(configuration: settings, context: context) }
  static let settings = Record(
    Settings.init(password:), Field("password", \.password, "A secret.", secret: true))
  static let opened = EventKind("opened", "It was opened.", Word.record)
  static let operations: [Operation<Safe>] = [
    Operation("open", "Says what it was told.", input: Key.record, answers: Session.record) {
      safe, context, key in safe.open(key, context)
    },
    Operation("refuse", "Refuses a key.", input: Key.record, answers: .none, errors: [.empty]) {
      safe, _, key in throw ComponentError(.empty, "\(key.key) is not \(safe.token)")
    },
  ]

  struct Settings: Sendable {
    let password: String
  }

  struct Key: Sendable {
    let key: String
    static let record = Record(Key.init(key:), Field("key", \.key, "A secret.", secret: true))
  }

  struct Session: Sendable {
    let text: String
    let token: String
    static let record = Record(
      Session.init(text:token:), Field("text", \.text, "What it was told."),
      Field("token", \.token, "Something made of secrets.", secret: true))
  }

  private let password: String
  private let token: String

  init(configuration: Settings, context: Context) throws {
    password = configuration.password
    token = try context.secrets.value("token")
    context.log("opened with \(password)")
  }

  private func open(_ key: Key, _ context: Context) -> Session {
    context.emit(Self.opened, Word(text: key.key))
    context.log("opened with \(token)")
    return Session(
      text: "\(password), \(token), \(key.key)", token: String((token + key.key).reversed()))
  }
}
