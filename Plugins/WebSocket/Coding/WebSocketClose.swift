/// The content of a close frame (RFC 6455, section 7.4).
public struct WebSocketClose: Sendable, Hashable {
  /// The status code, or nil for a frame without one.
  public var code: Int?
  /// The reason, at most 123 bytes of UTF-8, empty without a code.
  public var reason: String

  /// Creates the content of a close frame.
  public init(_ code: Int?, reason: String = "") { (self.code, self.reason) = (code, reason) }

  /// The longest reason in bytes.
  public static let longestReason = FrameHead.longestControl - 2

  /// Returns true if a close frame may have a code (section 7.4 and the registry of IANA).
  public static func isValid(code: Int) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// Returns the problem of the code and the reason, or nil if a frame can have them.
  public var problem: String? {
    if let code, !Self.isValid(code: code) { return "\(code) is no code of a close frame" }
    if code == nil, !reason.isEmpty { return "a reason needs a code" }
    return reason.utf8.count > Self.longestReason
      ? "the reason has more than \(Self.longestReason) bytes" : nil
  }

  /// Reads the payload of a close frame.
  init(_ payload: [UInt8]) throws(WebSocketFailure) {
    guard !payload.isEmpty else {
      self.init(nil)
      return
    }
    guard payload.count > 1 else { throw .shortClose }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    guard Self.isValid(code: code) else { throw .closeCode(code) }
    guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
      throw .notText
    }
    self.init(code, reason: reason)
  }

  /// The payload of a close frame.
  var payload: [UInt8] {
    guard let code else { return [] }
    return [UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)] + Array(reason.utf8)
  }
}

/// A violation of the protocol by the other side, which ends the connection.
public enum WebSocketFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A reserved bit without an extension that uses it.
  case reservedBits
  /// An opcode without a meaning.
  case unknownKind(UInt8)
  /// A control frame that is not whole.
  case fragmentedControl
  /// A control frame with a payload above 125 bytes.
  case longControl
  /// A length above 63 bits, or in more bytes than it needs.
  case malformedLength
  /// A frame of a client without a mask.
  case unmasked
  /// A frame of a server with a mask.
  case masked
  /// A further part of no message.
  case strayContinuation
  /// A message within another one.
  case interleavedMessage
  /// A text that is not UTF-8.
  case notText
  /// A close frame with one byte.
  case shortClose
  /// A close frame with a code that none may have.
  case closeCode(Int)
  /// Compressed data that is damaged.
  case damaged
  /// A frame above a limit of bytes.
  case longFrame(limit: Int)
  /// A message above a limit of bytes.
  case longMessage(limit: Int)
  /// The system has no memory for the decompression.
  case exhausted

  /// The code for the close frame that answers it (RFC 6455, section 7.4.1).
  public var code: Int {
    switch self {
    case .notText, .damaged: 1007
    case .longFrame, .longMessage: 1009
    case .exhausted: 1011
    default: 1002
    }
  }

  /// True for a message or a frame above a limit.
  public var isTooLarge: Bool { code == 1009 }

  /// The violation in words.
  public var description: String {
    switch self {
    case .reservedBits: "a frame has a reserved bit"
    case .unknownKind(let kind): "a frame has the unknown opcode \(kind)"
    case .fragmentedControl: "a control frame is fragmented"
    case .longControl: "a control frame has more than \(FrameHead.longestControl) bytes"
    case .malformedLength: "a frame has a malformed length"
    case .unmasked: "a frame of the client has no mask"
    case .masked: "a frame of the server has a mask"
    case .strayContinuation: "a frame continues no message"
    case .interleavedMessage: "a message begins within another one"
    case .notText: "a text is not UTF-8"
    case .shortClose: "a close frame has one byte"
    case .closeCode(let code): "a close frame has the code \(code)"
    case .damaged: "a compressed message is damaged"
    case .longFrame(let limit): "a frame has more than \(limit) bytes"
    case .longMessage(let limit): "a message has more than \(limit) bytes"
    case .exhausted: "the system is out of memory"
    }
  }
}
