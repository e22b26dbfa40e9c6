internal import FlowCore
internal import HTTPCoding

/// A request ready to be sent.
struct HTTPRequest: Sendable {
  /// The method in upper case.
  private(set) var method: String
  private(set) var address: WebAddress
  private var body: [UInt8]?
  private let bodyHeaders: BodyHeaders
  // Unique names, ignoring the case of their letters.
  private var headers: [(name: String, value: String)] = []
  /// The headers, in lower case, that are left out though they would be added.
  private var leftOut: Set<String> = []
  /// True if the body of the response is read as it arrives.
  private(set) var isStream = false
  /// True if another program's request is passed on, with its own headers alone.
  ///
  /// No cookie is added to it, no redirect is followed, and its path stays as written.
  let isPassedOn: Bool
  /// True if the request goes through an HTTP proxy.
  var usesProxy = false
  /// True if redirects are followed.
  var follows = true
  /// True if the path is sent as it is written.
  var keepsPath = false
  /// The Unix socket of the server, or nil.
  var unixSocket: String?
  /// The login that libcurl makes, or nil.
  private(set) var login: TransferLogin?
  /// The credentials for a token, which the request does not have yet, or nil.
  private(set) var credentials: ClientCredentials?

  /// Creates a request with the headers for its body.
  ///
  /// - Throws: `RequestError` for a method that is not a token, or HEAD with a body.
  init(method: String, address: WebAddress, body: EncodedBody?) throws(RequestError) {
    guard Header.isName(method) else { throw .method(method) }
    self.method = method.uppercased()
    guard self.method != "HEAD" || body == nil else { throw .headWithBody }
    self.address = address
    isPassedOn = false
    bodyHeaders = BodyHeaders(body: body)
    set("User-Agent", "flow")
    // Servers refuse these methods without a length.
    self.body = body?.bytes ?? (Self.needsLength(self.method) ? [] : nil)
    if let body { set("Content-Type", body.type) }
  }

  /// Creates the request of another program, with its headers as they are.
  ///
  /// Its body decides on its framing, so the headers about that are left out.
  ///
  /// - Throws: `RequestError` for a method that is not a token, HEAD with a body, or an invalid
  ///   header.
  init(
    passing method: String, to address: WebAddress, headers: [(name: String, value: String)],
    body: EncodedBody?
  ) throws(RequestError) {
    guard Header.isName(method) else { throw .method(method) }
    guard method != "HEAD" || body == nil else { throw .headWithBody }
    (self.method, self.address) = (method, address)
    isPassedOn = true
    follows = false
    bodyHeaders = BodyHeaders(body: nil)
    self.body = body?.bytes ?? (Self.needsLength(method) ? [] : nil)
    for (name, value) in headers where !Self.framingNames.contains(name.lowercased()) {
      try Self.check(name, value)
      self.headers.append((name, value))
    }
    if let body, body.kind != .opaque, !has("Content-Type") { set("Content-Type", body.type) }
  }

  private static let framingNames: Set<String> = ["content-length", "transfer-encoding"]

  /// Adds the authentication.
  ///
  /// A header `Authorization` that is added later takes its place.
  mutating func authenticate(_ authentication: Authentication) {
    remove("Authorization")
    (login, credentials) = (authentication.digest.map { .digest($0) }, authentication.oauth2)
    if let bearer = authentication.bearer { set("Authorization", "Bearer \(bearer)") }
    // libcurl's own option would put the user and the password into the URL of a redirect.
    if let login = authentication.basic { set("Authorization", login.basic) }
    guard let key = authentication.sigv4 else { return }
    login = key.login
    address = address.signable
    if let token = key.sessionToken { set("X-Amz-Security-Token", token) }
  }

  /// Returns the request with a token in place of the credentials for it.
  func with(token: AccessToken) -> HTTPRequest {
    var copy = self
    copy.credentials = nil
    copy.set("Authorization", "Bearer \(token.text)")
    return copy
  }

  /// Adds the headers of a step, replacing headers of the same names.
  mutating func add(_ headers: NamedValues) throws(RequestError) {
    try add(headers, isDefault: false)
  }

  /// Adds the headers of a component, which give way to those of the body.
  ///
  /// Headers meant for the component's own server are left out if the request goes to another one.
  mutating func add(
    defaults headers: NamedValues, toOtherServer isOther: Bool, hiding secrets: Secrets
  ) throws(RequestError) {
    try add(headers, isDefault: true)
    if isOther { removePrivateHeaders(hiding: secrets) }
  }

  private mutating func add(_ headers: NamedValues, isDefault: Bool) throws(RequestError) {
    let lines = try headers.headers
    for name in headers.absent where isRemovable(name, isDefault) {
      remove(name)
      leftOut.insert(name.lowercased())
    }
    var latest: String?
    for (name, value) in lines {
      if let value = try bodyHeaders.value(of: name, value, isDefault: isDefault) {
        if name == latest { self.headers.append((name, value)) } else { set(name, value) }
        latest = name
      }
      if Header.isSame(name, "Authorization") { (login, credentials) = (nil, nil) }
    }
  }

  /// Null leaves out a header, except the type of a body that says by its form what it is.
  private func isRemovable(_ name: String, _ isDefault: Bool) -> Bool {
    guard Header.isSame(name, "Content-Type") else { return true }
    return !isDefault && bodyHeaders.body?.kind == .opaque
  }

  /// The same request with a response body read as it arrives.
  var streaming: HTTPRequest {
    var copy = self
    copy.isStream = true
    return copy
  }

  /// Accepts the supported codings unless a header says otherwise.
  mutating func acceptCodings() {
    let isLeftOut = leftOut.contains("accept-encoding")
    if !isLeftOut, !has("Accept-Encoding"), !ContentCoding.accepted.isEmpty {
      set("Accept-Encoding", ContentCoding.accepted)
    }
  }

  /// Returns the request for all events after an id, or for all events if the id is empty.
  ///
  /// - Throws: `RequestError` for an id that cannot be a header.
  func listening(after id: String) throws(RequestError) -> HTTPRequest {
    var copy = streaming
    if !has("Accept") { copy.set("Accept", "text/event-stream") }
    if id.isEmpty { return copy }
    try Self.check("Last-Event-ID", id)
    copy.set("Last-Event-ID", id)
    return copy
  }

  /// Sets a header.
  mutating func set(_ name: String, _ value: String) {
    remove(name)
    headers.append((name, value))
  }

  /// - Throws: `RequestError` for an invalid name, or for a value that would start another header.
  static func check(_ name: String, _ value: String) throws(RequestError) {
    guard Header.isName(name) else { throw .headerName(name) }
    guard Header.isValue(value) else { throw .headerValue(name) }
  }

  /// Returns the exchange for this request.
  ///
  /// If it follows a redirect, a stream skips the body.
  func transfer(within timeout: Duration, limit: Int) -> Transfer {
    var lines: [String] = []
    var proxyLines: [String] = []
    for (name, value) in isSigned ? joinedHeaders : headers
    where isPassedOn || !Header.isSame(name, "Cookie") {
      let line = Header.line(name, value)
      // Meant for the proxy alone. Without a tunnel the proxy gets the request itself.
      if usesProxy, Header.isSame(name, "Proxy-Authorization") {
        proxyLines.append(line)
        if address.isPlain { lines.append(line) }
      } else {
        lines.append(line)
      }
    }
    // libcurl adds these if they are missing: a form's content type, and an `Expect` that costs a
    // second.
    if body != nil {
      if !has("Content-Type") { lines.append("Content-Type:") }
      // libcurl before 8.3 also signs it, though it is not sent.
      if !has("Expect"), !isSigned { lines.append("Expect:") }
    }
    if isPassedOn || leftOut.contains("accept"), !has("Accept") { lines.append("Accept:") }
    return Transfer(
      url: address.description, method: method, headers: lines, proxyHeaders: proxyLines,
      cookie: isPassedOn ? nil : cookies, body: body, timeout: timeout, limit: limit,
      isStream: isStream,
      isFollowed: follows, isPassedOn: isPassedOn,
      isOnce: !Self.isSafe(method) && (isPassedOn || !has("Idempotency-Key")),
      keepsPath: keepsPath, login: login, unixSocket: unixSocket)
  }

  /// Returns true if a status redirects to the `location` header.
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// Returns the request following a redirect, by the rules of browsers (Fetch, section 4.4).
  ///
  /// - Throws: `RequestError` if the body contains a secret and would go to another server.
  func redirected(
    by status: Int, to target: WebAddress, hiding secrets: Secrets
  ) throws(RequestError) -> HTTPRequest {
    var copy = self
    copy.address = isSigned ? target.signable : target
    let isForm = (status == 301 || status == 302) && method == "POST"
    if isForm || (status == 303 && method != "GET" && method != "HEAD") {
      copy.method = "GET"
      copy.body = nil
      copy.headers.removeAll { Self.bodyNames.contains($0.name.lowercased()) }
    }
    if target.isSameServer(as: address) { return copy }
    // Headers meant for one server are not sent to another one.
    copy.removePrivateHeaders(hiding: secrets)
    (copy.login, copy.unixSocket) = (nil, nil)
    if let body = copy.body, secrets.areRevealed(by: String(decoding: body, as: UTF8.self)) {
      throw .secretBody(target.hostAndPort())
    }
    return copy
  }

  /// Removes the headers meant for one server alone: `Host`, values containing a secret, and
  /// private names.
  ///
  /// The names are those that curl, browsers and Go keep from other hosts, and words of similar
  /// ones. Headers for a proxy are kept.
  private mutating func removePrivateHeaders(hiding secrets: Secrets) {
    headers.removeAll { name, value in
      let name = name.lowercased()
      if usesProxy, name == "proxy-authorization" { return false }
      return name == "host" || Self.privateWords.contains { name.contains($0) }
        || name.split(separator: "-").contains("auth") || secrets.areRevealed(by: value)
    }
  }

  private static let privateWords = [
    "authoriz", "authentic", "cookie", "token", "secret", "password", "passwd", "api-key", "apikey",
    "access-key", "credential", "session", "csrf", "xsrf", "signature",
  ]

  // The headers that describe a body, and `Expect`, which is about sending it.
  private static let bodyNames: Set<String> = [
    "content-type", "content-encoding", "content-language", "content-location", "content-length",
    "transfer-encoding", "expect",
  ]

  /// True if the method changes nothing.
  var isRepeatable: Bool { Self.isSafe(method) }

  /// Returns true if a method changes nothing (RFC 9110, section 9.2.1).
  static func isSafe(_ method: String) -> Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE": true
    default: false
    }
  }

  private static func needsLength(_ method: String) -> Bool {
    switch method {
    case "POST", "PUT", "PATCH": true
    default: false
    }
  }

  private func has(_ name: String) -> Bool { self[name] != nil }

  private subscript(name: String) -> String? {
    headers.first { Header.isSame($0.name, name) }?.value
  }

  /// True if libcurl signs the request.
  private var isSigned: Bool { if case .signature? = login { true } else { false } }

  /// The headers with the values of each name in one, as a signature has them.
  private var joinedHeaders: [(name: String, value: String)] {
    var joined: [(name: String, value: String)] = []
    for (name, value) in headers {
      if let index = joined.firstIndex(where: { Header.isSame($0.name, name) }) {
        joined[index].value += ", " + value
      } else {
        joined.append((name, value))
      }
    }
    return joined
  }

  /// The values of the header `Cookie`, which is sent once (RFC 6265, section 5.4).
  private var cookies: String? {
    let values = headers.filter { Header.isSame($0.name, "Cookie") }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: "; ")
  }

  private mutating func remove(_ name: String) {
    headers.removeAll { Header.isSame($0.name, name) }
  }
}
