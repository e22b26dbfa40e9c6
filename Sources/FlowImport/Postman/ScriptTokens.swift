/// The tokens of a script in JavaScript, as far as its simplest statements need them.
struct ScriptTokens {
  enum Content: Equatable {
    case word(String)
    case text(String)
    case number(String)
    case sign(Character)
  }

  struct Token {
    let content: Content
    /// The index of its line in the script, from 0.
    let line: Int
  }

  private(set) var tokens: [Token] = []
  private var rest: Substring.UnicodeScalarView
  private var line = 0

  init(_ script: String) {
    rest = script.replacing("\r\n", with: "\n")[...].unicodeScalars
    while let scalar = rest.first { read(scalar) }
  }

  private mutating func add(_ content: Content) {
    tokens.append(Token(content: content, line: line))
  }

  private mutating func read(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\n":
      line += 1
      rest.removeFirst()
    case " ", "\t", "\r": rest.removeFirst()
    case "\"", "'", "`": quoted(scalar)
    case "/": slash()
    case "0"..."9": add(.number(take { Self.isPart($0) || $0 == "." }))
    default:
      if Self.isPart(scalar) { return add(.word(take(while: Self.isPart))) }
      add(.sign(Character(scalar)))
      rest.removeFirst()
    }
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar == "_" || scalar == "$" || "0"..."9" ~= scalar
  }

  private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return String(part)
  }

  /// Takes a literal of text.
  ///
  /// One with an expression in it, or without an end, is a sign that no known statement has.
  private mutating func quoted(_ quote: Unicode.Scalar) {
    let start = line
    rest.removeFirst()
    var (text, isPlain) = (String.UnicodeScalarView(), true)
    while let scalar = rest.popFirst(), scalar != quote {
      if scalar == "\n" {
        line += 1
        if quote != "`" { isPlain = false }
      }
      if scalar == "$", quote == "`", rest.first == "{" { isPlain = false }
      guard scalar == "\\", let escaped = rest.popFirst() else {
        text.append(scalar)
        continue
      }
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "\"", "'", "`", "\\", "/": text.append(escaped)
      default: isPlain = false
      }
    }
    let content: Content = isPlain ? .text(String(text)) : .sign("`")
    tokens.append(Token(content: content, line: start))
  }

  /// Takes a comment, a pattern, or the sign of a division.
  private mutating func slash() {
    rest.removeFirst()
    if rest.first == "/" {
      rest = rest.drop { $0 != "\n" }
    } else if rest.first == "*" {
      rest.removeFirst()
      var previous: Unicode.Scalar = " "
      while let scalar = rest.popFirst() {
        if scalar == "\n" { line += 1 }
        if previous == "*", scalar == "/" { return }
        previous = scalar
      }
    } else if isBeforePattern {
      pattern()
    } else {
      add(.sign("/"))
    }
  }

  /// True if a `/` at this place starts a pattern.
  private var isBeforePattern: Bool {
    switch tokens.last?.content {
    case .sign(let sign): sign != ")" && sign != "]" && sign != "}"
    case .word(let word): ["return", "typeof", "case", "in", "of"].contains(word)
    case .text, .number: false
    case nil: true
    }
  }

  private mutating func pattern() {
    add(.sign("/"))
    var isInside = false
    while let scalar = rest.first, scalar != "\n" {
      rest.removeFirst()
      if scalar == "\\" { _ = rest.popFirst() }
      if scalar == "[" { isInside = true }
      if scalar == "]" { isInside = false }
      if scalar == "/", !isInside { return }
    }
  }
}

extension ScriptTokens.Token {
  func isSign(_ sign: Character) -> Bool { content == .sign(sign) }

  /// The word, or nil for any other token.
  var word: String? { if case .word(let word) = content { word } else { nil } }
}
