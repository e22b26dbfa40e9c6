internal import FlowCore

extension Parser {
  /// `Member`: a primary and the selections, calls and indices behind it.
  mutating func member() throws(ExpressionErrors) -> SyntaxNode {
    try suffixes(of: try primary())
  }

  mutating func suffixes(of first: SyntaxNode) throws(ExpressionErrors) -> SyntaxNode {
    var node = first
    while true {
      switch token.kind {
      case .dot: node = try selection(from: node)
      case .openBracket: node = try index(of: node)
      case .openBrace where node.qualifiedName != nil:
        throw ExpressionErrors(.message(node.span))
      default: return node
      }
    }
  }

  private mutating func selection(from operand: SyntaxNode) throws(ExpressionErrors) -> SyntaxNode {
    let start = operand.span.lowerBound
    try advance()
    let isOptional = try take(.question)
    let isQuoted = token.kind == .quotedIdentifier
    let name = try selector()
    guard !isOptional, !isQuoted, try take(.openParenthesis) else {
      return try node(.select(operand, name, isOptional: isOptional), start, [operand])
    }
    let arguments = try arguments()
    let call = SyntaxNode.Call(target: operand, name: name, arguments: arguments, isRooted: false)
    return try node(.call(call), start, [operand] + arguments)
  }

  /// `SELECTOR`: a name that may be reserved, or one in backticks.
  private mutating func selector() throws(ExpressionErrors) -> SyntaxNode.Name {
    var text = tokenText
    switch token.kind {
    case .identifier, .reserved: break
    case .quotedIdentifier: text = String(text.dropFirst().dropLast())
    default: throw unexpected("a field name")
    }
    let name = SyntaxNode.Name(text: text, span: token.span)
    try advance()
    return name
  }

  private mutating func index(of operand: SyntaxNode) throws(ExpressionErrors) -> SyntaxNode {
    try advance()
    let isOptional = try take(.question)
    let index = try expression()
    try expect(.closeBracket, "']'")
    return try node(
      .index(operand, index, isOptional: isOptional), operand.span.lowerBound, [operand, index])
  }

  /// What is between the parentheses of a call, and the closing one.
  private mutating func arguments() throws(ExpressionErrors) -> [SyntaxNode] {
    var arguments: [SyntaxNode] = []
    if try take(.closeParenthesis) { return arguments }
    repeat { arguments.append(try expression()) } while try take(.comma)
    try expect(.closeParenthesis, "',' or ')'")
    return arguments
  }

  // MARK: - Primaries

  private mutating func primary() throws(ExpressionErrors) -> SyntaxNode {
    switch token.kind {
    case .identifier: return try name(isRooted: false, token.span.lowerBound)
    case .dot:
      let start = token.span.lowerBound
      try advance()
      return try name(isRooted: true, start)
    case .openParenthesis: return try parenthesized()
    case .openBracket: return try list()
    case .openBrace: return try map()
    case .reserved: throw ExpressionErrors(.reserved(tokenText, token.span))
    case .minus:
      let start = token.span.lowerBound
      try advance()
      guard let number = try negativeNumber(start) else { throw unexpected("a number") }
      return number
    default: return try literal()
    }
  }

  private mutating func name(
    isRooted: Bool, _ start: Int
  ) throws(ExpressionErrors) -> SyntaxNode {
    guard token.kind == .identifier else { throw unexpected("a name") }
    let name = SyntaxNode.Name(text: tokenText, span: token.span)
    try advance()
    guard try take(.openParenthesis) else {
      return try node(.name(name.text, isRooted: isRooted), start)
    }
    let arguments = try arguments()
    let call = SyntaxNode.Call(target: nil, name: name, arguments: arguments, isRooted: isRooted)
    return try node(.call(call), start, arguments)
  }

  private mutating func parenthesized() throws(ExpressionErrors) -> SyntaxNode {
    let start = token.span.lowerBound
    try advance()
    let inner = try expression()
    try expect(.closeParenthesis, "')'")
    return inner.parenthesized(start..<end)
  }

  private mutating func list() throws(ExpressionErrors) -> SyntaxNode {
    let start = token.span.lowerBound
    try advance()
    var elements: [SyntaxNode.Element] = []
    while token.kind != .closeBracket {
      let isOptional = try take(.question)
      elements.append(SyntaxNode.Element(value: try expression(), isOptional: isOptional))
      guard try take(.comma) else { break }
    }
    try expect(.closeBracket, "',' or ']'")
    return try node(.list(elements), start, elements.map(\.value))
  }

  private mutating func map() throws(ExpressionErrors) -> SyntaxNode {
    let start = token.span.lowerBound
    try advance()
    var entries: [SyntaxNode.Entry] = []
    while token.kind != .closeBrace {
      let isOptional = try take(.question)
      let key = try expression()
      try expect(.colon, "':'")
      let value = try expression()
      entries.append(SyntaxNode.Entry(key: key, value: value, isOptional: isOptional))
      guard try take(.comma) else { break }
    }
    try expect(.closeBrace, "',' or '}'")
    return try node(.map(entries), start, entries.flatMap { [$0.key, $0.value] })
  }
}
