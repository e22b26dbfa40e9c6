internal import FlowYAML

/// Splits text at its `${{ ... }}`.
enum Interpolation {
  enum Part: Equatable {
    case text(String)
    /// What stands between the braces, and how many unicode scalars come before it in the text.
    case expression(String, offset: Int)
    /// An opening without its end, and its offset.
    case unterminated(offset: Int)
  }

  static func parts(of text: String) -> [Part] {
    guard contains(text) else { return text.isEmpty ? [] : [.text(text)] }
    let scalars = Array(text.unicodeScalars)
    var parts: [Part] = []
    var position = 0
    while let open = find("${{", in: scalars, from: position) {
      if open > position { parts.append(.text(string(scalars[position..<open]))) }
      guard let close = end(in: scalars, from: open + 3) else {
        return parts + [.unterminated(offset: open)]
      }
      parts.append(.expression(string(scalars[(open + 3)..<close]), offset: open + 3))
      position = close + 2
    }
    if position < scalars.count { parts.append(.text(string(scalars[position...]))) }
    return parts
  }

  /// The expression that is all there is; the line breaks that end a block scalar do not count.
  static func onlyExpression(_ parts: [Part]) -> (text: String, offset: Int)? {
    guard case .expression(let text, let offset)? = parts.first else { return nil }
    switch parts.dropFirst().first {
    case nil: return (text, offset)
    case .text(let rest)? where parts.count == 2 && rest.allSatisfy { $0 == "\n" }:
      return (text, offset)
    default: return nil
    }
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

  /// Where `}}` ends the expression: outside of its text literals and of its own braces.
  private static func end(in scalars: [Unicode.Scalar], from start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < scalars.count {
      switch scalars[index] {
      case "'", "\"":
        guard let after = literalEnd(in: scalars, from: index) else { return nil }
        index = after
        continue
      case "{": depth += 1
      case "}" where depth == 0:
        return index + 1 < scalars.count && scalars[index + 1] == "}" ? index : nil
      case "}": depth -= 1
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The index after the text literal whose first quote stands at `start`; nil when it has no end.
  private static func literalEnd(in scalars: [Unicode.Scalar], from start: Int) -> Int? {
    let triple = [Unicode.Scalar](repeating: scalars[start], count: 3)
    let quotes = scalars[start...].starts(with: triple) ? triple : [scalars[start]]
    let isRaw = isRawPrefix(before: start, in: scalars)
    var index = start + quotes.count
    while index < scalars.count {
      if scalars[index...].starts(with: quotes) { return index + quotes.count }
      index += scalars[index] == "\\" && !isRaw ? 2 : 1
    }
    return nil
  }

  /// Whether the word before a quote is `r` or `br`: then a backslash is only a backslash.
  private static func isRawPrefix(before quote: Int, in scalars: [Unicode.Scalar]) -> Bool {
    let word = scalars[..<quote].suffix(3).reversed().prefix {
      $0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_"
    }
    return ["r", "rb"].contains(string(Array(word)[...]).lowercased())
  }

  private static func find(
    _ pattern: String, in scalars: [Unicode.Scalar], from start: Int
  ) -> Int? {
    let wanted = Array(pattern.unicodeScalars)
    guard scalars.count >= wanted.count else { return nil }
    return (start...max(start, scalars.count - wanted.count)).first { index in
      scalars[index...].starts(with: wanted)
    }
  }

  fileprivate static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}

extension String {
  /// Whether an expression with this text may have a text literal.
  var hasQuotes: Bool { utf8.contains(UInt8(ascii: "'")) || utf8.contains(UInt8(ascii: "\"")) }

  /// The first `{{ x }}` or `${ x }` in the text, as other tools write expressions, and as one is written here.
  ///
  /// Only what begins with a name for which `isName` holds: other texts have braces, too.
  func otherBraces(around isName: (String) -> Bool) -> (written: String, meant: String)? {
    guard utf8.contains(UInt8(ascii: "{")), !Interpolation.contains(self) else { return nil }
    let scalars = Array(unicodeScalars)
    for (open, close) in [("{{", "}}"), ("${", "}")] {
      let (open, close) = (Array(open.unicodeScalars), Array(close.unicodeScalars))
      var index = 0
      while index + open.count <= scalars.count {
        defer { index += 1 }
        guard scalars[index...].starts(with: open) else { continue }
        let rest = scalars[(index + open.count)...]
        guard let length = rest.indices.first(where: { rest[$0...].starts(with: close) }) else {
          break
        }
        let inner = Interpolation.string(rest[..<length]).trimmed
        guard isName(inner.leadingName) else { continue }
        return (Interpolation.string(scalars[index..<(length + close.count)]), "${{ \(inner) }}")
      }
    }
    return nil
  }

  private var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }

  private var leadingName: String { String(prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
}

/// A scalar's text taken apart, and where its characters stand in the file.
///
/// Made once for each scalar: a long text may hold many expressions.
struct ScalarText {
  let node: Node
  /// Text and expressions in order; none for a collection.
  let parts: [Interpolation.Part]
  /// Where the text's first character stands; nil when the text is not written as it reads.
  private let firstColumn: Int?

  init(_ node: Node) {
    self.node = node
    let text = node.kind == .scalar ? node.text : ""
    parts = Interpolation.parts(of: text)
    let span = node.span
    let quotes = node.isPlain ? 0 : 1
    let isWritten =
      !node.isAlias && span.start.line == span.end.line
      && span.end.column - span.start.column == text.unicodeScalars.count + 2 * quotes
    firstColumn = isWritten ? span.start.column + quotes : nil
  }

  /// The file's stretch for unicode scalars of the text; the whole node where that is not known.
  func span(_ range: Range<Int>) -> Span {
    guard let firstColumn else { return node.span }
    let line = node.span.start.line
    return Span(
      start: Mark(line: line, column: firstColumn + range.lowerBound),
      end: Mark(line: line, column: firstColumn + range.upperBound))
  }
}
