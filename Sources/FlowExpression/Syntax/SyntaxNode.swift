internal import FlowCore
internal import FlowSystem

/// A part of an expression as it was written.
struct SyntaxNode: Sendable {
  struct Name: Sendable {
    let text: String
    let span: Range<Int>
  }

  /// A function call.
  ///
  /// Operators and indexing have separate kinds.
  struct Call: Sendable {
    let target: SyntaxNode?
    let name: Name
    let arguments: [SyntaxNode]
    let isRooted: Bool
  }

  /// An element of a list: `1`, or `?optional.of(1)`.
  struct Element: Sendable {
    let value: SyntaxNode
    let isOptional: Bool
  }

  /// An entry of a map: `'a': 1`, or `?'a': optional.of(1)`.
  struct Entry: Sendable {
    let key: SyntaxNode
    let value: Element
  }

  indirect enum Kind: Sendable {
    case literal(Value)
    /// A number with a point or an exponent, with its text: next to a decimal it is one.
    case double(Double, String)
    case name(String, isRooted: Bool)
    case select(SyntaxNode, Name, isOptional: Bool)
    case index(SyntaxNode, SyntaxNode, isOptional: Bool)
    case call(Call)
    case unary(UnaryOperator, SyntaxNode)
    case binary(BinaryOperator, SyntaxNode, SyntaxNode)
    case logic(LogicOperator, [SyntaxNode])
    case conditional(SyntaxNode, SyntaxNode, SyntaxNode)
    case list([Element])
    case map([Entry])
  }

  let kind: Kind
  /// The place in the text, in unicode scalars, with the parentheses around it.
  let span: Range<Int>
  /// Levels of nodes, itself included.
  let depth: Int
  let size: Int

  /// Returns the node with the parentheses around it.
  func parenthesized(_ span: Range<Int>) -> SyntaxNode {
    SyntaxNode(kind: kind, span: span, depth: depth, size: size)
  }

  /// The names of `a.b.c` from left to right, or nil for another node.
  var qualifiedName: QualifiedName? {
    switch kind {
    case .name(let text, let isRooted):
      let name = Name(text: text, span: span)
      return QualifiedName(parts: [name], starts: [span.lowerBound], isRooted: isRooted)
    case .select(let operand, let field, isOptional: false):
      guard var name = operand.qualifiedName else { return nil }
      name.parts.append(field)
      name.starts.append(operand.span.lowerBound)
      return name
    default: return nil
    }
  }

  var simpleName: String? { if case .name(let text, isRooted: false) = kind { text } else { nil } }

  /// True for an operator with two operands.
  var isOperation: Bool { if case .binary = kind { true } else { false } }

  var isNumberLiteral: Bool {
    switch kind {
    case .double, .literal(.int): true
    case .unary(.negate, let operand): operand.isNumberLiteral
    case .binary(let sign, let left, let right):
      !sign.isComparison && left.isNumberLiteral && right.isNumberLiteral
    case .conditional(_, let first, let second): first.isNumberLiteral && second.isNumberLiteral
    case .list(let elements): elements.allSatisfy { $0.value.isNumberLiteral && !$0.isOptional }
    default: false
    }
  }

  /// True for a list or a map of literals with a number in it that has a point or an exponent.
  var isLiteralWithDouble: Bool { isLiteral && hasDouble }

  private var isLiteral: Bool {
    switch kind {
    case .literal: true
    case .list(let elements): elements.allSatisfy { $0.value.isLiteral && !$0.isOptional }
    case .map(let entries):
      entries.allSatisfy { $0.key.isLiteral && $0.value.value.isLiteral && !$0.value.isOptional }
    default: isNumberLiteral
    }
  }

  private var hasDouble: Bool {
    switch kind {
    case .double: true
    case .unary(_, let operand): operand.hasDouble
    case .binary(_, let left, let right), .conditional(_, let left, let right):
      left.hasDouble || right.hasDouble
    case .list(let elements): elements.contains { $0.value.hasDouble }
    case .map(let entries): entries.contains { $0.value.value.hasDouble }
    default: false
    }
  }

  /// The expression with one way of writing: equal texts are equal expressions.
  var normalizedText: String {
    switch kind {
    case .literal(let value): Self.text(value)
    case .double(let number, _): "\(number)"
    case .name(let text, let isRooted): (isRooted ? "." : "") + text
    case .select(let operand, let field, let isOptional):
      operand.normalizedText + (isOptional ? ".?" : ".") + Self.text(field)
    case .index(let operand, let index, let isOptional):
      operand.normalizedText + (isOptional ? "[?" : "[") + index.normalizedText + "]"
    case .call(let call): Self.text(call)
    case .unary(let sign, let operand): sign.rawValue + operand.normalizedText
    case .binary(let sign, let left, let right):
      "(\(left.normalizedText) \(sign.rawValue) \(right.normalizedText))"
    case .logic(let sign, let operands):
      "(" + operands.map(\.normalizedText).joined(separator: " \(sign.rawValue) ") + ")"
    case .conditional(let condition, let first, let second):
      "(\(condition.normalizedText) ? \(first.normalizedText) : \(second.normalizedText))"
    case .list(let elements):
      "["
        + elements.map { ($0.isOptional ? "?" : "") + $0.value.normalizedText }
        .joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map(Self.text).joined(separator: ", ") + "}"
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .uint(let number): "\(number)u"
    case .bytes(let bytes): "b\(bytes.content)"
    default: value.description
    }
  }

  private static func text(_ field: Name) -> String {
    field.text.utf8.allSatisfy(\.isWordCharacter)
      ? field.text : "`\(field.text)`"
  }

  private static func text(_ entry: Entry) -> String {
    (entry.value.isOptional ? "?" : "") + entry.key.normalizedText + ": "
      + entry.value.value.normalizedText
  }

  private static func text(_ call: Call) -> String {
    let target = call.target.map { $0.normalizedText + "." } ?? (call.isRooted ? "." : "")
    let arguments = call.arguments.map(\.normalizedText).joined(separator: ", ")
    return target + call.name.text + "(" + arguments + ")"
  }
}

/// An operator before its operand.
enum UnaryOperator: String, Sendable {
  case not = "!"
  case negate = "-"
}

/// An operator whose operands may be in either order: errors of one are absorbed by the other.
enum LogicOperator: String, Sendable {
  case and = "&&"
  case or = "||"
}

/// An operator between its operands.
enum BinaryOperator: String, Sendable {
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case add = "+"
  case subtract = "-"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="
  case unequal = "!="
  case isIn = "in"

  init?(_ kind: Token.Kind) {
    switch kind {
    case .star: self = .multiply
    case .slash: self = .divide
    case .percent: self = .remainder
    case .plus: self = .add
    case .minus: self = .subtract
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    case .equal: self = .equal
    case .unequal: self = .unequal
    case .in: self = .isIn
    default: return nil
    }
  }

  /// True if it compares its operands, rather than computing with them.
  var isComparison: Bool { precedence == 1 }

  /// The precedence of the operator: 3 for products, 2 for sums, 1 for relations.
  var precedence: Int {
    switch self {
    case .multiply, .divide, .remainder: 3
    case .add, .subtract: 2
    default: 1
    }
  }
}

/// Names joined by points: a variable, or a variable and fields of it.
struct QualifiedName {
  var parts: [SyntaxNode.Name]
  /// The start of each part's operand, including parentheses.
  var starts: [Int]
  let isRooted: Bool

  func prefix(_ count: Int) -> String {
    var text = parts[0].text
    for part in parts[1..<count] {
      text += "."
      text += part.text
    }
    return text
  }

  func span(_ count: Int) -> Range<Int> {
    parts[0].span.lowerBound..<parts[count - 1].span.upperBound
  }
}

/// A call with other arguments than values: names of variables, and parts evaluated with them.
enum Macro: String, CaseIterable {
  case has
  case bind = "cel.bind"
  case greatest = "math.greatest"
  case least = "math.least"
  case all
  case exists
  case existsOne
  case exists_one
  case map
  case filter
  case transformList
  case transformMap
  case transformMapEntry
  case optMap
  case optFlatMap
  case sortBy

  init?(_ call: SyntaxNode.Call) {
    var name = call.name.text
    // `cel.bind` and `math.least` look like methods of a variable.
    if let target = call.target?.simpleName, target == "cel" || target == "math" {
      name = target + "." + name
    }
    guard let macro = Macro(rawValue: name), macro.isMember == (call.target != nil) else {
      return nil
    }
    guard macro.counts.contains(call.arguments.count) else { return nil }
    self = macro
  }

  static let names: [String] = allCases.map(\.rawValue)

  /// The numbers of arguments of the macro with this name, or nil.
  static func counts(of name: String) -> [Int]? { Macro(rawValue: name).map { Array($0.counts) } }

  /// The number of arguments, of a total, that name variables for the elements of a range.
  func variableCount(of argumentCount: Int) -> Int {
    switch self {
    case .transformList, .transformMap, .transformMapEntry: 2
    case .all, .exists, .existsOne, .exists_one: argumentCount - 1
    default: 1
    }
  }

  private var isMember: Bool { self != .has }

  private var counts: ClosedRange<Int> {
    switch self {
    case .has: 1...1
    case .bind: 3...3
    case .greatest, .least: 1...255
    case .all, .exists, .existsOne, .exists_one, .map: 2...3
    case .filter, .optMap, .optFlatMap, .sortBy: 2...2
    case .transformList, .transformMap, .transformMapEntry: 3...4
    }
  }
}
