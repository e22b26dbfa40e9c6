internal import FlowCore

/// A request in one form, however the program writes it.
struct PassedRequest: Sendable {
  private(set) var method: String
  private(set) var path: String
  private(set) var query: RequestFields = [:]
  private(set) var headers: RequestFields
  private(set) var json: Value?
  private(set) var form: RequestFields?
  private(set) var text: String?
  private(set) var bytes: Bytes?
  private(set) var origin: String?

  static let record = Record(
    PassedRequest.init(method:path:query:headers:json:form:text:bytes:origin:),
    Field("method", \.method, "The method."),
    Field("path", \.path, "The path as the program wrote it, without the query."),
    Field("query", \.query, "The parameters of the query. A repeated one is a list."),
    Field("headers", \.headers, "The headers that are passed on. A repeated one is a list."),
    Field("json", \.json, "A body that is JSON."), Field("form", \.form, "A body that is a form."),
    Field("text", \.text, "Another body that is UTF-8."),
    Field("bytes", \.bytes, "Another body."),
    Field("origin", \.origin, "The server of a request to the proxy, as 'https://pay.example'."))

  private init(
    method: String, path: String, query: RequestFields, headers: RequestFields, json: Value?,
    form: RequestFields?, text: String?, bytes: Bytes?, origin: String?
  ) {
    (self.method, self.path, self.query, self.headers) = (method, path, query, headers)
    (self.json, self.form, self.text, self.bytes) = (json, form, text, bytes)
    self.origin = origin
  }

  /// Reads a request, without the dropped headers.
  init(_ request: IncomingRequest, _ passed: PassedHeaders) {
    let target = request.target
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    method = request.method
    headers = passed.headers(of: request)
    origin = request.server?.origin
    if parts.count < 2 {
      path = target
    } else if let fields = FormFields(parts[1]) {
      (path, query) = (String(parts[0]), fields.values)
    } else {
      // Not a list of fields, so it stays as it is.
      path = target
    }
    read(request.body)
  }

  private mutating func read(_ body: [UInt8]) {
    if body.isEmpty { return }
    let type = Self.essence(headers["content-type"])
    if headers["content-encoding"] != nil {
      bytes = Bytes(body)
    } else if type.hasSuffix("json"), let json = try? Value(json: body), json != .null {
      self.json = json
    } else if let text = String(validating: body, as: UTF8.self) {
      if type == "application/x-www-form-urlencoded", let fields = FormFields(text) {
        form = fields.values
      } else {
        self.text = text
      }
    } else {
      bytes = Bytes(body)
    }
  }

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

  init?(_ text: some StringProtocol) {
    var fields: [(String, Value)] = []
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = PercentEncoding.decodeForm(parts[0]),
        let value = PercentEncoding.decodeForm(parts[1])
      else { return nil }
      fields.append((name, .string(value)))
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
