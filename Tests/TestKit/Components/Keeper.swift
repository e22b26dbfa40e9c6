package import FlowCore

/// A component for tests that receives secrets, asks for one, and tells them in every possible way.
package struct Keeper: Component {
  package static let plugin = Plugin(
    "keeper", version: "1.0", "Is told secrets and tells them.", state: .external,
    settings: settings, events: [told], operations: operations
  ) { context, settings in try Keeper(configuration: settings, context: context) }
  package static let settings = Record(
    Settings.init(password:asks:fails:),
    Field("password", \.password, "A secret.", secret: true),
    Field("asks", \.asks, "The name of a secret to ask for."),
    Field("fails", \.fails, "Whether it fails to open, and says why.", default: false))
  package static let told = EventKind("told", "Something was told.", Telling.record)
  package static let operations: [Operation<Keeper>] = [
    Operation(
      "tell", "Tells a text as an answer, an event and a log line.", input: Telling.record,
      answers: Answer.record, errors: [.failed], retry: .safe
    ) { keeper, context, telling in
      context.emit(Self.told, telling)
      context.log("told \(telling.text)")
      return keeper.answer(telling.text)
    },
    Operation(
      "fail", "Fails and tells a text.", input: Telling.record, answers: .none, errors: [.failed]
    ) { _, _, telling in throw ComponentError(.failed, "cannot tell \(telling.text)") },
    Operation("crash", "Throws and tells a text.", input: Telling.record, answers: .none) {
      _, _, telling in throw Crash(description: "crashed at \(telling.text)")
    },
    Operation("sign", "Takes a secret.", input: Key.record, answers: Telling.record) { _, _, key in
      Telling(text: "signed with \(key.key)")
    },
    Operation("issue", "Answers a secret.", input: Telling.record, answers: Token.record) {
      _, _, telling in Token(token: "issued-\(telling.text)")
    },
    Operation("asked", "Answers the secret that it asked for.", answers: Answer.record) {
      keeper, _ in keeper.answer(keeper.asked)
    },
    Operation(
      "hold", "Cancels the task that it is called on, and tells a text when it stops.",
      input: Telling.record, answers: .none, errors: [.failed]
    ) { _, context, telling in
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      do { try await context.sleep(for: .seconds(60)) } catch {
        context.log("stopping at \(telling.text)")
        throw ComponentError(.failed, "stopped at \(telling.text)")
      }
    },
  ]

  private let password: String
  private let asked: String

  private init(configuration: Settings, context: Context) throws {
    password = configuration.password
    asked =
      try configuration.asks.map { name throws(SecretError) in
        try context.secrets.value(name)
      } ?? ""
    context.log("opened with \(password)")
    if configuration.fails { throw Crash(description: "the password \(password) is wrong") }
  }

  private func answer(_ text: String) -> Answer {
    Answer(
      text: text, bytes: Bytes(Array(text.utf8)),
      any: .map(ValueMap([(text, .list([.string(text)]))])),
      password: password)
  }
}

extension ErrorCode {
  package static let failed = ErrorCode("failed", "The keeper was asked to fail.")
}

extension Keeper {
  package struct Settings: Sendable {
    let password: String
    let asks: String?
    let fails: Bool
  }

  package struct Telling: Sendable {
    let text: String
    static let record = Record(Telling.init(text:), Field("text", \.text, "What is told."))
  }

  package struct Answer: Sendable {
    let text: String
    let bytes: Bytes
    let any: Value
    let password: String
    static let record = Record(
      Answer.init(text:bytes:any:password:), Field("text", \.text, "The text."),
      Field("bytes", \.bytes, "Its bytes."), Field("any", \.any, "It as a key and in a list."),
      Field("password", \.password, "The component's own secret."))
  }

  package struct Key: Sendable {
    let key: String
    static let record = Record(Key.init(key:), Field("key", \.key, "A secret.", secret: true))
  }

  package struct Token: Sendable {
    let token: String?
    static let record = Record(
      Token.init(token:), Field("token", \.token, "A secret.", secret: true))
  }

  struct Crash: Error, CustomStringConvertible {
    let description: String
  }
}
