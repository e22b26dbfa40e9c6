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
