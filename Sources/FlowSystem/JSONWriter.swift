/// Appends JSON to bytes, without blanks, members in the order they are written.
///
/// Its small functions are inlined into the modules above: each line of a transcript calls them many times.
package struct JSONWriter {
  /// What was written so far.
  package var bytes: [UInt8] = []
  @usableFromInline var needsComma = false
  /// Why a reader would refuse the first line that it would; nil for none.
  package private(set) var excess: Excess?
  private let longestLine: Int
  /// Where the present line begins.
  private var lineStart = 0
  @usableFromInline var depth = 0

  /// What no reader accepts.
  package enum Excess: Error, Sendable, Hashable, CustomStringConvertible {
    /// A line has so many bytes.
    case length(Int, most: Int)
    /// Values are nested too deep.
    case depth

    /// What is too much: a sentence without its end.
    package var description: String {
      switch self {
      case .length(let count, let most):
        "a line would have \(count) bytes, and the most are \(most)"
      case .depth: "a line would be nested more than \(JSONParser.depthLimit) levels deep"
      }
    }
  }

  /// Nothing; each line may have so many bytes.
  package init(longestLine: Int = .max) {
    self.longestLine = longestLine
  }

  /// Takes away what was written, keeping the memory for more.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
    lineStart = 0
  }

  /// Adds whole lines.
  package mutating func append(lines: [UInt8]) {
    bytes += lines
    lineStart = bytes.count
  }

  /// Ends a line; the next value stands by itself.
  package mutating func endLine() {
    let length = bytes.count - lineStart
    if length > longestLine, excess == nil {
      excess = .length(length, most: longestLine)
    }
    bytes.append(0x0A)
    needsComma = false
    lineStart = bytes.count
  }

  // MARK: - Collections

  /// Begins an object; its members follow.
  @inlinable package mutating func beginObject() { begin("{") }

  /// Ends an object.
  @inlinable package mutating func endObject() { end("}") }

  /// Begins an array; its elements follow.
  @inlinable package mutating func beginArray() { begin("[") }

  /// Ends an array.
  @inlinable package mutating func endArray() { end("]") }

  /// A member's name; its value must follow.
  @inlinable package mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// The same for a name without characters that need escapes, as those of most formats are.
  @inlinable package mutating func name(plain name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(constant: name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: - Scalars

  /// `null`.
  @inlinable package mutating func null() { raw("null") }

  /// `true` or `false`.
  @inlinable package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  /// A number, as the text says it.
  @inlinable package mutating func number(_ text: String) { raw(text) }

  /// A number from 0.
  package mutating func number(_ value: Int) {
    separate()
    bytes.append(number: value)
    needsComma = true
  }

  /// A number from 0 that has a fixed count of decimals: so many parts of a whole, whose count is a power of ten.
  package mutating func number(_ whole: Int, _ part: Int, decimals: Int) {
    separate()
    bytes.append(number: whole)
    bytes.append(UInt8(ascii: "."))
    bytes.append(number: part, width: decimals)
    needsComma = true
  }

  /// Text, with the escapes that RFC 8259 asks for and no others.
  @inlinable package mutating func string(_ text: String) {
    beginString()
    escaped(text)
    endString()
  }

  /// A string whose content is appended by `escaped`, piece by piece.
  @inlinable package mutating func beginString() {
    separate()
    bytes.append(UInt8(ascii: "\""))
  }

  /// Ends a string.
  @inlinable package mutating func endString() {
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// A piece of a string's content.
  package mutating func escaped(_ text: String) {
    var text = text
    // Run by run, of contiguous bytes: this is most of what writing a transcript costs.
    text.withUTF8 { utf8 in
      var begin = 0
      for index in 0..<utf8.count {
        let byte = unsafe utf8[index]
        if byte >= 0x20, byte != 0x22, byte != 0x5C, byte != 0x7F { continue }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[begin..<index]))
        append(byte)
        begin = index + 1
      }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[begin...]))
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

  private mutating func append(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0..<0x20, 0x7F:
      bytes += Array("u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
    default: bytes.append(byte)
    }
  }

  @inlinable mutating func begin(_ scalar: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: scalar))
    needsComma = false
    depth += 1
    if depth > JSONParser.depthLimit { noteDepth() }
  }

  @usableFromInline mutating func noteDepth() {
    if excess == nil { excess = .depth }
  }

  @inlinable mutating func end(_ scalar: Unicode.Scalar) {
    depth -= 1
    bytes.append(UInt8(ascii: scalar))
    needsComma = true
  }

  @inlinable mutating func raw(_ text: String) {
    separate()
    bytes.append(text: text)
    needsComma = true
  }

  @inlinable mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}

extension JSON {
  /// The value on one line, as JSON.
  package var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
