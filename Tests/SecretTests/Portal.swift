import FlowCore
import TestKit

/// A service that signs users in, with secrets in answers of any type.
struct Portal: Component {
  static let plugin = Plugin(
    "portal", version: "1.0", "Signs users in.", state: .external, operations: operations
  ) { _ in Portal() }
  static let operations: [Operation<Portal>] = [
    Operation("login", "Signs a user in.", input: Text.record, answers: Page.record) {
      _, _, input in Portal.page(of: input.text)
    },
    Operation("show", "Tells a text.", input: Text.record, answers: Text.record) { _, _, input in
      Text(text: "shown \(input.text)")
    },
    Operation("open", "Takes a secret.", input: Key.record, answers: Text.record) { _, _, input in
      Text(text: "opened with \(input.key)")
    },
  ]

  /// A number that is hidden in JSON and in its source.
  static let pin = 48_151_623

  private static func page(of user: String) -> Page {
    let token = Canary.secrets[user == "ann" ? "issued" : "asked"] ?? ""
    let body =
      "token=\(token); pin=\(pin)" + (user == "ann" ? String(repeating: ".", count: 5_000) : "")
    let session: Value = .map(
      ValueMap([("number", .int(pin)), ("keys", .list([.string(token), .null]))]))
    return Page(
      json: .map(
        ValueMap([
          ("token", .string(token)), ("pin", .int(pin)), ("short", .string("abc")),
          ("empty", .string("")), ("session", session),
        ])), body: body, bytes: Bytes(Array(token.utf8)), count: 2)
  }
}

extension Portal {
  struct Text: Sendable {
    let text: String
    static let record = Record(Text.init(text:), Field("text", \.text, "A text."))
  }

  struct Key: Sendable {
    let key: String
    static let record = Record(Key.init(key:), Field("key", \.key, "A secret.", secret: true))
  }

  struct Page: Sendable {
    let json: Value
    let body: String
    let bytes: Bytes
    let count: Int
    static let record = Record(
      Page.init(json:body:bytes:count:), Field("json", \.json, "The answer."),
      Field("body", \.body, "The source of the answer."), Field("bytes", \.bytes, "The token."),
      Field("count", \.count, "A number."))
  }
}
