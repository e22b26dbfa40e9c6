/// A name with its place.
struct Name: Sendable {
  let text: String
  let range: Range<Int>
}

/// A value as it is written in a document.
struct Literal: Sendable {
  indirect enum Kind: Sendable {
    case variable(String)
    case int(String)
    case float(String)
    case string(String)
    case bool(Bool)
    case null
    case enumeration(String)
    case list([Literal])
    case object([Argument])
  }

  let kind: Kind
  let range: Range<Int>
}

/// A name with a value: an argument, or a field of an input object.
struct Argument: Sendable {
  let name: Name
  let value: Literal
}

/// A directive where it is used.
struct AppliedDirective: Sendable {
  let name: Name
  let arguments: [Argument]
}

/// The selected fields of one object, in file order, never empty.
struct SelectionSet: Sendable {
  let selections: [Selection]
}

/// A part of a selection set.
enum Selection: Sendable {
  case field(FieldNode)
  case spread(FragmentSpread)
  case inline(InlineFragment)
}

/// A selected field.
struct FieldNode: Sendable {
  /// The number of the field in its document, from 0.
  let number: Int
  let alias: Name?
  let name: Name
  let arguments: [Argument]
  let directives: [AppliedDirective]
  let selections: SelectionSet?

  /// The name in the response.
  var responseName: String { (alias ?? name).text }
}

/// `...Name`.
struct FragmentSpread: Sendable {
  let name: Name
  let directives: [AppliedDirective]
}

/// `... on Type { }`.
struct InlineFragment: Sendable {
  let condition: Name?
  let directives: [AppliedDirective]
  let selections: SelectionSet
  let range: Range<Int>
}

/// A type as it is written.
indirect enum TypeNode: Sendable {
  case named(Name)
  case list(TypeNode)
  case nonNull(TypeNode)

  /// The name inside of lists.
  var name: Name {
    switch self {
    case .named(let name): name
    case .list(let type), .nonNull(let type): type.name
    }
  }
}

/// A variable of an operation.
struct VariableNode: Sendable {
  let name: Name
  let type: TypeNode
  let defaultValue: Literal?
  let directives: [AppliedDirective]
}

/// The kinds of operations.
enum OperationKind: String, Sendable {
  case query
  case mutation
  case subscription
}

/// An operation of a document.
struct OperationNode: Sendable {
  let kind: OperationKind
  let name: Name?
  let variables: [VariableNode]
  let directives: [AppliedDirective]
  let selections: SelectionSet
  /// The place of its name or of its first word.
  let range: Range<Int>
}

/// A named fragment.
struct FragmentNode: Sendable {
  let name: Name
  let condition: Name
  let directives: [AppliedDirective]
  let selections: SelectionSet
}

/// The operations and the fragments of a document, each in file order.
struct ExecutableDocument: Sendable {
  var operations: [OperationNode] = []
  var fragments: [FragmentNode] = []
}
