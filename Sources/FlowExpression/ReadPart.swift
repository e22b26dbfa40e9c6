package import FlowCore

/// A part of a variable that an expression reads.
package struct ReadPart: Sendable, Hashable {
  /// The part, empty for the whole variable.
  package let path: FieldPath
  /// True if only the presence of the part is read, as by `has(steps.page.json.next)`.
  package let isPresence: Bool

  package init(_ path: FieldPath, isPresence: Bool = false) {
    (self.path, self.isPresence) = (path, isPresence)
  }

  /// Returns the part of a value at a path of which this part is read.
  package func inside(_ path: FieldPath) -> ReadPart {
    ReadPart(FieldPath(path.steps + self.path.steps), isPresence: isPresence)
  }
}

extension Expression {
  /// Returns the part of a variable that a reference reads, as far as names, texts and numbers after it say.
  ///
  /// `steps.page.headers['etag'].size()` reads `headers.etag`, and `steps.page[key]` reads all.
  package func part(readBy reference: Reference) -> FieldPath { read(by: reference).path }

  /// Returns the part of a variable that a reference reads, and whether only its presence is read.
  ///
  /// That is so in `has(steps.page.json)` and `steps.?page.json.hasValue()`. With a computed index,
  /// as in `has(steps.page[key].next)`, the reference reads everything from there on.
  package func read(by reference: Reference) -> ReadPart {
    let scalars = text.unicodeScalars
    // The test of a variable itself is one reference as a whole.
    if reference.text(in: text).isTest { return ReadPart(FieldPath(), isPresence: true) }
    let rest = scalars.dropFirst(reference.span.upperBound)
    var reader = PartReader(String(String.UnicodeScalarView(rest)))
    var path = FieldPath()
    while let step = reader.next() { path = path.appending(step) }
    let before = String(String.UnicodeScalarView(scalars.prefix(reference.span.lowerBound)))
    let isTested = before.endsInTest ? reader.follows([.closeParenthesis]) : reader.asksForValue
    return ReadPart(path, isPresence: isTested)
  }
}

extension Reference {
  /// Its part of the expression's text.
  fileprivate func text(in whole: String) -> String {
    String(
      String.UnicodeScalarView(whole.unicodeScalars.dropFirst(span.lowerBound).prefix(span.count)))
  }
}

extension String {
  /// True for `has(steps.page)`.
  fileprivate var isTest: Bool {
    var lexer = Lexer(self)
    guard let name = try? lexer.next(), name.kind == .identifier else { return false }
    return lexer.text(name.bytes) == "has" && (try? lexer.next())?.kind == .openParenthesis
  }

  /// True for a text before the argument of `has`.
  fileprivate var endsInTest: Bool {
    var (lexer, last) = (Lexer(self), [Token]())
    while let token = try? lexer.next(), token.kind != .end { last = last.suffix(2) + [token] }
    guard last.last?.kind == .openParenthesis, let name = last.dropLast().last,
      name.kind == .identifier, lexer.text(name.bytes) == "has"
    else { return false }
    return last.count < 3 || last[0].kind != .dot
  }
}

/// Reads the selections after a variable: `.name`, `.?name`, `['name']`, `[0]`.
private struct PartReader {
  private var lexer: Lexer

  init(_ text: String) { lexer = Lexer(text) }

  /// The next selection, or nil before anything else, which is left unread.
  mutating func next() -> FieldPath.Step? {
    let start = lexer
    let step: FieldPath.Step? =
      switch token()?.kind {
      case .dot: member()
      case .openBracket: element()
      default: nil
      }
    if step == nil { lexer = start }
    return step
  }

  /// Returns true if tokens of these kinds are next.
  func follows(_ kinds: [Token.Kind]) -> Bool {
    var reader = self
    return kinds.allSatisfy { reader.token()?.kind == $0 }
  }

  /// True before `.hasValue()`.
  var asksForValue: Bool {
    var reader = self
    guard reader.token()?.kind == .dot, let name = reader.token() else { return false }
    return reader.lexer.text(name.bytes) == "hasValue"
      && reader.follows([.openParenthesis, .closeParenthesis])
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
