internal import FlowSystem

// What a text has to be in a report, whatever it holds.
extension String {
  /// Whether something is true of each byte in UTF-8; on contiguous bytes, since every text of a report is looked at.
  @inline(__always) func everyByte(satisfies condition: (UInt8) -> Bool) -> Bool {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.allSatisfy(condition) }
      ?? utf8.allSatisfy(condition)
  }

  /// The text without what drives a terminal or is not a character of XML 1.0: escape sequences are left out, and
  /// other control characters, except line feeds and tabs, are replaced.
  var plain: String {
    // As nearly all texts.
    if everyByte(satisfies: { 0x20..<0x7F ~= $0 || $0 == 0x0A || $0 == 0x09 }) { return self }
    var result = String.UnicodeScalarView()
    var rest = Substring(self).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}": rest.dropEscapeSequence()
      case "\u{9B}": rest.dropControlSequence()
      case "\n", "\t": result.append(scalar)
      case "\r": if rest.first != "\n" { result.append("\n") }
      default: result.append(scalar.isUnfit ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  /// The same on one line, of at most so many characters.
  func line(_ limit: Int) -> String {
    // As nearly all texts.
    if utf8.count <= limit, everyByte(satisfies: { 0x20..<0x7F ~= $0 }) { return self }
    return cut(toBytes: 8 * limit).plain.replacing("\n", with: " ").replacing("\t", with: " ")
      .shortened(to: limit)
  }

  /// The text in at most so many bytes, with an ellipsis for what is cut off.
  func cut(toBytes limit: Int) -> String {
    if utf8.count <= limit { return self }
    let ellipsis = "…"
    var end = utf8.index(utf8.startIndex, offsetBy: max(0, limit - ellipsis.utf8.count))
    // Back to where a scalar begins.
    while String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + ellipsis
  }

  /// The text with references for what means something in XML, in at most so many bytes.
  func xml(limit: Int) -> String {
    var bytes: [UInt8] = []
    for byte in cut(toBytes: 2 * limit).plain.cut(toBytes: limit).utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
      // Also what would end a CDATA section.
      case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
      case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether it is no character of XML 1.0, drives a terminal, or turns the direction of text.
  fileprivate var isUnfit: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    // Noncharacters that XML leaves out (section 2.2).
    return value == 0xFFFE || value == 0xFFFF || breaksText
  }
}

extension Substring.UnicodeScalarView {
  /// Drops what follows the character ESC (ECMA-48, section 5.3).
  fileprivate mutating func dropEscapeSequence() {
    switch first {
    case "[":
      removeFirst()
      dropControlSequence()
    case "]", "P", "X", "^", "_": dropControlString()
    case nil: break
    case let scalar? where scalar.isASCII && scalar.value >= 0x20: removeFirst()
    default: break
    }
  }

  /// Drops the parameters and the final byte of a control sequence.
  fileprivate mutating func dropControlSequence() {
    while let scalar = first, 0x20...0x3F ~= scalar.value { removeFirst() }
    if let scalar = first, 0x40...0x7E ~= scalar.value { removeFirst() }
  }

  /// Drops a string such as a window's title, to its end on the same line; one without an end is text.
  private mutating func dropControlString() {
    removeFirst()
    guard
      let end = firstIndex(where: { $0 == "\u{07}" || $0 == "\u{1B}" || $0 == "\n" }),
      self[end] != "\n"
    else { return }
    let isLong = self[end] == "\u{1B}"
    self = self[index(after: end)...]
    if isLong, first == "\\" { removeFirst() }
  }
}

extension Duration {
  /// Seconds with three decimals: `1.234`.
  var seconds: String { thousandths(of: .milliseconds(1)) }

  /// Seconds with six decimals: `1.234567`.
  var preciseSeconds: String {
    let (seconds, attoseconds) = components
    return Self.fixed(max(0, seconds), Int(max(0, attoseconds) / 1_000_000_000_000), 1_000_000)
  }

  /// Milliseconds with three decimals: `1234.567`.
  var milliseconds: String { thousandths(of: .microseconds(1)) }

  /// Units with three decimals.
  func thousandths(of unit: Duration) -> String {
    let (seconds, attoseconds) = components
    let size = unit.components.attoseconds
    let (perSecond, part) = (1_000_000_000_000_000_000 / size, max(0, attoseconds) / size)
    // As nearly all durations.
    if 0..<1_000_000_000 ~= seconds {
      let count = seconds * perSecond + part
      return Self.fixed(count / 1_000, Int(count % 1_000), 1_000)
    }
    let count = max(0, Int128(seconds) * Int128(perSecond)) + Int128(part)
    return Self.fixed(count / 1_000, Int(count % 1_000), 1_000)
  }

  /// A whole number from 0 and so many parts of it, whose size is a power of ten; short texts need no memory.
  private static func fixed(_ whole: some BinaryInteger, _ part: Int, _ size: Int) -> String {
    guard let small = UInt64(exactly: whole), small < 100_000_000 else {
      return "\(whole).\(String(size + part).dropFirst())"
    }
    // At most 8 digits, the point and 6 more.
    return unsafe String(unsafeUninitializedCapacity: 15) { buffer in
      var count = 0
      func add(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
      }
      func add(_ number: UInt64, from size: UInt64) {
        var size = size
        while size > 0 {
          add(UInt8(ascii: "0") + UInt8(number / size % 10))
          size /= 10
        }
      }
      var most: UInt64 = 1
      while most * 10 <= small { most *= 10 }
      add(small, from: most)
      add(UInt8(ascii: "."))
      add(UInt64(part), from: UInt64(size / 10))
      return count
    }
  }
}
