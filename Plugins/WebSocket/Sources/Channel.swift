internal import FlowCore
internal import HTTPPlugin
internal import WebSocketCoding

/// An open connection with its protocol.
///
/// One task at a time reads. It answers pings and the close frame of the server.
actor Channel {
  /// Something that arrived on a connection.
  enum Arrival: Sendable {
    case message(Message)
    case end(Ending)
  }

  nonisolated let url: String
  private let connection: UpgradedConnection
  private let state: WebSocketConnection
  private let timeout: Duration
  private var pongs: [[UInt8]: Signal<Void>] = [:]
  private var pingCount = 0
  private let end = Signal<Ending>()
  /// The end of the connection, or nil while it is open.
  private var ending: Ending?

  /// Creates a channel on a connection after its handshake.
  init(
    _ connection: UpgradedConnection, _ agreement: WebSocketAgreement, start: [UInt8],
    _ settings: WebSocketSettings
  ) {
    (self.connection, url, timeout) = (connection, connection.url, settings.timeout)
    state = WebSocketConnection(
      side: .client, limits: WebSocketLimits(message: settings.limit),
      deflate: agreement.deflate, mask: { .random(in: .min ... .max) })
    state.append(start)
  }

  // MARK: - Receiving

  /// Waits for the next message, or for the end, after which the connection is closed.
  ///
  /// - Throws: `WebSocketError` for a violation of the protocol, which ends the connection as well,
  ///   or `CancellationError`, which loses nothing.
  func next() async throws -> Arrival {
    while true {
      while let event = state.next() {
        if let arrival = try await arrival(event) { return arrival }
      }
      if let ending { return .end(ending) }
      guard let bytes = try await received() else {
        await finish(.lost)
        return .end(.lost)
      }
      state.append(bytes)
    }
  }

  /// Waits for the next arrival, and holds virtual time until a real instant, and no longer: a step
  /// that waits for time to pass would wait forever.
  ///
  /// - Throws: As above.
  nonisolated func next(
    holdingTimeUntil end: ContinuousClock.Instant, in context: Context
  ) async throws -> Arrival {
    let rest = end - .now
    if rest > .zero {
      let arrival = try await context.outside {
        try await WebClient.within(rest) { try await self.next() }
      }
      if let arrival { return arrival }
    }
    return try await next()
  }

  /// Returns the next bytes, or nil after the loss of the connection.
  private func received() async throws -> [UInt8]? {
    do {
      let bytes = try await connection.receive()
      return bytes.isEmpty ? nil : bytes
    } catch is any CodedError {
      return nil
    }
  }

  private func arrival(_ event: WebSocketEvent) async throws -> Arrival? {
    switch event {
    case .text(let text): return .message(.text(text))
    case .binary(let bytes): return .message(.binary(bytes))
    case .ping(let payload):
      // A server that is gone is noticed by the next bytes.
      do { try await connection.send(state.pong(payload)) } catch is any CodedError {}
      return nil
    case .pong(let payload):
      pongs.removeValue(forKey: payload)?.fire(.success(()))
      return nil
    case .close(let close):
      await finish(Ending(close), sending: WebSocketClose(close.code))
      return .end(Ending(close))
    case .failure(let failure):
      await finish(Ending(failure), sending: WebSocketClose(failure.code))
      throw WebSocketError.violation(url, failure)
    }
  }

  // MARK: - Sending

  /// Sends a message, and waits until the system has taken it.
  ///
  /// - Throws: A `CodedError`, or `CancellationError`.
  func send(_ message: Message) async throws {
    try checkOpen()
    switch message {
    case .text(let text): try await transmit(state.text(text))
    case .binary(let bytes): try await transmit(state.binary(bytes))
    }
  }

  /// Sends a ping, and waits for its pong.
  ///
  /// - Throws: A `CodedError`, or `CancellationError`.
  func ping() async throws {
    try checkOpen()
    pingCount += 1
    let payload = Array("\(pingCount)".utf8)
    let pong = Signal<Void>()
    pongs[payload] = pong
    defer { pongs[payload] = nil }
    try await transmit(state.ping(payload))
    guard try await WebClient.within(timeout, { try await pong.value() }) != nil else {
      throw WebSocketError.noPong(url, timeout)
    }
  }

  /// Sends a close frame, and waits for the end, which another task reads.
  ///
  /// - Throws: A `CodedError`, or `CancellationError`.
  func close(_ close: WebSocketClose) async throws -> Ending {
    try checkOpen()
    do { try await transmit(state.close(close)) } catch WebSocketError.closed(_, let ending) {
      // The server was faster.
      return ending
    }
    if let ending = try await WebClient.within(timeout, { [end] in try await end.value() }) {
      return ending
    }
    await finish(.lost)
    throw WebSocketError.noClose(url, timeout)
  }

  /// Sends a close frame without waiting for the end, or drops the connection for nil.
  ///
  /// - Throws: A `CodedError`, or `CancellationError`.
  func sendClose(_ close: WebSocketClose?) async throws {
    guard let close else { return await finish(.lost) }
    try checkOpen()
    try await transmit(state.close(close))
  }

  /// Sends the bytes of a frame.
  ///
  /// - Throws: `WebSocketError.closed` if the connection ends meanwhile.
  private func transmit(_ bytes: [UInt8]) async throws {
    do { try await connection.send(bytes) } catch is CancellationError {
      try Task.checkCancellation()
      throw WebSocketError.closed(url, ending ?? .lost)
    }
  }

  private func checkOpen() throws(WebSocketError) {
    if let ending { throw .closed(url, ending) }
    if state.hasSentClose { throw .closed(url, .lost) }
  }

  // MARK: - Ending

  // A server that takes nothing more gets no close frame.
  private static let patience = Duration.seconds(1)

  /// Ends the connection with a close frame, if none was sent yet, and without waiting for another.
  func leave() async {
    await finish(.lost, sending: WebSocketClose(1001))
  }

  /// Ends the connection, and the waits for its end and for pongs.
  private func finish(_ ending: Ending, sending close: WebSocketClose? = nil) async {
    guard self.ending == nil else { return }
    self.ending = ending
    end.fire(.success(ending))
    for pong in pongs.values { pong.fire(.failure(WebSocketError.closed(url, ending))) }
    if let close {
      let bytes = state.close(close)
      // Best effort: the connection ends in any case.
      _ = try? await WebClient.within(Self.patience) { [connection] in
        try await connection.send(bytes)
      }
    }
    await connection.close()
  }
}
