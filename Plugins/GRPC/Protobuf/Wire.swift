/// The form of a field's bytes.
enum WireType: UInt64 {
  case varint = 0
  case eightBytes = 1
  case length = 2
  case groupStart = 3
  case groupEnd = 4
  case fourBytes = 5
}

/// A number of a field with the form of its bytes.
struct WireTag: Equatable {
  let number: Int
  let type: WireType

  var encoded: UInt64 { UInt64(number) << 3 | type.rawValue }
}

/// Reads the parts of a message, one after the other.
struct WireReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// The position of the next byte in the array that the reader was made of.
  var position: Int { rest.startIndex }

  /// Reads a number of at most ten bytes.
  ///
  /// More bytes than needed are accepted, as by other readers. Bits beyond 64 are dropped.
  mutating func varint() throws(ProtobufError) -> UInt64 {
    var result: UInt64 = 0
    for index in 0..<10 {
      guard let byte = rest.popFirst() else { throw .truncated }
      result |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte < 0x80 { return result }
    }
    throw .malformed("a number has more than ten bytes")
  }

  mutating func tag() throws(ProtobufError) -> WireTag {
    let value = try varint()
    let number = value >> 3
    guard value <= UInt64(UInt32.max), number > 0 else {
      throw .malformed("a field has the number \(number)")
    }
    guard let type = WireType(rawValue: value & 7) else {
      throw .malformed("the field \(number) has the wire type \(value & 7)")
    }
    return WireTag(number: Int(number), type: type)
  }

  /// Reads as many bytes as the number before them says.
  mutating func bytes() throws(ProtobufError) -> ArraySlice<UInt8> {
    let count = try varint()
    guard count <= UInt64(rest.count) else { throw .truncated }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  /// Reads a number whose bytes stand in the opposite order.
  mutating func fixed(_ count: Int) throws(ProtobufError) -> UInt64 {
    guard rest.count >= count else { throw .truncated }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads the bytes of a number, in one of three forms.
  mutating func number(_ type: WireType) throws(ProtobufError) -> UInt64 {
    switch type {
    case .varint: try varint()
    case .eightBytes: try fixed(8)
    case .fourBytes: try fixed(4)
    case .length, .groupStart, .groupEnd: throw .malformed("a number has no bytes")
    }
  }

  /// Reads a group behind its first tag, and returns its content.
  mutating func group(_ number: Int, depth: Int) throws(ProtobufError) -> ArraySlice<UInt8> {
    let content = rest
    while true {
      let end = rest.startIndex
      let tag = try tag()
      if tag.type == .groupEnd {
        guard tag.number == number else {
          throw .malformed("the group \(number) ends as the group \(tag.number)")
        }
        return content[content.startIndex..<end]
      }
      try skip(tag, depth: depth)
    }
  }

  /// Skips a field behind its tag.
  mutating func skip(_ tag: WireTag, depth: Int) throws(ProtobufError) {
    guard depth > 0 else { throw .tooDeep }
    switch tag.type {
    case .varint, .eightBytes, .fourBytes: _ = try number(tag.type)
    case .length: _ = try bytes()
    case .groupStart: _ = try group(tag.number, depth: depth - 1)
    case .groupEnd: throw .malformed("the group \(tag.number) ends without a start")
    }
  }
}

extension ProtobufError {
  static let greatestDepth = 100
  static let tooDeep = tooLarge("more than \(greatestDepth) levels")
}

/// Writes the parts of a message.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func tag(_ number: Int, _ type: WireType) {
    varint(WireTag(number: number, type: type).encoded)
  }

  mutating func fixed(_ value: UInt64, _ count: Int) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  mutating func append(_ content: [UInt8]) { bytes += content }

  mutating func bytes(_ content: [UInt8]) {
    varint(UInt64(content.count))
    bytes += content
  }
}
