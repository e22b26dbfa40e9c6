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

  /// Keeps in mind what a step gives to fields that may be secret, though nobody knows what it calls.
  ///
  /// Those are the fields that are secret in any operation of the file's components, the file's own
  /// secret inputs, and `others`. Keeping every text would hide ordinary words from all that is said.
  func keepSecrets(in input: Node?, and others: Set<String> = []) {
    guard let input else { return }
    let fields = components.flatMap(\.plugin.operations).flatMap(\.input.fields)
    let names = problems.secretInputs.union(others).union(fields.filter(\.isSecret).map(\.name))
    for entry in input.entries where names.contains(entry.key.text) {
      problems.keep(secret: entry.value, of: entry.key.text)
    }
  }
}
