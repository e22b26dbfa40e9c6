internal import FlowCore

/// The response of a server to a request that was passed on.
struct ExchangeAnswer: Sendable {
  var status: Int
  var headers: HeaderFields
  var json: Value?
  /// The form of the JSON text, or nil for that of flow.
  var layout: String?
  var text: String?
  var bytes: Bytes?
  /// The number of bytes behind these that never came, or nil for a whole body.
  var missing: Int?
  var streamed = false
  /// The name for `piece`, or nil if the body is complete.
  var stream: String?
  var trailers: HeaderFields?
  /// The base of the component, or nil if the answer does not name it.
  var server: String?
  var date: String

  static let record = Record(
    ExchangeAnswer.init(
      status:headers:json:layout:text:bytes:missing:streamed:stream:trailers:server:date:),
    Field(
      "status", \.status, "The status code. Redirects are not followed.",
      plausible: [200, 404, 500]),
    Field(
      "headers", \.headers,
      "The headers as in http.request, without those about the connection and the coding.",
      compared: .whenRead),
    Field(
      "json", \.json, "A body that is JSON by its type and content. Otherwise null."),
    Field(
      "layout", \.layout,
      "How the server wrote `json`: its blanks, the order of its members and its escapes. Null for JSON without blanks and with sorted members, and for JSON that has no layout.",
      compared: .whenRead, mutated: .onRequest),
    Field(
      "text", \.text, "Another body that is UTF-8. Otherwise null.",
      compared: .whenReadBeside("json")),
    Field(
      "bytes", \.bytes, "Another body. Otherwise null.", compared: .whenReadBeside("json"),
      mutated: .whenPresent),
    Field(
      "missing", \.missing,
      "The number of bytes of the body that were announced and did not come. Null for a whole body.",
      mutated: .whenPresent),
    Field("streamed", \.streamed, "True if the body arrives in pieces, which 'piece' returns."),
    Field("stream", \.stream, "The name of the stream for 'piece'. Null without a stream."),
    Field(
      "trailers", \.trailers, "The trailers after the body, in the form of 'headers'.",
      compared: .whenRead, mutated: .whenPresent),
    Field(
      "server", \.server,
      "The address in 'base', if a header or a body that is text has it. A program that follows a link to it would not ask this component.",
      compared: .whenRead, mutated: .onRequest),
    Field("date", \.date, "The header 'date' of the response.", volatile: true))

  /// Creates an answer without a body.
  init(_ reply: TransferReply, to method: String, keepsCoding: Bool) {
    var headers = HeaderFields(head: reply.head)
    date = headers.remove("date") ?? ""
    for name in ["connection", "keep-alive", "transfer-encoding"] { _ = headers.remove(name) }
    if method != "HEAD" { _ = headers.remove("content-length") }
    if !keepsCoding { _ = headers.remove("content-encoding") }
    (status, self.headers) = (reply.status, headers)
    let trailers = HeaderFields(head: reply.trailers)
    self.trailers = trailers.fields.isEmpty ? nil : trailers
  }

  init(
    status: Int, headers: HeaderFields, json: Value?, layout: String?, text: String?, bytes: Bytes?,
    missing: Int?, streamed: Bool, stream: String?, trailers: HeaderFields?, server: String?,
    date: String
  ) {
    (self.status, self.headers, self.trailers, self.date) = (status, headers, trailers, date)
    (self.json, self.layout, self.text, self.bytes) = (json, layout, text, bytes)
    self.missing = missing
    (self.streamed, self.stream, self.server) = (streamed, stream, server)
  }

  /// Sets the form of a body that loses least: JSON, or else text, or else bytes.
  ///
  /// An empty body has none.
  mutating func set(body: [UInt8], type: MediaType) {
    if body.isEmpty { return }
    if type.isJSON, let value = try? Value(json: body), value != .null, value.excess() == nil,
      value.isExactJSON
    {
      json = value
      layout = JSONLayout(of: body, value)?.text
    } else if let text = String(validating: body, as: UTF8.self) {
      self.text = text
    } else {
      bytes = Bytes(body)
    }
  }
}

extension ExchangeAnswer {
  /// Notes an address as that of the server if a header or the body has it.
  mutating func note(server address: String?) {
    guard let address, !address.isEmpty else { return }
    let isNamed =
      headers.fields.contains { $0.value.contains(address) }
      || text?.contains(address) ?? false || json?.contains(address) ?? false
    if isNamed { server = address }
  }
}

extension Value {
  /// Returns true if a text in it has another one.
  fileprivate func contains(_ part: String) -> Bool {
    switch self {
    case .string(let text): text.contains(part)
    case .list(let values): values.contains { $0.contains(part) }
    case .map(let map): map.entries.contains { $0.value.contains(part) }
    default: false
    }
  }
}

extension HTTPClient {
  /// Passes a request on, and collects the body of the response unless it is a stream.
  ///
  /// - Throws: `HTTPError`, or `CancellationError`.
  func pass(
    _ request: HTTPRequest, in streams: BodyStreams, hiding secrets: Secrets
  ) async throws -> ExchangeAnswer {
    let start = ContinuousClock.now
    var reply = try await authorized(request.streaming, hiding: secrets) { request in
      Response(reply: try await exchange(request), address: request.address, elapsed: .zero)
    }.reply
    let headers = HeaderFields(head: reply.head)
    let keepsCoding = settings.decompresses == false
    if let kind = PieceKind(MediaType(headers["content-type"] ?? "")), reply.status == 200,
      request.method != "HEAD", !keepsCoding || headers["content-encoding"] == nil
    {
      if Task.isCancelled { end(reply.number) }
      try Task.checkCancellation()
      var answer = ExchangeAnswer(reply, to: request.method, keepsCoding: keepsCoding)
      answer.streamed = true
      answer.stream = streams.add(
        try BodyStream(reply, kind, from: request.address, with: self), of: request)
      return answer
    }
    try await collect(&reply, from: request.address, since: start)
    let body = try body(of: reply, from: request.address)
    var answer = ExchangeAnswer(
      reply, to: request.method, keepsCoding: keepsCoding || body.isLeftEncoded)
    answer.set(body: body.bytes, type: MediaType(headers["content-type"] ?? ""))
    answer.note(server: addressOfBase)
    return answer
  }

  /// Reads the whole body of a started response, and its trailers.
  private func collect(
    _ reply: inout TransferReply, from address: WebAddress, since start: ContinuousClock.Instant
  ) async throws {
    defer { end(reply.number) }
    while true {
      let piece = try await next(of: reply, from: address, since: start)
      if piece.bytes.isEmpty {
        reply.trailers = piece.trailers
        return
      }
      guard piece.bytes.count <= settings.limit - reply.body.count else {
        throw HTTPError.tooLarge("\(address)", limit: settings.limit)
      }
      reply.body += piece.bytes
    }
  }
}
