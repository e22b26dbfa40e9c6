internal import FlowCore

/// Reads an expression by the grammar of CEL's "Syntax" section.
struct Parser {
  private(set) var lexer: Lexer
  private(set) var token: Token
  /// Where the last token taken ends.
  private(set) var end = 0
  private var nesting = 0
  private var nodes = 0

  /// The tree of a whole text.
  ///
  /// - Throws: The first thing that is no expression, or a limit that is exceeded.
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

  /// `Expr`: a conditional, or what binds tighter.
  mutating func expression() throws(ExpressionErrors) -> SyntaxNode {
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

  mutating func advance() throws(ExpressionErrors) {
    end = token.span.upperBound
    token = try lexer.next()
  }

  /// Takes the token if it is of this kind.
  mutating func take(_ kind: Token.Kind) throws(ExpressionErrors) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  mutating func expect(_ kind: Token.Kind, _ name: String) throws(ExpressionErrors) {
    guard try take(kind) else { throw unexpected(name) }
  }

  var tokenText: String { lexer.text(token.bytes) }

  func unexpected(_ expected: String) -> ExpressionErrors {
    if token.kind == .end { return ExpressionErrors(.unexpectedEnd(expected, token.span)) }
    return ExpressionErrors(.unexpected(tokenText, expected, token.span))
  }

  // MARK: - Nodes

  /// Makes a node that ends where the last token taken does.
  mutating func node(
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
}
