import FlowCore

/// A request of flow on its way to a server behind a URL.
struct WebCall: Sendable {
  let method: String
  let params: ValueMap
  let id: Int
  /// The headers for arguments of a tool.
  var mirrored: [MirroredHeaders.Header] = []

  /// The body of the HTTP request.
  var body: [UInt8] { Message.line(method, params, id: id) }

  /// The revision in the parameters, as stateless revisions have it, or nil.
  private var revision: String? { params["_meta"]?[Greeting.versionKey]?.string }

  /// True if the call is complete in itself, without a session.
  var isStateless: Bool { revision != nil }

  /// The headers of the HTTP request, without those of a session.
  var headers: [MirroredHeaders.Header] {
    var headers = WebLink.accepted
    guard let revision else { return headers }
    headers.append(("MCP-Protocol-Version", revision))
    headers.append(("Mcp-Method", MirroredHeaders.encoded(method)))
    if let name { headers.append(("Mcp-Name", MirroredHeaders.encoded(name))) }
    return headers + mirrored
  }

  private var name: String? {
    switch method {
    case "tools/call", "prompts/get": params["name"]?.string
    case "resources/read": params["uri"]?.string
    default: nil
    }
  }
}

/// A session of a server that keeps one between requests.
struct WebSession: Sendable {
  /// The name that the server has given it, or nil.
  var name: String?
  /// The revision of the handshake, or nil before it.
  var revision: String?

  private static let longest = 4_096

  /// Reads the session from the answer to `initialize`.
  ///
  /// - Throws: `MCPError.malformed` for a name that cannot be a header.
  init(_ name: String?, _ result: Value) throws(MCPError) {
    let isValid = name?.utf8.allSatisfy { 0x21...0x7E ~= $0 } ?? true
    guard isValid, (name?.utf8.count ?? 1) <= Self.longest, name != "" else {
      throw .malformed("the server gave a session a name that is no header")
    }
    self.name = name
    revision = result["protocolVersion"]?.string
  }

  /// Creates the session before a handshake.
  init() {}

  /// The headers of a request in the session.
  var headers: [MirroredHeaders.Header] {
    var headers: [MirroredHeaders.Header] = []
    if let revision { headers.append(("MCP-Protocol-Version", revision)) }
    if let name { headers.append(("Mcp-Session-Id", name)) }
    return headers
  }
}
