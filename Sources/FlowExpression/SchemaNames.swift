internal import FlowCore

extension Expression {
  /// Returns the names of the schemas in the calls of `matches_schema`, with their places in the
  /// text, in unicode scalars from 0.
  ///
  /// Empty for a text that is no expression.
  package static func schemaNames(in text: String) -> [(name: String, span: Range<Int>)] {
    // Few expressions have one, and most are too short for it.
    guard text.utf8.count > SchemaFunction.name.utf8.count,
      hasIdentifier(SchemaFunction.name, in: text), let syntax = try? Parser.parse(text)
    else {
      return []
    }
    return syntax.schemaNames
  }
}

extension SyntaxNode {
  fileprivate var schemaNames: [(name: String, span: Range<Int>)] {
    var found = children.flatMap(\.schemaNames)
    if case .call(let call) = kind, call.target == nil, call.name.text == SchemaFunction.name,
      call.arguments.count == 2, case .literal(.string(let name)) = call.arguments[1].kind
    {
      found.append((name, call.arguments[1].span))
    }
    return found
  }

  private var children: [SyntaxNode] {
    switch kind {
    case .literal, .double, .name: []
    case .select(let operand, _, _), .unary(_, let operand): [operand]
    case .index(let operand, let index, _): [operand, index]
    case .call(let call): (call.target.map { [$0] } ?? []) + call.arguments
    case .binary(_, let left, let right): [left, right]
    case .logic(_, let operands): operands
    case .conditional(let condition, let first, let second): [condition, first, second]
    case .list(let elements): elements.map(\.value)
    case .map(let entries): entries.flatMap { [$0.key, $0.value.value] }
    }
  }
}
