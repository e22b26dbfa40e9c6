/// A selector of CSS as a path of XPath 1.0.
///
/// Knows the selectors of Selectors Level 3 that a stored page has an answer for, `:not()` of simple
/// selectors, and at the end `::text` and `::attr(name)` for the parts of the chosen elements.
struct Selector {
  /// The reason why a text is no selector.
  struct Problem: Error {
    let message: String
  }

  /// The path, from the root of a document.
  let path: String

  init(_ text: String) throws(Problem) {
    var reader = SelectorReader(text)
    path = try reader.selectors().joined(separator: " | ")
  }
}

/// Reads selectors from left to right.
private struct SelectorReader {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  // MARK: - Selectors

  /// Reads selectors with commas between them.
  mutating func selectors() throws(Selector.Problem) -> [String] {
    var paths = [try selector()]
    while take(",") { paths.append(try selector()) }
    if let rest = peek() { throw unexpected(rest) }
    return paths
  }

  /// Reads compound selectors with combinators between them, and the part of the elements.
  private mutating func selector() throws(Selector.Problem) -> String {
    skipBlanks()
    var path = "//" + (try compound())
    while true {
      let hasBlank = skipBlanks()
      guard let next = peek(), next != "," else { return path }
      if next == ":", peek(1) == ":" { return path + (try part()) }
      switch next {
      case ">":
        advance()
        path += "/"
      case "+":
        advance()
        path += "/following-sibling::*[1]/self::"
      case "~":
        advance()
        path += "/following-sibling::"
      default:
        guard hasBlank else { throw unexpected(next) }
        path += "//"
      }
      skipBlanks()
      path += try compound()
    }
  }

  /// Reads `::text` or `::attr(name)`.
  private mutating func part() throws(Selector.Problem) -> String {
    advance(2)
    let name = try self.name("a part")
    if name == "text" { return "/text()" }
    guard name == "attr", take("(") else {
      throw Selector.Problem(message: "'::\(name)' is not '::text' or '::attr(name)'")
    }
    let attribute = try self.name("an attribute")
    try expect(")")
    return "/@\(attribute)"
  }

  /// Reads a type and the conditions after it, as in `a.next[href]`.
  private mutating func compound() throws(Selector.Problem) -> String {
    let start = position
    var (type, conditions) = ("*", [String]())
    if peek() == "*" {
      advance()
    } else if let first = peek(), first.startsName {
      type = try name("an element").lowercased()
    }
    while let condition = try condition(of: type) { conditions.append(condition) }
    if position == start {
      throw peek().map(unexpected) ?? Selector.Problem(message: "an element is missing at the end")
    }
    return type + conditions.map { "[\($0)]" }.joined()
  }

  private mutating func condition(of type: String) throws(Selector.Problem) -> String? {
    switch peek() {
    case "#":
      advance()
      return "@id = \(try name("an id").literal)"
    case ".":
      advance()
      return Self.hasWord(try name("a class"), in: "@class")
    case "[": return try attribute()
    case ":" where peek(1) != ":": return try pseudoClass(of: type)
    default: return nil
    }
  }

  private static func hasWord(_ word: String, in value: String) -> String {
    "contains(concat(' ', normalize-space(\(value)), ' '), \(" \(word) ".literal))"
  }

  // MARK: - Attributes

  /// Reads `[href]`, `[href="x"]` and the like.
  private mutating func attribute() throws(Selector.Problem) -> String {
    advance()
    skipBlanks()
    let attribute = "@" + (try name("an attribute").lowercased())
    skipBlanks()
    if take("]") { return attribute }
    let mark = peek()
    if mark != "=" { advance() }
    try expect("=")
    skipBlanks()
    let value = try self.value()
    skipBlanks()
    try expect("]")
    // Nothing starts with, ends with or contains an empty text, as selectors define it.
    if value.isEmpty, mark != "=", mark != "|" { return "false()" }
    switch mark {
    case "=": return "\(attribute) = \(value.literal)"
    case "~": return value.contains(" ") ? "false()" : Self.hasWord(value, in: attribute)
    case "|":
      return
        "(\(attribute) = \(value.literal) or starts-with(\(attribute), \("\(value)-".literal)))"
    case "^": return "starts-with(\(attribute), \(value.literal))"
    case "*": return "contains(\(attribute), \(value.literal))"
    case "$":
      let start = "string-length(\(attribute)) - \(value.unicodeScalars.count - 1)"
      return "substring(\(attribute), \(start)) = \(value.literal)"
    default: throw Selector.Problem(message: "an attribute has '=', '~=', '|=', '^=', '$=' or '*='")
    }
  }

  private mutating func value() throws(Selector.Problem) -> String {
    guard let quote = peek(), quote == "'" || quote == "\"" else { return try name("a value") }
    advance()
    var value = String.UnicodeScalarView()
    while let next = peek(), next != quote {
      if next == "\\" { advance() }
      if let character = peek() { value.append(character) }
      advance()
    }
    try expect(quote)
    return String(value)
  }

  // MARK: - Pseudo-classes

  private mutating func pseudoClass(of type: String) throws(Selector.Problem) -> String {
    advance()
    let name = try self.name("a pseudo-class").lowercased()
    let siblings = { (axis: String, isOfType: Bool) in
      "count(\(axis)-sibling::\(isOfType ? type : "*"))"
    }
    let isOfType = name.hasSuffix("of-type")
    if isOfType, type == "*" {
      throw Selector.Problem(message: "':\(name)' needs an element's name")
    }
    let (before, after) = (siblings("preceding", isOfType), siblings("following", isOfType))
    switch name {
    case "first-child", "first-of-type": return "\(before) = 0"
    case "last-child", "last-of-type": return "\(after) = 0"
    case "only-child", "only-of-type": return "\(before) = 0 and \(after) = 0"
    case "empty": return "not(node())"
    case "nth-child", "nth-of-type": return try counted("(\(before) + 1)")
    case "nth-last-child", "nth-last-of-type": return try counted("(\(after) + 1)")
    case "not": return try negation()
    default: throw Selector.Problem(message: "':\(name)' is not known here")
    }
  }

  private mutating func negation() throws(Selector.Problem) -> String {
    try expect("(")
    skipBlanks()
    let compound = try compound()
    skipBlanks()
    try expect(")")
    return "not(self::\(compound))"
  }

  /// Reads `(odd)`, `(3)` or `(2n+1)`, as a condition on a position that is counted from 1.
  private mutating func counted(_ place: String) throws(Selector.Problem) -> String {
    try expect("(")
    var text = ""
    while let next = peek(), next != ")" {
      if next != " " { text.unicodeScalars.append(next) }
      advance()
    }
    try expect(")")
    guard let (step, first) = Self.progression(text.lowercased()) else {
      throw Selector.Problem(message: "'\(text)' is not a position such as '2', 'odd' or '2n+1'")
    }
    switch step {
    case 0: return "\(place) = \(first)"
    case 1...: return "\(place) >= \(first) and (\(place) - \(first)) mod \(step) = 0"
    default: return "\(place) <= \(first) and (\(first) - \(place)) mod \(-step) = 0"
    }
  }

  private static func progression(_ text: String) -> (step: Int, first: Int)? {
    if text == "odd" { return (2, 1) }
    if text == "even" { return (2, 0) }
    guard let letter = text.firstIndex(of: "n") else { return Self.number(text).map { (0, $0) } }
    let rest = text[text.index(after: letter)...]
    let first = rest.isEmpty ? 0 : rest.first == "+" || rest.first == "-" ? Self.number(rest) : nil
    let step: Int?
    switch text[..<letter] {
    case "", "+": step = 1
    case "-": step = -1
    case let digits: step = Self.number(digits)
    }
    guard let step, let first else { return nil }
    return (step, first)
  }

  /// A number of at most six digits.
  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.count <= 7 ? Int(text) : nil
  }

  // MARK: - Characters

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func advance(_ count: Int = 1) {
    position = min(position + count, scalars.count)
  }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let start = position
    while let next = peek(), [" ", "\t", "\n", "\r"].contains(next) { advance() }
    return position > start
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    advance()
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(Selector.Problem) {
    if take(scalar) { return }
    throw peek().map(unexpected) ?? Selector.Problem(message: "'\(scalar)' is missing at the end")
  }

  private mutating func name(_ kind: String) throws(Selector.Problem) -> String {
    var name = String.UnicodeScalarView()
    while let next = peek(), next.belongsToName {
      name.append(next)
      advance()
    }
    guard name.isEmpty else { return String(name) }
    throw Selector.Problem(message: "\(kind) is missing at position \(position + 1)")
  }

  private func unexpected(_ scalar: Unicode.Scalar) -> Selector.Problem {
    Selector.Problem(message: "'\(scalar)' at position \(position + 1) is not expected")
  }
}

extension Unicode.Scalar {
  fileprivate var startsName: Bool { belongsToName && !("0"..."9" ~= self) }
  fileprivate var belongsToName: Bool {
    self == "_" || self == "-" || "0"..."9" ~= self || "a"..."z" ~= self || "A"..."Z" ~= self
      || value > 0x7F
  }
}

extension String {
  /// The text as XPath writes it, which knows no escapes.
  fileprivate var literal: String {
    if !contains("'") { return "'\(self)'" }
    if !contains("\"") { return "\"\(self)\"" }
    let parts = split(separator: "'", omittingEmptySubsequences: false).map { "'\($0)'" }
    return "concat(\(parts.joined(separator: ", \"'\", ")))"
  }
}
