internal import FlowSystem

/// A request or a notification of a client, by JSON-RPC 2.0.
struct ClientMessage {
  /// The number or the string of a request, or nil for a notification.
  let id: JSON?
  let method: String
  let params: JSON

  /// Reads a message, or throws the answer to a malformed one.
  init(_ json: JSON) throws(ProtocolError) {
    let id = json["id"]
    switch id {
    case .string?, .number?, nil: self.id = id
    default: throw ProtocolError(.invalidRequest, "the id must be a string or a number", to: nil)
    }
    guard json["jsonrpc"] == .string("2.0"), let method = json["method"]?.string else {
      throw ProtocolError(.invalidRequest, "not a request of JSON-RPC 2.0", to: id)
    }
    let params = json["params"] ?? .object([])
    guard case .object = params else {
      throw ProtocolError(.invalidParams, "the params must be an object", to: id)
    }
    (self.method, self.params) = (method, params)
  }

  /// The protocol version in the metadata of the request, or nil.
  var version: String? { metadata["io.modelcontextprotocol/protocolVersion"]?.string }

  /// True if the request declares the capabilities of its client.
  var hasCapabilities: Bool {
    if case .object? = metadata["io.modelcontextprotocol/clientCapabilities"] {
      true
    } else {
      false
    }
  }

  private var metadata: JSON { params["_meta"] ?? .null }

  /// Returns the response with a result.
  func response(_ result: JSON) -> JSON {
    .object([.init("jsonrpc", .string("2.0")), .init("id", id ?? .null), .init("result", result)])
  }
}

/// A request that has no result.
struct ProtocolError: Error {
  /// The codes of JSON-RPC 2.0 and of the Model Context Protocol.
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case unsupportedVersion = -32022
  }

  private let code: Code
  private let message: String
  /// The id of the request, or nil if it is unknown.
  private let id: JSON?
  private let data: JSON?

  init(_ code: Code, _ message: String, to id: JSON?, data: JSON? = nil) {
    (self.code, self.message, self.id, self.data) = (code, message, id, data)
  }

  /// The response to the request.
  ///
  /// Without a known id it has none, as the schemas of the protocol demand.
  var response: JSON {
    let error: [JSON.Member] = [
      .init("code", .number("\(code.rawValue)")), .init("message", .string(message)),
    ]
    return .object(
      [.init("jsonrpc", .string("2.0"))] + (id.map { [.init("id", $0)] } ?? [])
        + [.init("error", .object(error + (data.map { [.init("data", $0)] } ?? [])))])
  }
}
