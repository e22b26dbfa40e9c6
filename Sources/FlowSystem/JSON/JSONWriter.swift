/// Appends JSON to bytes, without blanks, members in the order they are written.
package struct JSONWriter {
  private var buffer = TextBuffer()
  private var needsComma = false
  /// The reason that a reader would refuse the first invalid line, or nil.
  package private(set) var excess: Excess?
  private let longestLine: Int
  /// The start of the present line.
  private var lineStart = 0
  private var depth = 0

  /// A line that no reader accepts.
  package enum Excess: Error, Sendable, Hashable, CustomStringConvertible {
    /// A line has so many bytes.
    case length(Int, most: Int)
    /// Values are nested too deep.
    case depth

    /// The exceeded limit, as the start of a sentence.
    package var description: String {
      switch self {
      case .length(let count, let most):
        "a line would have \(count) bytes, more than the limit of \(most)"
      case .depth: "a line would be nested more than \(JSONParser.depthLimit) levels deep"
      }
    }
  }

  /// Creates an empty writer with a limit for each line in bytes.
  package init(longestLine: Int = .max) {
    self.longestLine = longestLine
  }

  /// The number of bytes written so far.
  package var count: Int { buffer.count }

  /// The bytes written so far.
  package var bytes: [UInt8] { buffer.bytes }

  /// The output as a string.
  package var text: String { buffer.text }

  /// The first 8 bytes of its SHA-256 digest, as a number.
  package var digest: UInt64 { unsafe buffer.withBytes { unsafe SHA256.beginning(of: $0) } }

  /// The bytes written from a place on.
  package subscript(range: PartialRangeFrom<Int>) -> [UInt8] { buffer[range] }

  /// Removes the output, and keeps the memory for more.
  package mutating func removeAll() {
    buffer.cut(at: 0)
    needsComma = false
    lineStart = 0
  }

  /// Replaces the output from the start of the last value on.
  package mutating func replaceValue(at place: Int, with json: String) {
    buffer.cut(at: place)
    buffer.append(text: json)
  }

  /// Writes a value from the output of another writer.
  package mutating func value(written bytes: [UInt8]) {
    separate()
    buffer.append(bytes: bytes)
    needsComma = true
  }

  /// Removes and returns the output before a value that is written elsewhere.
  ///
  /// The output after that value comes next.
  package mutating func takeBeforeValue() -> String {
    if needsComma { separate() }
    let text = text
    removeAll()
    needsComma = true
    return text
  }

  /// Adds whole lines.
  package mutating func append(lines: [UInt8]) {
    buffer.append(bytes: lines)
    lineStart = buffer.count
  }

  /// Ends an element of an array without brackets, on a separate line.
  package mutating func endElement() {
    buffer.append(UInt8(ascii: ","))
    endLine()
  }

  /// Ends a line, and makes the next value independent of it.
  package mutating func endLine() {
    let length = buffer.count - lineStart
    if length > longestLine, excess == nil {
      excess = .length(length, most: longestLine)
    }
    buffer.append(0x0A)
    needsComma = false
    lineStart = buffer.count
  }

  // MARK: - Collections

  /// Starts an object, before its members.
  package mutating func beginObject() { begin("{") }

  /// Ends an object.
  package mutating func endObject() { end("}") }

  /// Starts an array, before its elements.
  package mutating func beginArray() { begin("[") }

  /// Ends an array.
  package mutating func endArray() { end("]") }

  /// Writes a member's name, before its value.
  package mutating func name(_ name: String) {
    string(name)
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a name without characters that need escapes, as in most formats.
  package mutating func name(plain name: StaticString) {
    let hasComma = needsComma
    unsafe buffer.append(atMost: name.utf8CodeUnitCount + 4) { room in
      var end = unsafe room
      if hasComma { unsafe end.store(UInt8(ascii: ",")) }
      unsafe end.store(name: name)
      return unsafe end - room
    }
    needsComma = false
  }

  /// Writes a member with a string as its value and a name that needs no escapes.
  package mutating func member(_ name: StaticString, string text: String) {
    var text = text
    let isWhole = text.withUTF8 { unsafe stringWithoutEscapes($0, named: name) }
    if isWhole { return }
    self.name(plain: name)
    string(text)
  }

  // MARK: - Scalars

  /// `null`.
  package mutating func null() { raw("null") }

  /// `true` or `false`.
  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  /// A number, as the text says it.
  package mutating func number(_ text: String) { raw(text) }

  /// A number from 0.
  package mutating func number(_ value: Int) {
    separate()
    buffer.append(number: value)
    needsComma = true
  }

  /// Writes a number from 0 with a fixed count of decimals: a whole, and parts of a power of ten.
  package mutating func number(_ whole: Int, _ part: Int, decimals: Int) {
    separate()
    buffer.append(number: whole)
    buffer.append(UInt8(ascii: "."))
    buffer.append(number: part, width: decimals)
    needsComma = true
  }

  /// Writes a string with the escapes required by RFC 8259 and no others.
  package mutating func string(_ text: String) {
    var text = text
    let isWhole = text.withUTF8 { unsafe stringWithoutEscapes($0) }
    if isWhole { return }
    beginString()
    escaped(text)
    endString()
  }

  /// Writes a string in one piece, with the name of its member.
  ///
  /// Returns false, with nothing written, if it needs an escape.
  private mutating func stringWithoutEscapes(
    _ utf8: UnsafeBufferPointer<UInt8>, named name: StaticString? = nil
  ) -> Bool {
    let (hasComma, count) = (needsComma, utf8.count)
    var isPlain = true
    unsafe buffer.append(atMost: count + 6 + (name?.utf8CodeUnitCount ?? 0)) { room in
      var end = unsafe room
      if hasComma { unsafe end.store(UInt8(ascii: ",")) }
      if let name { unsafe end.store(name: name) }
      unsafe end.store(UInt8(ascii: "\""))
      isPlain = unsafe utf8.copyPlain(to: end) == count
      if !isPlain { return 0 }
      unsafe end += count
      unsafe end.store(UInt8(ascii: "\""))
      return unsafe end - room
    }
    if isPlain { needsComma = true }
    return isPlain
  }

  /// Starts a string whose content is appended by `escaped` in pieces.
  package mutating func beginString() {
    separate()
    buffer.append(UInt8(ascii: "\""))
  }

  /// Ends a string.
  package mutating func endString() {
    buffer.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// A piece of a string's content.
  package mutating func escaped(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      var rest = unsafe utf8[...]
      while unsafe !rest.isEmpty {
        let (run, start) = unsafe (UnsafeBufferPointer(rebasing: rest), buffer.count)
        unsafe buffer.append(atMost: run.count) { unsafe run.copyPlain(to: $0) }
        unsafe rest = rest.dropFirst(buffer.count - start)
        if let byte = unsafe rest.popFirst() { escape(byte) }
      }
    }
  }

  /// A whole tree.
  package mutating func value(_ json: JSON) {
    switch json {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let text): number(text)
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        name(member.name)
        value(member.value)
      }
      endObject()
    }
  }

  private mutating func escape(_ byte: UInt8) {
    buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0..<0x20, 0x7F:
      buffer.append(text: "u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
    default: buffer.append(byte)
    }
  }

  private mutating func begin(_ scalar: Unicode.Scalar) {
    separate()
    buffer.append(UInt8(ascii: scalar))
    needsComma = false
    depth += 1
    if depth > JSONParser.depthLimit, excess == nil { excess = .depth }
  }

  private mutating func end(_ scalar: Unicode.Scalar) {
    depth -= 1
    buffer.append(UInt8(ascii: scalar))
    needsComma = true
  }

  private mutating func raw(_ text: String) {
    separate()
    buffer.append(text: text)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
  }
}

extension UnsafeMutablePointer<UInt8> {
  /// Stores a byte and advances.
  fileprivate mutating func store(_ byte: UInt8) {
    unsafe pointee = byte
    unsafe self += 1
  }
}

extension UnsafeMutablePointer<UInt8> {
  /// Stores a member's name and advances.
  fileprivate mutating func store(name: StaticString) {
    unsafe store(UInt8(ascii: "\""))
    unsafe update(from: name.utf8Start, count: name.utf8CodeUnitCount)
    unsafe self += name.utf8CodeUnitCount
    unsafe store(UInt8(ascii: "\""))
    unsafe store(UInt8(ascii: ":"))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Copies the bytes before the first one that needs an escape, and returns their number.
  ///
  /// Works on eight bytes at once by arithmetic, since this is a large part of the cost of writing
  /// a transcript.
  fileprivate func copyPlain(to place: UnsafeMutablePointer<UInt8>) -> Int {
    guard let start = baseAddress else { return 0 }
    let (from, to) = unsafe (UnsafeRawPointer(start), UnsafeMutableRawPointer(place))
    var index = 0
    while index &+ 8 <= count {
      let eight = unsafe from.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if eight.needsEscape { break }
      unsafe to.storeBytes(of: eight, toByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    // The rest, together with some bytes already examined.
    if count >= 8, index &+ 8 > count {
      let last = unsafe from.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      unsafe to.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
      if !last.needsEscape { return count }
    }
    while index < count {
      let byte = unsafe self[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F { return index }
      unsafe place[index] = byte
      index &+= 1
    }
    return index
  }
}

extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// True if one of its eight bytes is a control character, a quote or a backslash.
  ///
  /// A byte less than n borrows from its highest bit when n is subtracted, which it does not have
  /// itself. A byte is equal to n when their difference in bits is less than 1.
  fileprivate var needsEscape: Bool {
    let (quote, backslash) = (self ^ 0x22 &* Self.ones, self ^ 0x5C &* Self.ones)
    let delete = self ^ 0x7F &* Self.ones
    let controls = (self &- 0x20 &* Self.ones) & ~self
    let found =
      controls | (quote &- Self.ones) & ~quote | (backslash &- Self.ones) & ~backslash
      | (delete &- Self.ones) & ~delete
    return found & (0x80 &* Self.ones) != 0
  }
}

extension JSON {
  /// The value on one line, as JSON.
  package var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }
}
