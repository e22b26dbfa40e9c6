internal import FlowCore

/// How requests of a component are made.
struct HTTPSettings: Sendable {
  var base: String?
  var headers: HeaderFields
  var bearer: String?
  var user: String?
  var password: String?
  var authorities: String?
  var certificate: String?
  var key: String?
  var isInsecure: Bool
  var proxy: String?
  var follows: Bool
  var limit: Int
  var connectTimeout: Duration
  var timeout: Duration

  static let record = Record(
    HTTPSettings.init(
      base:headers:bearer:user:password:authorities:certificate:key:isInsecure:proxy:follows:limit:
      connectTimeout:timeout:),
    Field("base", \.base, "The URL that paths begin at, such as https://example.org/api."),
    Field("headers", \.headers, "Headers of every request.", default: HeaderFields()),
    Field("bearer", \.bearer, "A token, sent as 'Authorization: Bearer …'.", secret: true),
    Field("user", \.user, "The user of basic authentication."),
    Field("password", \.password, "The password of 'user'.", secret: true),
    Field(
      "ca_file", \.authorities,
      "Certificates (PEM) to trust in place of the system's, below the scenario's folder."),
    Field("client_cert", \.certificate, "The client's certificate (PEM)."),
    Field("client_key", \.key, "The client's key (PEM)."),
    Field("insecure", \.isInsecure, "Whether any certificate of a server is good.", default: false),
    Field("proxy", \.proxy, "The URL of a proxy without a user; the environment's is not used."),
    Field("follow", \.follows, "Whether to follow up to 10 redirects.", default: true),
    Field("max_bytes", \.limit, "The longest body of an answer, decompressed.", default: 16 << 20),
    Field(
      "connect_timeout", \.connectTimeout, "How long connecting may take.", default: .seconds(10)),
    Field(
      "timeout", \.timeout, "How long a request may take, redirects included.",
      default: .seconds(30)))

  /// The options of every exchange; reads the files.
  ///
  /// - Throws: `ComponentError` for a proxy without a meaning, or `FileError`.
  func transferOptions(in directory: Directory) throws -> TransferOptions {
    TransferOptions(
      limit: limit, connectTimeout: connectTimeout, proxy: try proxyServer()?.server ?? "",
      authorities: try authorities.map { try directory.read($0) },
      certificate: try certificate.map { try directory.read($0) },
      key: try key.map { try directory.read($0) }, isInsecure: isInsecure)
  }

  /// Where paths begin; nil for nowhere.
  func baseAddress() throws(ComponentError) -> WebAddress? {
    guard let base else { return nil }
    let address: WebAddress
    do { address = try WebAddress(base) } catch {
      throw ComponentError(.settings, "'base': \(error)")
    }
    if address.rest.contains("?") { throw ComponentError(.settings, "'base' has a query") }
    return address
  }

  /// The proxy; nil for none.
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

  /// Checks what can be said of the settings alone.
  ///
  /// - Throws: `ComponentError` for settings without a meaning.
  func check() throws(ComponentError) {
    _ = try baseAddress()
    do throws(RequestError) {
      for field in headers.fields { try HTTPRequest.check(field.name, field.value) }
    } catch {
      throw ComponentError(.settings, "'headers': \(error)")
    }
    _ = try proxyServer()
    if let problem { throw ComponentError(.settings, problem) }
  }

  /// What has no meaning, the first of it.
  private var problem: String? {
    if bearer != nil, user != nil || password != nil {
      return "'bearer' cannot be combined with 'user' and 'password'"
    }
    if (user == nil) != (password == nil) { return "'user' and 'password' need each other" }
    if (certificate == nil) != (key == nil) {
      return "'client_cert' and 'client_key' need each other"
    }
    for (name, text) in [("bearer", bearer), ("user", user), ("password", password)]
    where text.map(Header.isValue) == false {
      return "'\(name)' has a line break or a control character"
    }
    if limit <= 0 { return "'max_bytes' is \(limit); it must be above 0" }
    if connectTimeout <= .zero {
      return "'connect_timeout' is \(connectTimeout.flowText); it must be above 0s"
    }
    if timeout <= .zero { return "'timeout' is \(timeout.flowText); it must be above 0s" }
    return nil
  }
}
