internal import FlowCore

/// An `http` or `https` URL in two parts, so that no path can lead to another server.
struct WebAddress: Sendable, Hashable {
  /// The server as written, without user and password: `https://example.org:8443`.
  let server: String
  /// The path and the query, encoded, starting with `/` unless empty.
  var rest: String

  /// The schemes of web servers.
  static let web = ["http", "https"]

  /// Reads a whole URL and drops the fragment, which requests do not carry.
  init(_ text: String, schemes: [String] = web) throws(WebAddressError) {
    // In bytes, since a delimiter and a combining mark after it are one character.
    let prefix = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    let scheme = Substring(prefix).lowercased()
    var tail = text.utf8.dropFirst(prefix.count)
    guard schemes.contains(scheme), tail.starts(with: "://".utf8) else {
      throw text.utf8.contains(UInt8(ascii: "@")) ? .login : .scheme(text, schemes)
    }
    tail = tail.dropFirst(3)
    let authority = tail.prefix { !"/?#".utf8.contains($0) }
    if authority.contains(UInt8(ascii: "@")) { throw .login }
    guard Self.isHost(authority) else { throw .host("\(Substring(authority))") }
    server = "\(scheme)://\(Substring(authority))"
    let rest = tail.dropFirst(authority.count).prefix { $0 != UInt8(ascii: "#") }
    self.rest = PercentEncoding.encode(rest)
    if self.rest.hasPrefix("?") { self.rest = "/" + self.rest }
  }

  /// Returns true if a string starts as a URL, not as a path.
  static func isWhole(_ text: String) -> Bool {
    let prefix = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    return web.contains(Substring(prefix).lowercased())
      && text.utf8.dropFirst(prefix.count).starts(with: "://".utf8)
  }

  /// Returns the address with a path added, which may have a query, or with a query alone.
  func appending(_ path: String) -> WebAddress {
    var copy = self
    let path = PercentEncoding.encode(path.utf8)
    if path.hasPrefix("?") {
      copy.rest = (rest.isEmpty ? "/" : rest) + path
    } else {
      copy.rest = rest.hasSuffix("/") ? String(rest.dropLast()) : rest
      copy.rest += path.hasPrefix("/") ? path : "/" + path
    }
    return copy
  }

  /// Returns the address with the path of another program's request added as it is written.
  func appending(written path: String) -> WebAddress {
    var copy = self
    copy.rest = rest.hasSuffix("/") ? String(rest.dropLast()) : rest
    copy.rest += (path.hasPrefix("/") ? "" : "/") + PercentEncoding.printable(path)
    return copy
  }

  /// Reads a whole URL, and leaves its path and query as they are written.
  init(written text: String) throws(WebAddressError) {
    self = try WebAddress(text)
    let tail = text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    let path = tail.drop { !"/?#".utf8.contains($0) }.prefix { $0 != UInt8(ascii: "#") }
    rest = PercentEncoding.printable(String(Substring(path)))
    if rest.hasPrefix("?") { rest = "/" + rest }
  }

  /// The address in the form that a signature of version 4 is made of.
  ///
  /// All but unreserved characters are encoded, and the parameters of the query sorted. libcurl
  /// before 8.1 takes both as they are.
  var signable: WebAddress {
    var copy = self
    let path = rest.utf8.prefix { $0 != UInt8(ascii: "?") }
    let query = rest.utf8.dropFirst(path.count + 1)
    copy.rest = PercentEncoding.strict(path, keeping: "/")
    if query.isEmpty { return copy }
    let parameters = query.split(separator: UInt8(ascii: "&")).map { part in
      let text = PercentEncoding.strict(part, keeping: "=+")
      return text.contains("=") ? text : text + "="
    }
    copy.rest +=
      "?"
      + parameters.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .joined(separator: "&")
    return copy
  }

  /// Returns the address with more parameters in its query.
  func appending(query: [(name: String, value: String)]) -> WebAddress {
    guard !query.isEmpty else { return self }
    var copy = self
    copy.rest += (rest.contains("?") ? "&" : "?") + PercentEncoding.form(query)
    return copy
  }

  /// True if the server is reached without TLS.
  var isPlain: Bool { server.hasPrefix("http:") }

  /// Returns true if scheme, host and port equal those of another address.
  func isSameServer(as other: WebAddress) -> Bool {
    server == other.server || origin == other.origin
  }

  /// Returns true if a run may connect to this address, possibly a proxy.
  func isAllowed(by network: Network, asProxy isProxy: Bool = false) -> Bool {
    if network == .unlimited { return true }
    // An authority without a readable host and port is forbidden if the network is limited.
    let (host, port) = endpoint(asProxy: isProxy) ?? (authority, 0)
    return network.allows(host: host, port: port)
  }

  /// Returns the host with its port, including a default one: `example.org:443`.
  func hostAndPort(asProxy isProxy: Bool = false) -> String {
    endpoint(asProxy: isProxy).map { "\($0.host):\($0.port)" } ?? authority
  }

  /// The host, an IPv6 address in brackets, without the port.
  var host: String { endpoint(asProxy: false)?.host ?? authority }

  private var authority: String { String(server.drop { $0 != "/" }.dropFirst(2)) }

  /// Returns the host, an IPv6 address in brackets, and the port, or nil if libcurl finds no port
  /// either.
  private func endpoint(asProxy isProxy: Bool) -> (host: String, port: Int)? {
    let authority = authority.utf8
    let bracket =
      authority.first == UInt8(ascii: "[") ? authority.firstIndex(of: UInt8(ascii: "]")) : nil
    let end =
      bracket.map { authority.index(after: $0) } ?? authority.firstIndex(of: UInt8(ascii: ":"))
      ?? authority.endIndex
    let (host, rest) = (String(authority[..<end]) ?? "", authority[end...])
    if rest.count < 2, rest.first ?? Self.colon == Self.colon {
      return (host, standardPort(asProxy: isProxy))
    }
    guard rest.first == Self.colon, let port = UInt16(Substring(rest.dropFirst())) else {
      return nil
    }
    return (host, Int(port))
  }

  /// The default port of a server, or of a proxy, https://curl.se/libcurl/c/CURLOPT_PROXY.html.
  private func standardPort(asProxy isProxy: Bool) -> Int {
    if server.hasPrefix("https:") { return 443 }
    return isProxy ? 1_080 : 80
  }

  private static let colon = UInt8(ascii: ":")

  private var origin: String {
    let name = server.lowercased()
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
    where name.hasPrefix(scheme) && name.hasSuffix(port) {
      return String(name.dropLast(port.count))
    }
    return name
  }

  // Letters beyond ASCII are left to libcurl to translate or to refuse.
  private static func isHost(_ authority: Substring.UTF8View) -> Bool {
    !authority.isEmpty
      && authority.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"\"\\<>^`{|}%".utf8.contains($0) }
  }
}

extension WebAddress: CustomStringConvertible {
  /// The whole URL.
  var description: String { server + (rest.isEmpty ? "/" : rest) }
}

/// An error for a string that is not the URL of a web server.
enum WebAddressError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The URL starts with none of the schemes.
  case scheme(String, [String])
  /// The host is missing or has invalid characters.
  case host(String)
  /// libcurl rejects the part before the path.
  case malformed(String)
  /// The URL contains a user or a password.
  case login

  /// The problem with the URL.
  var description: String {
    switch self {
    case .scheme(let text, let schemes):
      "'\(text)' does not start with " + schemes.map { "\($0)://" }.joined(separator: " or ")
    case .host(let host): "'\(host)' is not a host"
    case .malformed(let server): "'\(server)' has an invalid host or port"
    case .login:
      "a URL with a user or a password is not accepted; use the settings 'user' and 'password'"
    }
  }
}

/// Percent-encoding (RFC 3986, section 2.1), on the bytes of UTF-8.
enum PercentEncoding {
  /// Encodes a path with a query, keeping valid characters and existing escapes.
  static func encode(_ text: some Sequence<UInt8>) -> String {
    let bytes = Array(text)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if reserved.contains(byte) || isUnreserved(byte) || isEscape(bytes, index) {
        result.append(byte)
      } else {
        append(byte, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Encodes what cannot stand in the first line of a request, or would start a fragment.
  static func printable(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if 0x21...0x7E ~= byte, byte != UInt8(ascii: "#") {
        result.append(byte)
      } else {
        append(byte, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Encodes pairs as `name=value&…`, escaping all but unreserved characters.
  static func form(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(component($0.name))=\(component($0.value))" }.joined(separator: "&")
  }

  /// Decodes a name or a value of a query, in which `+` is a space.
  static func decodedQuery(_ text: String) -> String {
    var bytes: [UInt8] = []
    let given = Array(text.utf8)
    var index = 0
    while index < given.count {
      if isEscape(given, index), let byte = UInt8(escape: given[(index + 1)...(index + 2)]) {
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(given[index] == UInt8(ascii: "+") ? 0x20 : given[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Encodes all but unreserved characters, some others and existing escapes.
  static func strict(_ text: some Sequence<UInt8>, keeping others: String) -> String {
    let bytes = Array(text)
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if isUnreserved(byte) || others.utf8.contains(byte) || isEscape(bytes, index) {
        result.append(byte)
      } else {
        append(byte, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Encodes all but unreserved characters.
  static func component(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) { result.append(byte) } else { append(byte, to: &result) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let reserved = Array("/?:@!$&'()*+,;=".utf8)
  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func append(_ byte: UInt8, to result: inout [UInt8]) {
    result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func isEscape(_ bytes: [UInt8], _ index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
      && isHexadecimal(bytes[index + 1]) && isHexadecimal(bytes[index + 2])
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit && byte | 0x20 <= UInt8(ascii: "f")
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~".utf8.contains(byte)
  }
}

extension UInt8 {
  /// The byte of two hexadecimal digits, or nil.
  fileprivate init?(escape digits: ArraySlice<UInt8>) {
    self.init(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
