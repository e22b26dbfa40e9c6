internal import FlowSystem

/// A text of the scenario: what is written, with expressions between.
struct ImportedText: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case literal(String)
    case expression(String)
  }

  private(set) var pieces: [Piece] = []

  /// What is written, as it is; empty for the empty text.
  init(_ literal: String = "") { append(literal) }
  /// The value of an expression, which keeps its type.
  init(expression: String) { pieces = [.expression(expression)] }

  mutating func append(_ text: String) {
    if text.isEmpty { return }
    guard case .literal(let last)? = pieces.last else {
      pieces.append(.literal(text))
      return
    }
    pieces[pieces.count - 1] = .literal(last + text)
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

  /// The whole text; nil when there is an expression in it.
  var literal: String? {
    if pieces.isEmpty { return "" }
    guard pieces.count == 1, case .literal(let text) = pieces[0] else { return nil }
    return text
  }

  /// What is written before the first expression.
  var beginning: String {
    if case .literal(let text)? = pieces.first { return text }
    return ""
  }

  /// The same with every written part changed; expressions stay.
  func mapLiterals(_ change: (String) -> ImportedText) -> ImportedText {
    var result = ImportedText()
    for piece in pieces {
      switch piece {
      case .literal(let text): result.append(change(text))
      case .expression: result.pieces.append(piece)
      }
    }
    return result
  }

  /// The same with every expression changed; what is written stays.
  func mapExpressions(_ change: (String) -> ImportedText) -> ImportedText {
    var result = ImportedText()
    for piece in pieces {
      switch piece {
      case .literal(let text): result.append(text)
      case .expression(let code): result.append(change(code))
      }
    }
    return result
  }

  /// The text before and after the first of these characters; nil when none of them is written.
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

  /// The parts between all of these characters.
  func components(separatedBy separator: Character) -> [ImportedText] {
    var (parts, rest) = ([ImportedText](), self)
    while let (before, after) = rest.split(at: [separator]) {
      parts.append(before)
      rest = after
    }
    return parts + [rest]
  }

  /// The text as a scenario writes it, `${{ }}` around expressions.
  var template: String {
    pieces.map { piece in
      switch piece {
      // A written `${{` would begin an expression.
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
  /// Whether it is letters, digits and `_`, a letter first.
  var isName: Bool {
    guard let first = utf8.first, Self.isLetter(first) else { return false }
    return utf8.allSatisfy { Self.isLetter($0) || 0x30...0x39 ~= $0 || $0 == 0x5F }
  }

  fileprivate static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
}

extension String {
  /// The text as a literal of an expression.
  var celLiteral: String {
    var result = "'"
    for scalar in unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.breaksText {
          let digits = String(scalar.value, radix: 16)
          result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "'"
  }

  /// Whether an expression can write the text behind a point.
  var isFieldName: Bool {
    let reserved: Set<String> = [
      "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function",
      "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
    ]
    return isName && !reserved.contains(self)
  }

  /// A name for an input or a step made of any text: `X-API-Key` becomes `x_api_key`.
  func scenarioName(or other: String) -> String {
    var name = ""
    for byte in utf8.prefix(40) {
      let isPart = Self.isLetter(byte) || 0x30...0x39 ~= byte
      if isPart { name.unicodeScalars.append(Unicode.Scalar(byte)) }
      if !isPart, !name.isEmpty, !name.hasSuffix("_") { name += "_" }
    }
    while name.hasSuffix("_") { name.removeLast() }
    if name.isEmpty { return other }
    return name.isName ? name : other + "_" + name
  }

  /// Without the blanks, tabs and line ends around it.
  var trimmed: String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\n"
    }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
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
    let value: ImportedValue
  }

  /// A value of JSON, its texts as they are.
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
      let members = entries.map { "\($0.name.celLiteral): \($0.value.code)" }
      return "{" + members.joined(separator: ", ") + "}"
    }
  }

  /// Names and values, those of one name as a list.
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
  /// Whether a scenario can say it: not too deep, its numbers and names not too long.
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
