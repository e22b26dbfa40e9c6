/// Reads the statements of a script.
///
/// A statement with syntax that is not known is `other`: its tokens are skipped.
struct ScriptParser {
  private static let mostLevels = 60

  private var reader: ScriptExpressionParser

  /// Returns the statements of a script.
  static func read(_ script: String) -> [ScriptStatement] {
    var parser = ScriptParser(reader: ScriptExpressionParser(ScriptTokens(script).tokens[...]))
    var statements: [ScriptStatement] = []
    while !parser.reader.rest.isEmpty {
      statements += parser.block()
      // A bracket too many: what it belongs to is unknown, and may end what follows.
      if let token = parser.reader.rest.popFirst() {
        statements.append(
          ScriptStatement(line: token.line, name: "}", changed: [], kind: .other))
        statements.append(ScriptStatement(line: token.line, name: "", changed: [], kind: .end(nil)))
      }
    }
    return statements
  }

  /// Returns the statements of a function, up to the bracket at its end.
  static func body(_ reader: inout ScriptExpressionParser) -> [ScriptStatement] {
    var parser = ScriptParser(reader: reader)
    let statements = parser.block()
    reader = parser.reader
    return statements
  }

  private mutating func block() -> [ScriptStatement] {
    var (statements, tallest) = ([ScriptStatement](), 0)
    reader.depth += 1
    while let token = reader.rest.first, !token.isSign("}") {
      if token.isSign(";") {
        reader.rest.removeFirst()
      } else {
        statements.append(statement())
        tallest = max(tallest, reader.height)
      }
    }
    reader.depth -= 1
    reader.height = tallest + 1
    return statements
  }

  private mutating func statement() -> ScriptStatement {
    let (start, depth) = (reader.rest, reader.depth)
    reader.height = 0
    var kind = depth < Self.mostLevels ? self.kind() : nil
    if kind == nil || reader.height >= Self.mostLevels {
      (reader.rest, reader.depth, reader.height) = (start, depth, 0)
      skip()
      kind = .other
    }
    let tokens = start[..<reader.rest.startIndex]
    return ScriptStatement(
      line: start.first?.line ?? 0, name: Self.name(of: tokens),
      changed: Self.names(changedIn: tokens),
      hasEnd: tokens.contains { $0.word == "return" || $0.word == "throw" }, kind: kind ?? .other)
  }

  /// Takes a statement of a known form.
  ///
  /// Nil for any other one, of which some tokens may be taken.
  private mutating func kind() -> ScriptStatement.Kind? {
    switch reader.rest.first?.word {
    case "const", "let", "var": return declaration()
    case "if": return branch()
    case "for": return loop()
    case "return":
      let line = reader.rest.removeFirst().line
      if let next = reader.rest.first, next.line == line, !next.isSign("}"), !next.isSign(";") {
        return reader.expression().flatMap { ended(.end($0)) }
      }
      return ended(.end(nil))
    case "throw":
      reader.rest.removeFirst()
      return reader.expression() == nil ? nil : ended(.failure)
    case "function": return function()
    case "try": return attempt()
    case "else", "while", "do", "switch", "catch", "finally", "class", "with", "async", "break",
      "continue", "import", "export":
      return nil
    default: return reader.expression().flatMap { ended(.expression($0)) }
    }
  }

  /// Returns a statement if it ends here: at a semicolon, a bracket or in the next line.
  private mutating func ended(_ kind: ScriptStatement.Kind) -> ScriptStatement.Kind? {
    guard let next = reader.rest.first else { return kind }
    if next.isSign(";") {
      reader.rest.removeFirst()
      return kind
    }
    return next.isSign("}") || next.line > reader.lastLine ? kind : nil
  }

  private mutating func declaration() -> ScriptStatement.Kind? {
    reader.rest.removeFirst()
    var (declared, tallest) = ([ScriptStatement.Declared](), 0)
    defer { reader.height = tallest }
    repeat {
      if reader.rest.first?.isSign("{") == true {
        guard let members = destructured() else { return nil }
        tallest = max(tallest, reader.height + 1)
        declared += members
        continue
      }
      guard let name = reader.takeWord() else { return nil }
      guard reader.take("=") else {
        declared.append(.init(name: name, value: nil))
        continue
      }
      guard let value = reader.assignment() else { return nil }
      tallest = max(tallest, reader.height)
      declared.append(.init(name: name, value: value))
    } while reader.take(",")
    return ended(.declaration(declared))
  }

  /// Takes `{ a, b: c } = value`.
  private mutating func destructured() -> [ScriptStatement.Declared]? {
    reader.rest.removeFirst()
    var names: [(member: String, name: String)] = []
    while !reader.take("}") {
      guard let member = reader.takeWord() else { return nil }
      let name = reader.take(":") ? reader.takeWord() : member
      guard let name else { return nil }
      names.append((member, name))
      if !reader.take(","), reader.rest.first?.isSign("}") != true { return nil }
    }
    guard reader.take("="), let value = reader.assignment() else { return nil }
    return names.map { .init(name: $0.name, value: .member(value, $0.member)) }
  }

  private mutating func branch() -> ScriptStatement.Kind? {
    reader.rest.removeFirst()
    guard reader.take("("), let condition = reader.expression(), reader.take(")") else {
      return nil
    }
    var tallest = reader.height
    defer { reader.height = tallest }
    guard let then = part() else { return nil }
    tallest = max(tallest, reader.height)
    var otherwise: [ScriptStatement] = []
    if reader.rest.first?.word == "else" {
      reader.rest.removeFirst()
      guard let part = part() else { return nil }
      tallest = max(tallest, reader.height)
      otherwise = part
    }
    return .branch(condition, then: then, otherwise: otherwise)
  }

  /// Takes a block in brackets, or a statement alone.
  private mutating func part() -> [ScriptStatement]? {
    guard reader.depth < Self.mostLevels else { return nil }
    guard reader.take("{") else {
      reader.depth += 1
      defer { reader.depth -= 1 }
      if reader.rest.isEmpty { return nil }
      let statement = statement()
      reader.height += 1
      return [statement]
    }
    let statements = block()
    return reader.take("}") ? statements : nil
  }

  /// Takes a function with a name.
  private mutating func function() -> ScriptStatement.Kind? {
    guard let name = reader.rest.dropFirst().first?.word,
      case .function(let function)? = reader.function()
    else { return nil }
    return .function(name, function)
  }

  /// Takes `try` with `catch`.
  private mutating func attempt() -> ScriptStatement.Kind? {
    reader.rest.removeFirst()
    guard reader.rest.first?.isSign("{") == true, let body = part(),
      reader.takeWord() == "catch"
    else { return nil }
    if reader.rest.first?.isSign("(") == true { skipBrackets() }
    let tallest = reader.height
    defer { reader.height = tallest }
    guard reader.rest.first?.isSign("{") == true, part() != nil,
      reader.rest.first?.word != "finally"
    else { return nil }
    return .attempt(body)
  }

  /// Takes `for (const x of list)`.
  private mutating func loop() -> ScriptStatement.Kind? {
    reader.rest.removeFirst()
    guard reader.take("("), let kind = reader.takeWord(), ["const", "let", "var"].contains(kind),
      let name = reader.takeWord(), reader.takeWord() == "of", let list = reader.expression(),
      reader.take(")")
    else { return nil }
    let tallest = reader.height
    defer { reader.height = max(tallest, reader.height) }
    guard let body = part() else { return nil }
    return .each(name, of: list, body)
  }

  // MARK: - Other statements

  private static let controls: Set<String> = [
    "if", "else", "for", "while", "do", "switch", "try", "catch", "finally", "function", "class",
    "with", "async",
  ]

  private mutating func skip() {
    guard let first = reader.rest.first else { return }
    if let word = first.word, Self.controls.contains(word) { skipControlled() } else { skipLine() }
  }

  /// Takes tokens to the end of a statement: a semicolon, or a line that nothing continues.
  private mutating func skipLine() {
    var (depth, previous) = (0, ScriptTokens.Token?.none)
    while let token = reader.rest.first {
      if depth == 0 {
        // A bracket that closes nothing belongs to the block around.
        if token.bracket < 0, token.isSign("}") || previous != nil { break }
        if let previous, previous.line < token.line, !Self.continues(previous, token) { break }
      }
      reader.rest.removeFirst()
      if token.isSign(";"), depth == 0 { break }
      depth = max(0, depth + token.bracket)
      previous = token
    }
  }

  /// Returns true if a line goes on in the next one.
  private static func continues(_ last: ScriptTokens.Token, _ next: ScriptTokens.Token) -> Bool {
    if !last.sign.isEmpty, ![")", "]", "}", "`", ";", "++", "--"].contains(last.sign) {
      return true
    }
    return !next.sign.isEmpty
      && !["{", "}", ")", "]", ";", "!", "~", "++", "--", "`"].contains(next.sign)
  }

  /// Takes a statement with a body, and everything that belongs to it.
  private mutating func skipControlled() {
    while let token = reader.rest.first, let word = token.word, Self.controls.contains(word) {
      reader.rest.removeFirst()
      // The words before the body, such as the name of a function.
      while ["function", "class", "async"].contains(word), let next = reader.rest.first?.word,
        !Self.controls.contains(next)
      {
        reader.rest.removeFirst()
      }
      if reader.rest.first?.isSign("(") == true { skipBrackets() }
      if reader.rest.first?.isSign("{") == true {
        skipBrackets()
      } else if let next = reader.rest.first?.word, Self.controls.contains(next) {
        continue
      } else {
        skipLine()
      }
      guard let next = reader.rest.first?.word,
        ["else", "catch", "finally", "while"].contains(next)
      else { return }
    }
  }

  private mutating func skipBrackets() {
    var depth = 0
    while let token = reader.rest.popFirst() {
      depth += token.bracket
      if depth <= 0 { return }
    }
  }

  /// Returns the names at the start of a statement.
  private static func name(of tokens: ArraySlice<ScriptTokens.Token>) -> String {
    var (name, tokens) = ("", tokens)
    if let kind = tokens.first?.word, ["const", "let", "var"].contains(kind),
      let declared = tokens.dropFirst().first?.word
    {
      return String("\(kind) \(declared)".prefix(60))
    }
    while let token = tokens.popFirst() {
      switch token.content {
      case .word(let word) where name.isEmpty || name.hasSuffix("."): name += word
      case .sign("."), .sign("?."):
        guard !name.isEmpty, !name.hasSuffix(".") else { return "a statement" }
        name += "."
      default: return name.isEmpty ? "a statement" : String(name.prefix(60))
      }
    }
    return name.isEmpty ? "a statement" : String(name.prefix(60))
  }

  private static let assignments: Set<String> = [
    "=", "+=", "-=", "*=", "/=", "%=", "**=", "??=", "||=", "&&=", "++", "--", "[", ".",
  ]

  /// Returns the names that a statement may change, also by a member of their values.
  private static func names(changedIn tokens: ArraySlice<ScriptTokens.Token>) -> Set<String> {
    let isPlain = !tokens.contains { token in
      ["=", "++", "--"].contains(token.sign)
        || token.sign.count > 1 && token.sign.hasSuffix("=")
          && !["==", "===", "!=", "!==", "<=", ">="].contains(token.sign)
    }
    if isPlain { return [] }
    var names = Set<String>()
    for (token, next) in zip(tokens, tokens.dropFirst()) {
      if let word = token.word, assignments.contains(next.sign) { names.insert(word) }
    }
    return names
  }
}
