/// The agreed parameters of the extension `permessage-deflate` (RFC 7692, section 7.1).
public struct MessageDeflate: Sendable, Hashable {
  /// True if the server compresses each message on its own.
  public var serverForgets = false
  /// True if the client compresses each message on its own.
  public var clientForgets = false
  /// The window of the server as a power of 2, from 8 to 15.
  public var serverWindow = 15
  /// The window of the client as a power of 2, from 8 to 15.
  public var clientWindow = 15

  static let name = "permessage-deflate"
  /// The offer of a client: a server may ask for a smaller window.
  static let offer = "permessage-deflate; client_max_window_bits"

  /// The default parameters.
  public init() {}

  /// True if the system can compress: it has zlib.
  public static var isKnown: Bool { MessageCoder.isKnown }

  /// Reads an offer of a client, or returns nil for one that is declined.
  init?(offer extension: WebSocketExtension) {
    guard let values = Self.values(`extension`, areAnswer: false) else { return nil }
    self = values
    // A client that can have a smaller window need not have one (section 7.1.2.2).
    clientWindow = 15
  }

  /// Reads the answer of a server, or returns nil for one that does not fit our offer.
  init?(answer extension: WebSocketExtension) {
    guard let values = Self.values(`extension`, areAnswer: true) else { return nil }
    self = values
  }

  private static func values(
    _ extension: WebSocketExtension, areAnswer isAnswer: Bool
  ) -> MessageDeflate? {
    guard `extension`.name == name else { return nil }
    var (values, names) = (MessageDeflate(), Set<String>())
    for (name, value) in `extension`.parameters {
      guard names.insert(name).inserted else { return nil }
      switch (name, value) {
      case ("server_no_context_takeover", nil): values.serverForgets = true
      case ("client_no_context_takeover", nil): values.clientForgets = true
      case ("client_max_window_bits", nil) where !isAnswer: break
      case ("server_max_window_bits", let text?):
        guard let bits = window(text) else { return nil }
        values.serverWindow = bits
      case ("client_max_window_bits", let text?):
        guard let bits = window(text) else { return nil }
        values.clientWindow = bits
      default: return nil
      }
    }
    return values
  }

  /// Returns a window in decimal digits without leading zeros, or nil.
  private static func window(_ text: String) -> Int? {
    (8...15).first { "\($0)" == text }
  }

  /// The answer of a server to the offer.
  var answer: String {
    var parts = [Self.name]
    if serverForgets { parts.append("server_no_context_takeover") }
    if clientForgets { parts.append("client_no_context_takeover") }
    if serverWindow < 15 { parts.append("server_max_window_bits=\(serverWindow)") }
    if clientWindow < 15 { parts.append("client_max_window_bits=\(clientWindow)") }
    return parts.joined(separator: "; ")
  }
}

/// An element of `sec-websocket-extensions` (RFC 6455, section 9.1).
struct WebSocketExtension {
  /// The name in lower case.
  var name: String
  /// The parameters in their order, with names in lower case.
  var parameters: [(name: String, value: String?)]

  /// Reads a header, or returns nil for a malformed one.
  static func list(_ header: String) -> [WebSocketExtension]? {
    var list: [WebSocketExtension] = []
    for element in header.split(separator: ",", omittingEmptySubsequences: true) {
      let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
      guard parts.count > 1 || !parts[0].isEmpty else { continue }
      guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
      let parameters = parts.dropFirst().map(parameter)
      list.append(WebSocketExtension(name: parts[0].lowercased(), parameters: parameters))
    }
    return list
  }

  private static func parameter(_ text: String) -> (name: String, value: String?) {
    guard let sign = text.firstIndex(of: "=") else { return (text.lowercased(), nil) }
    var value = trimmed(text[text.index(after: sign)...])
    // The quoted form of a value has the syntax of one without quotes.
    if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
      value = String(value.dropFirst().dropLast())
    }
    return (trimmed(text[..<sign]).lowercased(), value)
  }

  private static func trimmed(_ text: Substring) -> String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = text.drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(start[...last])
  }
}
