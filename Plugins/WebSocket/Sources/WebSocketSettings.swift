internal import FlowCore
internal import HTTPPlugin

/// The settings for all connections of a component.
struct WebSocketSettings: Sendable {
  var base: String?
  var headers: NamedValues
  var bearer: String?
  var user: String?
  var password: String?
  var protocols: [String]
  var compresses: Bool
  var timeout: Duration
  var limit: Int
  var connectTimeout: Duration
  var authorities: String?
  var isInsecure: Bool
  var certificate: String?
  var key: String?
  var pkcs12: String?
  var keyPassword: String?
  var proxy: String?
  var proxyUser: String?
  var proxyPassword: String?
  var unixSocket: String?

  /// The fields, those of daily use first.
  static let record = Record(
    WebSocketSettings.init(
      base:headers:bearer:user:password:protocols:compresses:timeout:limit:connectTimeout:
      authorities:isInsecure:certificate:key:pkcs12:keyPassword:proxy:proxyUser:proxyPassword:
      unixSocket:),
    Field(
      "base", \.base, "The base URL of all paths, such as wss://example.org/socket."),
    Field(
      "headers", \.headers, "Headers sent with every request for a connection.",
      default: NamedValues()),
    Field("bearer", \.bearer, "A token for the header 'authorization'.", secret: true),
    Field("user", \.user, "The user name for the header 'authorization'."),
    Field("password", \.password, "The password of 'user'.", secret: true),
    Field(
      "protocols", \.protocols,
      "The subprotocols to offer, the preferred one first.", default: []),
    Field("compress", \.compresses, "Offers to compress messages.", default: true),
    Field(
      "timeout", \.timeout,
      "The time limit for opening a connection, for a pong, and for closing.",
      default: .seconds(30)),
    Field(
      "max_bytes", \.limit, "The maximum size of a decompressed message.", default: 16 << 20),
    Field(
      "connect_timeout", \.connectTimeout, "The time limit for the connection alone.",
      default: .seconds(10)),
    Field(
      "ca_file", \.authorities,
      "A PEM file in the scenario's folder. Its certificates are trusted instead of the system's."),
    Field("insecure", \.isInsecure, "Accepts any server certificate.", default: false),
    Field("client_cert", \.certificate, "The PEM file of the client certificate."),
    Field("client_key", \.key, "The PEM file of the client key."),
    Field(
      "client_pkcs12", \.pkcs12,
      "The PKCS #12 file of certificate and key, instead of 'client_cert' and 'client_key'."),
    Field(
      "client_key_password", \.keyPassword,
      "The passphrase of an encrypted 'client_key' or 'client_pkcs12'.", secret: true),
    Field(
      "proxy", \.proxy,
      "The URL of a proxy, without a user. Proxies of the environment are ignored."),
    Field("proxy_user", \.proxyUser, "The user name for 'proxy'."),
    Field("proxy_password", \.proxyPassword, "The password of 'proxy_user'.", secret: true),
    Field(
      "unix_socket", \.unixSocket,
      "The path of the socket that the server of 'base' listens to, instead of its host and port."))

  /// Checks the settings on their own.
  ///
  /// - Throws: `ComponentError` for settings without a meaning.
  func check() throws(ComponentError) {
    if let problem = Subprotocols.problem(of: protocols) {
      throw ComponentError(.settings, "'protocols': \(problem)")
    }
    try upgrade.check()
  }

  /// The settings of the client.
  var upgrade: UpgradeSettings {
    var settings = UpgradeSettings(base: base, headers: headers)
    (settings.bearer, settings.user, settings.password) = (bearer, user, password)
    (settings.timeout, settings.connectTimeout) = (timeout, connectTimeout)
    (settings.limit, settings.authorities, settings.isInsecure) = (limit, authorities, isInsecure)
    (settings.certificate, settings.key, settings.pkcs12) = (certificate, key, pkcs12)
    (settings.keyPassword, settings.proxy) = (keyPassword, proxy)
    (settings.proxyUser, settings.proxyPassword) = (proxyUser, proxyPassword)
    settings.unixSocket = unixSocket
    return settings
  }
}

/// The names of subprotocols (RFC 6455, section 4.1).
enum Subprotocols {
  /// Returns the first problem of some names, or nil.
  static func problem(of names: [String]) -> String? {
    for (index, name) in names.enumerated() {
      let isToken = name.utf8.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
      }
      guard isToken, !name.isEmpty else { return "'\(name)' is not the name of a protocol" }
      if names[..<index].contains(name) { return "'\(name)' is there twice" }
    }
    return nil
  }
}
