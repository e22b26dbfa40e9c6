/// The kind of a frame (RFC 6455, section 5.2).
enum FrameKind: UInt8 {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// True for a kind of frame that may stand between the parts of a message.
  var isControl: Bool { rawValue >= 0x8 }
}

/// The part of a frame before its payload.
struct FrameHead {
  var kind: FrameKind
  /// True for the last frame of a message.
  var isLast: Bool
  /// True if the message is compressed (RFC 7692, section 6).
  var isCompressed: Bool
  /// The key of the payload, or nil for a frame without one.
  var mask: [UInt8]?
  /// The number of bytes of the payload.
  var count: Int

  /// The longest payload of a control frame.
  static let longestControl = 125
  private static let lastBit: UInt8 = 0x80
  private static let compressedBit: UInt8 = 0x40
  private static let reservedBits: UInt8 = 0x30
  private static let maskBit: UInt8 = 0x80

  /// Creates the head of a frame to send.
  init(_ kind: FrameKind, isCompressed: Bool, mask: [UInt8]?, count: Int) {
    (self.kind, isLast, self.isCompressed) = (kind, true, isCompressed)
    (self.mask, self.count) = (mask, count)
  }

  /// Reads a head at the start of some bytes, and returns it with its length, or nil if it has not
  /// arrived as a whole.
  ///
  /// - Throws: `WebSocketFailure` as soon as a byte is wrong.
  static func read(
    _ bytes: ArraySlice<UInt8>
  ) throws(WebSocketFailure) -> (head: FrameHead, length: Int)? {
    guard let first = bytes.first else { return nil }
    guard first & reservedBits == 0 else { throw .reservedBits }
    guard let kind = FrameKind(rawValue: first & 0x0F) else { throw .unknownKind(first & 0x0F) }
    let isLast = first & lastBit != 0
    let isCompressed = first & compressedBit != 0
    if kind.isControl {
      guard isLast else { throw .fragmentedControl }
      guard !isCompressed else { throw .reservedBits }
    }
    guard bytes.count > 1 else { return nil }
    let second = bytes[bytes.startIndex + 1]
    let short = Int(second & ~maskBit)
    if kind.isControl, short > longestControl { throw .longControl }
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    let length = 2 + extra + (second & maskBit != 0 ? 4 : 0)
    let digits = bytes.dropFirst(2).prefix(extra)
    if extra == 8, let digit = digits.first, digit & 0x80 != 0 { throw .malformedLength }
    guard bytes.count >= length else { return nil }
    let count = extra == 0 ? short : digits.reduce(0) { $0 << 8 | Int($1) }
    // A number in more bytes than it needs has another form (section 5.2).
    guard extra == 0 || count > (extra == 2 ? 125 : 65_535) else { throw .malformedLength }
    var head = FrameHead(kind, isCompressed: isCompressed, mask: nil, count: count)
    head.isLast = isLast
    if second & maskBit != 0 { head.mask = Array(bytes.dropFirst(2 + extra).prefix(4)) }
    return (head, length)
  }

  /// The bytes of the head.
  var bytes: [UInt8] {
    var first = kind.rawValue
    if isLast { first |= Self.lastBit }
    if isCompressed { first |= Self.compressedBit }
    let masked = mask == nil ? 0 : Self.maskBit
    let extra = count <= 125 ? 0 : count <= 65_535 ? 2 : 8
    let short = extra == 0 ? UInt8(count) : extra == 2 ? 126 : 127
    let digits = (0..<extra).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    return [first, masked | short] + digits + (mask ?? [])
  }

  /// Applies a mask to a part of a payload, where `offset` bytes stand before it (section 5.3).
  static func apply(_ mask: [UInt8], to bytes: inout [UInt8], after offset: Int) {
    for index in bytes.indices { bytes[index] ^= mask[(offset + index) & 3] }
  }
}
