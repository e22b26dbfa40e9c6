import FlowCore

/// The connection to a server: a program, or a URL.
protocol ServerLink: Sendable {
  /// Sends a request and waits for its answer.
  ///
  /// `params` returns the parameters for the number of the request. `headers` are for HTTP.
  ///
  /// - Throws: `ServerFailure`, `MCPError` or `CancellationError`.
  func request(
    _ method: String, within limit: Duration, mirroring headers: [MirroredHeaders.Header],
    _ params: @escaping @Sendable (Int) -> ValueMap
  ) async throws -> Value

  /// Sends a notification without parameters.
  func notify(_ method: String) async throws

  /// Opens the way of the server's news: with the parameters of `subscriptions/listen`, or nil in a
  /// revision with a handshake.
  func listen(_ params: ValueMap?) async throws

  /// Answers a question of the server, with `result` or `error` and its value.
  func reply(to id: Value, with part: (String, Value)) async throws

  /// The last lines that explain a failure, in words, or an empty string.
  var lastLines: String { get }

  /// Notes the end of a program a moment ago, before the connection is closed.
  func prepareToClose()

  /// Ends the connection, with everything behind it that belongs to flow. Called once or more.
  func close() async
}

extension ServerLink {
  func prepareToClose() {}

  func request(
    _ method: String, within limit: Duration, _ params: @escaping @Sendable (Int) -> ValueMap
  ) async throws -> Value {
    try await request(method, within: limit, mirroring: [], params)
  }
}

/// Something that a server says by itself.
enum Heard: Sendable {
  case notification(String, Value)
  /// A request of the server, of those that the client behind a stand-in answers.
  case question(id: Value, method: String, params: Value)
  /// A line that is no message.
  case noise([UInt8])
}
