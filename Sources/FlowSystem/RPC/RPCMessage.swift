/// A request, a notification or a response of a client, by JSON-RPC 2.0.
package struct RPCMessage {
  /// The number or the string of a request, or nil for a notification.
  package let id: JSON?
  /// The method, or nil for a response.
  package let method: String?
  package let params: JSON

  /// Reads a message, or throws the error for the answer to a malformed one.
  package init(_ json: JSON) throws(RPCError) {
    guard case .object = json else { throw RPCError(.invalidRequest, "not an object") }
    id = Self.id(of: json)
    if id == nil, json["id"] ?? .null != .null {
      throw RPCError(.invalidRequest, "the id must be a string or a number")
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

  /// Returns the number or the string of a message that may be malformed, or nil.
  package static func id(of json: JSON) -> JSON? {
    switch json["id"] {
    case .string?, .number?: json["id"]
    default: nil
    }
  }

  package static func response(_ id: JSON, _ result: JSON) -> JSON {
    message([.init("id", id), .init("result", result)])
  }

  /// Returns the response to a request without a result, or to one whose id is unknown.
  package static func response(_ id: JSON?, _ error: RPCError) -> JSON {
    message((id.map { [.init("id", $0)] } ?? []) + [.init("error", error.json)])
  }

  package static func notification(_ method: String, _ params: JSON) -> JSON {
    message([.init("method", .string(method)), .init("params", params)])
  }

  package static func request(_ id: Int, _ method: String, _ params: JSON) -> JSON {
    message([
      .init("id", .number("\(id)")), .init("method", .string(method)), .init("params", params),
    ])
  }

  private static func message(_ members: [JSON.Member]) -> JSON {
    .object([.init("jsonrpc", .string("2.0"))] + members)
  }
}

/// A request without a result.
package struct RPCError: Error, Hashable {
  /// The codes of JSON-RPC 2.0, of the Language Server Protocol and of the Model Context Protocol.
  package enum Code: Int, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case notInitialized = -32002
    case unsupportedVersion = -32022
    case requestFailed = -32803
    case requestCancelled = -32800
    case contentModified = -32801
  }

  private let code: Code
  private let message: String
  private let data: JSON?

  package init(_ code: Code, _ message: String, data: JSON? = nil) {
    (self.code, self.message, self.data) = (code, message, data)
  }

  fileprivate var json: JSON {
    .object(
      [.init("code", .number("\(code.rawValue)")), .init("message", .string(message))]
        + (data.map { [.init("data", $0)] } ?? []))
  }
}
