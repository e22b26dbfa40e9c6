/// The statements of a script that are expressible in a scenario, and the places of all others.
///
/// Three forms are known: a variable set from the answer, a status, and an equality. They are known
/// only where they run unconditionally: at the top, and in the function of `pm.test`.
struct PostmanScript {
  enum Statement: Equatable {
    /// A variable set from a part of the answer.
    case set(String, PostmanAnswer)
    /// A part of the answer with an expected value.
    case equal(PostmanAnswer, PostmanOperand)
    /// Anything else, with the name at its start.
    case other(String)
  }

  /// The statements with the indices of their lines, from 0.
  private(set) var statements: [(line: Int, statement: Statement)] = []
  private var rest: ArraySlice<ScriptTokens.Token>
  /// The names that the script has given to parts of the answer.
  private var names: [String: PostmanAnswer] = [:]
  /// True after a statement that may end the block.
  private var isConditional = false

  init(_ script: String) {
    rest = ScriptTokens(script).tokens[...]
    while !rest.isEmpty {
      block()
      // A bracket too many: what it belongs to is unknown.
      if let token = rest.popFirst() {
        add(.other("}"), token.line)
        isConditional = true
      }
    }
  }

  private mutating func add(_ statement: Statement, _ line: Int) {
    statements.append((line, statement))
  }

  /// Takes statements up to the end of the block around them.
  private mutating func block() {
    while let token = rest.first, !token.isSign("}") {
      if token.isSign(";") {
        rest.removeFirst()
      } else if !test() {
        self.statement()
      }
    }
  }

  // MARK: - Tests

  /// Takes `pm.test('…', function () {…})` and the statements in it.
  ///
  /// False for anything else.
  private mutating func test() -> Bool {
    var head = ScriptReader(rest)
    guard head.take("pm", ".", "test", "("), head.takeText() != nil, head.takeSign(",") else {
      return false
    }
    _ = head.take("async")
    let isFunction = head.take("function", "(", ")", "{") || head.take("(", ")", "=", ">", "{")
    guard isFunction, Self.endsTest(head.rest) else { return false }
    rest = head.rest
    let (outer, wasConditional) = (names, isConditional)
    block()
    names = outer.filter { names[$0.key] == $0.value }
    isConditional = wasConditional
    rest = rest.dropFirst(2)
    return true
  }

  /// Returns true if the bracket of the function's end is followed by that of the call.
  private static func endsTest(_ tokens: ArraySlice<ScriptTokens.Token>) -> Bool {
    var depth = 0
    for (index, token) in zip(tokens.indices, tokens) {
      guard case .sign(let sign) = token.content else { continue }
      if "({[".contains(sign) { depth += 1 }
      if ")}]".contains(sign) { depth -= 1 }
      if depth < 0 {
        return sign == "}" && tokens[index...].dropFirst().first?.isSign(")") == true
      }
    }
    return false
  }

  // MARK: - Statements

  private static let controls: Set<String> = [
    "if", "else", "for", "while", "do", "switch", "try", "catch", "finally", "function", "class",
    "with", "async",
  ]

  /// The starts of statements that may end the block around them.
  private static let exits: Set<String> = [
    "if", "else", "for", "while", "do", "switch", "try", "return", "throw",
  ]

  private mutating func statement() {
    let start = rest
    guard let first = start.first else { return }
    if let word = first.word, Self.controls.contains(word) {
      takeControlled()
    } else {
      takeLine()
    }
    let tokens = start[..<rest.startIndex]
    // What a script prints has no effect.
    let isKnown =
      first.word == "console" || !isConditional && read(ScriptReader(tokens), first.line)
    if !isKnown {
      add(.other(Self.name(of: tokens)), first.line)
      forgetNames(changedIn: tokens)
    }
    if let word = first.word, Self.exits.contains(word),
      tokens.contains(where: { $0.word == "return" || $0.word == "throw" })
    {
      isConditional = true
    }
  }

  /// Takes tokens to the end of a statement: a semicolon, or a line that nothing continues.
  private mutating func takeLine() {
    var (depth, previous) = (0, ScriptTokens.Token?.none)
    while let token = rest.first {
      if depth == 0 {
        if token.isSign("}") || token.isSign(")") || token.isSign("]") {
          // A bracket that closes nothing belongs to the block around.
          if token.isSign("}") || previous != nil { break }
        }
        if let previous, previous.line < token.line, !Self.continues(previous, token) { break }
      }
      rest.removeFirst()
      if token.isSign(";"), depth == 0 { break }
      if case .sign(let sign) = token.content {
        if "({[".contains(sign) { depth += 1 }
        if ")}]".contains(sign) { depth = max(0, depth - 1) }
      }
      previous = token
    }
  }

  /// Returns true if a line goes on in the next one.
  private static func continues(_ last: ScriptTokens.Token, _ next: ScriptTokens.Token) -> Bool {
    if case .sign(let sign) = last.content, !")]}`;".contains(sign) { return true }
    if case .sign(let sign) = next.content { return ".([=+-*/?:&|,<>%^".contains(sign) }
    return false
  }

  /// Takes a statement with a body, and everything that belongs to it.
  ///
  /// Its body runs under a condition, or later.
  private mutating func takeControlled() {
    while let token = rest.first, let word = token.word, Self.controls.contains(word) {
      rest.removeFirst()
      // The words and the condition before the body.
      while let next = rest.first, let word = next.word, !Self.controls.contains(word),
        word != "pm", ["function", "class", "async"].contains(token.word)
      {
        rest.removeFirst()
      }
      if rest.first?.isSign("(") == true { takeBrackets() }
      if rest.first?.isSign("{") == true {
        takeBrackets()
      } else if let next = rest.first?.word, Self.controls.contains(next) {
        continue
      } else {
        takeLine()
      }
      guard let next = rest.first?.word, ["else", "catch", "finally", "while"].contains(next)
      else { return }
    }
  }

  private mutating func takeBrackets() {
    var depth = 0
    while let token = rest.popFirst() {
      guard case .sign(let sign) = token.content else { continue }
      if "({[".contains(sign) { depth += 1 }
      if ")}]".contains(sign) { depth -= 1 }
      if depth <= 0 { return }
    }
  }

  /// Returns the names at the start of a statement, such as `pm.sendRequest` and `var user`.
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
      case .sign(".") where !name.isEmpty && !name.hasSuffix("."): name += "."
      default: return name.isEmpty ? "a statement" : String(name.prefix(60))
      }
    }
    return name.isEmpty ? "a statement" : String(name.prefix(60))
  }

  /// Forgets the names that a statement may change.
  private mutating func forgetNames(changedIn tokens: ArraySlice<ScriptTokens.Token>) {
    guard tokens.contains(where: { $0.isSign("=") }) else { return }
    for (token, next) in zip(tokens, tokens.dropFirst()) {
      guard let word = token.word, case .sign(let sign) = next.content else { continue }
      if "=+-*/[.".contains(sign) { names[word] = nil }
    }
  }

  // MARK: - Forms

  /// Reads a statement of a known form.
  ///
  /// False for any other statement.
  private mutating func read(_ tokens: ScriptReader, _ line: Int) -> Bool {
    var reader = tokens
    if let name = reader.takeDeclaredName(), let answer = reader.takeAnswer(names), reader.isAtEnd {
      names[name] = answer
      return true
    }
    reader = tokens
    if let (name, answer) = reader.takeSet(names), reader.isAtEnd {
      add(.set(name, answer), line)
      return true
    }
    reader = tokens
    if let (answer, operand) = reader.takeEquality(names), reader.isAtEnd {
      add(.equal(answer, operand), line)
      return true
    }
    return false
  }
}
