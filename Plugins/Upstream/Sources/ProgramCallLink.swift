internal import FlowCore
internal import GRPCCoding
private import Synchronization

/// A call of gRPC that a program makes, with the upstream as its server.
///
/// One task reads, and another one writes.
final class ProgramCallLink: Sendable {
  /// The name of the method: `shop.Orders/Get`.
  let method: String
  let coding: any MessageCoding
  private let listener: Listener
  private let request: IncomingRequest
  private let frames: Mutex<MessageFrames>
  private let hasBegun = Mutex(false)

  /// The longest message of a program, in bytes.
  static let longestMessage = 64 << 20

  init(_ request: IncomingRequest, of listener: Listener, _ coding: any MessageCoding) {
    (self.request, self.listener, self.coding) = (request, listener, coding)
    method = String(request.target.drop { $0 == "/" })
    frames = Mutex(
      MessageFrames(coding: request.value(of: "grpc-encoding"), limit: Self.longestMessage))
  }

  /// The number of the request.
  var number: UInt64 { request.number }

  // MARK: - Reading

  /// Waits for the next message, nil after the last one.
  ///
  /// - Throws: `GRPCFrameError`, `ClientGone` or `CancellationError`.
  func next() async throws -> [UInt8]? {
    while true {
      if let message = try frames.withLock({ frames throws(GRPCFrameError) in try frames.next() }) {
        return message
      }
      guard let bytes = try await listener.read(request) else {
        try frames.withLock { frames throws(GRPCFrameError) in try frames.finish() }
        return nil
      }
      frames.withLock { $0.append(bytes) }
    }
  }

  // MARK: - Writing

  /// Sends the metadata of the server, once.
  func begin(_ metadata: Value) throws {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    guard isFirst else { return }
    let headers = try GRPCMetadata.headers(metadata)
    listener.begin(request, AnswerHead(status: 200, headers: Self.type + headers))
  }

  /// Sends a message of the server.
  ///
  /// - Throws: The problem of the message, `ClientGone` or `CancellationError`.
  func send(_ message: Value) async throws {
    try begin(.map(ValueMap()))
    let bytes = try coding.bytes(ofAnswer: message, of: method)
    try await listener.write(request, piece: MessageFrame.bytes(bytes))
  }

  /// Ends the call with a status.
  func finish(
    _ status: Int, _ message: String? = nil, details: [Value] = [],
    trailers: Value = .map(ValueMap())
  ) throws {
    var headers: [(name: String, value: String)] = [("grpc-status", String(status))]
    if let message, !message.isEmpty {
      headers.append(("grpc-message", GRPCMessage.encoded(message)))
    }
    if let bytes = try coding.bytes(ofStatus: status, message: message ?? "", details: details) {
      headers.append(("grpc-status-details-bin", GRPCMetadata.text(bytes)))
    }
    headers += try GRPCMetadata.headers(trailers)
    if hasBegun.withLock({ $0 }) { return listener.finish(request, trailers: headers) }
    listener.answer(request, AnswerHead(status: 200, headers: Self.type + headers))
  }

  /// Breaks the call off.
  func reset() { listener.end(request, by: .reset) }

  private static let type: [(name: String, value: String)] = [
    ("content-type", "application/grpc")
  ]
}

extension IncomingRequest {
  /// The value of the first header with a name in lower case, or nil.
  func value(of name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// The metadata of a call, without the headers of the protocol and of the program's library.
  func metadata(dropping dropped: PassedHeaders) -> Value {
    let own = headers.filter { name, _ in
      let name = name.lowercased()
      return GRPCMetadata.has(name) && !dropped.drops(name)
    }
    return GRPCMetadata.value(own.map { ($0.name.lowercased(), $0.value) })
  }
}
