internal import FlowCore

/// Reads the parts that documents and schemas have in common.
///
/// Nesting and length are bounded, so that no document exhausts the stack or the time.
struct Parser {
  /// The words that start definitions of a schema.
  static let schemaWords: Set = [
    "schema", "scalar", "type", "interface", "union", "enum", "input", "directive", "extend",
  ]

  /// The deepest nesting of selection sets, values and types.
  static let greatestDepth = 100

  private(set) var token: Token
  private var lexer: Lexer
  private var depth = 0
  private var tokenCount = 0
  private let mostTokens: Int
  private(set) var fieldCount = 0

  init(_ bytes: [UInt8], mostTokens: Int = .max) throws(GraphQLProblem) {
    lexer = Lexer(bytes)
    self.mostTokens = mostTokens
    token = try lexer.next()
  }

  /// The text of the next token.
  var text: String { lexer.text(token) }

  // MARK: - Tokens

  /// Goes on to the next token, and returns the one before it.
  @discardableResult mutating func advance() throws(GraphQLProblem) -> Token {
    let current = token
    tokenCount += 1
    if tokenCount > mostTokens {
      throw GraphQLProblem(current.range, "the document has more than \(mostTokens) tokens")
    }
    token = try lexer.next()
    return current
  }

  func isAt(_ character: Unicode.Scalar) -> Bool {
    token.kind == .punctuator(UInt8(ascii: character))
  }

  /// True if the next token is a word of the language.
  func isAt(word: String) -> Bool {
    token.kind == .name && lexer.bytes[token.range].elementsEqual(word.utf8)
  }

  /// Passes a punctuator if it is the next token.
  mutating func accept(_ character: Unicode.Scalar) throws(GraphQLProblem) -> Bool {
    guard isAt(character) else { return false }
    try advance()
    return true
  }

  mutating func accept(word: String) throws(GraphQLProblem) -> Bool {
    guard isAt(word: word) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(GraphQLProblem) {
    guard try accept(character) else { throw unexpected("'\(character)'") }
  }

  mutating func expect(word: String) throws(GraphQLProblem) {
    guard try accept(word: word) else { throw unexpected("'\(word)'") }
  }

  /// Returns the problem with the next token.
  func unexpected(_ expected: String) -> GraphQLProblem {
    let found = token.kind == .end ? "the end" : "'\(text.excerpt)'"
    return GraphQLProblem(token.range, "expected \(expected), got \(found)")
  }

  mutating func name(_ expected: String = "a name") throws(GraphQLProblem) -> Name {
    guard token.kind == .name else { throw unexpected(expected) }
    let token = try advance()
    return Name(text: lexer.text(token), range: token.range)
  }

  /// Reads one or more parts between two punctuators.
  mutating func list<Part>(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    _ part: (inout Parser) throws(GraphQLProblem) -> Part
  ) throws(GraphQLProblem) -> [Part] {
    try expect(open)
    var parts = [try part(&self)]
    while try !accept(close) { parts.append(try part(&self)) }
    return parts
  }

  /// Reads a part one level deeper.
  private mutating func nested<Part>(
    _ read: (inout Parser) throws(GraphQLProblem) -> Part
  ) throws(GraphQLProblem) -> Part {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.greatestDepth {
      throw GraphQLProblem(token.range, "deeper than \(Self.greatestDepth) levels")
    }
    return try read(&self)
  }

  // MARK: - Values

  /// Reads a value, in which only some places allow variables.
  mutating func value(isConstant: Bool) throws(GraphQLProblem) -> Literal {
    let token = token
    switch token.kind {
    case .punctuator(UInt8(ascii: "$")):
      if isConstant { throw GraphQLProblem(token.range, "a variable cannot be used here") }
      try advance()
      let name = try name("the name of a variable")
      return Literal(
        kind: .variable(name.text), range: token.range.lowerBound..<name.range.upperBound)
    case .punctuator(UInt8(ascii: "[")): return try listValue(isConstant: isConstant)
    case .punctuator(UInt8(ascii: "{")): return try objectValue(isConstant: isConstant)
    case .int: return Literal(kind: .int(try word()), range: token.range)
    case .float: return Literal(kind: .float(try word()), range: token.range)
    case .string, .blockString:
      return Literal(kind: .string(try string()), range: token.range)
    case .name: return Literal(kind: Self.named(try word()), range: token.range)
    default: throw unexpected("a value")
    }
  }

  private mutating func word() throws(GraphQLProblem) -> String { lexer.text(try advance()) }

  private static func named(_ word: String) -> Literal.Kind {
    switch word {
    case "true": .bool(true)
    case "false": .bool(false)
    case "null": .null
    default: .enumeration(word)
    }
  }

  /// Reads the text of a string.
  mutating func string() throws(GraphQLProblem) -> String {
    let token = try advance()
    let bytes = lexer.bytes[token.range]
    return token.kind == .blockString ? StringText.block(bytes) : StringText.plain(bytes)
  }

  private mutating func listValue(isConstant: Bool) throws(GraphQLProblem) -> Literal {
    let start = token.range.lowerBound
    return try nested { (parser) throws(GraphQLProblem) in
      try parser.expect("[")
      var values: [Literal] = []
      while !parser.isAt("]") { values.append(try parser.value(isConstant: isConstant)) }
      let end = try parser.advance().range.upperBound
      return Literal(kind: .list(values), range: start..<end)
    }
  }

  private mutating func objectValue(isConstant: Bool) throws(GraphQLProblem) -> Literal {
    let start = token.range.lowerBound
    return try nested { (parser) throws(GraphQLProblem) in
      try parser.expect("{")
      var fields: [Argument] = []
      while !parser.isAt("}") { fields.append(try parser.argument(isConstant: isConstant)) }
      let end = try parser.advance().range.upperBound
      return Literal(kind: .object(fields), range: start..<end)
    }
  }

  private mutating func argument(isConstant: Bool) throws(GraphQLProblem) -> Argument {
    let name = try name()
    try expect(":")
    return Argument(name: name, value: try value(isConstant: isConstant))
  }

  private mutating func arguments(isConstant: Bool) throws(GraphQLProblem) -> [Argument] {
    guard isAt("(") else { return [] }
    return try list("(", ")") { (parser) throws(GraphQLProblem) in
      try parser.argument(isConstant: isConstant)
    }
  }

  mutating func directives(isConstant: Bool) throws(GraphQLProblem) -> [AppliedDirective] {
    var directives: [AppliedDirective] = []
    while try accept("@") {
      let name = try name("the name of a directive")
      directives.append(
        AppliedDirective(name: name, arguments: try arguments(isConstant: isConstant)))
    }
    return directives
  }

  // MARK: - Types

  mutating func type() throws(GraphQLProblem) -> TypeNode {
    let type: TypeNode
    if isAt("[") {
      type = try nested { (parser) throws(GraphQLProblem) in
        try parser.expect("[")
        let element = try parser.type()
        try parser.expect("]")
        return .list(element)
      }
    } else {
      type = .named(try name("a type"))
    }
    return try accept("!") ? .nonNull(type) : type
  }

  // MARK: - Selections

  mutating func selectionSet() throws(GraphQLProblem) -> SelectionSet {
    try nested { (parser) throws(GraphQLProblem) in
      SelectionSet(
        selections: try parser.list("{", "}") { (parser) throws(GraphQLProblem) in
          try parser.selection()
        })
    }
  }

  private mutating func selection() throws(GraphQLProblem) -> Selection {
    guard token.kind == .spread else { return .field(try field()) }
    let start = try advance().range
    if token.kind == .name, !isAt(word: "on") {
      let name = try name()
      return .spread(FragmentSpread(name: name, directives: try directives(isConstant: false)))
    }
    let condition = try accept(word: "on") ? try name("a type") : nil
    return .inline(
      InlineFragment(
        condition: condition, directives: try directives(isConstant: false),
        selections: try selectionSet(), range: condition?.range ?? start))
  }

  private mutating func field() throws(GraphQLProblem) -> FieldNode {
    let number = fieldCount
    fieldCount += 1
    let first = try name("a field")
    let second = try accept(":") ? try name("a field") : nil
    let arguments = try arguments(isConstant: false)
    let directives = try directives(isConstant: false)
    return FieldNode(
      number: number, alias: second == nil ? nil : first, name: second ?? first,
      arguments: arguments, directives: directives,
      selections: isAt("{") ? try selectionSet() : nil)
  }
}

extension String {
  /// The start of the text on one line, for a message.
  fileprivate var excerpt: String { String(escaped.prefix(40)) }
}
