internal import FlowCore

/// A request that is ready to be sent.
struct HTTPRequest: Sendable {
  /// Upper case.
  private(set) var method: String
  private(set) var address: WebAddress
  private var body: [UInt8]?
  private let bodyHeaders: BodyHeaders
  // No two of one name, whatever the case of its letters.
  private var headers: [(name: String, value: String)] = []
  /// True if the body of the answer is read as it comes.
  private(set) var isStream = false
  /// True if it goes by a proxy that is asked in HTTP.
  var usesProxy = false

  /// A request with the headers that its body asks for.
  ///
  /// - Throws: `RequestError` for a method that is not a token, or HEAD with a body.
  init(method: String, address: WebAddress, body: EncodedBody?) throws(RequestError) {
    guard Header.isName(method) else { throw .method(method) }
    self.method = method.uppercased()
    guard self.method != "HEAD" || body == nil else { throw .headWithBody }
    self.address = address
    bodyHeaders = BodyHeaders(body: body)
    set("User-Agent", "flow")
    // Servers refuse these methods without a length.
    self.body = body?.bytes ?? (Self.needsLength(self.method) ? [] : nil)
    if let body { set("Content-Type", body.type) }
  }

  /// Sends the credentials of the settings.
  mutating func authenticate(_ settings: HTTPSettings) {
    if let bearer = settings.bearer { set("Authorization", "Bearer \(bearer)") }
    if let user = settings.user, let password = settings.password {
      // Not libcurl's own option, which would put both into the URL of a redirect.
      set("Authorization", "Basic \(Bytes(Array("\(user):\(password)".utf8)).base64)")
    }
  }

  /// Adds the headers of a step, in place of those of the same names.
  mutating func add(_ headers: HeaderFields) throws(RequestError) {
    try add(headers, isDefault: false)
  }

  /// Adds the headers of a component, which give way to what the body says of itself.
  ///
  /// Of those that are for the component's own server, none where the request goes to another one.
  mutating func add(
    defaults headers: HeaderFields, toOtherServer isOther: Bool, hiding secrets: Secrets
  ) throws(RequestError) {
    try add(headers, isDefault: true)
    if isOther { removePrivateHeaders(hiding: secrets) }
  }

  private mutating func add(_ headers: HeaderFields, isDefault: Bool) throws(RequestError) {
    try headers.check()
    for (name, value) in headers.fields {
      if let value = try bodyHeaders.value(of: name, value, isDefault: isDefault) {
        set(name, value)
      }
    }
  }

  /// The request whose answer's body is read as it comes.
  var streaming: HTTPRequest {
    var copy = self
    copy.isStream = true
    return copy
  }

  /// Accepts what can be decompressed, unless a header says otherwise.
  mutating func acceptCodings() {
    if !has("Accept-Encoding"), !ContentCoding.accepted.isEmpty {
      set("Accept-Encoding", ContentCoding.accepted)
    }
  }

  /// The request for the events behind the one with an id; for all of them, where that is empty.
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

  /// - Throws: `RequestError` when a header would not be one header.
  static func check(_ name: String, _ value: String) throws(RequestError) {
    guard Header.isName(name) else { throw .headerName(name) }
    guard Header.isValue(value) else { throw .headerValue(name) }
  }

  /// The exchange that sends it; whether a redirect is followed decides on the body of a stream.
  func transfer(within timeout: Duration, follows isFollowed: Bool) -> Transfer {
    var lines: [String] = []
    var proxyLines: [String] = []
    for (name, value) in headers where !Header.isSame(name, "Cookie") {
      let line = Header.line(name, value)
      // It is the proxy's alone: without a tunnel the proxy gets the request itself.
      if usesProxy, Header.isSame(name, "Proxy-Authorization") {
        proxyLines.append(line)
        if address.isPlain { lines.append(line) }
      } else {
        lines.append(line)
      }
    }
    // libcurl adds these where they are not given: a type of forms, and a question that costs a second.
    if body != nil {
      if !has("Content-Type") { lines.append("Content-Type:") }
      if !has("Expect") { lines.append("Expect:") }
    }
    return Transfer(
      url: address.description, method: method, headers: lines, proxyHeaders: proxyLines,
      cookie: self["Cookie"], body: body, timeout: timeout, isStream: isStream,
      isFollowed: isFollowed)
  }

  /// Whether a status redirects to the header `location`.
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// The request that follows a redirect, by the rules of browsers (Fetch, section 4.4).
  ///
  /// - Throws: `RequestError` where the body contains a secret and would go to another server.
  func redirected(
    by status: Int, to target: WebAddress, hiding secrets: Secrets
  ) throws(RequestError) -> HTTPRequest {
    var copy = self
    copy.address = target
    let isForm = (status == 301 || status == 302) && method == "POST"
    if isForm || (status == 303 && method != "GET" && method != "HEAD") {
      copy.method = "GET"
      copy.body = nil
      copy.headers.removeAll { Self.bodyNames.contains($0.name.lowercased()) }
    }
    if target.isSameServer(as: address) { return copy }
    // What was meant for one server is not shown to another one.
    copy.removePrivateHeaders(hiding: secrets)
    if let body = copy.body, secrets.areRevealed(by: String(decoding: body, as: UTF8.self)) {
      throw .secretBody(target.hostAndPort())
    }
    return copy
  }

  /// Takes out the headers that are for one server alone: `Host`, those whose value contains a secret, and those whose
  /// name says so.
  ///
  /// The names are those that curl, browsers and Go do not send to another host, and words of similar ones. What is for
  /// a proxy goes on to it.
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

  // Of what a request without a body has none; also `Expect`, which is about sending it.
  private static let bodyNames: Set<String> = [
    "content-type", "content-encoding", "content-language", "content-location", "content-length",
    "transfer-encoding", "expect",
  ]

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

  private mutating func remove(_ name: String) {
    headers.removeAll { Header.isSame($0.name, name) }
  }
}
