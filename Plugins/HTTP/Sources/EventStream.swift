internal import FlowCore
internal import HTTPCoding

/// The response of a server to a request for an event stream.
struct ListenAnswer: Sendable {
  var status: Int
  var headers: HeaderFields
  var url: String

  static let record = Record(
    ListenAnswer.init(status:headers:url:),
    Field("status", \.status, "The status code. Events follow only if it is 200."),
    Field(
      "headers", \.headers, "The headers by lower-case name, without 'date', as in http.request.",
      compared: .whenRead),
    Field(
      "url", \.url, "The URL of the response, after redirects.", compared: .whenRead,
      mutated: .onRequest))
}

/// An event stream after its head has arrived.
struct EventStream: Sendable {
  /// The number of its exchange.
  let number: UInt64
  let answer: ListenAnswer
  /// True if events will come.
  ///
  /// Otherwise the exchange has ended.
  var isOpen: Bool { answer.status == 200 }
}

extension HTTPClient {
  /// Requests all events after an id, or all events.
  ///
  /// - Throws: `HTTPError`, also for a response with the status 200 that is not an event stream.
  func open(
    _ request: HTTPRequest, after id: String, hiding secrets: Secrets
  ) async throws -> EventStream {
    let response = try await send(try request.stream(after: id), hiding: secrets)
    let (reply, address) = (response.reply, response.address)
    var headers = HeaderFields(head: reply.head)
    _ = headers.remove("date")
    let stream = EventStream(
      number: reply.number,
      answer: ListenAnswer(status: reply.status, headers: headers, url: "\(address)"))
    guard stream.isOpen else {
      end(reply.number)
      return stream
    }
    let type = headers["content-type"] ?? ""
    guard MediaType(type).essence == "text/event-stream" else {
      end(reply.number)
      throw HTTPError.noEvents("\(address)", type: type)
    }
    return stream
  }
}

extension HTTPRequest {
  fileprivate func stream(after id: String) throws(HTTPError) -> HTTPRequest {
    do { return try listening(after: id) } catch { throw .request(error) }
  }
}

/// Reports the events of a stream, and opens it again where it ends, until its task is cancelled.
struct EventListener {
  static let received = EventKind(
    "received", "An open stream has sent an event.", ServerEvent.record)

  private let request: HTTPRequest
  private let client: HTTPClient
  private let context: Context
  private var parser: EventParser
  /// The number of connections in a row that ended without an event.
  private var fruitless = 0
  /// The time until which virtual time is held for the next event.
  private var patience: ContinuousClock.Instant
  private static let mostFruitless = 10
  // The pause even if a server asks for none, so that it is not asked in a tight loop.
  private static let leastPause = Duration.milliseconds(100)

  /// Creates a listener for a request.
  init(to request: HTTPRequest, after id: String, with client: HTTPClient, in context: Context) {
    (self.request, self.client, self.context) = (request, client, context)
    parser = EventParser(limit: client.settings.limit, lastID: id)
    patience = .now + client.settings.timeout
  }

  /// Listens until the stream is over, and logs the reason.
  ///
  /// - Throws: `CancellationError`.
  mutating func listen(to stream: EventStream) async throws {
    var next: EventStream? = stream
    do {
      while let stream = next {
        try await receive(stream)
        // A request with an effect is not made a second time.
        next = request.isRepeatable ? try await reopened() : nil
      }
    } catch let error as HTTPError {
      context.log("no more events: \(error)")
    }
  }

  /// Reports the events up to the end of one connection.
  private mutating func receive(_ stream: EventStream) async throws {
    defer { client.end(stream.number) }
    parser.begin()
    fruitless += 1
    do {
      let decoder = try client.decoder(of: stream.answer.headers)
      while true {
        let bytes = try await client.read(
          stream.number, holdingTimeUntil: patience, in: context)
        if bytes.isEmpty { return }
        var hasEvents = false
        try decoder.decode(bytes) { piece in
          hasEvents = try report(piece, of: stream) || hasEvents
        }
        if !hasEvents { continue }
        fruitless = 0
        patience = .now + client.settings.timeout
      }
    } catch is TransferFailure {
      // A broken connection counts as ended.
    } catch let error as ContentCodingError {
      throw HTTPError.undecoded(stream.answer.url, error)
    }
  }

  /// Reports the events in some bytes, or returns false without any.
  private mutating func report(_ bytes: [UInt8], of stream: EventStream) throws -> Bool {
    let events = parser.events(in: bytes)
    for event in events { context.emit(Self.received, event) }
    if parser.isExceeded {
      throw HTTPError.tooLarge(stream.answer.url, limit: client.settings.limit)
    }
    return !events.isEmpty
  }

  /// Opens the stream again after the server's pause, or returns nil if the server ends it.
  ///
  /// The stream continues after the latest event.
  ///
  /// - Throws: The last `HTTPError` if no connection brings an event, or `CancellationError`.
  private mutating func reopened() async throws -> EventStream? {
    while true {
      guard fruitless < Self.mostFruitless else {
        throw HTTPError.fruitless("\(request.address)", count: fruitless)
      }
      try await context.sleep(for: max(parser.retry, Self.leastPause))
      do {
        let stream = try await context.outside {
          [client, request, parser, secrets = context.secrets] in
          try await client.open(request, after: parser.lastID, hiding: secrets)
        }
        if stream.isOpen { return stream }
        context.log("no more events: \(stream.answer.url): status \(stream.answer.status)")
        return nil
      } catch let error as HTTPError where error.isPassing {
        fruitless += 1
      }
    }
  }
}
