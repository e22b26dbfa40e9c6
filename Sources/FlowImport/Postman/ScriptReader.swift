internal import FlowSystem

/// A part of an answer that a script reads.
enum PostmanAnswer: Equatable {
  enum Key: Equatable {
    case name(String)
    case index(Int)
  }

  case json([Key])
  case status
  case text
  case header(String)

  /// Returns the expression for the part of a step's answer.
  func code(_ subject: String) -> String {
    switch self {
    case .status: subject + ".status"
    case .text: subject + ".text"
    case .header(let name): "\(subject).headers[\(name.lowercased().celLiteral)]"
    case .json(let keys):
      keys.reduce(subject + ".json") { code, key in
        switch key {
        case .index(let index): "\(code)[\(index)]"
        case .name(let name) where name.isFieldName: "\(code).\(name)"
        case .name(let name): "\(code)[\(name.celLiteral)]"
        }
      }
    }
  }

  /// The place of the part in the answer, as `secret` of a step names it, or nil if it cannot.
  var place: String? {
    switch self {
    case .status: return nil
    case .text: return "text"
    case .header(let name): return name.isHeaderName ? "headers.\(name.lowercased())" : nil
    case .json(let keys):
      var place = "json"
      for key in keys {
        switch key {
        case .index(let index): place += "[\(index)]"
        case .name(let name):
          guard name.isName else { return nil }
          place += ".\(name)"
        }
      }
      return place
    }
  }

  /// The last name in it, or an empty string.
  var name: String {
    switch self {
    case .status, .text: return ""
    case .header(let name): return name
    case .json(let keys):
      let names = keys.compactMap { if case .name(let name) = $0 { name } else { nil } }
      return names.last ?? ""
    }
  }
}

/// A value that a script compares with a part of an answer.
enum PostmanOperand: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case text(String)
  case variable(String)
}

/// Reads the parts of one statement.
struct ScriptReader {
  private(set) var rest: ArraySlice<ScriptTokens.Token>

  init(_ tokens: ArraySlice<ScriptTokens.Token>) { rest = tokens }

  /// True after the last token, without regard to a semicolon.
  var isAtEnd: Bool { rest.allSatisfy { $0.isSign(";") } }

  /// Takes these words and signs, or nothing.
  mutating func take(_ parts: String...) -> Bool {
    guard rest.count >= parts.count else { return false }
    for (part, token) in zip(parts, rest) {
      switch token.content {
      case .word(let word) where word == part: continue
      case .sign(let sign) where String(sign) == part: continue
      default: return false
      }
    }
    rest = rest.dropFirst(parts.count)
    return true
  }

  mutating func takeSign(_ sign: Character) -> Bool { take(String(sign)) }

  mutating func takeText() -> String? {
    guard case .text(let text)? = rest.first?.content else { return nil }
    rest.removeFirst()
    return text
  }

  private mutating func takeWord() -> String? {
    guard let word = rest.first?.word else { return nil }
    rest.removeFirst()
    return word
  }

  /// Takes `const name =`.
  mutating func takeDeclaredName() -> String? {
    guard let kind = takeWord(), ["const", "let", "var"].contains(kind), let name = takeWord(),
      takeSign("=")
    else { return nil }
    return name
  }

  // MARK: - Answers

  /// Takes a part of the answer.
  mutating func takeAnswer(_ names: [String: PostmanAnswer]) -> PostmanAnswer? {
    if take("pm", ".", "response", ".", "code") || take("responseCode", ".", "code") {
      return .status
    }
    if take("pm", ".", "response", ".", "text", "(", ")") || take("responseBody") { return .text }
    if take("pm", ".", "response", ".", "headers", ".", "get", "(") {
      guard let name = takeText(), takeSign(")") else { return nil }
      return .header(name)
    }
    if take("pm", ".", "response", ".", "json", "(", ")")
      || take("JSON", ".", "parse", "(", "responseBody", ")")
      || take("JSON", ".", "parse", "(", "pm", ".", "response", ".", "text", "(", ")", ")")
    {
      return takeKeys([])
    }
    guard let word = rest.first?.word, let known = names[word] else { return nil }
    rest.removeFirst()
    if case .json(let keys) = known { return takeKeys(keys) }
    return known
  }

  private mutating func takeKeys(_ start: [PostmanAnswer.Key]) -> PostmanAnswer? {
    var keys = start
    while let token = rest.first, token.isSign(".") || token.isSign("[") {
      let before = rest
      rest.removeFirst()
      if token.isSign(".") {
        guard let name = takeWord(), name != "length", rest.first?.isSign("(") != true else {
          // `.to` and a call are no names of members, but what stands before may be an answer.
          rest = before
          return nil
        }
        keys.append(.name(name))
      } else {
        guard let key = takeKey(), takeSign("]") else { return nil }
        keys.append(key)
      }
    }
    return .json(keys)
  }

  private mutating func takeKey() -> PostmanAnswer.Key? {
    if let name = takeText() { return .name(name) }
    guard case .number(let text)? = rest.first?.content, let index = Int(text) else { return nil }
    rest.removeFirst()
    return .index(index)
  }

  // MARK: - Variables

  private static let scopes = ["environment", "collectionVariables", "globals", "variables"]

  /// Takes `pm.environment.set('name', …)` with a part of the answer.
  mutating func takeSet(
    _ names: [String: PostmanAnswer]
  ) -> (name: String, answer: PostmanAnswer)? {
    let isSet =
      Self.scopes.contains { take("pm", ".", $0, ".", "set", "(") }
      || take("postman", ".", "setEnvironmentVariable", "(")
      || take("postman", ".", "setGlobalVariable", "(")
    guard isSet, let name = takeText(), takeSign(","), let answer = takeAnswer(names),
      takeSign(")")
    else { return nil }
    return (name, answer)
  }

  private mutating func takeOperand() -> PostmanOperand? {
    if let text = takeText() { return .text(text) }
    for scope in Self.scopes where take("pm", ".", scope, ".", "get", "(") {
      guard let name = takeText(), takeSign(")") else { return nil }
      return .variable(name)
    }
    let isNegative = takeSign("-")
    if case .number(let text)? = rest.first?.content, Self.isNumber(text) {
      rest.removeFirst()
      return .number(isNegative ? "-" + text : text)
    }
    if isNegative { return nil }
    if take("true") { return .bool(true) }
    if take("false") { return .bool(false) }
    return take("null") ? .null : nil
  }

  private static func isNumber(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && text.utf8.count < 18
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
  }

  // MARK: - Equalities

  /// Takes an equality of a part of the answer and a value, in one of Postman's spellings.
  mutating func takeEquality(
    _ names: [String: PostmanAnswer]
  ) -> (answer: PostmanAnswer, operand: PostmanOperand)? {
    if take("pm", ".", "response", ".", "to", ".", "have", ".", "status", "(") {
      guard let operand = takeOperand(), case .number = operand, takeSign(")") else { return nil }
      return (.status, operand)
    }
    if take("tests", "[") {
      guard takeText() != nil, takeSign("]"), takeSign("="), let answer = takeAnswer(names) else {
        return nil
      }
      let isEqual = take("=", "=", "=") || answer == .status && take("=", "=")
      guard isEqual, let operand = takeOperand() else { return nil }
      return (answer, operand)
    }
    guard take("pm", ".", "expect", "("), let answer = takeAnswer(names), takeSign(")"),
      take(".", "to"), takeEquals(), takeSign("("), let operand = takeOperand(), takeSign(")")
    else { return nil }
    return (answer, operand)
  }

  private mutating func takeEquals() -> Bool {
    _ = take(".", "be") || take(".", "deep")
    return ["equal", "equals", "eql", "eq", "eqls"].contains { take(".", $0) }
  }
}
