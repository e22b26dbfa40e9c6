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
    let reference = URIReference(text)
    guard let scheme = reference.scheme?.lowercased(), schemes.contains(scheme),
      let authority = reference.authority
    else { throw text.utf8.contains(UInt8(ascii: "@")) ? .login : .scheme(text, schemes) }
    if authority.utf8.contains(UInt8(ascii: "@")) { throw .login }
    guard Self.isHost(authority) else { throw .host(authority) }
    server = "\(scheme)://\(authority)"
    rest = PercentEncoding.written.encode(reference.pathAndQuery.utf8)
    if rest.hasPrefix("?") { rest = "/" + rest }
  }

  /// Returns true if a string starts as a URL, not as a path.
  static func isWhole(_ text: String) -> Bool {
    let reference = URIReference(text)
    return reference.authority != nil && web.contains(reference.scheme?.lowercased() ?? "")
  }

  /// Returns the address with a path added, which may have a query, or with a query alone.
  func appending(_ path: String) -> WebAddress {
    var copy = self
    let path = PercentEncoding.written.encode(path.utf8)
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
    copy.rest += (path.hasPrefix("/") ? "" : "/") + PercentEncoding.printable.encode(path.utf8)
    return copy
  }

  /// Reads a whole URL, and leaves its path and query as they are written.
  init(written text: String) throws(WebAddressError) {
    self = try WebAddress(text)
    rest = PercentEncoding.printable.encode(URIReference(text).pathAndQuery.utf8)
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
    copy.rest = PercentEncoding.signedPath.encode(path)
    if query.isEmpty { return copy }
    let parameters = query.split(separator: UInt8(ascii: "&")).map { part in
      let text = PercentEncoding.signedParameter.encode(part)
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

  /// Returns the address with parameters of the query that have no value.
  func appending(flags: [String]) -> WebAddress {
    var copy = self
    for flag in flags {
      let name = PercentEncoding.form([(flag, "")]).dropLast()
      copy.rest += (copy.rest.contains("?") ? "&" : "?") + name
    }
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
    guard let parts = URIAuthority(authority) else { return nil }
    guard let text = parts.port, !text.isEmpty else {
      return (parts.host, standardPort(asProxy: isProxy))
    }
    return UInt16(text).map { (parts.host, Int($0)) }
  }

  /// The default port of a server, or of a proxy, https://curl.se/libcurl/c/CURLOPT_PROXY.html.
  private func standardPort(asProxy isProxy: Bool) -> Int {
    if server.hasPrefix("https:") { return 443 }
    return isProxy ? 1_080 : 80
  }

  private var origin: String {
    let name = server.lowercased()
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
    where name.hasPrefix(scheme) && name.hasSuffix(port) {
      return String(name.dropLast(port.count))
    }
    return name
  }

  // Letters beyond ASCII are left to libcurl to translate or to refuse.
  private static func isHost(_ authority: String) -> Bool {
    !authority.isEmpty
      && authority.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"\"\\<>^`{|}%".utf8.contains($0) }
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

extension PercentEncoding {
  /// A path with a query, whose valid characters and escapes stay.
  static let written = PercentEncoding(keeping: "/?:@!$&'()*+,;=", keepsEscapes: true)
  /// The path of another program's request: what cannot stand in the first line of a request, or would
  /// start a fragment, is encoded.
  static let printable = PercentEncoding(keeping: "!\"$%&'()*+,/:;<=>?@[\\]^`{|}")
  /// The path of a signed request.
  fileprivate static let signedPath = PercentEncoding(keeping: "/", keepsEscapes: true)
  /// A parameter of a signed request.
  fileprivate static let signedParameter = PercentEncoding(keeping: "=+", keepsEscapes: true)

  /// Encodes pairs as `name=value&…`, escaping all but unreserved characters.
  static func form(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(component.encode($0.name.utf8))=\(component.encode($0.value.utf8))" }
      .joined(separator: "&")
  }

  /// Decodes a name or a value of a query, in which `+` is a space, and keeps other signs as they are.
  static func decodedQuery(_ text: String) -> String {
    let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes(decoding: spaced, isLenient: true) ?? spaced, as: UTF8.self)
  }
}
