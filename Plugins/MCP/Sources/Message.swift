import FlowCore

/// A message from a server, JSON-RPC 2.0.
enum Message: Sendable {
  case answer(id: Int, Value)
  case failure(id: Int?, ServerFailure)
  /// An answer that contradicts the protocol, with a problem such as `has no result`.
  case malformed(id: Int, String)
  case notification(String, Value)
  case request(id: Value, method: String, params: Value)

  /// Reads a message, or returns nil for a value of another form.
  init?(_ value: Value) {
    guard case .map(let map) = value else { return nil }
    let isVersioned = map["jsonrpc"] == .string("2.0")
    if case .string(let method)? = map["method"] {
      guard isVersioned else { return nil }
      if let id = map["id"], id != .null {
        self = .request(id: id, method: method, params: map["params"] ?? .map(ValueMap()))
      } else {
        self = .notification(method, map["params"] ?? .null)
      }
      return
    }
    guard let answer = Self.answer(map, isVersioned: isVersioned) else { return nil }
    self = answer
  }

  /// Reads an answer, or returns nil for a value that is none.
  private static func answer(_ map: ValueMap, isVersioned: Bool) -> Message? {
    let hasResult = map["result"] != nil || map["error"] != nil
    // Other lines with an 'id', such as those of a log, are no answers.
    guard isVersioned || hasResult else { return nil }
    switch map["id"] {
    case .string(let text)?:
      // The requests of flow have numbers.
      return Int(text).map { .malformed(id: $0, "has the id \(Value.string(text).json), a string") }
    case .int(let id)?:
      if !isVersioned { return .malformed(id: id, #"has no 'jsonrpc' with "2.0""#) }
      if let error = map["error"] { return .failure(id: id, ServerFailure(error)) }
      return map["result"].map { .answer(id: id, $0) }
        ?? .malformed(id: id, "has neither 'result' nor 'error'")
    default: return isVersioned ? map["error"].map { .failure(id: nil, ServerFailure($0)) } : nil
    }
  }

  /// Returns the line of a request, or of a notification without an id.
  static func line(_ method: String, _ params: ValueMap, id: Int? = nil) -> [UInt8] {
    var map = ValueMap([("jsonrpc", .string("2.0"))])
    if let id { map[.string("id")] = .int(id) }
    map[.string("method")] = .string(method)
    if !params.isEmpty { map[.string("params")] = .map(params) }
    return line(map)
  }

  /// Returns the line of an answer to a request of the server.
  static func line(answering id: Value, with part: (String, Value)) -> [UInt8] {
    line(ValueMap([("jsonrpc", .string("2.0")), ("id", id), part]))
  }

  /// The answer to a request of a server: nothing is offered to servers.
  static func answer(to method: String) -> (String, Value) {
    if method == "ping" { return ("result", .map(ValueMap())) }
    let error = ValueMap([
      ("code", .int(ServerFailure.methodNotFound)), ("message", .string("Method not found")),
    ])
    return ("error", .map(error))
  }

  private static func line(_ map: ValueMap) -> [UInt8] { Array(Value.map(map).json.utf8) + [0x0A] }
}

/// An error that a server answers a request with.
struct ServerFailure: Error, Sendable, CustomStringConvertible {
  let code: Int
  let message: String
  let data: Value

  static let methodNotFound = -32601
  static let unsupportedVersion = -32022

  /// The message with the number, bounded: `Method not found (-32601)`.
  var description: String { "\(ServerText.line(message)) (\(code))" }

  /// True for an error that only revisions without a handshake have, or for an unknown method.
  var isModern: Bool { -32_022 ... -32_020 ~= code || code == Self.methodNotFound }

  init(code: Int, message: String) {
    (self.code, self.message, data) = (code, message, .null)
  }

  init(_ value: Value) {
    code = value["code"].flatMap { if case .int(let code) = $0 { code } else { nil } } ?? 0
    message = value["message"]?.string ?? "no message"
    data = value["data"] ?? .null
  }
}

extension Value {
  /// The member of a map, or nil.
  subscript(name: String) -> Value? {
    if case .map(let map) = self { map[name] } else { nil }
  }

  /// The string, or nil.
  var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The elements of a list, or nil.
  var list: [Value]? { if case .list(let elements) = self { elements } else { nil } }
  /// The map, or nil.
  var map: ValueMap? { if case .map(let map) = self { map } else { nil } }
}
