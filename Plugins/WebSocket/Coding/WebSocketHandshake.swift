private import FlowCore

/// The result of a handshake.
public struct WebSocketAgreement: Sendable, Hashable {
  /// The chosen subprotocol, or nil.
  public var `protocol`: String?
  /// The compression of messages, or nil.
  public var deflate: MessageDeflate?

  /// Creates the result of a handshake.
  public init(protocol: String? = nil, deflate: MessageDeflate? = nil) {
    (self.protocol, self.deflate) = (`protocol`, deflate)
  }
}

/// A handshake that does not lead to a connection (RFC 6455, sections 4.1 and 4.2).
public enum WebSocketHandshakeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A response without the header `upgrade`.
  case noUpgrade
  /// A response without `connection: upgrade`.
  case noConnection
  /// A response whose key belongs to another request.
  case wrongKey
  /// A subprotocol that was not offered.
  case wrongProtocol(String)
  /// An extension that was not offered, or parameters that do not fit the offer.
  case wrongExtensions(String)
  /// A request that is not a handshake, with the reason.
  case noRequest(String)
  /// A request of another version of the protocol.
  case version(String)

  /// The status for the response to such a request.
  public var status: Int { if case .version = self { 426 } else { 400 } }

  /// The error in words.
  public var description: String {
    switch self {
    case .noUpgrade: "the response has no header 'upgrade: websocket'"
    case .noConnection: "the response has no header 'connection: upgrade'"
    case .wrongKey: "the response has a wrong 'sec-websocket-accept'"
    case .wrongProtocol(let name): "the server chose the protocol '\(name)', which was not offered"
    case .wrongExtensions(let text):
      "the server chose the extension '\(text)', which was not offered"
    case .noRequest(let reason): "the request is no handshake: \(reason)"
    case .version(let text): "the version '\(text)' is not supported, only 13"
    }
  }
}

/// The key of a handshake.
enum HandshakeKey {
  /// The number of bytes of a key.
  static let length = 16
  // RFC 6455, section 1.3.
  private static let constant = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// Returns the value of `sec-websocket-accept` for a key as written.
  static func accept(_ key: String) -> String {
    Bytes(Digest.sha1(Array((key + constant).utf8))).base64
  }

  /// Returns the text of a key.
  static func text(_ bytes: [UInt8]) -> String { Bytes(bytes).base64 }

  /// Returns true if a text is a key.
  static func isKey(_ text: String) -> Bool { Bytes(base64: text)?.content.count == length }
}

/// The handshake of a client.
public struct WebSocketRequest: Sendable {
  private let key: String
  private let protocols: [String]
  private let deflates: Bool

  /// Creates a request with 16 random bytes, the subprotocols in the order of preference, and an
  /// offer to compress messages.
  ///
  /// - Precondition: `key` has 16 bytes.
  public init(key: [UInt8], protocols: [String] = [], deflates: Bool) {
    precondition(key.count == HandshakeKey.length, "a key has 16 bytes, not \(key.count)")
    (self.key, self.protocols) = (HandshakeKey.text(key), protocols)
    self.deflates = deflates && MessageDeflate.isKnown
  }

  /// The headers of the request, besides `host`.
  public var headers: [(name: String, value: String)] {
    var headers = [
      (name: "Upgrade", value: "websocket"), ("Connection", "Upgrade"),
      ("Sec-WebSocket-Key", key), ("Sec-WebSocket-Version", "13"),
    ]
    if !protocols.isEmpty {
      headers.append(("Sec-WebSocket-Protocol", protocols.joined(separator: ", ")))
    }
    if deflates { headers.append(("Sec-WebSocket-Extensions", MessageDeflate.offer)) }
    return headers
  }

  /// Checks a response with the status 101, whose headers are found by their lower-case names.
  public func agreement(
    with header: (_ name: String) -> String?
  ) throws(WebSocketHandshakeError) -> WebSocketAgreement {
    guard HeaderTokens(header("upgrade")).contains("websocket") else { throw .noUpgrade }
    guard HeaderTokens(header("connection")).contains("upgrade") else { throw .noConnection }
    guard header("sec-websocket-accept") == HandshakeKey.accept(key) else { throw .wrongKey }
    let chosen = header("sec-websocket-protocol")
    if let chosen, !protocols.contains(chosen) { throw .wrongProtocol(chosen) }
    return WebSocketAgreement(
      protocol: chosen, deflate: try deflate(header("sec-websocket-extensions") ?? ""))
  }

  private func deflate(_ header: String) throws(WebSocketHandshakeError) -> MessageDeflate? {
    guard let list = WebSocketExtension.list(header), list.count <= 1, deflates || list.isEmpty
    else { throw .wrongExtensions(header) }
    guard let answer = list.first else { return nil }
    guard let deflate = MessageDeflate(answer: answer) else { throw .wrongExtensions(header) }
    return deflate
  }
}

/// The handshake of a client, as a server receives it.
public struct WebSocketOffer: Sendable {
  /// The subprotocols in the client's order of preference.
  public let protocols: [String]
  private let key: String
  private let deflate: MessageDeflate?

  /// Returns true if a request asks for a WebSocket connection, perhaps wrongly.
  public static func isIn(_ header: (_ name: String) -> String?) -> Bool {
    HeaderTokens(header("upgrade")).contains("websocket")
  }

  /// Reads a request, whose headers are found by their lower-case names.
  ///
  /// The values of several headers of one name are joined by commas.
  public init(
    method: String, header: (_ name: String) -> String?
  ) throws(WebSocketHandshakeError) {
    guard method == "GET" else { throw .noRequest("the method is not GET") }
    guard Self.isIn(header) else { throw .noRequest("no 'upgrade: websocket'") }
    guard HeaderTokens(header("connection")).contains("upgrade") else {
      throw .noRequest("no 'connection: upgrade'")
    }
    let version = header("sec-websocket-version") ?? ""
    guard version == "13" else { throw .version(version) }
    guard let key = header("sec-websocket-key"), HandshakeKey.isKey(key) else {
      throw .noRequest("no 'sec-websocket-key' of 16 bytes")
    }
    let extensions = WebSocketExtension.list(header("sec-websocket-extensions") ?? "")
    guard let extensions else { throw .noRequest("a malformed 'sec-websocket-extensions'") }
    self.key = key
    protocols = HeaderTokens(header("sec-websocket-protocol")).tokens
    deflate = extensions.lazy.compactMap { MessageDeflate(offer: $0) }.first
  }

  /// Returns the headers of the response with the status 101, and the agreement.
  ///
  /// - Precondition: `protocol` is nil or one of `protocols`.
  public func accepted(
    protocol chosen: String?, deflates: Bool
  ) -> (headers: [(name: String, value: String)], agreement: WebSocketAgreement) {
    precondition(chosen.map(protocols.contains) ?? true, "the protocol \(chosen ?? "") not offered")
    let agreed = deflates && MessageDeflate.isKnown ? deflate : nil
    var headers = [
      (name: "Upgrade", value: "websocket"), ("Connection", "Upgrade"),
      ("Sec-WebSocket-Accept", HandshakeKey.accept(key)),
    ]
    if let chosen { headers.append(("Sec-WebSocket-Protocol", chosen)) }
    if let agreed { headers.append(("Sec-WebSocket-Extensions", agreed.answer)) }
    return (headers, WebSocketAgreement(protocol: chosen, deflate: agreed))
  }
}

/// The elements of a header that is a list, without blanks.
private struct HeaderTokens {
  let tokens: [String]

  init(_ header: String?) {
    tokens = (header ?? "").split(separator: ",").compactMap { element in
      let text = element.filter { $0 != " " && $0 != "\t" }
      return text.isEmpty ? nil : text
    }
  }

  /// Returns true if an element equals a text in lower case, without regard to its case.
  func contains(_ text: String) -> Bool { tokens.contains { $0.lowercased() == text } }
}
