/// A selector of CSS.
///
/// Knows the selectors of Selectors Level 3 that a stored page has an answer for, `:not()` of simple
/// selectors, and at the end `::text` and `::attr(name)` for the parts of the chosen elements.
struct Selector: Sendable {
  /// The reason why a text is no selector.
  struct Problem: Error {
    let message: String
  }

  /// One of the selectors between the commas.
  struct Alternative: Sendable {
    let first: Compound
    /// The compound selectors behind it, each with the relation to the one before.
    let rest: [(combinator: Combinator, compound: Compound)]
    let part: Part
  }

  /// The relation between two elements.
  enum Combinator: Sendable {
    case descendant, child
    /// The second element is the next one beside the first, or a later one.
    case next, later
  }

  /// A part of the chosen elements.
  enum Part: Sendable, Hashable {
    case whole
    /// The texts in the element itself, not those of elements in it.
    case text
    case attribute(String)
  }

  /// A type and the conditions after it, as in `a.next[href]`.
  struct Compound: Sendable {
    /// The name of the element in lower case, or nil for every element.
    var type: String?
    var conditions: [Condition] = []
  }

  /// A condition on one element.
  enum Condition: Sendable {
    case attribute(String, Test)
    case place(Place)
    /// It has no elements and no text.
    case empty
    case not(Compound)
  }

  /// A condition on the value of an attribute.
  enum Test: Sendable {
    case exists
    case equals(String), hasWord(String), isOrStartsWithDash(String)
    case starts(String), ends(String), contains(String)
  }

  /// A condition on the position among the elements beside it, counted from 1.
  struct Place: Sendable {
    let isFromEnd: Bool
    /// True if only elements with the same name count.
    let isOfType: Bool
    let progression: Progression
  }

  /// The numbers `step * n + first` of all n from 0 on.
  struct Progression: Sendable {
    let step: Int
    let first: Int

    func contains(_ number: Int) -> Bool {
      let distance = number - first
      if step == 0 { return distance == 0 }
      return distance % step == 0 && distance / step >= 0
    }
  }

  let alternatives: [Alternative]

  init(_ text: String) throws(Problem) {
    var reader = SelectorReader(text)
    alternatives = try reader.alternatives()
  }

  /// The number of its types, conditions and parts, each of which is checked for every element.
  var weight: Int {
    alternatives.reduce(0) { sum, alternative in
      alternative.rest.reduce(sum + 1 + alternative.first.weight) { $0 + $1.compound.weight }
    }
  }
}

extension Selector.Compound {
  fileprivate var weight: Int {
    conditions.reduce(1) { sum, condition in
      if case .not(let inner) = condition { sum + inner.weight } else { sum + 1 }
    }
  }
}

extension Selector.Test {
  /// The test of a value in lower case, for an attribute whose letters are compared without case.
  var lowered: Self {
    switch self {
    case .exists: self
    case .equals(let value): .equals(value.lowercased())
    case .hasWord(let value): .hasWord(value.lowercased())
    case .isOrStartsWithDash(let value): .isOrStartsWithDash(value.lowercased())
    case .starts(let value): .starts(value.lowercased())
    case .ends(let value): .ends(value.lowercased())
    case .contains(let value): .contains(value.lowercased())
    }
  }

  /// The attributes of HTML whose values are compared without case
  /// (https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors).
  static let caselessAttributes = Set(
    """
    accept accept-charset align alink axis bgcolor charset checked clear codetype color compact
    declare defer dir direction disabled enctype face frame hreflang http-equiv lang language link
    media method multiple nohref noresize noshade nowrap readonly rel rev rules scope scrolling
    selected shape target text type valign valuetype vlink
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Returns true if the value of an attribute passes.
  func holds(for value: String) -> Bool {
    let bytes = value.utf8
    return switch self {
    case .exists: true
    case .equals(let other): bytes.elementsEqual(other.utf8)
    case .hasWord(let word):
      bytes.split(whereSeparator: \.isBlank).contains { $0.elementsEqual(word.utf8) }
    case .isOrStartsWithDash(let start):
      bytes.elementsEqual(start.utf8) || bytes.starts(with: "\(start)-".utf8)
    // Nothing starts with, ends with or contains an empty text, as selectors define it.
    case .starts(let part): !part.isEmpty && bytes.starts(with: part.utf8)
    case .ends(let part): !part.isEmpty && bytes.reversed().starts(with: part.utf8.reversed())
    case .contains(let part): !part.isEmpty && bytes.firstRange(of: part.utf8) != nil
    }
  }
}

extension UInt8 {
  /// True for a blank of HTML.
  fileprivate var isBlank: Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(self) }
}

/// Reads selectors from left to right.
struct SelectorReader {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var isNegated = false

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  // MARK: - Selectors

  /// Reads selectors with commas between them.
  mutating func alternatives() throws(Selector.Problem) -> [Selector.Alternative] {
    var alternatives = [try alternative()]
    while take(",") { alternatives.append(try alternative()) }
    if let rest = peek() { throw unexpected(rest) }
    return alternatives
  }

  /// Reads compound selectors with combinators between them, and the part of the elements.
  private mutating func alternative() throws(Selector.Problem) -> Selector.Alternative {
    skipBlanks()
    let first = try compound()
    var rest: [(Selector.Combinator, Selector.Compound)] = []
    var part = Selector.Part.whole
    while true {
      if isAtPart { part = try self.part() }
      let hasBlank = skipBlanks()
      guard let next = peek(), next != ",", part == .whole else { break }
      let combinator = Self.combinators[next] ?? .descendant
      if Self.combinators[next] != nil { advance() } else if !hasBlank { throw unexpected(next) }
      skipBlanks()
      rest.append((combinator, try compound()))
    }
    return Selector.Alternative(first: first, rest: rest, part: part)
  }

  private static let combinators: [Unicode.Scalar: Selector.Combinator] = [
    ">": .child, "+": .next, "~": .later,
  ]

  private var isAtPart: Bool { peek() == ":" && peek(1) == ":" }

  /// Reads `::text` or `::attr(name)`.
  private mutating func part() throws(Selector.Problem) -> Selector.Part {
    advance(2)
    let name = try self.name("a part")
    if name == "text" { return .text }
    guard name == "attr", take("(") else {
      throw Selector.Problem(message: "'::\(name)' is not '::text' or '::attr(name)'")
    }
    let attribute = try attributeName()
    try expect(")")
    return .attribute(attribute)
  }

  /// Reads a type and the conditions after it, or nothing in front of `::text`, for every element.
  private mutating func compound() throws(Selector.Problem) -> Selector.Compound {
    let start = position
    var compound = Selector.Compound()
    if peek() == "*" {
      advance()
    } else if let first = peek(), first.startsName {
      compound.type = try name("an element").lowercased()
    }
    while let conditions = try conditions() { compound.conditions += conditions }
    if position == start, !isAtPart {
      throw peek().map(unexpected) ?? Selector.Problem(message: "an element is missing at the end")
    }
    return compound
  }

  /// Reads one simple selector, or returns nil.
  private mutating func conditions() throws(Selector.Problem) -> [Selector.Condition]? {
    switch peek() {
    case "#":
      advance()
      return [.attribute("id", .equals(try name("an id")))]
    case ".":
      advance()
      return [.attribute("class", .hasWord(try name("a class")))]
    case "[": return [try attribute()]
    case ":" where !isAtPart: return try pseudoClass()
    default: return nil
    }
  }

  // MARK: - Attributes

  /// Reads `[href]`, `[href="x"]` and the like.
  private mutating func attribute() throws(Selector.Problem) -> Selector.Condition {
    advance()
    skipBlanks()
    let attribute = try attributeName()
    skipBlanks()
    if take("]") { return .attribute(attribute, .exists) }
    let mark = peek()
    if mark != "=" { advance() }
    try expect("=")
    skipBlanks()
    let value = try self.value()
    skipBlanks()
    try expect("]")
    switch mark {
    case "=": return .attribute(attribute, .equals(value))
    case "~": return .attribute(attribute, .hasWord(value))
    case "|": return .attribute(attribute, .isOrStartsWithDash(value))
    case "^": return .attribute(attribute, .starts(value))
    case "*": return .attribute(attribute, .contains(value))
    case "$": return .attribute(attribute, .ends(value))
    default: throw Selector.Problem(message: "an attribute has '=', '~=', '|=', '^=', '$=' or '*='")
    }
  }

  private mutating func attributeName() throws(Selector.Problem) -> String {
    guard peek()?.startsName == true else { throw missing("an attribute") }
    return try name("an attribute").lowercased()
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

  private mutating func pseudoClass() throws(Selector.Problem) -> [Selector.Condition] {
    advance()
    let name = try self.name("a pseudo-class").lowercased()
    if name == "empty" { return [.empty] }
    if name == "not" { return [try negation()] }
    let isOfType = name.hasSuffix("-of-type")
    guard isOfType || name.hasSuffix("-child") else { throw unknown(name) }
    let first = Selector.Progression(step: 0, first: 1)
    let place = { (isFromEnd: Bool, progression: Selector.Progression) -> Selector.Condition in
      .place(.init(isFromEnd: isFromEnd, isOfType: isOfType, progression: progression))
    }
    switch name.dropLast(isOfType ? "-of-type".count : "-child".count) {
    case "first": return [place(false, first)]
    case "last": return [place(true, first)]
    case "only": return [place(false, first), place(true, first)]
    case "nth": return [place(false, try progression())]
    case "nth-last": return [place(true, try progression())]
    default: throw unknown(name)
    }
  }

  private func unknown(_ name: String) -> Selector.Problem {
    Selector.Problem(message: "':\(name)' is not known here")
  }

  private mutating func negation() throws(Selector.Problem) -> Selector.Condition {
    // Only simple selectors are negated, so nothing is nested.
    if isNegated { throw Selector.Problem(message: "':not' is inside of ':not'") }
    isNegated = true
    try expect("(")
    skipBlanks()
    let compound = try compound()
    skipBlanks()
    try expect(")")
    isNegated = false
    return .not(compound)
  }

  /// Reads `(odd)`, `(3)` or `(2n+1)`.
  private mutating func progression() throws(Selector.Problem) -> Selector.Progression {
    try expect("(")
    skipBlanks()
    var text = String.UnicodeScalarView()
    while let next = peek(), next != ")" {
      text.append(next)
      advance()
    }
    try expect(")")
    while text.last?.isBlank == true { text.removeLast() }
    guard let progression = Selector.Progression(String(text).lowercased()) else {
      throw Selector.Problem(
        message: "'\(String(text))' is not a position such as '2', 'odd' or '2n+1'")
    }
    return progression
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
    while let next = peek(), next.isBlank { advance() }
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
    if name.isEmpty { throw missing(kind) }
    return String(name)
  }

  private func missing(_ kind: String) -> Selector.Problem {
    Selector.Problem(message: "\(kind) is missing at position \(position + 1)")
  }

  private func unexpected(_ scalar: Unicode.Scalar) -> Selector.Problem {
    Selector.Problem(message: "'\(scalar)' at position \(position + 1) is not expected")
  }
}

extension Selector.Progression {
  /// Reads `odd`, `even`, `3` or `2n + 1`, with blanks only around the second sign.
  fileprivate init?(_ text: String) {
    switch text {
    case "odd": self.init(step: 2, first: 1)
    case "even": self.init(step: 2, first: 0)
    default:
      guard let letter = text.firstIndex(of: "n") else {
        guard let number = Self.number(text) else { return nil }
        self.init(step: 0, first: number)
        return
      }
      guard let step = Self.step(text[..<letter]),
        let first = Self.first(text[text.index(after: letter)...])
      else { return nil }
      self.init(step: step, first: first)
    }
  }

  private static func step(_ text: Substring) -> Int? {
    switch text {
    case "", "+": 1
    case "-": -1
    default: number(text)
    }
  }

  private static func first(_ text: Substring) -> Int? {
    let text = text.drop(while: \.isWhitespace)
    guard let sign = text.first else { return 0 }
    let digits = text.dropFirst().drop(while: \.isWhitespace)
    guard sign == "+" || sign == "-", digits.first?.isNumber == true else { return nil }
    return number("\(sign)\(digits)")
  }

  /// A number of at most six digits.
  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.count <= 7 ? Int(text) : nil
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { [" ", "\t", "\n", "\r", "\u{0C}"].contains(self) }
  fileprivate var startsName: Bool { belongsToName && !("0"..."9" ~= self) }
  fileprivate var belongsToName: Bool {
    self == "_" || self == "-" || "0"..."9" ~= self || "a"..."z" ~= self || "A"..."Z" ~= self
      || value > 0x7F
  }
}
