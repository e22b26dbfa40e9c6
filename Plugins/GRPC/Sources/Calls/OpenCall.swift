internal import FlowCore
internal import GRPCCoding
internal import ProtobufCoding

/// The end of a call: its status, and what came beside it.
struct CallEnd: Sendable {
  var status: GRPCStatus
  var message: String
  var details: [Value] = []
  var trailers: Value = .map(ValueMap())

  /// The error of another status than `ok`.
  var error: GRPCError? { status == .ok ? nil : .status(status, message, details) }
}

/// The next message of a call, or its end.
enum CallNews: Sendable {
  case message([UInt8])
  case end(CallEnd)
}

/// A call whose messages are sent and received one by one.
///
/// One task at a time sends, and one receives.
actor OpenCall {
  let method: CallMethod
  private let stream: CallStream
  private let client: GRPCClient
  /// The time at which the call is over, or nil without a limit.
  nonisolated let deadline: ContinuousClock.Instant?
  private var head: CallHead?
  private var frames = MessageFrames(coding: nil, limit: 0)
  private var end: CallEnd?

  init(
    _ method: CallMethod, _ stream: CallStream, _ client: GRPCClient,
    until deadline: ContinuousClock.Instant?
  ) {
    (self.method, self.stream, self.client, self.deadline) = (method, stream, client, deadline)
  }

  /// Sends a message, and waits until the server takes it.
  ///
  /// - Throws: `CancellationError`.
  nonisolated func send(_ message: [UInt8]) async throws {
    try await stream.write(client.frame(message))
  }

  /// Ends the side of the client.
  ///
  /// - Throws: `CancellationError`.
  nonisolated func finish() async throws { try await stream.write([], isEnd: true) }

  /// Ends the call.
  ///
  /// The server learns of it unless both sides have ended.
  nonisolated func close() { stream.end() }

  /// The metadata of the answer, empty before its head has arrived.
  var metadata: Value { GRPCMetadata.value(head?.headers ?? []) }

  /// Waits for the next message or the end, which it returns again and again.
  ///
  /// - Throws: `GRPCError` without an answer of the server, or `CancellationError`.
  func next() async throws -> CallNews {
    while true {
      if let news = try await news(waits: true) { return news }
    }
  }

  /// Returns the next message or the end, or nil if none has arrived.
  ///
  /// - Throws: As `next`.
  func arrived() async throws -> CallNews? {
    head == nil ? nil : try await news(waits: false)
  }

  private func news(waits: Bool) async throws -> CallNews? {
    if let end { return .end(end) }
    do {
      let news = try await read(waits: waits)
      if case .end(let end)? = news { self.end = end }
      return news
    } catch let failure as CallFailure {
      throw GRPCError.status(failure.status, "\(client.address): \(failure)", [])
    } catch let error as GRPCFrameError {
      return .end(fail(CallEnd(status: error.status, message: "\(error)")))
    }
  }

  private func fail(_ end: CallEnd) -> CallEnd {
    self.end = end
    stream.end()
    return end
  }

  private func read(waits: Bool) async throws -> CallNews? {
    if head == nil {
      let head = try await stream.head()
      self.head = head
      frames = MessageFrames(coding: head["grpc-encoding"], limit: client.limit)
      if let end = early(head) { return .end(end) }
    }
    while true {
      if let message = try frames.next() { return .message(message) }
      guard let part = waits ? try await stream.next() : try stream.arrived() else { return nil }
      switch part {
      case .bytes(let bytes): frames.append(bytes)
      case .end(let trailers):
        try frames.finish()
        return .end(end(trailers))
      }
    }
  }

  /// Returns the end of a response that has no messages.
  private func early(_ head: CallHead) -> CallEnd? {
    if head["grpc-status"] != nil { return end(head.headers) }
    let type = head["content-type"] ?? ""
    guard head.status == 200, type.hasPrefix("application/grpc") else {
      let kind = type.isEmpty ? "" : " and the type '\(GRPCText.line(type, limit: 60))'"
      let status = head.status == 200 ? GRPCStatus.unknown : GRPCStatus(httpStatus: head.status)
      return fail(
        CallEnd(
          status: status,
          message: "the server answered with the status \(head.status) of HTTP\(kind)"))
    }
    return nil
  }

  private func end(_ headers: [(name: String, value: String)]) -> CallEnd {
    func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    guard let text = value("grpc-status"), let number = Int(text) else {
      return CallEnd(status: .unknown, message: "the server ended the call without a status")
    }
    return CallEnd(
      status: GRPCStatus(number: number), message: GRPCMessage.decoded(value("grpc-message") ?? ""),
      details: value(StatusDetails.header).map { StatusDetails.values($0, client.schema) } ?? [],
      trailers: GRPCMetadata.value(headers))
  }
}

extension CallFailure {
  /// The status of a call that ended without one
  /// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#errors).
  fileprivate var status: GRPCStatus {
    guard description.hasPrefix("the server reset the stream") else { return .unavailable }
    let reasons: [(String, GRPCStatus)] = [
      ("REFUSED_STREAM", .unavailable), ("CANCEL", .cancelled),
      ("ENHANCE_YOUR_CALM", .resourceExhausted), ("INADEQUATE_SECURITY", .permissionDenied),
    ]
    return reasons.first { description.hasSuffix($0.0) }?.1 ?? .internal
  }
}
