internal import FlowCore

/// Reads an expression by the grammar of CEL's "Syntax" section.
struct Parser {
  private var lexer: Lexer
  private var token: Token
  private var end = 0
  private var nesting = 0
  private var nodes = 0

  /// The tree of a whole text.
  static func parse(_ text: String) throws(ExpressionErrors) -> SyntaxNode {
    guard text.utf8.count <= Limits.textLength else { throw ExpressionErrors(.tooLong) }
    var parser = try Parser(text)
    let node = try parser.expression()
    guard parser.token.kind == .end else { throw parser.unexpected("an operator") }
    return node
  }

  private init(_ text: String) throws(ExpressionErrors) {
    lexer = Lexer(text)
    token = try lexer.next()
  }

  // MARK: - Operators

  /// `Expr`: a conditional, or an operator that binds tighter.
  private mutating func expression() throws(ExpressionErrors) -> SyntaxNode {
    try enter()
    defer { nesting -= 1 }
    let condition = try logic(.or)
    guard try take(.question) else { return condition }
    let first = try logic(.or)
    try expect(.colon, "':'")
    let second = try expression()
    return try node(
      .conditional(condition, first, second), condition.span.lowerBound,
      [condition, first, second])
  }

  /// `ConditionalOr` and `ConditionalAnd`: a row of operands is one node, however long it is.
  private mutating func logic(_ sign: LogicOperator) throws(ExpressionErrors) -> SyntaxNode {
    var operands: [SyntaxNode] = []
    repeat {
      operands.append(sign == .or ? try logic(.and) : try binary(1))
    } while try take(sign == .or ? .or : .and)
    guard operands.count > 1 else { return operands[0] }
    return try node(.logic(sign, operands), operands[0].span.lowerBound, operands)
  }

  /// `Relation`, `Addition` and `Multiplication`, by the precedence of their operators.
  private mutating func binary(_ precedence: Int) throws(ExpressionErrors) -> SyntaxNode {
    var left = try unary()
    while let sign = BinaryOperator(token.kind), sign.precedence >= precedence {
      try advance()
      let right = try binary(sign.precedence + 1)
      left = try node(.binary(sign, left, right), left.span.lowerBound, [left, right])
    }
    return left
  }

  private mutating func unary() throws(ExpressionErrors) -> SyntaxNode {
    guard token.kind == .not || token.kind == .minus else { return try member() }
    let sign: UnaryOperator = token.kind == .not ? .not : .negate
    let start = token.span.lowerBound
    try enter()
    defer { nesting -= 1 }
    let mark = token.kind
    try advance()
    if sign == .negate, let number = try negativeNumber(start) { return try suffixes(of: number) }
    let operand = token.kind == mark ? try unary() : try member()
    return try node(.unary(sign, operand), start, [operand])
  }

  // MARK: - Tokens

  private mutating func advance() throws(ExpressionErrors) {
    end = token.span.upperBound
    token = try lexer.next()
  }

  private mutating func take(_ kind: Token.Kind) throws(ExpressionErrors) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  private mutating func expect(_ kind: Token.Kind, _ name: String) throws(ExpressionErrors) {
    guard try take(kind) else { throw unexpected(name) }
  }

  private var tokenText: String { lexer.text(token.bytes) }

  private func unexpected(_ expected: String) -> ExpressionErrors {
    if token.kind == .end { return ExpressionErrors(.unexpectedEnd(expected, token.span)) }
    return ExpressionErrors(.unexpected(tokenText, expected, token.span))
  }

  // MARK: - Nodes

  private mutating func node(
    _ kind: SyntaxNode.Kind, _ start: Int, _ children: [SyntaxNode] = []
  ) throws(ExpressionErrors) -> SyntaxNode {
    var (depth, size) = (0, 1)
    for child in children {
      depth = max(depth, child.depth)
      size += child.size
    }
    nodes += 1
    guard depth < Limits.depth else { throw ExpressionErrors(.tooDeep(start..<end)) }
    guard nodes <= Limits.nodes else { throw ExpressionErrors(.tooLarge(start..<end)) }
    return SyntaxNode(kind: kind, span: start..<end, depth: depth + 1, size: size)
  }

  private mutating func enter() throws(ExpressionErrors) {
    nesting += 1
    if nesting > Limits.depth { throw ExpressionErrors(.tooDeep(token.span)) }
  }

  // MARK: - Members

  /// `Member`: a primary followed by selections, calls and indices.
  private mutating func member() throws(ExpressionErrors) -> SyntaxNode {
    try suffixes(of: try primary())
  }

  private mutating func suffixes(of first: SyntaxNode) throws(ExpressionErrors) -> SyntaxNode {
    var node = first
    while true {
      switch token.kind {
      case .dot: node = try selection(from: node)
      case .openBracket: node = try index(of: node)
      case .openBrace where node.qualifiedName != nil: throw ExpressionErrors(.message(node.span))
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

  private mutating func name(isRooted: Bool, _ start: Int) throws(ExpressionErrors) -> SyntaxNode {
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
      let value = SyntaxNode.Element(value: try expression(), isOptional: isOptional)
      entries.append(SyntaxNode.Entry(key: key, value: value))
      guard try take(.comma) else { break }
    }
    try expect(.closeBrace, "',' or '}'")
    return try node(.map(entries), start, entries.flatMap { [$0.key, $0.value.value] })
  }

  // MARK: - Literals

  /// `LITERAL`, without a sign.
  private mutating func literal() throws(ExpressionErrors) -> SyntaxNode {
    let kind: SyntaxNode.Kind
    switch token.kind {
    case .true: kind = .literal(.bool(true))
    case .false: kind = .literal(.bool(false))
    case .null: kind = .literal(.null)
    case .int, .uint, .double: return try number(isNegative: false, token.span.lowerBound)
    case .string:
      let content = try StringLiteral(token, in: lexer.bytes).content
      kind = .literal(.string(String(decoding: content, as: UTF8.self)))
    case .bytes: kind = .literal(.bytes(Bytes(try StringLiteral(token, in: lexer.bytes).content)))
    default: throw unexpected("an expression")
    }
    let start = token.span.lowerBound
    try advance()
    return try node(kind, start)
  }

  /// The number after a minus sign that belongs to it, or nil.
  private mutating func negativeNumber(_ start: Int) throws(ExpressionErrors) -> SyntaxNode? {
    guard token.kind == .int || token.kind == .double else { return nil }
    return try number(isNegative: true, start)
  }

  private mutating func number(
    isNegative: Bool, _ start: Int
  ) throws(ExpressionErrors) -> SyntaxNode {
    let sign = isNegative ? "-" : ""
    guard let kind = Self.number(sign + tokenText, token.kind) else {
      throw ExpressionErrors(.numberRange(sign + tokenText, start..<token.span.upperBound))
    }
    try advance()
    return try node(kind, start)
  }

  private static func number(_ text: String, _ kind: Token.Kind) -> SyntaxNode.Kind? {
    switch kind {
    case .double:
      guard let number = Double(text), number.isFinite else { return nil }
      return .double(number, text)
    case .uint: return integer(text.dropLast(), UInt.self).map { .literal(.uint($0)) }
    default: return integer(text[...], Int.self).map { .literal(.int($0)) }
    }
  }

  private static func integer<Number: FixedWidthInteger>(
    _ text: Substring, _ type: Number.Type
  ) -> Number? {
    let isNegative = text.first == "-"
    let digits = isNegative ? text.dropFirst() : text
    guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else { return Number(text) }
    return Number((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
  }
}
