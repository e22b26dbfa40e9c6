internal import FlowCore

/// The response of a server to a request that was passed on.
struct ExchangeAnswer: Sendable {
  var status: Int
  var headers: HeaderFields
  var json: Value?
  var text: String?
  var bytes: Bytes?
  var streamed = false
  /// The name for `piece`, or nil if the body is complete.
  var stream: String?
  var trailers: HeaderFields?
  var date: String

  static let record = Record(
    ExchangeAnswer.init(status:headers:json:text:bytes:streamed:stream:trailers:date:),
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
      "text", \.text, "Another body that is UTF-8. Otherwise null.",
      compared: .whenReadBeside("json")),
    Field(
      "bytes", \.bytes, "Another body. Otherwise null.", compared: .whenReadBeside("json"),
      mutated: .whenPresent),
    Field("streamed", \.streamed, "True if the body arrives in pieces, which 'piece' returns."),
    Field("stream", \.stream, "The name of the stream for 'piece'. Null without a stream."),
    Field(
      "trailers", \.trailers, "The trailers after the body, in the form of 'headers'.",
      compared: .whenRead, mutated: .whenPresent),
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
    status: Int, headers: HeaderFields, json: Value?, text: String?, bytes: Bytes?,
    streamed: Bool, stream: String?, trailers: HeaderFields?, date: String
  ) {
    (self.status, self.headers, self.trailers, self.date) = (status, headers, trailers, date)
    (self.json, self.text, self.bytes) = (json, text, bytes)
    (self.streamed, self.stream) = (streamed, stream)
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
    } else if let text = String(validating: body, as: UTF8.self) {
      self.text = text
    } else {
      bytes = Bytes(body)
    }
  }
}

extension Value {
  /// True if no number has more digits than a decimal: a recording shows such a body as its text.
  fileprivate var isExactJSON: Bool {
    switch self {
    case .number(let number): !number.isLong
    case .list(let elements): elements.allSatisfy(\.isExactJSON)
    case .map(let map): map.entries.allSatisfy { $0.value.isExactJSON }
    default: true
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
