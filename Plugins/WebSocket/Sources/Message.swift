internal import FlowCore

/// A message of either side.
enum Message: Sendable, Hashable {
  case text(String)
  case binary([UInt8])
}

/// The content of a message as scenarios give and receive it.
struct MessageContent: Sendable {
  var json: Value?
  var text: String?
  var bytes: Bytes?

  /// Returns the message.
  ///
  /// - Throws: `WebSocketError` unless there is exactly one content.
  func message() throws(WebSocketError) -> Message {
    let isGiven = [json != nil, text != nil, bytes != nil]
    let names = zip(Self.names, isGiven).compactMap { $1 ? $0 : nil }
    guard names.count == 1 else { throw .contents(names) }
    if let text { return .text(text) }
    if let bytes { return .binary(bytes.content) }
    guard let json, json.isWritable else { throw .notJSON }
    return .text(json.json)
  }

  /// Checks the contents known before the run.
  ///
  /// - Throws: `WebSocketError` for more than one.
  static func check(_ known: [String: Value]) throws(WebSocketError) {
    let given = names.filter { name in known[name].map { $0 != .null } ?? false }
    if given.count > 1 { throw .contents(given) }
  }

  private static let names = ["json", "text", "bytes"]
}

/// A message in the form that loses least: a list or an object of JSON, or else text, or else bytes.
struct PassedMessage: Sendable {
  private(set) var json: Value?
  private(set) var layout: String?
  private(set) var text: String?
  private(set) var bytes: Bytes?

  /// Creates the form of a message.
  init(_ message: Message) {
    switch message {
    case .binary(let content): bytes = Bytes(content)
    case .text(let content): set(content)
    }
  }

  private mutating func set(_ content: String) {
    let written = Array(content.utf8)
    guard let value = Value(jsonOf: content), value.excess() == nil, value.isExactJSON else {
      text = content
      return
    }
    let layout = JSONLayout(of: written, value)
    // A text that no layout describes is passed on as it is.
    guard (layout?.json(of: value) ?? JSONLayout.plain(value)) == written else {
      text = content
      return
    }
    (json, self.layout) = (value, layout?.text)
  }

  /// Returns the text of JSON in a layout.
  static func text(_ json: Value, layout: String?) -> String {
    String(
      decoding: layout.flatMap { JSONLayout(text: $0).json(of: json) } ?? JSONLayout.plain(json),
      as: UTF8.self)
  }
}

extension Value {
  /// Reads a list or an object of JSON, or nil for another text: a single number or word is one.
  init?(jsonOf text: String) {
    guard let value = try? Value(json: Array(text.utf8)) else { return nil }
    switch value {
    case .list, .map: self = value
    default: return nil
    }
  }

  /// True if JSON can contain each number.
  fileprivate var isWritable: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .list(let elements): elements.allSatisfy(\.isWritable)
    case .map(let map): map.entries.allSatisfy { $0.value.isWritable }
    case .optional(let value?): value.isWritable
    default: true
    }
  }
}
