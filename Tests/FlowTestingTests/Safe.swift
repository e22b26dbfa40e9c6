import FlowCore

/// A component that is told secrets, asks for one, and keeps them in everything that it says.
struct Safe: Component {
  static let plugin = Plugin("safe", version: "1.0", summary: "Keeps secrets.", state: .none)
  static let settings = Record(
    Settings.init(password:), Field("password", \.password, "A secret.", secret: true))
  static let opened = EventKind("opened", "It was opened.", Word.record)
  static let events = [opened.description]
  static let operations: [Operation<Safe>] = [
    Operation("open", "Says what it was told.", input: Key.record, output: Session.record) {
      safe, key, context in safe.open(key, context)
    },
    Operation("refuse", "Refuses a key.", input: Key.record, output: .none, errors: [.empty]) {
      safe, key, _ in throw ComponentError(.empty, "\(key.key) is not \(safe.token)")
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

  init(configuration: Settings, context: Context) async throws {
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
