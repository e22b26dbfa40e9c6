internal import FlowCore

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
