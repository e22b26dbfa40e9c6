import FlowCore
import HTTPPlugin
private import Synchronization

/// The connection to a server behind a URL, by Streamable HTTP.
final class WebLink: ServerLink {
  private struct State {
    var next = 1
    var session = WebSession()
    /// The requests that a new session starts with: the handshake, and the subscriptions.
    var setup: [(method: String, params: ValueMap)] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let client: WebClient
  private let context: Context
  private let hear: @Sendable (Heard) -> Void
  /// The methods of the server's questions that are heard.
  private let questions: Set<String>

  static let accepted: [MirroredHeaders.Header] = [
    ("Accept", "application/json, text/event-stream")
  ]
  /// The longest answer, as of a program's line.
  private static let longest = 64 << 20
  /// The time for requests whose answers are of no interest.
  private static let patience = Duration.seconds(2)

  /// Prepares a connection; nothing is sent yet.
  ///
  /// `hear` receives what the server says by itself.
  ///
  /// - Throws: `MCPError`, or `ComponentError` for a setting without a meaning.
  init(
    _ place: WebPlace, _ context: Context, hearing questions: Set<String> = [],
    hear: @escaping @Sendable (Heard) -> Void
  ) throws {
    do {
      client = try WebClient(
        place.url, headers: place.headers, bearer: place.bearer, limit: Self.longest, in: context)
    } catch let error as WebError {
      throw MCPError.unavailable("\(error)")
    }
    self.context = context
    (self.hear, self.questions) = (hear, questions)
  }

  let lastLines = ""

  func request(
    _ method: String, within limit: Duration, mirroring headers: [MirroredHeaders.Header],
    _ params: @escaping @Sendable (Int) -> ValueMap
  ) async throws -> Value {
    let id = nextID()
    let call = WebCall(method: method, params: params(id), id: id, mirrored: headers)
    let result = try await within(limit) { try await self.result(of: call) }
    guard let result else {
      if !call.isStateless { await withdraw(id) }
      throw MCPError.timeout(method, limit)
    }
    if method == "initialize" || method == "resources/subscribe" {
      state.withLock { $0.setup.append((method, call.params)) }
    }
    return result
  }

  func notify(_ method: String) async throws { try await post(Message.line(method, ValueMap())) }

  func reply(to id: Value, with part: (String, Value)) async throws {
    try await post(Message.line(answering: id, with: part))
  }

  func close() async {
    let (isClosed, session) = state.withLock { state in
      defer { state.isClosed = true }
      return (state.isClosed, state.session)
    }
    if isClosed { return }
    if session.name != nil {
      // The server may refuse it, and ends old sessions by itself.
      _ = try? await within(Self.patience) { [client] in
        try await client.send("DELETE", headers: session.headers).end()
      }
    }
    await client.close()
  }

  private func nextID() -> Int {
    state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
  }

  private var session: WebSession { state.withLock { $0.session } }

  private func within<Success: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success? {
    do { return try await WebClient.within(limit, work) } catch let error as WebError {
      throw MCPError.unavailable("\(error)")
    }
  }

  /// Sends a message whose answer has no content.
  private func post(_ message: [UInt8]) async throws {
    _ = try await within(Self.patience) { [client, session] in
      try await client.send("POST", headers: Self.accepted + session.headers, json: message).end()
    }
  }

  /// Tells a server with a session that nothing waits for an answer any more.
  private func withdraw(_ id: Int) async {
    // It makes no difference to the failed call if the server does not learn of it.
    try? await post(
      Message.line("notifications/cancelled", ValueMap([("requestId", .int(id))])))
  }

  // MARK: - Requests

  /// Sends a request, in a new session if the server has ended the old one.
  private func result(of call: WebCall) async throws -> Value {
    let session = session
    do { return try await exchange(call) } catch MCPError.status(404, _) where session.name != nil {
      try await renew(session)
      return try await exchange(call)
    }
  }

  private func renew(_ expired: WebSession) async throws {
    let setup = state.withLock { state -> [(method: String, params: ValueMap)] in
      // Another request has renewed it.
      guard state.session.name == expired.name else { return [] }
      state.session = WebSession()
      return state.setup
    }
    if setup.isEmpty { return }
    context.log("the server has ended the session, and a new one starts")
    for (method, params) in setup {
      _ = try await exchange(WebCall(method: method, params: params, id: nextID()))
      if method == "initialize" { try await notify("notifications/initialized") }
    }
  }

  private func exchange(_ call: WebCall) async throws -> Value {
    let session = call.isStateless || call.method == "initialize" ? WebSession() : session
    let response = try await client.send(
      "POST", headers: call.headers + session.headers, json: call.body)
    defer { response.end() }
    guard 200..<300 ~= response.status else {
      throw try await WebAnswer.failure(response, to: call.method)
    }
    let answer = WebAnswer(to: call) { [self] in try await take($0, of: call) }
    let result =
      switch response.mediaType {
      case "application/json": try await answer.whole(response)
      case "text/event-stream":
        try await answer.streamed(response) { [client] id in
          try await client.send(
            "GET",
            headers: [("Accept", "text/event-stream"), ("Last-Event-ID", id)] + session.headers)
        }
      default: throw MCPError.malformed(WebAnswer.wrongType(response, to: call.method))
      }
    if call.method == "initialize" {
      let session = try WebSession(response.header("mcp-session-id"), result)
      state.withLock { $0.session = session }
    }
    return result
  }

  /// Takes a message, and returns the result of a call if it is that.
  ///
  /// - Throws: The failure of the call.
  private func take(_ value: Value, of call: WebCall?) async throws -> Value? {
    switch Message(value) {
    case .answer(let id, let result): return id == call?.id ? result : nil
    // An error that concerns no part of the request has no number.
    case .failure(let id, let failure):
      if let call, id ?? call.id == call.id { throw failure }
    case .malformed(let id, let problem):
      if let call, id == call.id {
        throw MCPError.malformed("the answer to '\(call.method)' \(problem)")
      }
    case .notification(let method, let params): hear(.notification(method, params))
    case .request(let id, let method, let params)
    where questions.contains(method) && call?.isStateless != true:
      hear(.question(id: id, method: method, params: params))
    case .request(let id, let method, _):
      // Stateless revisions have no such requests.
      if call?.isStateless != true {
        try await post(Message.line(answering: id, with: Message.answer(to: method)))
      }
    case nil: hear(.noise(Array(value.json.utf8)))
    }
    return nil
  }

  // MARK: - News

  func listen(_ params: ValueMap?) async throws {
    let call = params.map { WebCall(method: "subscriptions/listen", params: $0, id: nextID()) }
    let first = try await within(.seconds(30)) { try await self.news(call) }
    guard let first, let stream = first else { return }
    context.spawn("listen") { [self] _ in try await report(stream, of: call) }
  }

  /// Opens a stream of news, or returns nil if the server has none.
  private func news(_ call: WebCall?) async throws -> WebResponse? {
    let response =
      if let call {
        try await client.send("POST", headers: call.headers, json: call.body)
      } else {
        try await client.send(
          "GET", headers: [("Accept", "text/event-stream")] + session.headers)
      }
    if response.status == 200, response.mediaType == "text/event-stream" { return response }
    defer { response.end() }
    if let call { throw try await WebAnswer.failure(response, to: call.method) }
    return nil
  }

  /// Reports news, and opens the stream again where it ends.
  private func report(_ first: WebResponse, of call: WebCall?) async throws {
    var (response, parser) = (Optional(first), EventParser(limit: Self.longest))
    var fruitless = 0
    while let stream = response, fruitless < Self.mostFruitless {
      fruitless += 1
      defer { stream.end() }
      do {
        while let bytes = try await stream.next(), !parser.isExceeded {
          for event in parser.events(in: bytes) {
            fruitless = 0
            guard let value = try? Value(json: Array(event.data.utf8)) else { continue }
            _ = try await take(value, of: nil)
          }
        }
      } catch is WebError {
        // A lost connection is opened again, as one that the server ends.
      }
      try await Task.sleep(for: max(parser.retry, Self.pause))
      parser.begin()
      response = try await news(call)
    }
  }

  private static let mostFruitless = 10
  private static let pause = Duration.milliseconds(100)
}
