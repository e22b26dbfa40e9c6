package import FlowCore

/// A schema that an expression may name, ready to check values.
package struct NamedSchema: Sendable {
  /// Returns true for a value that fits, or throws the reason that it cannot be checked.
  package typealias Test = @Sendable (Value) throws -> Bool

  let accepts: Test
  let violations: @Sendable (Value) -> [String]

  /// A schema by its two questions.
  ///
  /// `violations` describes the first violations of a value, without its content.
  package init(
    accepts: @escaping Test, violations: @escaping @Sendable (Value) -> [String]
  ) {
    self.accepts = accepts
    self.violations = violations
  }
}

/// `matches_schema(value, "order.schema.json")`: a schema of the project, read before the run.
enum SchemaFunction {
  static let name = "matches_schema"

  /// Known to the library by name and types.
  ///
  /// The checker compiles a call itself, because the schema must be known before the run.
  static let all = [
    Function(name, [Signature([.dyn, .string], .bool)], .binary(unnamed))
  ]

  /// A call in an expression outside of a scenario.
  private static func unnamed(
    _ value: Value, _ schema: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    throw .noSchemas
  }

  /// The code of a call.
  ///
  /// A step is charged for each part of the value, as the validator walks through them.
  static func test(_ value: Code, _ schema: NamedSchema, _ name: CallName) -> Code {
    .call(name, value) { (value, frame) throws(EvaluationError) in
      try frame.charge(sizeOf: value)
      do { return .bool(try schema.accepts(value)) } catch { throw .schema("\(error)") }
    }
  }

  /// The code of the violations, for the message of a failed assertion, or of `true` without any.
  static func violations(_ value: Code, _ schema: NamedSchema, _ name: CallName) -> Code {
    .call(name, value) { (value, frame) throws(EvaluationError) in
      let violations = schema.violations(value)
      return violations.isEmpty ? .bool(true) : .list(violations.map(Value.string))
    }
  }
}

extension Checker {
  /// A call of `matches_schema`.
  mutating func schemaCall(
    _ arguments: [SyntaxNode], _ name: CallName, as role: Role
  ) -> Checked {
    let value = check(arguments[0], as: role)
    guard case .literal(.string(let text)) = arguments[1].kind else {
      return failure(.schemaName(arguments[1].span))
    }
    // One that cannot be read is reported by the owner of the files.
    guard let schema = names.environment.schemas[text] else {
      return Checked(code: .failing(.noSchemas), type: .bool)
    }
    if role == .operand || role == .assertion {
      collect(
        Checked(code: SchemaFunction.violations(value.code, schema, name), type: .dyn), name.span)
    }
    return Checked(code: SchemaFunction.test(value.code, schema, name), type: .bool)
  }
}

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
