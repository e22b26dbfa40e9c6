extension Expression {
  /// Returns the variables that a text with mistakes names, for tools.
  ///
  /// Those of its tree, in the tree's order, and then those that only its words show.
  package static func references(
    inFaulty text: String, in environment: Environment
  ) -> [Reference] {
    var environment = environment
    environment.offersNames = false
    var checker = Checker(environment, isLenient: false)
    if let syntax = try? Parser.parse(text) { _ = checker.check(syntax) }
    let checked = checker.names.references
    return checked
      + written(in: text, environment).filter { name in
        !checked.contains { $0.span.overlaps(name.span) }
      }
  }

  /// Returns the variables among the words of a text up to a broken literal.
  private static func written(in text: String, _ environment: Environment) -> [Reference] {
    var (lexer, tokens) = (Lexer(text), [Token]())
    while let token = try? lexer.next(), token.kind != .end { tokens.append(token) }
    var (references, index) = ([Reference](), 0)
    while index < tokens.count {
      let start = index
      index += 1
      guard tokens[start].kind == .identifier, start == 0 || tokens[start - 1].kind != .dot,
        !isMacroVariable(start, tokens, lexer)
      else { continue }
      var (name, last) = (lexer.text(tokens[start].bytes), start)
      var found: (binding: Environment.Binding, end: Int)?
      while true {
        if let binding = environment[name] { found = (binding, tokens[last].span.upperBound) }
        guard let next = nextPart(after: last, tokens) else { break }
        name += "." + lexer.text(tokens[next].bytes)
        last = next
      }
      index = last + 1
      guard let found else { continue }
      references.append(
        Reference(
          name: found.binding.name, slot: found.binding.slot,
          span: tokens[start].span.lowerBound..<found.end, isGuarded: true, conditions: []))
    }
    return references
  }

  /// Returns the name after `.` or `.?`, or nil.
  private static func nextPart(after index: Int, _ tokens: [Token]) -> Int? {
    guard index + 2 < tokens.count, tokens[index + 1].kind == .dot else { return nil }
    let next = tokens[index + 2].kind == .question ? index + 3 : index + 2
    return next < tokens.count && tokens[next].kind == .identifier ? next : nil
  }

  /// Returns true if the text may declare the name as the variable of a macro: `map(x, x + 1)`.
  private static func isMacroVariable(_ index: Int, _ tokens: [Token], _ lexer: Lexer) -> Bool {
    let name = lexer.text(tokens[index].bytes)
    return tokens.indices.dropFirst().dropLast().contains { place in
      tokens[place].kind == .identifier && tokens[place + 1].kind == .comma
        && [.openParenthesis, .comma].contains(tokens[place - 1].kind)
        && lexer.text(tokens[place].bytes) == name
    }
  }
}
