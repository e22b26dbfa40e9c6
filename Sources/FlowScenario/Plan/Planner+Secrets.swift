internal import FlowCore
internal import FlowYAML

extension Planner {
  /// Whether an input is marked `secret: true`; a problem when it cannot be.
  func isSecret(_ input: Scenario.Input, _ type: ValueType) -> Bool {
    guard let node = input.secret else { return false }
    guard case .bool(let isSecret)? = node.scalar else {
      let owner = "'secret' of the input '\(input.name)'"
      problems.add(
        .wrongKind(owner: owner, expected: "true or false", actual: node.kindPhrase), at: node.span)
      return false
    }
    guard isSecret else { return false }
    if type != .string { problems.add(.secretType(input.name, type), at: input.type?.span) }
    if let value = input.defaultValue { problems.add(.secretDefault(input.name), at: value.span) }
    return true
  }
}
