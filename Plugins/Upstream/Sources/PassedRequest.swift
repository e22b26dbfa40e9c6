internal import FlowCore
private import HTTPCoding

/// A request in one form, however the program writes it.
struct PassedRequest: RecordRepresentable {
  private(set) var method: String
  private(set) var path: String
  private(set) var query: RequestFields = [:]
  private(set) var headers: RequestFields
  private(set) var json: Value?
  private(set) var form: RequestFields?
  private(set) var text: String?
  private(set) var bytes: Bytes?
  private(set) var coding: String?
  private(set) var origin: String?
  private(set) var agent: String?
  private(set) var aside: RequestFields?
  private(set) var written: Bytes?

  static let record = Record(
    PassedRequest.init(
      method:path:query:headers:json:form:text:bytes:coding:origin:agent:
      aside:written:),
    Field("method", \.method, "The method."),
    Field("path", \.path, "The path as the program wrote it, without the query."),
    Field(
      "query", \.query,
      "The parameters of the query. A repeated one is a list, and one without a value null."),
    Field("headers", \.headers, "The headers that are passed on. A repeated one is a list."),
    Field("json", \.json, "A body that is JSON."), Field("form", \.form, "A body that is a form."),
    Field("text", \.text, "Another body that is UTF-8."),
    Field("bytes", \.bytes, "Another body."),
    Field("coding", \.coding, "How the program had compressed the body, as 'gzip'."),
    Field("origin", \.origin, "The server of a request to the proxy, as 'https://pay.example'."),
    Field(
      "agent", \.agent,
      "The header 'user-agent', which is passed on and never compared: it has the version of a library.",
      volatile: true),
    Field(
      "aside", \.aside, "Headers that are passed on, and left out of recordings.", volatile: true),
    Field(
      "written", \.written,
      "The bytes of JSON or of a form, which are passed on. They are compared by their content.",
      volatile: true))

  private init(
    method: String, path: String, query: RequestFields, headers: RequestFields, json: Value?,
    form: RequestFields?, text: String?, bytes: Bytes?, coding: String?, origin: String?,
    agent: String?, aside: RequestFields?, written: Bytes?
  ) {
    (self.method, self.path, self.query, self.headers) = (method, path, query, headers)
    (self.json, self.form, self.text, self.bytes) = (json, form, text, bytes)
    (self.coding, self.origin, self.agent) = (coding, origin, agent)
    (self.aside, self.written) = (aside, written)
  }

  /// Reads a request, without the dropped headers.
  init(_ request: IncomingRequest, _ passed: PassedHeaders) {
    let target = request.target
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    method = request.method
    headers = passed.headers(of: request)
    origin = request.server?.origin
    agent = request.headers.first { $0.name.lowercased() == "user-agent" }?.value
    if parts.count < 2 {
      path = target
    } else if let fields = FormFields(parts[1], allowsFlags: true) {
      (path, query) = (String(parts[0]), fields.values)
    } else {
      // Not a list of fields, so it stays as it is.
      path = target
    }
    read(request.body)
  }

  /// The request to another server, without the name of this one.
  func sent(to origin: String) -> PassedRequest {
    var copy = self
    copy.origin = origin
    copy.headers = headers.without("host")
    return copy
  }

  /// Returns the request with some headers among those that are not recorded.
  func settingAside(_ isAside: (String) -> Bool) -> PassedRequest {
    let names = headers.entries.map(\.name).filter(isAside)
    if names.isEmpty { return self }
    var copy = self
    copy.aside = headers.only(names)
    for name in names { copy.headers = copy.headers.without(name) }
    return copy
  }

  /// The request with another address in its values.
  func replacing(_ address: String, with other: String) -> PassedRequest {
    var copy = changing { $0.replacing(address: address, with: other) }
    copy.text = text?.replacing(address: address, with: other)
    return copy
  }

  /// The request with known texts in place of equal ones.
  func sharing(_ texts: SharedTexts) -> PassedRequest {
    var copy = self
    copy.json = json.map { $0.mapping(texts.shared) }
    return copy
  }

  /// The request with other values in its fields.
  func changing(_ change: (Value) -> Value) -> PassedRequest {
    var copy = self
    (copy.query, copy.headers) = (query.changing(change), headers.changing(change))
    (copy.form, copy.json) = (form.map { $0.changing(change) }, json.map { $0.mapping(change) })
    // The bytes have the values from before.
    if copy.form?.encoded != form?.encoded || copy.json != json { copy.written = nil }
    return copy
  }

  /// Reads a body, and that in a compressed one: two runs compress one content differently, as the
  /// head of gzip has the time (RFC 1952, section 2.3.1).
  private mutating func read(_ body: [UInt8]) {
    if body.isEmpty { return }
    if let (name, content) = decoded(body) {
      coding = name
      headers = headers.without("content-encoding")
      return read(content)
    }
    if case .string(let type)? = headers["content-type"],
      let parts = MultipartBoundary(type: type, body: body), parts.type != type
    {
      headers = headers.with("content-type", parts.type)
      return read(parts.body)
    }
    let type = Self.essence(headers["content-type"])
    if headers["content-encoding"] != nil {
      bytes = Bytes(body)
    } else if !isSigned, type.hasSuffix("json"), let json = try? Value(json: body), json != .null {
      (self.json, written) = (json, Bytes(body))
    } else if let text = String(validating: body, as: UTF8.self) {
      if !isSigned, type == "application/x-www-form-urlencoded", let fields = FormFields(text) {
        (form, written) = (fields.values, Bytes(body))
      } else {
        self.text = text
      }
    } else {
      bytes = Bytes(body)
    }
  }

  /// True if a header has a signature or a digest of the body, so that its bytes have a meaning: the
  /// body is passed on, and compared, as it is written.
  private var isSigned: Bool {
    headers.entries.contains { name, _ in
      ["signature", "digest", "hmac", "content-md5", "content-sha256"].contains(
        where: name.contains)
    }
  }

  /// The content of a compressed body with the name of its coding, or nil for another one.
  private func decoded(_ body: [UInt8]) -> (name: String, content: [UInt8])? {
    guard case .string(let name)? = headers["content-encoding"],
      let decoder = try? ContentDecoder(name), !decoder.isIdentity
    else { return nil }
    var content: [UInt8] = []
    do {
      try decoder.decode(body) { piece in
        content += piece
        if content.count > Self.largestContent { throw ContentCodingError.exhausted }
      }
      try decoder.finish()
    } catch {
      return nil
    }
    return (name, content)
  }

  /// The largest content of a compressed body, in bytes.
  private static let largestContent = 64 << 20

  private static func essence(_ type: Value?) -> String {
    guard case .string(let text)? = type else { return "" }
    return text.prefix { $0 != ";" && $0 != " " }.lowercased()
  }

  /// Returns the method and the path, for readable addresses.
  func label(of role: ServerRole, in context: Context) -> String {
    let path = role.exchange.constantText(path, of: "path", in: context)
    // A space, since a hyphen is a digit of base 64.
    return context.label(path.isEmpty ? method : "\(method) \(path.drop { $0 == "/" })")
  }
}

/// The fields of a query or a form, if they can be written again in the same way.
private struct FormFields {
  let values: RequestFields

  /// Reads fields, each with a value, or with null for one without `=`, such as a flag of a query.
  init?(_ text: some StringProtocol, allowsFlags: Bool = false) {
    var fields: [(String, Value)] = []
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decodeForm(parts[0]) else { return nil }
      if parts.count == 2 {
        guard let value = PercentEncoding.decodeForm(parts[1]) else { return nil }
        fields.append((name, .string(value)))
      } else {
        guard allowsFlags, !name.isEmpty else { return nil }
        fields.append((name, .null))
      }
    }
    values = RequestFields(values: fields)
  }
}

/// The choice of headers to pass on.
struct PassedHeaders: Sendable {
  private let dropped: Set<String>
  private let dropsHost: Bool

  /// Passes on no headers of these names, in addition to those that concern one connection or name
  /// the program's library.
  init(dropping names: [String]) {
    let names = Set(names.map { $0.lowercased() })
    dropped = names.union(Self.ofConnections).union(Self.ofLibraries)
    dropsHost = names.contains("host")
  }

  /// The headers of one connection (RFC 9110, section 7.6.1), and those that are written anew.
  static let ofConnections: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "content-length", "expect", "host",
  ]
  /// The headers that differ between versions of a library, or from run to run.
  private static let ofLibraries: Set<String> = [
    "user-agent", "accept-encoding", "date", "traceparent", "tracestate", "baggage",
  ]

  /// Returns true for a header with a name in lower case that is not passed on.
  func drops(_ name: String) -> Bool { dropped.contains(name) }

  /// The headers by their names in lower case.
  ///
  /// `host` is among them in a tunnel to another server, which may choose between several by it.
  func headers(of request: IncomingRequest) -> RequestFields {
    let passed = request.headers.filter { name, value in
      !dropped.contains(name.lowercased()) || !dropsHost && request.isOtherHost(name, value)
    }
    return RequestFields(values: passed.map { ($0.name.lowercased(), .string($0.value)) })
  }
}
