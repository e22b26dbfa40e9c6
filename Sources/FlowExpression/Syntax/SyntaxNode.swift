internal import FlowCore

/// A part of an expression as it was written.
struct SyntaxNode: Sendable {
  /// A name with its place.
  struct Name: Sendable {
    let text: String
    let span: Range<Int>
  }

  /// A function call; operators and indexing have kinds of their own.
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
    let value: SyntaxNode
    let isOptional: Bool
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
  /// How many nodes it consists of, itself included.
  let size: Int

  /// The same node with the parentheses around it.
  func parenthesized(_ span: Range<Int>) -> SyntaxNode {
    SyntaxNode(kind: kind, span: span, depth: depth, size: size)
  }
}

/// An operator before its operand.
enum UnaryOperator: String, Sendable {
  case not = "!"
  case negate = "-"
}

/// An operator whose operands may stand in either order: errors of one are absorbed by the other.
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

  /// How tightly the operator binds: 3 for products, 2 for sums, 1 for relations.
  var precedence: Int {
    switch self {
    case .multiply, .divide, .remainder: 3
    case .add, .subtract: 2
    default: 1
    }
  }
}
