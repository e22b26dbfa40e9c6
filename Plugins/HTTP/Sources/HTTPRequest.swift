/// A request that is ready to be sent.
struct HTTPRequest: Sendable {
  /// Upper case.
  private(set) var method: String
  private(set) var address: WebAddress
  private var body: [UInt8]?
  // No two of one name, whatever the case of its letters.
  private var headers: [(name: String, value: String)] = []
  private var login: Login?
  /// Whether it asks for a stream of events.
  private(set) var isStream = false

  /// A request with the headers that its body asks for.
  ///
  /// - Throws: `RequestError` for a method that is not a token, or HEAD with a body.
  init(method: String, address: WebAddress, body: EncodedBody?) throws(RequestError) {
    guard Header.isName(method) else { throw .method(method) }
    self.method = method.uppercased()
    guard self.method != "HEAD" || body == nil else { throw .headWithBody }
    self.address = address
    set("User-Agent", "flow")
    // Servers refuse these methods without a length.
    self.body = body?.bytes ?? (Self.needsLength(self.method) ? [] : nil)
    if let body { set("Content-Type", body.type) }
  }

  /// Sends the credentials of the settings.
  mutating func authenticate(_ settings: HTTPSettings) {
    if let bearer = settings.bearer { set("Authorization", "Bearer \(bearer)") }
    if let user = settings.user, let password = settings.password {
      login = Login(user: user, password: password)
    }
  }

  /// Adds headers, in place of those of the same names.
  mutating func add(_ headers: HeaderFields) throws(RequestError) {
    for (name, value) in headers.fields {
      try Self.check(name, value)
      set(name, value)
    }
  }

  /// The request for the events behind the one with an id; for all of them, where that is empty.
  ///
  /// - Throws: `RequestError` for an id that cannot be a header.
  func listening(after id: String) throws(RequestError) -> HTTPRequest {
    var copy = self
    copy.isStream = true
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

  /// The exchange that sends it.
  func transfer(within timeout: Duration) -> Transfer {
    var lines = headers.map { Header.line($0.name, $0.value) }
    // libcurl adds these where they are not given: a type of forms, and a question that costs a second.
    if body != nil {
      if !has("Content-Type") { lines.append("Content-Type:") }
      if !has("Expect") { lines.append("Expect:") }
    }
    return Transfer(
      url: address.description, method: method, headers: lines, body: body,
      login: has("Authorization") ? nil : login, timeout: timeout, isStream: isStream)
  }

  /// Whether a status redirects to the header `location`.
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// The request that follows a redirect, by the rules of browsers (Fetch, section 4.4).
  func redirected(by status: Int, to target: WebAddress) -> HTTPRequest {
    var copy = self
    copy.address = target
    let isForm = (status == 301 || status == 302) && method == "POST"
    if isForm || (status == 303 && method != "GET" && method != "HEAD") {
      copy.method = "GET"
      copy.body = nil
      for name in ["Content-Type", "Content-Encoding", "Content-Language", "Content-Location"] {
        copy.remove(name)
      }
    }
    // What was meant for one server is not shown to another one.
    if !target.isSameServer(as: address) {
      copy.login = nil
      copy.remove("Authorization")
      copy.remove("Cookie")
    }
    return copy
  }

  private static func needsLength(_ method: String) -> Bool {
    switch method {
    case "POST", "PUT", "PATCH": true
    default: false
    }
  }

  private func has(_ name: String) -> Bool {
    headers.contains { Header.isSame($0.name, name) }
  }

  private mutating func remove(_ name: String) {
    headers.removeAll { Header.isSame($0.name, name) }
  }
}
