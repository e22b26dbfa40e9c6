internal import FlowCore

/// The input of a request, as written in a scenario.
struct RequestInput: Sendable {
  var method = "GET"
  var path: String?
  var url: String?
  var query = NamedValues()
  var headers = NamedValues()
  var body = BodyInput()
  /// The authentication, or nil for that of the component.
  var authentication: Authentication?
  /// True to follow redirects, or nil for the setting of the component.
  var follows: Bool?
  /// The file for the response body, or nil to keep the body in the answer.
  var to: String?
  /// The id of the event after which a stream starts.
  var lastEventID: String?
  /// True if the server recognises a repeated request.
  var idempotency = false
  /// True to send the path as it is written.
  var keepsPath: Bool?

  /// The safety of repeating a request whose outcome is unknown.
  var safety: RetrySafety { idempotency ? .safe : .never }

  /// The input of `get` and `head`.
  static let plain = Record(
    { path, url, query, headers, auth, follow, to, keepsPath in
      RequestInput(
        path: path, url: url, query: query, headers: headers, authentication: auth,
        follows: follow, to: to, keepsPath: keepsPath)
    }, .path, .url, .query, .headers, .auth, .follow, .to, .keepsPath)

  /// The input of `listen`.
  static let listening = Record(
    { path, url, query, headers, json, form, body, auth, lastEventID, method in
      let content = BodyInput(json: json, form: form, text: body)
      return RequestInput(
        method: method ?? (content.isGiven ? "POST" : "GET"), path: path, url: url, query: query,
        headers: headers, body: content, authentication: auth, lastEventID: lastEventID)
    }, .path, .url, .query, .headers, .json, .form, .text, .auth,
    Field(
      "last_event_id", \.lastEventID,
      "The id of the last event already received. The stream starts after it."),
    Field("method", \.givenMethod, "The method. Default with a body: POST, otherwise GET."))

  /// The input of operations with a request body.
  static let sending = Record(
    {
      path, url, query, headers, json, form, body, file, multipart, bytes, auth, follow, to,
      idempotency, keepsPath in
      RequestInput(
        path: path, url: url, query: query, headers: headers,
        body: BodyInput(
          json: json, form: form, text: body, file: file, multipart: multipart, bytes: bytes),
        authentication: auth, follows: follow, to: to, idempotency: idempotency,
        keepsPath: keepsPath)
    }, .path, .url, .query, .headers, .json, .form, .text, .file, .multipart, .bytes, .auth,
    .follow, .to, .idempotency, .keepsPath)

  /// The input of `request`.
  static let any = Record(
    {
      method, path, url, query, headers, json, form, body, file, multipart, bytes, auth, follow,
      to, idempotency, keepsPath in
      RequestInput(
        method: method, path: path, url: url, query: query, headers: headers,
        body: BodyInput(
          json: json, form: form, text: body, file: file, multipart: multipart, bytes: bytes),
        authentication: auth, follows: follow, to: to, idempotency: idempotency,
        keepsPath: keepsPath)
    }, Field("method", \.method, "The method, such as OPTIONS.", examples: ["OPTIONS"]), .path,
    .url, .query, .headers, .json, .form, .text, .file, .multipart, .bytes, .auth, .follow, .to,
    .idempotency, .keepsPath)

  private var givenMethod: String? { method }

  /// Returns the same input with another method.
  func with(method: String) -> RequestInput {
    var copy = self
    copy.method = method
    return copy
  }
}

extension RequestInput {
  /// Checks the inputs known before the run, independently of the component's settings.
  ///
  /// - Throws: `RequestError`.
  static func check(_ known: [String: Value]) throws {
    func given(_ name: String) -> Bool { known[name].map { $0 != .null } ?? false }
    if given("url"), given("path") { throw RequestError.twoAddresses }
    let bodies = BodyInput.names.filter(given)
    guard bodies.count <= 1 else { throw RequestError.bodies(bodies) }
    if case .string(let method)? = known["method"], !bodies.isEmpty, Header.isSame(method, "HEAD") {
      throw RequestError.headWithBody
    }
    if let authentication = known["auth"], authentication != .null {
      try Authentication(decoding: authentication).check()
    }
    guard let headers = try known["headers"].map(NamedValues.init(decoding:)) else { return }
    let lines = try headers.headers
    guard let kind = bodies.first.map(EncodedBody.Kind.init(field:)) else { return }
    let body = BodyHeaders(body: EncodedBody(kind: kind, type: kind.type, bytes: []))
    for (name, value) in lines where Header.isSame(name, "Content-Type") {
      _ = try body.value(of: name, value, isDefault: false)
    }
  }
}

extension Field where Model == RequestInput, Content == String? {
  fileprivate static var path: Field {
    Field(
      "path", \.path, "A path below 'base'. It may have a query.",
      examples: ["places/7.json"])
  }
  fileprivate static var url: Field {
    Field("url", \.url, "A full URL, instead of 'path'.")
  }
  fileprivate static var text: Field {
    Field("body", \.body.text, "The body as text.")
  }
  fileprivate static var file: Field {
    Field("file", \.body.file, "The body from a file in the scenario's folder.")
  }
  fileprivate static var to: Field {
    Field("to", \.to, "A file in the scenario's folder for the response body.")
  }
}

extension Field where Model == RequestInput, Content == NamedValues {
  fileprivate static var query: Field {
    Field(
      "query", \.query, "Query parameters. A list becomes one parameter for each element.",
      default: NamedValues())
  }
}

extension Field where Model == RequestInput, Content == NamedValues {
  fileprivate static var headers: Field {
    Field(
      "headers", \.headers,
      "Headers for this request. They replace the component's headers of the same name.",
      default: NamedValues())
  }
}

extension Field where Model == RequestInput, Content == Authentication? {
  fileprivate static var auth: Field {
    Field(
      "auth", \.authentication,
      "The authentication of this request, in place of the component's. Empty for none.")
  }
}

extension Field where Model == RequestInput, Content == Bool? {
  fileprivate static var follow: Field {
    Field(
      "follow", \.follows, "Follows redirects, or not, in place of the component's setting.")
  }
  fileprivate static var keepsPath: Field {
    Field(
      "path_as_is", \.keepsPath,
      "Sends the path as it is written, with '..', '//' and special characters.")
  }
}

extension Field where Model == RequestInput, Content == Bytes? {
  fileprivate static var bytes: Field { Field("bytes", \.body.bytes, "The body as bytes.") }
}

extension Field where Model == RequestInput, Content == NamedValues? {
  fileprivate static var form: Field {
    Field(
      "form", \.body.form, "The body as form fields. A list becomes one field for each element.")
  }
}

extension Field where Model == RequestInput, Content == Value? {
  fileprivate static var json: Field {
    Field("json", \.body.json, "The body as JSON.")
  }
}

extension Field where Model == RequestInput, Content == [Part]? {
  fileprivate static var multipart: Field {
    Field("multipart", \.body.multipart, "The body as the parts of a form with files.")
  }
}

extension Field where Model == RequestInput, Content == Bool {
  fileprivate static var idempotency: Field {
    Field(
      "idempotency", \.idempotency,
      "Sends the header Idempotency-Key. A repeated call sends the same key.", default: false)
  }
}
