/// The rules of a time zone: a file of the IANA database in the format of RFC 8536, "TZif".
struct ZoneRules: Sendable {
  private let transitions: [Int]
  /// Seconds east of UTC from each transition on.
  private let offsets: [Int]
  private let firstOffset: Int
  private let footer: ZoneFooter?

  /// Reads a file; nil when it is none.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let first = Header(&reader) else { return nil }
    var header = first
    // From version 2 on, a second block with times of 64 bits follows the first.
    if first.version >= 2 {
      guard reader.skip(first.dataLength(timeSize: 4)), let second = Header(&reader) else {
        return nil
      }
      header = second
    }
    let timeSize = first.version >= 2 ? 8 : 4
    guard header.typeCount > 0,
      let transitions = reader.numbers(header.transitionCount, size: timeSize),
      let indices = reader.bytes(header.transitionCount),
      let types = reader.types(header.typeCount), indices.allSatisfy({ $0 < types.count })
    else { return nil }
    self.transitions = transitions
    offsets = indices.map { types[Int($0)] }
    firstOffset = types[0]
    guard reader.skip(header.restLength(timeSize: timeSize)) else { return nil }
    footer = first.version >= 2 ? ZoneFooter(reader.remaining) : nil
  }

  /// Seconds east of UTC at an instant.
  func offset(at seconds: Int) -> Int {
    guard let last = transitions.last, seconds >= transitions[0] else {
      return transitions.isEmpty ? footer?.offset(at: seconds) ?? firstOffset : firstOffset
    }
    if seconds >= last, let footer { return footer.offset(at: seconds) }
    var (low, high) = (0, transitions.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle } else { high = middle }
    }
    return offsets[low]
  }

  /// Section 3.1, "TZif Header".
  private struct Header {
    let version: Int
    let utcCount: Int
    let standardCount: Int
    let leapCount: Int
    let transitionCount: Int
    let typeCount: Int
    let characterCount: Int

    init?(_ reader: inout ByteReader) {
      guard reader.bytes(4) == Array("TZif".utf8), let version = reader.bytes(1)?.first,
        reader.skip(15), let counts = reader.numbers(6, size: 4), counts.allSatisfy({ $0 >= 0 })
      else { return nil }
      self.version = version == 0 ? 1 : Int(version) - Int(UInt8(ascii: "0"))
      (utcCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
      (transitionCount, typeCount, characterCount) = (counts[3], counts[4], counts[5])
    }

    func dataLength(timeSize: Int) -> Int {
      transitionCount * (timeSize + 1) + typeCount * 6 + restLength(timeSize: timeSize)
    }

    /// What follows the types: designations, leap seconds and indicators.
    func restLength(timeSize: Int) -> Int {
      characterCount + leapCount * (timeSize + 4) + standardCount + utcCount
    }
  }
}

/// Takes big-endian numbers off a file.
private struct ByteReader {
  private let content: [UInt8]
  private var position = 0

  init(_ content: [UInt8]) {
    self.content = content
  }

  var remaining: ArraySlice<UInt8> { content[position...] }

  mutating func skip(_ count: Int) -> Bool {
    guard count <= content.count - position else { return false }
    position += count
    return true
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    let start = position
    return skip(count) ? Array(content[start..<position]) : nil
  }

  mutating func numbers(_ count: Int, size: Int) -> [Int]? {
    guard let bytes = bytes(count * size) else { return nil }
    return (0..<count).map { index in
      let number = bytes[index * size..<(index + 1) * size].reduce(0 as Int) { $0 << 8 | Int($1) }
      return size == 4 ? Int(Int32(truncatingIfNeeded: number)) : number
    }
  }

  /// Local time types: an offset of four bytes, and two bytes that do not matter here.
  mutating func types(_ count: Int) -> [Int]? {
    guard let bytes = bytes(count * 6) else { return nil }
    var reader = ByteReader(bytes)
    return (0..<count).compactMap { _ in
      guard let offset = reader.numbers(1, size: 4), reader.skip(2) else { return nil }
      return offset[0]
    }
  }
}
