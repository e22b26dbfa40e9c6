/// A side of a connection.
public enum WebSocketSide: Sendable, Hashable {
  /// The side that masks its frames.
  case client
  /// The side that refuses frames without a mask.
  case server
}

/// The greatest sizes that a connection receives, in bytes.
public struct WebSocketLimits: Sendable, Hashable {
  /// The size of a message after decompression.
  public var message: Int
  /// The size of the payload of a frame, or nil for that of a message.
  public var frame: Int?

  /// Creates limits.
  public init(message: Int = 16 << 20, frame: Int? = nil) {
    (self.message, self.frame) = (message, frame)
  }
}

/// Something that the other side has sent.
public enum WebSocketEvent: Sendable, Hashable {
  /// A whole message of text.
  case text(String)
  /// A whole message of bytes.
  case binary([UInt8])
  /// A ping, to be answered with the same bytes in a pong.
  case ping([UInt8])
  /// A pong.
  case pong([UInt8])
  /// The close frame of the other side, after which it sends nothing.
  case close(WebSocketClose)
  /// A violation of the protocol, to be answered with a close frame of its code.
  case failure(WebSocketFailure)
}

/// The protocol of one side of an open connection (RFC 6455), without its socket.
///
/// The owner passes the received bytes to `append`, and takes one event after the other with `next`.
/// It sends the bytes that `text`, `close` and the others return, in their order. It answers a ping,
/// a close frame and a failure itself. Not thread-safe: one task owns it.
public final class WebSocketConnection {
  /// The side of the owner.
  public let side: WebSocketSide
  /// True after `close`: nothing more is sent.
  public private(set) var hasSentClose = false
  /// True after the event `close` or `failure`: nothing more is received.
  public private(set) var hasEnded = false

  private let limits: WebSocketLimits
  private let mask: () -> UInt32
  private let compressor: MessageCoder?
  private let decompressor: MessageCoder?
  private let deflates: Bool
  private var input: [UInt8] = []
  /// The number of bytes of `input` that have been used.
  private var used = 0
  private var frame: ReceivedFrame?
  private var message: ReceivedMessage?

  /// Creates the protocol of a side after its handshake.
  ///
  /// `mask` returns a new random number for each frame of a client (section 5.3).
  public init(
    side: WebSocketSide, limits: WebSocketLimits = WebSocketLimits(), deflate: MessageDeflate?,
    mask: @escaping () -> UInt32
  ) {
    (self.side, self.limits, self.mask) = (side, limits, mask)
    deflates = deflate != nil
    let isClient = side == .client
    compressor = deflate.flatMap { deflate in
      MessageCoder(
        compressingWith: isClient ? deflate.clientWindow : deflate.serverWindow,
        forgets: isClient ? deflate.clientForgets : deflate.serverForgets)
    }
    decompressor = deflate.flatMap { deflate in
      MessageCoder(
        decompressingWithForgetting: isClient ? deflate.serverForgets : deflate.clientForgets)
    }
  }

  // MARK: - Sending

  /// Returns the bytes of a message of text, none after `close`.
  public func text(_ text: String) -> [UInt8] { message(.text, Array(text.utf8)) }

  /// Returns the bytes of a message of bytes, none after `close`.
  public func binary(_ bytes: [UInt8]) -> [UInt8] { message(.binary, bytes) }

  /// Returns the bytes of a ping, none after `close`.
  ///
  /// - Precondition: At most 125 bytes.
  public func ping(_ payload: [UInt8] = []) -> [UInt8] { control(.ping, payload) }

  /// Returns the bytes of a pong, none after `close`.
  ///
  /// - Precondition: At most 125 bytes.
  public func pong(_ payload: [UInt8]) -> [UInt8] { control(.pong, payload) }

  /// Returns the bytes of a close frame, none after an earlier one.
  ///
  /// - Precondition: `close` has no `problem`.
  public func close(_ close: WebSocketClose) -> [UInt8] {
    precondition(close.problem == nil, close.problem ?? "")
    defer { hasSentClose = true }
    return control(.close, close.payload)
  }

  private func control(_ kind: FrameKind, _ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count <= FrameHead.longestControl, "\(payload.count) bytes")
    return bytes(of: kind, payload, isCompressed: false)
  }

  private func message(_ kind: FrameKind, _ payload: [UInt8]) -> [UInt8] {
    guard !hasSentClose, !payload.isEmpty, let compressed = compressor?.compress(payload) else {
      return bytes(of: kind, payload, isCompressed: false)
    }
    return bytes(of: kind, compressed, isCompressed: true)
  }

  private func bytes(of kind: FrameKind, _ payload: [UInt8], isCompressed: Bool) -> [UInt8] {
    if hasSentClose { return [] }
    var payload = payload
    let key = side == .client ? maskKey() : nil
    if let key { FrameHead.apply(key, to: &payload, after: 0) }
    return FrameHead(kind, isCompressed: isCompressed, mask: key, count: payload.count).bytes
      + payload
  }

  private func maskKey() -> [UInt8] {
    let number = mask()
    return (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  // MARK: - Receiving

  /// Takes received bytes, which are ignored after the end.
  public func append(_ bytes: [UInt8]) {
    if hasEnded { return }
    input = used == input.count ? bytes : Array(input[used...]) + bytes
    used = 0
  }

  /// Returns the next event, or nil until more bytes have arrived.
  public func next() -> WebSocketEvent? {
    while !hasEnded {
      do throws(WebSocketFailure) {
        if frame == nil, try !begin() { return nil }
        if let event = try advance() { return event }
        if frame != nil { return nil }
      } catch {
        end()
        return .failure(error)
      }
    }
    return nil
  }

  private func end() {
    hasEnded = true
    (input, used, frame, message) = ([], 0, nil, nil)
  }

  /// Reads the head of the next frame, and returns false if it has not arrived.
  private func begin() throws(WebSocketFailure) -> Bool {
    guard let (head, length) = try FrameHead.read(input[used...]) else { return false }
    switch (side, head.mask) {
    case (.server, nil): throw .unmasked
    case (.client, .some): throw .masked
    default: break
    }
    if let limit = limits.frame, head.count > limit, !head.kind.isControl {
      throw .longFrame(limit: limit)
    }
    if !head.kind.isControl { try beginPart(head) }
    used += length
    frame = ReceivedFrame(head: head)
    return true
  }

  /// Checks the head of a part of a message, and starts the message with its first part.
  private func beginPart(_ head: FrameHead) throws(WebSocketFailure) {
    if head.kind == .continuation {
      guard message != nil else { throw .strayContinuation }
      guard !head.isCompressed else { throw .reservedBits }
    } else {
      guard message == nil else { throw .interleavedMessage }
      guard !head.isCompressed || deflates else { throw .reservedBits }
      if head.isCompressed, decompressor == nil { throw .exhausted }
      message = ReceivedMessage(
        isText: head.kind == .text, isCompressed: head.isCompressed, limit: limits.message)
    }
    try message?.announce(head.count)
  }

  /// Takes the arrived part of the frame's payload, and returns the event that it completes.
  private func advance() throws(WebSocketFailure) -> WebSocketEvent? {
    guard var frame else { return nil }
    let count = min(frame.missing, input.count - used)
    let part = frame.take(Array(input[used..<used + count]))
    used += count
    self.frame = frame
    if !frame.head.kind.isControl { try message?.append(part, with: decompressor) }
    guard frame.missing == 0 else { return nil }
    self.frame = nil
    return frame.head.kind.isControl ? try event(of: frame) : try finishPart(of: frame)
  }

  private func event(of frame: ReceivedFrame) throws(WebSocketFailure) -> WebSocketEvent {
    switch frame.head.kind {
    case .ping: return .ping(frame.payload)
    case .pong: return .pong(frame.payload)
    default:
      let close = try WebSocketClose(frame.payload)
      end()
      return .close(close)
    }
  }

  private func finishPart(of frame: ReceivedFrame) throws(WebSocketFailure) -> WebSocketEvent? {
    guard frame.head.isLast, var message else { return nil }
    self.message = nil
    return try message.finish(with: decompressor)
  }
}

/// A frame whose head has arrived.
private struct ReceivedFrame {
  let head: FrameHead
  /// The payload of a control frame.
  private(set) var payload: [UInt8] = []
  private var count = 0

  init(head: FrameHead) { self.head = head }

  /// The number of bytes that have not arrived.
  var missing: Int { head.count - count }

  /// Takes the next bytes of the payload, and returns them without their mask.
  mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if let mask = head.mask { FrameHead.apply(mask, to: &bytes, after: count) }
    count += bytes.count
    if head.kind.isControl { payload += bytes }
    return bytes
  }
}

/// A message of which some parts have arrived.
private struct ReceivedMessage {
  private let isText: Bool
  private let isCompressed: Bool
  private let limit: Int
  private var content: [UInt8] = []
  private var check = TextCheck()

  init(isText: Bool, isCompressed: Bool, limit: Int) {
    (self.isText, self.isCompressed, self.limit) = (isText, isCompressed, limit)
  }

  /// Checks the length of a part before it arrives.
  func announce(_ count: Int) throws(WebSocketFailure) {
    // Compressed data may be longer than the message, by five bytes for each 16 KiB.
    let most = isCompressed ? limit + limit / 1_024 + 1_024 : limit - content.count
    guard count <= most else { throw .longMessage(limit: limit) }
  }

  mutating func append(
    _ part: [UInt8], with decompressor: MessageCoder?
  ) throws(WebSocketFailure) {
    guard isCompressed, let decompressor else { return try append(part) }
    try decompressor.decompress(part[...]) { piece throws(WebSocketFailure) in try append(piece) }
  }

  private mutating func append(_ bytes: [UInt8]) throws(WebSocketFailure) {
    guard bytes.count <= limit - content.count else { throw .longMessage(limit: limit) }
    if isText, !check.accepts(bytes) { throw .notText }
    content += bytes
  }

  mutating func finish(
    with decompressor: MessageCoder?
  ) throws(WebSocketFailure) -> WebSocketEvent {
    if isCompressed {
      try decompressor?.finish { piece throws(WebSocketFailure) in try append(piece) }
    }
    guard isText else { return .binary(content) }
    guard check.isComplete else { throw .notText }
    return .text(String(decoding: content, as: UTF8.self))
  }
}
