internal import FlowCore

/// The authentication of requests, in at most one way.
struct Authentication: RecordRepresentable, Hashable {
  var bearer: String?
  var basic: Login?
  var digest: Login?
  var oauth2: ClientCredentials?
  var sigv4: SigningKey?

  static let record = Record(
    Authentication.init(bearer:basic:digest:oauth2:sigv4:),
    Field("bearer", \.bearer, "A token, sent as 'Authorization: Bearer …'.", secret: true),
    Field("basic", \.basic, "A user with a password, sent with every request."),
    Field("digest", \.digest, "A user with a password, proved to the server without sending it."),
    Field(
      "oauth2", \.oauth2, "Client credentials, for which a server of tokens gives a bearer token."),
    Field("sigv4", \.sigv4, "A key of AWS or a compatible service, which signs each request."))

  /// The ways that are given.
  private var names: [String] {
    let given = [
      ("bearer", bearer != nil), ("basic", basic != nil), ("digest", digest != nil),
      ("oauth2", oauth2 != nil), ("sigv4", sigv4 != nil),
    ]
    return given.filter(\.1).map(\.0)
  }

  /// Checks the authentication on its own.
  ///
  /// - Throws: `RequestError` for two ways, or for a text that cannot be sent.
  func check() throws(RequestError) {
    guard names.count <= 1 else { throw .logins(names) }
    for (name, text) in texts where !Header.isValue(text) { throw .headerValue(name) }
    if let user = basic?.user, user.contains(":") { throw .colon(user) }
    try oauth2?.check()
    try sigv4?.check()
  }

  private var texts: [(name: String, text: String)] {
    let login = basic ?? digest
    return [
      ("bearer", bearer), ("user", login?.user), ("password", login?.password),
      ("session_token", sigv4?.sessionToken), ("access_key", sigv4?.accessKey),
      ("secret_key", sigv4?.secretKey),
    ].compactMap { name, text in text.map { (name, $0) } }
  }
}

/// A user with a password.
struct Login: RecordRepresentable, Hashable {
  var user: String
  var password: String

  static let record = Record(
    Login.init(user:password:),
    Field("user", \.user, "The name of the user."),
    Field("password", \.password, "The password of the user.", secret: true))

  init(user: String, password: String) { (self.user, self.password) = (user, password) }

  /// Creates a login, or nil without a user or a password.
  init?(_ user: String?, _ password: String?) {
    guard let user, let password else { return nil }
    (self.user, self.password) = (user, password)
  }

  /// The value of the header for basic authentication.
  var basic: String { "Basic \(Bytes(Array("\(user):\(password)".utf8)).base64)" }
}

/// A key for signatures of version 4, for one service in one region.
struct SigningKey: RecordRepresentable, Hashable {
  var region: String
  var service: String
  var accessKey: String
  var secretKey: String
  var sessionToken: String?

  static let record = Record(
    SigningKey.init(region:service:accessKey:secretKey:sessionToken:),
    Field("region", \.region, "The region of the service.", examples: ["eu-central-1"]),
    Field("service", \.service, "The name of the service in signatures.", examples: ["s3"]),
    Field("access_key", \.accessKey, "The id of the key."),
    Field("secret_key", \.secretKey, "The key itself.", secret: true),
    Field(
      "session_token", \.sessionToken, "The token of temporary credentials.", secret: true))

  /// Checks the parts of the scope, which libcurl separates by colons.
  ///
  /// - Throws: `RequestError`.
  fileprivate func check() throws(RequestError) {
    for (name, text) in [("region", region), ("service", service)] {
      let isWord = text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
      guard isWord, !text.isEmpty else { throw .scope(name, text) }
    }
  }

  /// The login for libcurl.
  var login: TransferLogin {
    .signature(
      "aws:amz:\(region):\(service)", Login(user: accessKey, password: secretKey))
  }
}

/// The identity of a client that a server of tokens knows (RFC 6749, section 4.4).
struct ClientCredentials: RecordRepresentable, Hashable {
  /// The place of the client's id and secret in the request for a token.
  enum Place: String, CaseIterable, FieldValue {
    case header, body
  }

  var url: String
  var id: String
  var secret: String
  var scope: String?
  var parameters: [String: String]
  var place: Place

  static let record = Record(
    ClientCredentials.init(url:id:secret:scope:parameters:place:),
    Field("token_url", \.url, "The URL that gives tokens."),
    Field("client_id", \.id, "The id of the client."),
    Field("client_secret", \.secret, "The secret of the client.", secret: true),
    Field("scope", \.scope, "The scopes of the token, separated by blanks."),
    Field(
      "parameters", \.parameters, "More fields of the request, such as 'audience'.",
      default: [:]),
    Field(
      "credentials", \.place,
      "The place of the id and the secret: in the header 'Authorization' or in the body.",
      default: .header))

  /// Checks the URL.
  ///
  /// - Throws: `RequestError`.
  fileprivate func check() throws(RequestError) {
    do { _ = try WebAddress(url) } catch { throw .tokenAddress(error) }
  }

  /// The request for a token.
  ///
  /// - Throws: `RequestError`.
  func request() throws(RequestError) -> HTTPRequest {
    let address: WebAddress
    do { address = try WebAddress(url) } catch { throw .tokenAddress(error) }
    var fields = [(name: "grant_type", value: "client_credentials")]
    if let scope { fields.append(("scope", scope)) }
    fields += parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    if place == .body { fields += [("client_id", id), ("client_secret", secret)] }
    let kind = EncodedBody.Kind.form
    var request = try HTTPRequest(
      method: "POST", address: address,
      body: EncodedBody(
        kind: kind, type: kind.type, bytes: Array(PercentEncoding.form(fields).utf8)))
    request.set("Accept", "application/json")
    if place == .header {
      // Each of them is encoded as in a form (section 2.3.1).
      let login = Login(
        user: PercentEncoding.component.encode(id.utf8),
        password: PercentEncoding.component.encode(secret.utf8))
      request.set("Authorization", login.basic)
    }
    return request
  }
}
