/// A frame as the other side writes it, perhaps against the rules.
public struct CaseFrame: Sendable, Hashable {
  var opcode: UInt8
  var payload: [UInt8]
  /// True for the last frame of a message.
  public var isLast = true
  /// The three reserved bits, the first of which has the value 4.
  public var reserved: UInt8 = 0
  /// The length as written, or nil for the right one in its shortest form.
  var length: [UInt8]?
  /// False to leave out the mask of a client, or to write one as a server.
  var isMaskedRightly = true
  /// The number of bytes of the payload that are sent, or nil for all.
  var sent: Int?

  /// Creates a frame.
  public init(_ opcode: UInt8, _ payload: [UInt8]) {
    (self.opcode, self.payload) = (opcode, payload)
  }

  static func text(_ text: String) -> CaseFrame { CaseFrame(1, Array(text.utf8)) }
  static func binary(_ bytes: [UInt8]) -> CaseFrame { CaseFrame(2, bytes) }
  static func more(_ text: String) -> CaseFrame { CaseFrame(0, Array(text.utf8)) }
  static func close(_ code: Int, _ reason: String = "") -> CaseFrame {
    CaseFrame(8, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
  }
  static func ping(_ text: String = "") -> CaseFrame { CaseFrame(9, Array(text.utf8)) }
  static func pong(_ text: String = "") -> CaseFrame { CaseFrame(10, Array(text.utf8)) }

  /// The frame as a part that others follow.
  var open: CaseFrame { with { $0.isLast = false } }

  /// Returns the frame with a change.
  public func with(_ change: (inout CaseFrame) -> Void) -> CaseFrame {
    var copy = self
    change(&copy)
    return copy
  }

  /// The bytes of the frame, written by a client or a server.
  public func bytes(byClient isClient: Bool) -> [UInt8] {
    let isMasked = isClient == isMaskedRightly
    let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    let digits = length ?? Self.length(payload.count)
    var bytes = [opcode | (isLast ? 0x80 : 0) | reserved << 4]
    bytes.append(digits[0] | (isMasked ? 0x80 : 0))
    bytes += digits.dropFirst()
    if isMasked { bytes += key }
    let content = payload.enumerated().map { isMasked ? $1 ^ key[$0 % 4] : $1 }
    return bytes + content.prefix(sent ?? content.count)
  }

  private static func length(_ count: Int) -> [UInt8] {
    if count < 126 { return [UInt8(count)] }
    let size = count < 65_536 ? 2 : 8
    return [size == 2 ? 126 : 127]
      + (0..<size).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
  }
}

/// A conversation with an endpoint that returns every message: the frames of the other side, and the
/// endpoint's behaviour.
///
/// The groups and the rules are those of the Autobahn test suite and of RFC 6455.
public struct WebSocketCase: Sendable, CustomStringConvertible {
  /// The subjects of the cases.
  public enum Group: String, Sendable, CaseIterable {
    case framing, pings, reservedBits = "reserved bits", opcodes, fragmentation
    case utf8 = "UTF-8", closing, limits
  }

  /// The subject.
  public let group: Group
  /// The case in a few words.
  public let name: String
  /// The frames of the other side.
  public let frames: [CaseFrame]
  /// The behaviour of the endpoint, in the words of `outcome`: its messages, pongs, and its end.
  public let expected: [String]
  /// The number of bytes that arrive at a time, or nil for all at once.
  public let piece: Int?

  /// The group and the name.
  public var description: String { "\(group.rawValue): \(name)" }

  init(
    _ group: Group, _ name: String, _ frames: [CaseFrame], _ expected: [String], piece: Int? = nil
  ) {
    (self.group, self.name, self.frames) = (group, name, frames)
    (self.expected, self.piece) = (expected, piece)
  }

  /// The bytes of all frames, written by a client or a server, in the pieces that arrive.
  public func pieces(byClient isClient: Bool) -> [[UInt8]] {
    let bytes = frames.flatMap { $0.bytes(byClient: isClient) }
    guard let piece else { return [bytes] }
    return stride(from: 0, to: bytes.count, by: piece).map {
      Array(bytes[$0..<min($0 + piece, bytes.count)])
    }
  }

  /// The greatest message that the endpoint accepts, in bytes.
  public static let limit = 1 << 20

  /// Returns the words for a returned message or a pong, of which long ones are named by their
  /// length.
  public static func outcome(_ kind: String, _ payload: [UInt8]) -> String {
    let text = String(validating: payload, as: UTF8.self)
    guard payload.count <= 125, kind != "binary", let text else {
      return "\(kind) of \(payload.count) bytes"
    }
    return "\(kind) '\(text)'"
  }

  /// All cases.
  public static let all =
    framing + pings + reservedBits + opcodes + fragmentation + utf8 + closing + limits
}
