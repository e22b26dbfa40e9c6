internal import FlowSystem

/// A request, a notification or a response of a client, by JSON-RPC 2.0.
struct RPCMessage {
  /// The number or the string of a request, or nil for a notification.
  let id: JSON?
  /// The method, or nil for a response.
  let method: String?
  let params: JSON

  /// Reads a message, or throws the error for the answer to a malformed one.
  init(_ json: JSON) throws(RPCError) {
    guard case .object = json else { throw RPCError(.invalidRequest, "not an object") }
    switch json["id"] {
    case .string?, .number?: id = json["id"]
    case nil, .null?: id = nil
    default: throw RPCError(.invalidRequest, "the id must be a string or a number")
    }
    guard json["jsonrpc"] == .string("2.0") else {
      throw RPCError(.invalidRequest, "not a message of JSON-RPC 2.0")
    }
    method = json["method"]?.string
    let isResponse = json["result"] != nil || json["error"] != nil
    guard method != nil || isResponse else {
      throw RPCError(.invalidRequest, "the message has no method")
    }
    params = json["params"] ?? .object([])
  }

  static func response(_ id: JSON, _ result: JSON) -> JSON {
    .object([.init("jsonrpc", .string("2.0")), .init("id", id), .init("result", result)])
  }

  static func response(_ id: JSON?, _ error: RPCError) -> JSON {
    let body = JSON.object([
      .init("code", .number("\(error.code.rawValue)")), .init("message", .string(error.message)),
    ])
    return .object([
      .init("jsonrpc", .string("2.0")), .init("id", id ?? .null), .init("error", body),
    ])
  }

  static func notification(_ method: String, _ params: JSON) -> JSON {
    .object([
      .init("jsonrpc", .string("2.0")), .init("method", .string(method)), .init("params", params),
    ])
  }

  static func request(_ id: Int, _ method: String, _ params: JSON) -> JSON {
    .object([
      .init("jsonrpc", .string("2.0")), .init("id", .number("\(id)")),
      .init("method", .string(method)), .init("params", params),
    ])
  }
}

/// A request without a result.
struct RPCError: Error, Hashable {
  /// The codes of JSON-RPC 2.0 and of the Language Server Protocol.
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case notInitialized = -32002
    case requestFailed = -32803
    case requestCancelled = -32800
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}
