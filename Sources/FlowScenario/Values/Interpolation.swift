internal import FlowSystem
internal import FlowYAML

/// Splits text at its `${{ ... }}`.
enum Interpolation {
  enum Part: Equatable {
    case text(String)
    /// The text between the braces, and the number of unicode scalars before it in the string.
    case expression(String, offset: Int)
    /// An opening without its end, and its offset.
    case unterminated(offset: Int)
  }

  static func parts(of text: String) -> [Part] {
    guard contains(text) else { return text.isEmpty ? [] : [.text(text)] }
    let bytes = Array(text.utf8)
    var parts: [Part] = []
    // The offset in unicode scalars of the byte at the position.
    var (position, offset) = (0, 0)
    while let open = opening(in: bytes, from: position) {
      if open > position { parts.append(.text(string(bytes[position..<open]))) }
      offset += bytes[position..<open].scalarCount
      guard let close = end(in: bytes, from: open + 3) else {
        return parts + [.unterminated(offset: offset)]
      }
      let inner = bytes[(open + 3)..<close]
      parts.append(.expression(string(inner), offset: offset + 3))
      offset += inner.scalarCount + 5
      position = close + 2
    }
    if position < bytes.count { parts.append(.text(string(bytes[position...]))) }
    return parts
  }

  static func contains(_ text: String) -> Bool {
    var state = 0
    for byte in text.utf8 {
      switch (state, byte) {
      case (_, UInt8(ascii: "$")): state = 1
      case (1, UInt8(ascii: "{")): state = 2
      case (2, UInt8(ascii: "{")): return true
      default: state = 0
      }
    }
    return false
  }

  /// Returns the index of the next `${{`.
  private static func opening(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 2 < bytes.count {
      if bytes[index] == UInt8(ascii: "$"), bytes[index + 1] == UInt8(ascii: "{"),
        bytes[index + 2] == UInt8(ascii: "{")
      {
        return index
      }
      index += 1
    }
    return nil
  }

  /// Returns the index of the `}}` that ends the expression, outside of its string literals and its
  /// own braces.
  private static func end(in bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        guard let after = literalEnd(in: bytes, from: index) else { return nil }
        index = after
        continue
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}") where depth == 0:
        let isWhole = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "}")
        return isWhole ? index : nil
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Returns the index after the string literal whose first quote is at `start`, or nil if it has
  /// no end.
  private static func literalEnd(in bytes: [UInt8], from start: Int) -> Int? {
    let quote = bytes[start]
    let hasThree = { (index: Int) in
      index + 2 < bytes.count && bytes[index..<(index + 3)].allSatisfy { $0 == quote }
    }
    let isTriple = hasThree(start)
    let isRaw = isRawPrefix(bytes[..<start])
    var index = start + (isTriple ? 3 : 1)
    while index < bytes.count {
      if isTriple ? hasThree(index) : bytes[index] == quote { return index + (isTriple ? 3 : 1) }
      index += bytes[index] == UInt8(ascii: "\\") && !isRaw ? 2 : 1
    }
    return nil
  }

  /// Returns true if the word before a quote is `r` or `br`, which makes a backslash an ordinary
  /// character.
  private static func isRawPrefix(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.last.map({ $0 | 0x20 }) == UInt8(ascii: "r") else { return false }
    let before = bytes.dropLast()
    let isBytes = before.last.map { $0 | 0x20 } == UInt8(ascii: "b")
    return !(isBytes ? before.dropLast() : before).endsInWord
  }

  fileprivate static func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// True if the last byte belongs to a letter, a digit, `_`, or any character beyond ASCII.
  fileprivate var endsInWord: Bool { last.map { $0.isWordCharacter || $0 >= 0x80 } ?? false }
}

extension String {
  /// Returns the first `{{ x }}` or `${ x }`, as in other tools, and its form in this language.
  ///
  /// Only braces with a name accepted by `isName` at the start count, because other strings have
  /// braces, too.
  func otherBraces(around isName: (String) -> Bool) -> (written: String, meant: String)? {
    guard utf8.contains(UInt8(ascii: "{")), !Interpolation.contains(self) else { return nil }
    let bytes = Array(utf8)
    for (open, close) in [("{{", "}}"), ("${", "}")] {
      let (open, close) = (Array(open.utf8), Array(close.utf8))
      var index = 0
      while index + open.count <= bytes.count {
        defer { index += 1 }
        guard bytes[index...].starts(with: open) else { continue }
        let rest = bytes[(index + open.count)...]
        guard let length = rest.indices.first(where: { rest[$0...].starts(with: close) }) else {
          break
        }
        let inner = String(Interpolation.string(rest[..<length]).trimming { $0 == " " })
        guard isName(inner.leadingName) else { continue }
        return (Interpolation.string(bytes[index..<(length + close.count)]), "${{ \(inner) }}")
      }
    }
    return nil
  }

  private var leadingName: String { String(prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
}

/// The parts of a scalar's string, and the places of its characters in the file.
///
/// Created once for each scalar, because a long string may hold many expressions.
struct ScalarText {
  let node: Node
  /// The text and the expressions in order, empty for a collection.
  let parts: [Interpolation.Part]
  /// The column of the string's first character, or nil if the scalar contains escapes or similar.
  private let firstColumn: Int?

  init(_ node: Node) {
    self.node = node
    let text = node.kind == .scalar ? node.text : ""
    parts = Interpolation.parts(of: text)
    let span = node.span
    let quotes = node.isPlain ? 0 : 1
    let isWritten =
      !node.isAlias && span.start.line == span.end.line
      && span.end.column - span.start.column == text.scalarCount + 2 * quotes
    firstColumn = isWritten ? span.start.column + quotes : nil
  }

  /// The single expression of the scalar, ignoring the line breaks that end a block scalar.
  var onlyExpression: (text: String, offset: Int)? {
    guard case .expression(let text, let offset)? = parts.first else { return nil }
    switch parts.dropFirst().first {
    case nil: return (text, offset)
    case .text(let rest)? where node.isBlock && parts.count == 2 && rest.allSatisfy { $0 == "\n" }:
      return (text, offset)
    default: return nil
    }
  }

  /// Returns the range in the file for unicode scalars of the string, or that of the whole node if
  /// unknown.
  func span(_ range: Range<Int>) -> Span { writtenSpan(range) ?? node.span }

  /// Returns the range in the file for unicode scalars of the string, or nil if unknown.
  func writtenSpan(_ range: Range<Int>) -> Span? {
    guard let firstColumn else { return distantSpan(range) }
    let line = node.span.start.line
    return Span(
      start: Position(line: line, column: firstColumn + range.lowerBound),
      end: Position(line: line, column: firstColumn + range.upperBound))
  }

  /// Returns the range of a string over several lines, or with escapes.
  private func distantSpan(_ range: Range<Int>) -> Span? {
    let last = max(range.lowerBound, range.upperBound - 1)
    guard let start = node.position(ofCharacter: range.lowerBound),
      let end = node.position(ofCharacter: last)
    else { return nil }
    return Span(start: start, end: Position(line: end.line, column: end.column + 1))
  }
}
