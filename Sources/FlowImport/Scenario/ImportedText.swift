internal import FlowExpression
internal import FlowSystem

/// A text of the scenario: literals with expressions between them.
struct ImportedText: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case literal(String)
    case expression(String)
  }

  private(set) var pieces: [Piece] = []

  /// Creates a literal text, empty by default.
  init(_ literal: String = "") { append(literal) }
  /// Creates a text of pieces.
  init(pieces: some Sequence<Piece>) { self.pieces = Array(pieces) }
  /// Creates the value of an expression, which keeps its type.
  init(expression: String) { pieces = [.expression(expression)] }

  mutating func append(_ text: String) {
    if text.isEmpty { return }
    guard case .literal(var last)? = pieces.last else {
      pieces.append(.literal(text))
      return
    }
    // Taken out first: only a text with one owner grows in place.
    pieces.removeLast()
    last += text
    pieces.append(.literal(last))
  }

  mutating func append(_ other: ImportedText) {
    for piece in other.pieces {
      switch piece {
      case .literal(let text): append(text)
      case .expression: pieces.append(piece)
      }
    }
  }

  static func + (left: ImportedText, right: ImportedText) -> ImportedText {
    var sum = left
    sum.append(right)
    return sum
  }

  var isEmpty: Bool { pieces.isEmpty }

  /// True if a character between its expressions has no place in a header, such as a line end.
  var hasControlCharacter: Bool {
    pieces.contains { piece in
      guard case .literal(let text) = piece else { return false }
      return text.utf8.contains { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F }
    }
  }

  /// True if it can be known before the first step: an expression reads inputs, and no answer.
  var readsInputsAlone: Bool {
    pieces.allSatisfy { piece in
      guard case .expression(let code) = piece else { return true }
      return code.contains("inputs.") && !code.contains("steps.")
    }
  }

  /// The whole text, or nil if it contains an expression.
  var literal: String? {
    if pieces.isEmpty { return "" }
    guard pieces.count == 1, case .literal(let text) = pieces[0] else { return nil }
    return text
  }

  /// The literal before the first expression.
  var beginning: String {
    if case .literal(let text)? = pieces.first { return text }
    return ""
  }

  /// Returns the text without the first bytes of the literal before the first expression.
  func dropFirst(_ bytes: Int) -> ImportedText {
    guard case .literal(let text)? = pieces.first else { return self }
    var rest = ImportedText(String(text.utf8.dropFirst(bytes)) ?? "")
    rest.pieces += pieces.dropFirst()
    return rest
  }

  /// The text without blanks, tabs and line ends around it, except those beside an expression.
  var trimmed: ImportedText {
    guard case .literal(let last)? = pieces.last else {
      return dropFirst(beginning.utf8.count - beginning.trimmedAtStart.utf8.count)
    }
    var text = self
    text.pieces.removeLast()
    text.append(last.trimmedAtEnd)
    return text.dropFirst(text.beginning.utf8.count - text.beginning.trimmedAtStart.utf8.count)
  }

  /// The same as a text: an expression alone keeps the type of its value.
  var asText: ImportedText {
    guard pieces.count == 1, case .expression(let code) = pieces[0], !Self.isText(code)
    else { return self }
    return ImportedText(expression: "string(\(code))")
  }

  /// The start of an expression for the text of any value, also of null.
  static let format = "'%s'.format("

  /// Returns true for an expression that is certainly a text.
  private static func isText(_ code: String) -> Bool {
    if code.hasPrefix("string(") || code.hasPrefix(format) { return true }
    guard code.hasPrefix("steps."), !code.contains(".json") else { return false }
    return [".text", ".url", ".uuid", "']"].contains(where: code.hasSuffix)
  }

  /// Returns the text with every literal changed and its expressions unchanged.
  func mapLiterals(_ change: (String) -> ImportedText) -> ImportedText {
    map(literal: change, expression: ImportedText.init(expression:))
  }

  /// Returns the text with every expression changed and its literals unchanged.
  func mapExpressions(_ change: (String) -> ImportedText) -> ImportedText {
    map(literal: { ImportedText($0) }, expression: change)
  }

  private func map(
    literal: (String) -> ImportedText, expression: (String) -> ImportedText
  ) -> ImportedText {
    var result = ImportedText()
    for piece in pieces {
      switch piece {
      case .literal(let text): result.append(literal(text))
      case .expression(let code): result.append(expression(code))
      }
    }
    return result
  }

  /// Returns the text before and after the first of these characters, or nil if no literal has one.
  func split(at separators: Set<Character>) -> (before: ImportedText, after: ImportedText)? {
    for (index, piece) in pieces.enumerated() {
      guard case .literal(let text) = piece,
        let place = text.firstIndex(where: separators.contains)
      else { continue }
      var (before, after) = (
        ImportedText(), ImportedText(String(text[text.index(after: place)...]))
      )
      before.pieces = Array(pieces[..<index])
      before.append(String(text[..<place]))
      for rest in pieces[(index + 1)...] { after.pieces.append(rest) }
      return (before, after)
    }
    return nil
  }

  /// Returns the parts between all of these characters.
  func components(separatedBy separator: Character) -> [ImportedText] {
    var (parts, part) = ([ImportedText](), ImportedText())
    for piece in pieces {
      guard case .literal(let text) = piece else {
        part.pieces.append(piece)
        continue
      }
      for (index, section) in text.split(separator: separator, omittingEmptySubsequences: false)
        .enumerated()
      {
        if index > 0 {
          parts.append(part)
          part = ImportedText()
        }
        part.append(String(section))
      }
    }
    return parts + [part]
  }

  /// The text as a scenario writes it, `${{ }}` around expressions.
  var template: String {
    pieces.map { piece in
      switch piece {
      // A literal `${{` would start an expression.
      case .literal(let text): text.replacing("${{", with: "${{ '$' }}{{")
      case .expression(let code): "${{ \(code) }}"
      }
    }.joined()
  }

  /// The text as an expression.
  var code: String {
    if pieces.count == 1, case .expression(let code) = pieces[0] { return code }
    let parts = pieces.map { piece in
      switch piece {
      case .literal(let text): text.celLiteral
      case .expression(let code): "string(\(code))"
      }
    }
    return parts.isEmpty ? "''" : parts.joined(separator: " + ")
  }
}

extension StringProtocol {
  /// True for letters, digits and `_`, with a letter first.
  var isName: Bool {
    utf8.first?.isLetter == true && utf8.allSatisfy(\.isWordCharacter)
  }
}

extension String {
  /// The text as a literal of an expression.
  var celLiteral: String { Lexer.literal(self) }

  /// True if an expression can have the text after a point.
  var isFieldName: Bool { Lexer.isIdentifier(self) }

  /// Returns a name for an input or a step made of any text: `X-API-Key` becomes `x_api_key`.
  func scenarioName(or other: String) -> String {
    var name = ""
    for byte in utf8.prefix(40) {
      let isPart = byte.isLetter || byte.isDigit
      if isPart { name.unicodeScalars.append(Unicode.Scalar(byte)) }
      if !isPart, !name.isEmpty, !name.hasSuffix("_") { name += "_" }
    }
    while name.hasSuffix("_") { name.removeLast() }
    if name.isEmpty { return other }
    return name.isName ? name : other + "_" + name
  }

  /// Without the blanks, tabs and line ends around it.
  var trimmed: String { trimmedAtEnd.trimmedAtStart }

  fileprivate var trimmedAtStart: String {
    String(unicodeScalars.drop { " \t\r\n".unicodeScalars.contains($0) })
  }

  fileprivate var trimmedAtEnd: String {
    let last = unicodeScalars.lastIndex { !" \t\r\n".unicodeScalars.contains($0) }
    return last.map { String(unicodeScalars[...$0]) } ?? ""
  }
}

/// A value of the scenario, such as the JSON of a body.
indirect enum ImportedValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number, as JSON writes it.
  case number(String)
  case text(ImportedText)
  case list([ImportedValue])
  case map([Entry])

  struct Entry: Sendable, Hashable {
    let name: String
    var value: ImportedValue
    /// The name, if it has expressions.
    var computedName: ImportedText?

    /// The name as an expression.
    var nameCode: String { computedName?.code ?? name.celLiteral }
  }

  /// Creates a value from JSON, with its texts unchanged.
  init(_ json: JSON) {
    self =
      switch json {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let text): .number(text)
      case .string(let text): .text(ImportedText(text))
      case .array(let elements): .list(elements.map(ImportedValue.init))
      case .object(let members):
        .map(members.map { Entry(name: $0.name, value: ImportedValue($0.value)) })
      }
  }

  /// The value as an expression.
  var code: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let text): return text
    case .text(let text): return text.code
    case .list(let elements): return "[" + elements.map(\.code).joined(separator: ", ") + "]"
    case .map(let entries):
      let members = entries.map { "\($0.nameCode): \($0.value.code)" }
      return "{" + members.joined(separator: ", ") + "}"
    }
  }

  /// The value as an expression equal to the same JSON, in which a fraction is a decimal.
  var exactCode: String {
    switch self {
    case .number(let text): Int(text) == nil ? "decimal('\(text)')" : text
    case .list(let elements): "[" + elements.map(\.exactCode).joined(separator: ", ") + "]"
    case .map(let entries):
      "{" + entries.map { "\($0.nameCode): \($0.value.exactCode)" }.joined(separator: ", ")
        + "}"
    case .null, .bool, .text: code
    }
  }

  /// True if all its texts can be known before the first step.
  var readsInputsAlone: Bool {
    switch self {
    case .text(let text): text.readsInputsAlone
    case .list(let elements): elements.allSatisfy(\.readsInputsAlone)
    case .map(let entries): entries.allSatisfy(\.value.readsInputsAlone)
    case .null, .bool, .number: true
    }
  }

  /// True if it contains a map.
  var hasMap: Bool {
    switch self {
    case .map: true
    case .list(let elements): elements.contains(where: \.hasMap)
    case .null, .bool, .number, .text: false
    }
  }

  /// The levels of lists and maps.
  var depth: Int {
    switch self {
    case .list(let elements): (elements.map(\.depth).max() ?? 0) + 1
    case .map(let entries): (entries.map(\.value.depth).max() ?? 0) + 1
    case .null, .bool, .number, .text: 0
    }
  }

  /// Creates a map with a value at a place, or the value itself for an empty place.
  init(_ value: ImportedValue, at place: ArraySlice<String>) {
    self = value
    for name in place.reversed() { self = .map([Entry(name: name, value: self)]) }
  }

  /// Returns the map with another value at a place, or nil if it has a value there or on the way.
  func merged(_ value: ImportedValue, at place: ArraySlice<String>) -> ImportedValue? {
    guard case .map(var entries) = self, let name = place.first else { return nil }
    guard let index = entries.firstIndex(where: { $0.name == name }) else {
      let inner = ImportedValue(value, at: place.dropFirst())
      return .map(entries + [Entry(name: name, value: inner)])
    }
    guard let inner = entries[index].value.merged(value, at: place.dropFirst()) else { return nil }
    entries[index] = Entry(name: name, value: inner)
    return .map(entries)
  }

  /// Creates a map of names and values, with the values of an equal name as a list.
  init(fields: [(name: String, value: ImportedText)]) {
    var (order, values) = ([String](), [String: [ImportedValue]]())
    for field in fields {
      if values[field.name] == nil { order.append(field.name) }
      values[field.name, default: []].append(.text(field.value))
    }
    self = .map(
      order.map { name in
        let all = values[name] ?? []
        return Entry(name: name, value: all.count == 1 ? all[0] : .list(all))
      })
  }
}

extension JSON {
  /// Returns true if a scenario can contain it: not too deep, with numbers and names that are not
  /// too long.
  func isWritable(depth: Int = 80) -> Bool {
    switch self {
    case .null, .bool, .string: true
    case .number(let text): text.utf8.count < 40 && !text.utf8.contains { $0 | 0x20 == 0x65 }
    case .array(let elements): depth > 0 && elements.allSatisfy { $0.isWritable(depth: depth - 1) }
    case .object(let members):
      depth > 0
        && members.allSatisfy { $0.name.utf8.count < 200 && $0.value.isWritable(depth: depth - 1) }
    }
  }
}
