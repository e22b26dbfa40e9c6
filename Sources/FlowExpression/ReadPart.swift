package import FlowCore

extension Expression {
  /// Returns the part of a variable that a reference reads, as far as names, texts and numbers after it say.
  ///
  /// `steps.page.headers['etag'].size()` reads `headers.etag`, and `steps.page[key]` reads all.
  package func part(readBy reference: Reference) -> FieldPath {
    let rest = text.unicodeScalars.dropFirst(reference.span.upperBound)
    var reader = PartReader(String(String.UnicodeScalarView(rest)))
    var path = FieldPath()
    while let step = reader.next() { path = path.appending(step) }
    return path
  }
}

/// Reads the selections after a variable: `.name`, `.?name`, `['name']`, `[0]`.
private struct PartReader {
  private var lexer: Lexer

  init(_ text: String) { lexer = Lexer(text) }

  /// The next selection, or nil before anything else.
  mutating func next() -> FieldPath.Step? {
    switch token()?.kind {
    case .dot: member()
    case .openBracket: element()
    default: nil
    }
  }

  private mutating func token() -> Token? { try? lexer.next() }

  /// The token after an optional question mark.
  private mutating func selector() -> Token? {
    let first = token()
    return first?.kind == .question ? token() : first
  }

  /// A field, or nil for the name of a function.
  private mutating func member() -> FieldPath.Step? {
    guard let name = selector() else { return nil }
    let text = lexer.text(name.bytes)
    switch name.kind {
    case .quotedIdentifier: return .field(String(text.dropFirst().dropLast()))
    case .identifier, .reserved:
      var ahead = lexer
      return (try? ahead.next())?.kind == .openParenthesis ? nil : .field(text)
    default: return nil
    }
  }

  private mutating func element() -> FieldPath.Step? {
    guard let index = selector(), token()?.kind == .closeBracket else { return nil }
    switch index.kind {
    case .int: return Int(lexer.text(index.bytes)).map { .index($0) }
    case .string:
      let content = (try? StringLiteral(index, in: lexer.bytes))?.content
      return content.map { .field(String(decoding: $0, as: UTF8.self)) }
    default: return nil
    }
  }
}
