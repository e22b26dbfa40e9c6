internal import FlowCore

/// The settings for all requests of a component.
struct HTTPSettings: Sendable {
  var base: String?
  var headers: NamedValues
  var bearer: String?
  var user: String?
  var password: String?
  /// The authentication in its long form, see `authentication`.
  var auth: Authentication?
  var timeout: Duration
  var follows: Bool
  /// The preset for the API of the server, as written, whose `base` the scenario has by now.
  var preset: String?
  /// The description of the server, as written.
  var contract: Value?
  /// The GraphQL schema of the server, as written.
  var schema: String?
  /// The most redirects followed, or nil for 10, since a default would change the recorded settings.
  var redirectLimit: Int?
  var limit: Int
  var connectTimeout: Duration
  /// True to decompress responses, as does nil, since a default would change the recorded settings.
  var decompresses: Bool?
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
    HTTPSettings.init(
      base:headers:bearer:user:password:auth:timeout:follows:preset:contract:schema:redirectLimit:
      limit:connectTimeout:decompresses:authorities:isInsecure:certificate:key:pkcs12:keyPassword:
      proxy:
      proxyUser:proxyPassword:unixSocket:),
    Field("base", \.base, "The base URL of all paths, such as https://example.org/api."),
    Field("headers", \.headers, "Headers sent with every request.", default: NamedValues()),
    Field("bearer", \.bearer, "A token, short for 'auth: {bearer: …}'.", secret: true),
    Field("user", \.user, "The user of 'auth: {basic: …}', in short."),
    Field("password", \.password, "The password of 'user'.", secret: true),
    Field("auth", \.auth, "The authentication of every request, in one way."),
    Field(
      "timeout", \.timeout, "The time limit for a request, including redirects.",
      default: .seconds(30)),
    Field("follow", \.follows, "Follows redirects.", default: true),
    Field(
      "preset", \.preset,
      "What is known about the API: a name such as openai, FILE#NAME, or by-host for all that have the host of a request."
    ),
    Field(
      "contract", \.contract,
      "An OpenAPI description of the server: its path in the scenario's folder, or {file: PATH, check: answers} to check less."
    ),
    Field(
      "schema", \.schema,
      "A GraphQL schema of the server: the path of a .graphql file, or of an introspection in JSON, in the scenario's folder."
    ),
    Field(
      "max_redirects", \.redirectLimit,
      "The maximum number of redirects of a request, up to 1000. 10 if absent."),
    Field(
      "max_bytes", \.limit, "The maximum size of a decompressed response body.", default: 16 << 20),
    Field(
      "connect_timeout", \.connectTimeout, "The time limit for a connection.", default: .seconds(10)
    ),
    Field(
      "decompress", \.decompresses,
      "Requests compressed responses and decompresses them. True if absent."),
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

  /// The authentication of requests to the component's own server, or nil.
  var authentication: Authentication? {
    if let auth { return auth == Authentication() ? nil : auth }
    if let bearer { return Authentication(bearer: bearer) }
    return Login(user, password).map { Authentication(basic: $0) }
  }

  /// Reads the files and returns the options shared by all exchanges.
  ///
  /// - Throws: `ComponentError` for an invalid proxy or an encrypted file without a passphrase, or
  ///   `FileError`.
  func transferOptions(in directory: Directory) throws -> TransferOptions {
    TransferOptions(
      connectTimeout: connectTimeout, proxy: try proxyServer()?.server ?? "",
      proxyLogin: Login(proxyUser, proxyPassword),
      authorities: try authorities.map {
        try Self.plain(directory.read($0), "CERTIFICATE", "'ca_file' is encrypted")
      },
      certificate: try pkcs12.map { try directory.read($0) }
        ?? certificate.map { try pem($0, "CERTIFICATE", "client_cert", directory) },
      isPKCS12: pkcs12 != nil,
      key: try key.map { try pem($0, "PRIVATE KEY", "client_key", directory) },
      keyPassword: keyPassword, isInsecure: isInsecure)
  }

  /// Reads a file of the client, which may only be encrypted if there is a passphrase.
  private func pem(
    _ path: String, _ kind: String, _ setting: String, _ directory: Directory
  ) throws -> [UInt8] {
    let bytes = try directory.read(path)
    if keyPassword != nil { return bytes }
    return try Self.plain(
      bytes, kind, "'\(setting)' is encrypted; give its passphrase in 'client_key_password'")
  }

  private static func plain(
    _ bytes: [UInt8], _ kind: String, _ problem: String
  ) throws(ComponentError) -> [UInt8] {
    if PEM.isEncrypted(bytes, kind) { throw ComponentError(.settings, problem) }
    return bytes
  }

  /// True if requests go through an HTTP proxy, not through SOCKS, which ignores headers.
  var usesProxy: Bool { proxy.map(WebAddress.isWhole) ?? false }

  /// Returns the URL that paths are relative to, or nil.
  func baseAddress() throws(ComponentError) -> WebAddress? {
    guard let base else { return nil }
    let address: WebAddress
    do { address = try WebAddress(base) } catch {
      throw ComponentError(.settings, "'base': \(error)")
    }
    if address.rest.contains("?") { throw ComponentError(.settings, "'base' cannot have a query") }
    return address
  }

  /// Returns the URL of the proxy, or nil.
  func proxyServer() throws(ComponentError) -> WebAddress? {
    let schemes = WebAddress.web + ["socks4", "socks4a", "socks5", "socks5h"]
    do {
      return try proxy.map { text throws(WebAddressError) in
        try WebAddress(text, schemes: schemes)
      }
    } catch .login {
      throw ComponentError(.settings, "'proxy': a URL with a user or a password is not accepted")
    } catch {
      throw ComponentError(.settings, "'proxy': \(error)")
    }
  }

  /// Checks the settings on their own.
  ///
  /// - Throws: `ComponentError` for settings without a meaning.
  func check() throws(ComponentError) {
    _ = try baseAddress()
    if let contract { _ = try ContractSetting(contract) }
    do throws(RequestError) { _ = try headers.headers } catch {
      throw ComponentError(.settings, "'headers': \(error)")
    }
    do throws(RequestError) { try auth?.check() } catch {
      throw ComponentError(.settings, "'auth': \(error)")
    }
    _ = try proxyServer()
    if let problem { throw ComponentError(.settings, problem) }
  }

  /// The first setting without a meaning, or nil.
  private var problem: String? {
    if contract != nil, schema != nil {
      return "'contract' cannot be combined with 'schema'; declare a component for each"
    }
    if bearer != nil, user != nil || password != nil {
      return "'bearer' cannot be combined with 'user' and 'password'"
    }
    if (user == nil) != (password == nil) { return "'user' and 'password' must be given together" }
    if auth != nil, bearer != nil || user != nil || password != nil {
      return "'auth' cannot be combined with 'bearer', 'user' and 'password'"
    }
    if (certificate == nil) != (key == nil) {
      return "'client_cert' and 'client_key' must be given together"
    }
    if pkcs12 != nil, key != nil {
      return "'client_pkcs12' cannot be combined with 'client_cert' and 'client_key'"
    }
    if keyPassword != nil, key == nil, pkcs12 == nil {
      return "'client_key_password' needs 'client_key' or 'client_pkcs12'"
    }
    if let problem = problemOfSocket { return problem }
    if (proxyUser == nil) != (proxyPassword == nil) {
      return "'proxy_user' and 'proxy_password' must be given together"
    }
    if proxyUser != nil, proxy == nil { return "'proxy_user' needs 'proxy'" }
    for (name, text) in [
      ("bearer", bearer), ("user", user), ("password", password), ("proxy_user", proxyUser),
      ("proxy_password", proxyPassword), ("client_key_password", keyPassword),
    ] where text.map(Header.isValue) == false {
      return "'\(name)' has a line break or a control character"
    }
    if let redirectLimit, !(0...1000).contains(redirectLimit) {
      return "'max_redirects' is \(redirectLimit); it must be 0 to 1000"
    }
    if redirectLimit != nil, !follows { return "'max_redirects' needs 'follow'" }
    if limit <= 0 { return "'max_bytes' is \(limit); it must be above 0" }
    if connectTimeout <= .zero {
      return "'connect_timeout' is \(connectTimeout.flowText); it must be above 0s"
    }
    if timeout <= .zero { return "'timeout' is \(timeout.flowText); it must be above 0s" }
    return nil
  }
}
