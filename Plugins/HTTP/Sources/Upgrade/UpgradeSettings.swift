public import FlowCore

/// The settings of a client whose connections are taken over by another protocol: those of `http`
/// that concern the address, the headers and the connection.
public struct UpgradeSettings: Sendable {
  /// The base URL, with the scheme `ws`, `wss`, `http` or `https`, or nil.
  public var base: String?
  /// The headers sent with every request.
  public var headers: NamedValues
  /// A token for the header `Authorization`.
  public var bearer: String?
  /// A user, who has a password.
  public var user: String?
  /// The password of the user.
  public var password: String?
  /// The time limit for a connection and the response to its request.
  public var timeout = Duration.seconds(30)
  /// The time limit for a connection.
  public var connectTimeout = Duration.seconds(10)
  /// The greatest body of a response in bytes.
  public var limit = 16 << 20
  /// A PEM file of the certificates that are trusted instead of the system's.
  public var authorities: String?
  /// True to accept any server certificate.
  public var isInsecure = false
  /// The PEM file of the client certificate.
  public var certificate: String?
  /// The PEM file of the client key.
  public var key: String?
  /// The PKCS #12 file of both.
  public var pkcs12: String?
  /// The passphrase of the key.
  public var keyPassword: String?
  /// The URL of a proxy.
  public var proxy: String?
  /// The user name for the proxy.
  public var proxyUser: String?
  /// The password for the proxy.
  public var proxyPassword: String?
  /// The path of the socket that the server listens to.
  public var unixSocket: String?

  /// Creates the default settings.
  public init(base: String? = nil, headers: NamedValues = NamedValues()) {
    (self.base, self.headers) = (base, headers)
  }

  /// Checks the settings on their own.
  ///
  /// - Throws: `ComponentError` for settings without a meaning.
  public func check() throws(ComponentError) {
    if let base {
      do throws(WebAddressError) { _ = try WebAddress(line: base) } catch {
        throw ComponentError(.settings, "'base': \(error)")
      }
    }
    try http.check()
  }

  /// The same settings of a client of HTTP.
  var http: HTTPSettings {
    HTTPSettings(
      base: base.map(WebAddress.ofWeb), headers: headers, bearer: bearer, user: user,
      password: password, timeout: timeout, follows: false, limit: limit,
      connectTimeout: connectTimeout, authorities: authorities, isInsecure: isInsecure,
      certificate: certificate, key: key, pkcs12: pkcs12, keyPassword: keyPassword, proxy: proxy,
      proxyUser: proxyUser, proxyPassword: proxyPassword, unixSocket: unixSocket)
  }
}

extension WebAddress {
  private static let schemesOfLines = ["ws", "wss", "http", "https"]

  /// Reads a whole URL, whose scheme may be that of WebSocket (RFC 6455, section 3).
  init(line text: String) throws(WebAddressError) {
    _ = try WebAddress(text, schemes: Self.schemesOfLines)
    self = try WebAddress(Self.ofWeb(text))
  }

  /// Returns a URL with the scheme of HTTP in place of that of WebSocket.
  static func ofWeb(_ text: String) -> String {
    for (scheme, web) in [("ws://", "http://"), ("wss://", "https://")]
    where text.lowercased().hasPrefix(scheme) {
      return web + text.dropFirst(scheme.count)
    }
    return text
  }
}
