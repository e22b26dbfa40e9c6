public import FlowCore
internal import FlowYAML

extension Plan {
  /// The values of all inputs, in their order: those given as text, and the defaults of the rest.
  ///
  /// Text for a `string` input is taken as it is; for every other type it is read as YAML.
  ///
  /// - Throws: `ScenarioError` with every unknown, missing or ill-typed input.
  public func inputValues(texts: [(name: String, text: String)]) throws(ScenarioError) -> [Value] {
    let problems = Problems(file: file)
    var given: [String: Value] = [:]
    var mentioned: Set<String> = []
    for (name, text) in texts {
      guard let input = checkedInput(name, &mentioned, problems) else { continue }
      guard let value = Self.value(text, input.type) else {
        let actual = Value.string(text).summary()
        problems.add(.inputValue(name, expected: input.type, actual: actual), at: nil)
        continue
      }
      given[name] = value
    }
    return try complete(given, mentioned, problems)
  }

  /// The values of all inputs, in their order: those given, and the defaults of the rest.
  ///
  /// - Throws: `ScenarioError` with every unknown, missing or ill-typed input.
  public func inputValues(_ values: [String: Value]) throws(ScenarioError) -> [Value] {
    let problems = Problems(file: file)
    var given: [String: Value] = [:]
    var mentioned: Set<String> = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let input = checkedInput(name, &mentioned, problems) else { continue }
      do { given[name] = try value.converted(to: input.type) } catch {
        // A part of a secret may stand in what should have been one.
        let actual = input.isSecret ? "a value of type \(value.kindName)" : value.summary()
        problems.add(.inputValue(name, expected: input.type, actual: actual), at: nil)
      }
    }
    return try complete(given, mentioned, problems)
  }

  /// The input of a name; `mentioned` gets it, or what a mistyped one probably means.
  private func checkedInput(
    _ name: String, _ mentioned: inout Set<String>, _ problems: Problems
  ) -> PlannedInput? {
    if let input = inputs.first(where: { $0.name == name }) {
      mentioned.insert(name)
      return input
    }
    let near = Suggestion.nearest(to: name, among: inputs.map(\.name))
    mentioned.formUnion(near)
    problems.add(.unknownInput(name, near: near), at: nil)
    return nil
  }

  private func complete(
    _ given: [String: Value], _ mentioned: Set<String>, _ problems: Problems
  ) throws(ScenarioError) -> [Value] {
    // One that was given and refused, or under a mistyped name, is reported already.
    for input in inputs where input.defaultValue == nil && !mentioned.contains(input.name) {
      problems.add(
        input.isSecret ? .missingSecret(input.name) : .missingInput(input.name, type: input.type),
        at: nil)
    }
    for input in inputs where input.isSecret {
      guard case .string(let text)? = given[input.name] else { continue }
      if !Redactor.canHide(text) { problems.add(.shortSecret(input.name), at: nil) }
    }
    try problems.throwIfAny()
    return inputs.compactMap { given[$0.name] ?? $0.defaultValue }
  }

  private static func value(_ text: String, _ type: ValueType) -> Value? {
    if type == .string { return .string(text) }
    guard let node = try? Node(parsing: Array(text.utf8)) else { return nil }
    return Value(node, as: type)
  }
}
