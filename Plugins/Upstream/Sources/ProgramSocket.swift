internal import FlowCore
private import Synchronization
internal import WebSocketCoding

/// The WebSocket of a program, with the upstream as its server.
///
/// One task reads, and any number of them write.
final class ProgramSocket: Sendable {
  private let listener: Listener
  private let request: IncomingRequest
  private let connection: Mutex<WebSocketConnection>
  private let turns = WriteTurns()

  /// Creates the socket of an upgraded request.
  init(
    _ request: IncomingRequest, of listener: Listener, _ agreement: WebSocketAgreement,
    _ limit: Int = longestMessage
  ) {
    (self.request, self.listener) = (request, listener)
    // A server masks nothing.
    connection = Mutex(
      WebSocketConnection(
        side: .server, limits: WebSocketLimits(message: limit),
        deflate: agreement.deflate, mask: { 0 }))
  }

  /// The longest message of a program, in bytes.
  static let longestMessage = 64 << 20

  /// A message of the program, or its end.
  enum Message: Sendable {
    case text(String)
    case bytes([UInt8])
    case close(WebSocketClose)
  }

  /// The number of the request.
  var number: UInt64 { request.number }

  /// True after the close frame of the server.
  var isClosing: Bool { connection.withLock { $0.hasSentClose } }

  /// Ends the connection.
  func end(by ending: Ending) { listener.end(request, by: ending) }

  /// Ends the connection after all that was written.
  func finish() { listener.finish(request) }

  /// Waits for the next message, nil after the end.
  ///
  /// Pings are answered here. A program that breaks the protocol is told so, and has ended.
  ///
  /// - Throws: `ClientGone` or `CancellationError`.
  func next() async throws -> Message? {
    while true {
      while let event = connection.withLock({ $0.next() }) {
        switch event {
        case .text(let text): return .text(text)
        case .binary(let bytes): return .bytes(bytes)
        case .close(let close): return .close(close)
        case .ping(let payload): try await send { $0.pong(payload) }
        case .pong: break
        case .failure(let failure):
          try await send { $0.close(WebSocketClose(failure.code, reason: "\(failure)")) }
          return nil
        }
      }
      guard let bytes = try await listener.read(request) else { return nil }
      connection.withLock { $0.append(bytes) }
    }
  }

  /// Sends a message of the server.
  ///
  /// - Throws: `ClientGone` or `CancellationError`.
  func send(_ message: SocketMessage) async throws {
    if let bytes = message.bytes { return try await send { $0.binary(bytes.content) } }
    let text = message.written ?? ""
    try await send { $0.text(text) }
  }

  /// Sends the close frame of the server.
  ///
  /// An altered recording may have any code, and then the frame has none.
  func close(_ code: Int?, _ reason: String?) async throws {
    let given = WebSocketClose(code, reason: reason ?? "")
    try await send { $0.close(given.problem == nil ? given : WebSocketClose(nil)) }
  }

  /// Makes the bytes of a frame and writes them, in one order.
  private func send(_ bytes: @Sendable (WebSocketConnection) -> [UInt8]) async throws {
    try await turns.write {
      let frame = connection.withLock { bytes($0) }
      try await listener.write(request, piece: frame)
    }
  }
}
