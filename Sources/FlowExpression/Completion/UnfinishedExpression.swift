/// An expression that ends where its author writes.
///
///     let unfinished = UnfinishedExpression("size(steps.load.ba")
///     // unfinished?.receiver == "steps.load", unfinished?.prefix == "ba"
package struct UnfinishedExpression {
  /// The written start of the name, possibly empty.
  package let prefix: String
  /// The value before the last point, or nil for a name without one.
  package let receiver: String?
  /// The open calls of macros around the end, from the outside in.
  private let macros: [OpenMacro]

  /// A call of a macro without its end, whose variables are in sight.
  private struct OpenMacro {
    let macro: Macro
    /// The list or the map, or the value of `cel.bind`.
    let subject: String
    let variables: [String]
  }

  private static let most = 4_000

  /// Reads the text before the place where its author writes.
  ///
  /// Nil inside of a literal, where no name can be.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.most else { return nil }
    var (lexer, tokens) = (Lexer(text), [Token]())
    do throws(ExpressionErrors) {
      while true {
        let token = try lexer.next()
        if token.kind == .end { break }
        tokens.append(token)
      }
    } catch {
      return nil
    }
    let words = Words(lexer: lexer, tokens: tokens)
    var end = tokens.count
    if let last = tokens.last, last.bytes.upperBound == lexer.bytes.count {
      switch last.kind {
      case .identifier, .reserved, .in, .true, .false, .null:
        prefix = words.text(end - 1)
        end -= 1
      case .int, .uint, .double, .string, .bytes, .quotedIdentifier: return nil
      default: prefix = ""
      }
    } else {
      prefix = ""
    }
    macros = words.openMacros(before: end)
    guard end > 0, tokens[end - 1].kind == .dot || words.isOptionalDot(before: end) else {
      receiver = nil
      return
    }
    let dot = tokens[end - 1].kind == .dot ? end - 1 : end - 2
    receiver = words.value(before: dot)
  }

  /// Returns an environment with the variables of the macros around the end.
  package func environment(in environment: Environment) -> Environment {
    var environment = environment
    for open in macros {
      let type = (try? Expression(open.subject, in: environment))?.type.withoutNull ?? .dyn
      let types = Self.types(of: open, type)
      for (variable, type) in zip(open.variables, types) {
        environment.declare(variable, expressionType: type, slot: Slot(level: 0, index: 0))
      }
    }
    return environment
  }

  /// Returns the types of a macro's variables: an element, or a key or index and a value.
  private static func types(of open: OpenMacro, _ type: ExpressionType) -> [ExpressionType] {
    if open.macro == .bind { return [type] }
    let isPair = open.variables.count == 2
    switch type {
    case .list(let element): return isPair ? [.int, element] : [element]
    case .map(let key, let value): return isPair ? [key, value] : [key]
    case .optional(let wrapped): return [wrapped]
    default: return [.dyn, .dyn]
    }
  }

  // MARK: - Tokens

  private struct Words {
    let lexer: Lexer
    let tokens: [Token]

    func text(_ index: Int) -> String { lexer.text(tokens[index].bytes) }

    func text(_ range: Range<Int>) -> String {
      guard let first = range.first, let last = range.last else { return "" }
      return lexer.text(tokens[first].bytes.lowerBound..<tokens[last].bytes.upperBound)
    }

    /// True for `.?` before a token.
    func isOptionalDot(before end: Int) -> Bool {
      end > 1 && tokens[end - 1].kind == .question && tokens[end - 2].kind == .dot
    }

    /// Returns the value that ends before a token, such as `steps.load` or `f(x)[0]`.
    func value(before end: Int) -> String { text(valueStart(before: end)..<end) }

    func valueStart(before end: Int) -> Int {
      var start = end
      while start > 0 {
        switch tokens[start - 1].kind {
        case .closeParenthesis, .closeBracket, .closeBrace:
          guard let open = opening(of: start - 1) else { return start }
          start = open
          // A call has a name before its arguments, and a literal list does not.
          if start > 0, Self.endsValue(tokens[start - 1].kind) { continue }
        case .identifier, .quotedIdentifier, .string: start -= 1
        default: return start
        }
        guard start > 0, tokens[start - 1].kind == .dot || isOptionalDot(before: start) else {
          return start
        }
        start -= tokens[start - 1].kind == .dot ? 1 : 2
      }
      return start
    }

    private static func endsValue(_ kind: Token.Kind) -> Bool {
      kind == .identifier || kind == .closeBracket || kind == .closeParenthesis
    }

    private func opening(of close: Int) -> Int? {
      var depth = 0
      for index in stride(from: close, through: 0, by: -1) {
        switch tokens[index].kind {
        case .closeParenthesis, .closeBracket, .closeBrace: depth += 1
        case .openParenthesis, .openBracket, .openBrace:
          depth -= 1
          if depth == 0 { return index }
        default: break
        }
      }
      return nil
    }

    func openMacros(before end: Int) -> [OpenMacro] {
      var open: [Int] = []
      for index in 0..<end {
        switch tokens[index].kind {
        case .openParenthesis, .openBracket, .openBrace: open.append(index)
        case .closeParenthesis, .closeBracket, .closeBrace: _ = open.popLast()
        default: break
        }
      }
      return open.compactMap { macro(at: $0, before: end) }
    }

    /// Returns the macro whose arguments start at a parenthesis, if its variables are complete.
    private func macro(at parenthesis: Int, before end: Int) -> OpenMacro? {
      guard tokens[parenthesis].kind == .openParenthesis, parenthesis > 2,
        tokens[parenthesis - 1].kind == .identifier, tokens[parenthesis - 2].kind == .dot
      else { return nil }
      let name = text(parenthesis - 1)
      let target = value(before: parenthesis - 2)
      let macro = target == "cel" && name == "bind" ? Macro.bind : Macro(rawValue: name)
      guard let macro else { return nil }
      var (variables, index) = ([String](), parenthesis + 1)
      while index + 1 < end, tokens[index].kind == .identifier, tokens[index + 1].kind == .comma,
        variables.count < (macro == .bind ? 1 : 2)
      {
        variables.append(text(index))
        index += 2
      }
      if variables.isEmpty { return nil }
      guard macro == .bind else {
        return OpenMacro(macro: macro, subject: target, variables: variables)
      }
      guard let comma = comma(from: index, before: end) else { return nil }
      return OpenMacro(macro: macro, subject: text(index..<comma), variables: variables)
    }

    /// Returns the first comma outside of parentheses.
    private func comma(from start: Int, before end: Int) -> Int? {
      var depth = 0
      for index in start..<end {
        switch tokens[index].kind {
        case .openParenthesis, .openBracket, .openBrace: depth += 1
        case .closeParenthesis, .closeBracket, .closeBrace: depth -= 1
        case .comma where depth == 0: return index
        default: break
        }
      }
      return nil
    }
  }
}
