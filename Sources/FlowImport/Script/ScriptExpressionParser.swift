/// Reads the expressions of a script, from the weakest operator to the strongest.
///
/// Every function returns nil for syntax that is not known, and has taken some tokens then.
struct ScriptExpressionParser {
  private static let mostLevels = 60

  var rest: ArraySlice<ScriptTokens.Token> {
    didSet { if rest.startIndex > oldValue.startIndex { lastLine = oldValue.first?.line ?? 0 } }
  }
  /// The line of the last token taken.
  private(set) var lastLine = 0
  /// The levels around this place.
  var depth = 0
  /// The levels of the last expression or statement: also `a + a + a` has three.
  var height = 0

  init(_ tokens: ArraySlice<ScriptTokens.Token>) { rest = tokens }

  /// Takes a sign.
  mutating func take(_ sign: String) -> Bool {
    guard rest.first?.isSign(sign) == true else { return false }
    rest.removeFirst()
    return true
  }

  mutating func takeWord() -> String? {
    guard let word = rest.first?.word else { return nil }
    rest.removeFirst()
    return word
  }

  /// Takes an expression, without the operator `,`.
  mutating func expression() -> ScriptExpression? { assignment() }

  mutating func assignment() -> ScriptExpression? {
    guard depth < Self.mostLevels else { return nil }
    depth += 1
    defer { depth -= 1 }
    if let function = arrow() { return .function(function) }
    guard let left = choice() else { return nil }
    let before = height
    let signs = ["=", "+=", "-=", "*=", "/=", "%=", "**=", "??=", "||=", "&&="]
    guard let sign = rest.first?.sign, signs.contains(sign) else { return left }
    rest.removeFirst()
    guard let right = assignment(), grow(from: before) else { return nil }
    return .assignment(sign, left, right)
  }

  /// Counts a level around the last expression and one before it.
  ///
  /// False for too many levels.
  private mutating func grow(from other: Int = 0) -> Bool {
    height = max(height, other) + 1
    return height < Self.mostLevels
  }

  private mutating func choice() -> ScriptExpression? {
    guard let condition = binary(0) else { return nil }
    guard take("?") else { return condition }
    var before = height
    guard let yes = assignment(), take(":") else { return nil }
    before = max(before, height)
    guard let no = assignment(), grow(from: before) else { return nil }
    return .choice(condition, yes, no)
  }

  /// The operators by their strength, from the weakest.
  private static let operators: [Set<String>] = [
    ["||", "??"], ["&&"], ["===", "!==", "==", "!="], ["<", ">", "<=", ">=", "in", "instanceof"],
    ["+", "-"], ["*", "/", "%"],
  ]

  private mutating func binary(_ level: Int) -> ScriptExpression? {
    guard level < Self.operators.count else { return unary() }
    guard var left = binary(level + 1) else { return nil }
    while let token = rest.first, let sign = token.word ?? Optional(token.sign),
      Self.operators[level].contains(sign)
    {
      rest.removeFirst()
      let before = height
      guard let right = binary(level + 1), grow(from: before) else { return nil }
      left = .binary(sign, left, right)
    }
    return left
  }

  private mutating func unary() -> ScriptExpression? {
    guard let token = rest.first, depth < Self.mostLevels else { return nil }
    let signs = ["!", "-", "+", "++", "--", "typeof", "await", "void", "delete"]
    guard let sign = token.word ?? Optional(token.sign), signs.contains(sign) else {
      return postfix()
    }
    depth += 1
    defer { depth -= 1 }
    rest.removeFirst()
    guard let operand = unary(), grow() else { return nil }
    return .unary(sign, operand)
  }

  private mutating func postfix() -> ScriptExpression? {
    height = 0
    guard var value = primary() else { return nil }
    while let token = rest.first {
      let before = height
      switch token.sign {
      case ".", "?.":
        rest.removeFirst()
        // `a?.[0]` and `a?.()`
        if token.sign == "?.", let next = rest.first?.sign, ["[", "("].contains(next) { continue }
        guard let name = takeWord(), grow() else { return nil }
        value = .member(value, name)
      case "[":
        rest.removeFirst()
        guard let index = expression(), take("]"), grow(from: before) else { return nil }
        value = .index(value, index)
      case "(":
        guard let arguments = arguments(), grow(from: before) else { return nil }
        value = .call(value, arguments)
      case "++", "--":
        guard token.line == lastLine else { return value }
        rest.removeFirst()
        value = .unary(token.sign, value)
      default: return value
      }
    }
    return value
  }

  private mutating func arguments() -> [ScriptExpression]? { list(from: "(", to: ")") }

  private mutating func list(from start: String, to end: String) -> [ScriptExpression]? {
    guard take(start) else { return nil }
    var (elements, tallest) = ([ScriptExpression](), 0)
    defer { height = tallest }
    while !take(end) {
      guard let element = assignment() else { return nil }
      tallest = max(tallest, height)
      elements.append(element)
      if !take(","), rest.first?.isSign(end) != true { return nil }
    }
    return elements
  }

  private mutating func primary() -> ScriptExpression? {
    guard let token = rest.first else { return nil }
    switch token.content {
    case .text(let text):
      rest.removeFirst()
      return .text(text)
    case .number(let text):
      rest.removeFirst()
      return .number(text)
    case .pattern(let text, let flags):
      rest.removeFirst()
      return .pattern(text, flags: flags)
    case .template(let parts):
      rest.removeFirst()
      return template(parts)
    case .word(let word): return named(word)
    case .sign("["): return list(from: "[", to: "]").map { .list($0) }
    case .sign("{"): return object()
    case .sign("("):
      rest.removeFirst()
      guard let value = expression(), take(")") else { return nil }
      return value
    case .sign: return nil
    }
  }

  private mutating func named(_ word: String) -> ScriptExpression? {
    if word == "function" || word == "async" { return function() }
    rest.removeFirst()
    switch word {
    case "null": return .null
    case "undefined": return .undefined
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "new":
      guard var type = primary() else { return nil }
      while take(".") {
        guard let name = takeWord() else { return nil }
        type = .member(type, name)
      }
      if rest.first?.isSign("(") != true { return .new(type, []) }
      return arguments().map { .new(type, $0) }
    case "class", "if", "for", "while", "return", "var", "let", "const", "else", "case": return nil
    default: return .name(word)
    }
  }

  private mutating func template(_ parts: [ScriptTokens.Part]) -> ScriptExpression? {
    var (elements, tallest) = ([ScriptExpression](), 0)
    defer { height = tallest }
    for part in parts {
      if !part.text.isEmpty { elements.append(.text(part.text)) }
      guard let tokens = part.expression else { continue }
      var inner = ScriptExpressionParser(tokens[...])
      inner.depth = depth + 1
      guard let value = inner.expression(), inner.rest.isEmpty else { return nil }
      tallest = max(tallest, inner.height)
      elements.append(value)
    }
    return .template(elements)
  }

  private mutating func object() -> ScriptExpression? {
    rest.removeFirst()
    var (members, tallest) = ([ScriptExpression.Member](), 0)
    defer { height = tallest }
    while !take("}") {
      guard let key = rest.popFirst() else { return nil }
      let name: String
      switch key.content {
      case .word(let text), .text(let text), .number(let text): name = text
      case .template, .pattern, .sign: return nil
      }
      if take(":") {
        guard let value = assignment() else { return nil }
        tallest = max(tallest, height)
        members.append(.init(name: name, value: value))
      } else if key.word != nil {
        members.append(.init(name: name, value: .name(name)))
      } else {
        return nil
      }
      if !take(","), rest.first?.isSign("}") != true { return nil }
    }
    return .object(members)
  }

  // MARK: - Functions

  /// Takes `function (a) {…}`.
  mutating func function() -> ScriptExpression? {
    if rest.first?.word == "async" { rest.removeFirst() }
    if let arrow = arrow() { return .function(arrow) }
    guard takeWord() == "function" else { return nil }
    if rest.first?.word != nil { rest.removeFirst() }
    guard let parameters = parameters(), let body = body() else { return nil }
    return .function(ScriptFunction(parameters: parameters, body: body))
  }

  /// Takes `(a) => {…}`, `a => value`, or nothing.
  private mutating func arrow() -> ScriptFunction? {
    let start = self
    if rest.first?.word == "async", rest.dropFirst().first?.word != "function" {
      rest.removeFirst()
    }
    let isName = rest.first?.word != nil
    let parameters = isName ? takeWord().map { [$0] } : parameters()
    guard let parameters, take("=>") else {
      self = start
      return nil
    }
    if rest.first?.isSign("{") == true {
      guard let body = body() else {
        self = start
        return nil
      }
      return ScriptFunction(parameters: parameters, body: body)
    }
    let line = rest.first?.line ?? 0
    guard let value = assignment() else {
      self = start
      return nil
    }
    let name = value.chain.map { ([$0.start] + $0.links.prefix(1).map(\.name)) } ?? []
    let statement = ScriptStatement(
      line: line, name: name.isEmpty ? "a statement" : name.joined(separator: "."), changed: [],
      kind: .expression(value))
    return ScriptFunction(parameters: parameters, body: [statement])
  }

  private mutating func parameters() -> [String]? {
    guard take("(") else { return nil }
    var names: [String] = []
    while !take(")") {
      guard let name = takeWord() else { return nil }
      names.append(name)
      if !take(","), rest.first?.isSign(")") != true { return nil }
    }
    return names
  }

  private mutating func body() -> [ScriptStatement]? {
    guard take("{"), depth < Self.mostLevels else { return nil }
    let statements = ScriptParser.body(&self)
    return take("}") ? statements : nil
  }
}
