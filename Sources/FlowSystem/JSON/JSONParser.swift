/// Reads one JSON text from bytes, strictly by RFC 8259.
package struct JSONParser {
  /// The deepest nesting of arrays and objects.
  package static let depthLimit = 128

  private let bytes: ArraySlice<UInt8>
  /// The index of the next byte in the slice.
  package private(set) var position: Int
  private var depth = 0
  /// True to refuse a number that is too large for a double.
  private let limitsNumbers: Bool
  /// True to read text that is no Unicode with U+FFFD, not to refuse it.
  private let repairsText: Bool
  /// True if the name of a member started with `$`.
  private var hasSigns = false

  /// Parses a value, with blanks around it allowed.
  ///
  /// With `limitsNumbers` a number that is too large for a double is refused. With `repairsText`
  /// half of a surrogate pair, and each part that is not UTF-8, is U+FFFD: for the messages of a
  /// client, which waits for a response to each.
  ///
  /// - Throws: `JSONError` with the offset of the first invalid byte.
  package static func parse(
    _ bytes: ArraySlice<UInt8>, limitsNumbers: Bool = false, repairsText: Bool = false
  ) throws(JSONError) -> JSON {
    var parser = JSONParser(bytes, limitsNumbers: limitsNumbers, repairsText: repairsText)
    return try parser.onlyValue()
  }

  /// Parses a value, and returns true if the name of any member in it starts with `$`.
  ///
  /// - Throws: `JSONError` with the offset of the first invalid byte.
  package static func parseSigned(
    _ bytes: ArraySlice<UInt8>
  ) throws(JSONError) -> (json: JSON, hasSigns: Bool) {
    var parser = JSONParser(bytes)
    let value = try parser.onlyValue()
    return (value, parser.hasSigns)
  }

  /// A parser before the first byte, for a reader that needs the place of every value.
  package init(
    _ bytes: ArraySlice<UInt8>, limitsNumbers: Bool = false, repairsText: Bool = false
  ) {
    self.bytes = bytes
    (self.limitsNumbers, self.repairsText) = (limitsNumbers, repairsText)
    position = bytes.startIndex
  }

  /// A problem at the next byte.
  package func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason: reason, offset: position - bytes.startIndex)
  }

  /// The next byte, or nil at the end.
  package var next: UInt8? {
    position < bytes.endIndex ? bytes[position] : nil
  }

  /// Passes the blanks between tokens.
  package mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }

  private mutating func onlyValue() throws(JSONError) -> JSON {
    let value = try value()
    skipBlanks()
    guard position == bytes.endIndex else { throw error(.trailing) }
    return value
  }

  /// The next value, with everything inside it.
  package mutating func value() throws(JSONError) -> JSON {
    skipBlanks()
    guard let byte = next else { throw error(.unexpectedEnd) }
    switch byte {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSON
  ) throws(JSONError) -> JSON {
    guard depth < Self.depthLimit else { throw error(.depth(Self.depthLimit)) }
    depth += 1
    position += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    let start = position
    for expected in text.description.utf8 {
      guard next == expected else {
        position = start
        throw error(.expected("a value"))
      }
      position += 1
    }
    return value
  }

  // MARK: - Collections

  private mutating func array() throws(JSONError) -> JSON {
    var elements: [JSON] = []
    skipBlanks()
    if take("]") { return .array([]) }
    repeat { elements.append(try value()) } while try separator(orEnd: "]")
    return .array(elements)
  }

  private mutating func object() throws(JSONError) -> JSON {
    var members: [JSON.Member] = []
    skipBlanks()
    if take("}") { return .object([]) }
    repeat {
      skipBlanks()
      let name = try name()
      try colon()
      members.append(JSON.Member(name, try value()))
    } while try separator(orEnd: "}")
    try checkNames(members)
    return .object(members)
  }

  /// The name of a member.
  package mutating func name() throws(JSONError) -> String {
    guard let next else { throw error(.unexpectedEnd) }
    guard next == UInt8(ascii: "\"") else { throw error(.expected("a name in double quotes")) }
    let name = try string()
    if name.utf8.first == UInt8(ascii: "$") { hasSigns = true }
    return name
  }

  /// Reads the colon between a name and its value.
  package mutating func colon() throws(JSONError) {
    skipBlanks()
    guard take(":") else { throw error(next == nil ? .unexpectedEnd : .expected("':'")) }
  }

  private func checkNames(_ members: [JSON.Member]) throws(JSONError) {
    // Few members are the rule, and a set pays only for many.
    if members.count < 16 {
      for (index, member) in members.enumerated()
      where members[..<index].contains(where: { $0.name.isIdentical(to: member.name) }) {
        throw error(.duplicate(member.name))
      }
      return
    }
    // By their bytes: two forms of one accented letter are two names.
    var names: Set<[UInt8]> = []
    for member in members where !names.insert(Array(member.name.utf8)).inserted {
      throw error(.duplicate(member.name))
    }
  }

  /// Reads a comma and returns true, or reads the end of the collection and returns false.
  package mutating func separator(orEnd end: Unicode.Scalar) throws(JSONError) -> Bool {
    skipBlanks()
    if take(",") { return true }
    if take(end) { return false }
    throw error(next == nil ? .unexpectedEnd : .expected("',' or '\(end)'"))
  }

  /// Passes a character if it is the next one, and says whether it was.
  package mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  // MARK: - Numbers

  private mutating func number() throws(JSONError) -> String {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    let hasExponent = take("e") || take("E")
    if hasExponent {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // Without an exponent, it takes 309 digits to be too large.
    if limitsNumbers, hasExponent || position - start > 308, Double(text)?.isInfinite == true {
      position = start
      throw error(.range)
    }
    return text
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while let byte = next, byte.isDigit { position += 1 }
    if position == start { throw error(next == nil ? .unexpectedEnd : .expected("a value")) }
  }

  // MARK: - Strings

  /// Reads the string that starts here.
  package mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    // All bytes together: whether any is beyond ASCII.
    var bits: UInt8 = 0
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        let text = try self.text(of: bytes[start..<position], isASCII: bits < 0x80)
        position += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      if byte < 0x20 { throw error(.control) }
      bits |= byte
      position += 1
    }
    throw error(.unexpectedEnd)
  }

  /// The rest of a string with escapes in it, from its first byte.
  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var (content, start) = ([UInt8](), start)
    while let byte = next {
      let isEnd = byte == UInt8(ascii: "\"")
      if isEnd || byte == UInt8(ascii: "\\") {
        content += bytes[start..<position]
        position += 1
        if isEnd { return try validated(content[...]) }
        try escape(into: &content)
        start = position
      } else {
        position += 1
        if byte < 0x20 { throw error(.control) }
      }
    }
    throw error(.unexpectedEnd)
  }

  /// Reads an escape after its backslash.
  private mutating func escape(into content: inout [UInt8]) throws(JSONError) {
    guard let byte = next else { throw error(.unexpectedEnd) }
    let start = position - 1
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content += String(try unicodeEscape(from: start)).utf8
    default: throw escapeError(from: start)
    }
  }

  /// Returns the problem with the escape that starts at an index, up to the next byte.
  private func escapeError(from start: Int, isHalf: Bool = false) -> JSONError {
    // Up to the quote that may end the string, and at most the length of an escape.
    let bytes = bytes[start..<min(max(position, start + 2), self.bytes.endIndex)].prefix(6)
    let text = String(decoding: bytes, as: UTF8.self)
    return error(isHalf ? .half(text) : .escape(text))
  }

  private mutating func unicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try codeUnit(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let end = position
    guard 0xD800..<0xDC00 ~= first, take("\\"), take("u") else {
      return try half(from: start, to: end)
    }
    let second = try codeUnit(from: position - 2)
    // Both halves are in their ranges, so the result is a scalar.
    guard 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return try half(from: start, to: end) }
    return scalar
  }

  /// Returns the replacement of half of a surrogate pair, and goes on after it.
  private mutating func half(from start: Int, to end: Int) throws(JSONError) -> Unicode.Scalar {
    guard repairsText else { throw escapeError(from: start, isHalf: true) }
    position = end
    return "\u{FFFD}"
  }

  private mutating func codeUnit(from start: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next?.hexadecimalValue else { throw escapeError(from: start) }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Returns the string of bytes.
  ///
  /// Checking for ASCII would take longer than everything else for most strings.
  private func text(of content: ArraySlice<UInt8>, isASCII: Bool) throws(JSONError) -> String {
    isASCII ? String(decoding: content, as: UTF8.self) : try validated(content)
  }

  private func validated(_ content: ArraySlice<UInt8>) throws(JSONError) -> String {
    if repairsText { return String(decoding: content, as: UTF8.self) }
    guard let text = String(validating: content, as: UTF8.self) else { throw error(.encoding) }
    return text
  }
}

extension JSONParser {
  /// Returns the offset of a part of a text in bytes from 0, or nil if there is no such part.
  ///
  /// A tree has no positions, since they are rarely needed.
  package static func offset(of path: [FieldPath.Step], in bytes: ArraySlice<UInt8>) -> Int? {
    var parser = JSONParser(bytes)
    // The text was parsed before, so there is nothing to tell about it.
    return try? parser.offset(of: path[...])
  }

  private mutating func offset(of path: ArraySlice<FieldPath.Step>) throws(JSONError) -> Int? {
    skipBlanks()
    guard let step = path.first else { return position - bytes.startIndex }
    let end: Unicode.Scalar = next == UInt8(ascii: "{") ? "}" : "]"
    position += 1
    var index = 0
    repeat {
      skipBlanks()
      let here = end == "]" ? FieldPath.Step.index(index) : .field(try string())
      if end == "}" {
        skipBlanks()
        _ = take(":")
      }
      if here == step { return try offset(of: path.dropFirst()) }
      _ = try value()
      index += 1
    } while try separator(orEnd: end)
    return nil
  }
}
