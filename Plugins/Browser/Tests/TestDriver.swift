import FlowCore
import FlowTesting
import HTTPPlugin
import Synchronization

@testable import BrowserPlugin

/// A driver that answers from a table, by the commands' names.
struct TestDriver: Sendable {
  /// The answer to a command.
  enum Reply: Sendable {
    case value(Value)
    case error(String, String)
    /// Anything at all.
    case body(Value, status: Int)
    /// No answer, for the reason that the role has.
    case nothing(String)
  }

  /// The requests that came, without the session: `url {"url":"about:blank"}`.
  let requests = Log()
  private let replies: [String: [Reply]]

  final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    /// Those since a session was begun last.
    var ofSession: ArraySlice<String> {
      let all = all
      return all[(all.lastIndex { $0.hasPrefix("session ") } ?? 0)...]
    }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// A driver with other answers to some commands: one after the other in each session, and the last one again.
  init(_ replies: [String: [Reply]] = [:]) {
    self.replies = Self.usual.merging(replies) { $1 }
  }

  /// It in the place of a component `http`.
  func standIn() throws -> StandIn {
    let body = StandIn.Answer.body { input, _ in try answer(input) }
    let removal = StandIn.Answer.body { input, _ in try answer(input, isRemoval: true) }
    return try StandIn(for: HTTP.self, ["get": body, "post": body, "delete": removal])
  }

  /// A browser on it.
  func browser(
    _ settings: [String: any FieldValue] = [:], in folder: String = ".",
    options: LiveOptions = LiveOptions()
  ) async throws -> OpenComponent {
    try await OpenComponent(
      Browser.self, with: settings, using: ["driver": try await OpenComponent(try standIn())],
      in: folder, options: options)
  }

  /// A browser that has a page open.
  func openBrowser() async throws -> OpenComponent {
    let browser = try await browser()
    _ = try await browser.call("open", ["url": "about:blank"])
    return browser
  }

  /// Answers a request of any method.
  func answer(
    _ input: RecordValue, isRemoval: Bool = false
  ) throws -> [String: any FieldValue] {
    let path = (input["path"]?.text ?? "").split(separator: "/").dropFirst(2).joined(separator: "/")
    let json = input["json"] ?? .null
    let isOfWindow = isRemoval && path == "window"
    let name = isOfWindow ? "remove window" : Self.name(of: path, json)
    let earlier = requests.ofSession.count { $0.hasPrefix(name + " ") }
    requests.add("\(name) \((json["params"] ?? json).json)")
    let replies = replies[name] ?? [.value(.null)]
    switch replies[min(earlier, replies.count - 1)] {
    case .value(let value): return Self.fields(.object(["value": value]), 200)
    case .error(let error, let message):
      let value = Value.object(["error": .string(error), "message": .string(message)])
      return Self.fields(.object(["value": value]), 500)
    case .body(let json, let status): return Self.fields(json, status)
    case .nothing(let code): throw ComponentError(ErrorCode(code, ""), "no answer")
    }
  }

  /// The name of a command in the table.
  ///
  /// A script, and a command of the browser's own, is named by its content.
  private static func name(of path: String, _ json: Value) -> String {
    if path.isEmpty { return json == .null ? "end" : "session" }
    if let command = json["cmd"]?.text { return command }
    let isOfNothing = json["args"]?.elements?.first?.text == "#nothing"
    switch json["script"]?.text {
    case Script.page?: return "page"
    case Script.find?, Script.findAny?: return isOfNothing ? "gone" : "find"
    case Script.pick?, Script.pickAny?: return isOfNothing ? "nothing" : "pick"
    case Script.choose?: return "choose"
    case Script.show?: return "show"
    case Script.awaitDownload?: return "await download"
    case Script.download?: return "download"
    case Script.look?: return "look"
    case Script.empty?: return "empty"
    case Script.scroll?: return "scroll"
    case Script.set?: return "set"
    case Script.write?: return "write"
    default: return path
    }
  }

  private static func fields(_ json: Value, _ status: Int) -> [String: any FieldValue] {
    [
      "status": status, "headers": [String: String](), "text": "", "json": json, "size": 0,
      "url": "", "date": "", "elapsed": Duration.zero,
    ]
  }

  /// The answers that `visit.yaml` expects.
  private static let usual: [String: [Reply]] = [
    "session": [.value(.object(["sessionId": .string("s-1")]))],
    "page": [.value(.object(["title": .string("Notes"), "url": .string("about:blank")]))],
    "pick": [.value(element)],
    "nothing": [.value(none)],
    "gone": [.value(.object(["sight": sight]))],
    "look": [.value(look("")), .value(look("Milk"))],
    "empty": [.value(.string(""))],
    "find": [.value(.object(["sight": sight])), .value(milk)],
    "execute/sync": [.value(.int(3))],
    "element/e.1/screenshot": [.value(.string(picture(40, 20)))],
    "screenshot": [.value(.string(picture(1280, 800)))],
    "download": [
      .value(.object(["waiting": .string("the download is not complete")])),
      .value(.object(["name": .string("prices.csv"), "data": .string("YnJlYWQ7Miw0MAo=")])),
    ],
    "alert/text": [.value(.string("Sure?"))],
    "window": [.value(.string("w1"))],
    "window/handles": [.value(.list([.string("w1"), .string("w2")]))],
    "remove window": [.value(.list([.string("w1")]))],
    "Accessibility.getFullAXTree": [.value(.object(["nodes": .list([heading])]))],
  ]

  static let element = Value.object([
    "element-6066-11e4-a52e-4f735466cecf": .string("e.1")
  ])

  /// The answer if no element matches.
  static let none = Value.object([
    "count": .int(0), "candidates": .list([]), "title": .string("Notes"),
    "url": .string("about:blank"),
  ])

  /// The same for a look at elements.
  static let sight = Value.object([
    "count": .int(0), "displayed": .int(0), "text": .string(""), "title": .string("Notes"),
    "url": .string("about:blank"),
  ])

  /// The state of a field before or after it is used.
  static func look(
    _ text: String, _ kind: String = "input text", on: Value = .null, obstacle: Value = .null
  ) -> Value {
    .object(["kind": .string(kind), "text": .string(text), "on": on, "obstacle": obstacle])
  }

  static let milk = Value.object([
    "count": .int(1), "text": .string("Milk"), "value": .null, "checked": .null,
    "attributes": .object(["class": .string("item")]), "displayed": .bool(true),
    "enabled": .bool(true),
  ])

  private static let heading = Value.object([
    "nodeId": .string("1"), "role": .object(["value": .string("heading")]),
    "name": .object(["value": .string("Notes")]),
    "properties": .list([
      .object(["name": .string("level"), "value": .object(["value": .int(1)])])
    ]),
  ])

  /// The beginning of a PNG of a size up to 65535, in base 64.
  static func picture(_ width: Int, _ height: Int) -> String {
    let size: [UInt8] = [width, height].flatMap {
      [0, 0, UInt8($0 >> 8), UInt8($0 & 255)] as [UInt8]
    }
    let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]
    return Bytes(start + Array("IHDR".utf8) + size).base64
  }
}
