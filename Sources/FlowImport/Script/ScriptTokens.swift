/// The tokens of a script in JavaScript.
struct ScriptTokens {
  enum Content: Equatable {
    case word(String)
    case text(String)
    case number(String)
    /// A template in backquotes, as texts and the tokens of the expressions between them.
    case template([Part])
    case pattern(String, flags: String)
    /// An operator or a bracket; a text without an end is the sign of a backquote.
    case sign(String)
  }

  /// A part of a template.
  struct Part: Equatable {
    let text: String
    /// The tokens of the expression behind the text, or nil at the end.
    let expression: [Token]?
  }

  struct Token: Equatable {
    let content: Content
    /// The index of its line in the script, from 0.
    let line: Int
  }

  private(set) var tokens: [Token] = []
  private var rest: Substring.UnicodeScalarView
  private var line = 0
  private let depth: Int

  init(_ script: String) {
    self.init(script.replacing("\r\n", with: "\n")[...].unicodeScalars, line: 0, depth: 0)
    while let scalar = rest.first { read(scalar) }
  }

  private init(_ rest: Substring.UnicodeScalarView, line: Int, depth: Int) {
    (self.rest, self.line, self.depth) = (rest, line, depth)
  }

  private mutating func add(_ content: Content) {
    tokens.append(Token(content: content, line: line))
  }

  private mutating func read(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\n":
      line += 1
      rest.removeFirst()
    case " ", "\t", "\r", "\u{A0}", "\u{FEFF}": rest.removeFirst()
    case "\"", "'": quoted(scalar)
    case "`": template()
    case "/": slash()
    case "0"..."9": add(.number(take { Self.isPart($0) || $0 == "." }))
    default:
      if Self.isPart(scalar) { return add(.word(take(while: Self.isPart))) }
      sign(scalar)
    }
  }

  private static let signs = [
    "===", "!==", "...", "**=", "??=", "||=", "&&=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??",
    "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "**",
  ]

  private mutating func sign(_ scalar: Unicode.Scalar) {
    let start = String(rest.prefix(3))
    var sign = Self.signs.first(where: start.hasPrefix) ?? String(scalar)
    // `a ?.5 : b` is a choice.
    if sign == "?.", let digit = start.unicodeScalars.dropFirst(2).first, "0"..."9" ~= digit {
      sign = "?"
    }
    add(.sign(sign))
    rest.removeFirst(sign.unicodeScalars.count)
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar == "_" || scalar == "$" || "0"..."9" ~= scalar
  }

  private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return String(part)
  }

  // MARK: - Texts

  /// Takes a literal of text.
  ///
  /// One without an end is a sign that no known statement has.
  private mutating func quoted(_ quote: Unicode.Scalar) {
    let start = line
    rest.removeFirst()
    var (text, isPlain) = (String.UnicodeScalarView(), true)
    while let scalar = rest.popFirst(), scalar != quote {
      if scalar == "\n" { (line, isPlain) = (line + 1, false) }
      if scalar == "\\" {
        if !escape(&text) { isPlain = false }
      } else {
        text.append(scalar)
      }
    }
    tokens.append(Token(content: isPlain ? .text(String(text)) : .sign("`"), line: start))
  }

  /// Takes the escape behind a backslash.
  ///
  /// False for an unsupported one.
  private mutating func escape(_ text: inout String.UnicodeScalarView) -> Bool {
    guard let escaped = rest.popFirst() else { return false }
    switch escaped {
    case "n": text.append("\n")
    case "t": text.append("\t")
    case "r": text.append("\r")
    case "\n": line += 1
    case "u":
      let digits = rest.prefix(4)
      guard digits.count == 4, let code = UInt32(String(digits), radix: 16),
        let scalar = Unicode.Scalar(code)
      else { return false }
      rest = rest.dropFirst(4)
      text.append(scalar)
    case "0"..."9", "x", "b", "f", "v": return false
    default: text.append(escaped)
    }
    return true
  }

  private mutating func template() {
    let start = line
    rest.removeFirst()
    var (parts, text, isPlain) = ([Part](), String.UnicodeScalarView(), true)
    while let scalar = rest.popFirst(), scalar != "`" {
      if scalar == "\n" { line += 1 }
      if scalar == "\\" {
        if !escape(&text) { isPlain = false }
      } else if scalar == "$", rest.first == "{" {
        rest.removeFirst()
        parts.append(Part(text: String(text), expression: embedded()))
        text = String.UnicodeScalarView()
      } else {
        text.append(scalar)
      }
    }
    parts.append(Part(text: String(text), expression: nil))
    let known: Content = parts.count == 1 ? .text(parts[0].text) : .template(parts)
    tokens.append(Token(content: isPlain ? known : .sign("`"), line: start))
  }

  /// Takes the tokens of an expression in a template, and the bracket behind it.
  private mutating func embedded() -> [Token] {
    var inner = ScriptTokens(rest, line: line, depth: depth + 1)
    var open = 0
    while let scalar = inner.rest.first {
      if scalar == "}", open == 0 { break }
      // A template in a template in a template is enough.
      if scalar == "`", depth > 2 { inner.rest.removeFirst() } else { inner.read(scalar) }
      if inner.tokens.last?.isSign("{") == true, scalar == "{" { open += 1 }
      if scalar == "}" { open -= 1 }
    }
    (rest, line) = (inner.rest.dropFirst(), inner.line)
    return inner.tokens
  }

  // MARK: - Slashes

  /// Takes a comment, a pattern, or the sign of a division.
  private mutating func slash() {
    let second = rest.dropFirst().first
    if second == "/" {
      rest = rest.drop { $0 != "\n" }
    } else if second == "*" {
      rest = rest.dropFirst(2)
      var previous: Unicode.Scalar = " "
      while let scalar = rest.popFirst() {
        if scalar == "\n" { line += 1 }
        if previous == "*", scalar == "/" { return }
        previous = scalar
      }
    } else if isBeforePattern {
      pattern()
    } else {
      sign("/")
    }
  }

  /// True if a `/` at this place starts a pattern.
  private var isBeforePattern: Bool {
    switch tokens.last?.content {
    case .sign(let sign): ![")", "]", "}", "++", "--"].contains(sign)
    case .word(let word): ["return", "typeof", "case", "in", "of"].contains(word)
    case .text, .number, .template, .pattern: false
    case nil: true
    }
  }

  private mutating func pattern() {
    rest.removeFirst()
    var (text, isInside) = (String.UnicodeScalarView(), false)
    while let scalar = rest.first, scalar != "\n" {
      rest.removeFirst()
      if scalar == "/", !isInside {
        return add(.pattern(String(text), flags: take(while: Self.isPart)))
      }
      text.append(scalar)
      if scalar == "\\", let next = rest.popFirst() { text.append(next) }
      if scalar == "[" { isInside = true }
      if scalar == "]" { isInside = false }
    }
    add(.sign("`"))
  }
}

extension ScriptTokens.Token {
  func isSign(_ sign: String) -> Bool { content == .sign(sign) }

  /// The sign, or an empty string for any other token.
  var sign: String { if case .sign(let sign) = content { sign } else { "" } }

  /// The word, or nil for any other token.
  var word: String? { if case .word(let word) = content { word } else { nil } }

  /// 1 for a bracket that opens, -1 for one that closes, 0 for any other token.
  var bracket: Int {
    switch sign {
    case "(", "[", "{": 1
    case ")", "]", "}": -1
    default: 0
    }
  }
}
