public import FlowCore
internal import FlowRedaction
internal import FlowYAML

extension Plan {
  /// The values of all inputs, in their order: those given as text, and the defaults of the rest.
  ///
  /// Text for a `string` input is taken as it is; for every other type it is read as YAML.
  ///
  /// - Throws: `ScenarioError` with every unknown, missing or ill-typed input.
  public func inputValues(texts: [(name: String, text: String)]) throws(ScenarioError) -> [Value] {
    let diagnostics = DiagnosticCollector(file: file)
    var given: [String: Value] = [:]
    var mentioned: Set<String> = []
    for (name, text) in texts {
      guard let input = checkedInput(name, &mentioned, diagnostics) else { continue }
      switch Self.value(text, input.type) {
      case .success(let value): given[name] = value
      case .failure(let misfit): diagnostics.add(.inputValue(name, misfit), at: nil)
      }
    }
    return try complete(given, mentioned, diagnostics)
  }

  /// The values of all inputs, in their order: those given, and the defaults of the rest.
  ///
  /// - Throws: `ScenarioError` with every unknown, missing or ill-typed input.
  public func inputValues(_ values: [String: Value]) throws(ScenarioError) -> [Value] {
    let diagnostics = DiagnosticCollector(file: file)
    var given: [String: Value] = [:]
    var mentioned: Set<String> = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let input = checkedInput(name, &mentioned, diagnostics) else { continue }
      do { given[name] = try value.converted(to: input.type) } catch {
        // A part of a secret may stand in what should have been one.
        let secret = Misfit(expected: input.type, actual: "a value of type \(value.kindName)")
        diagnostics.add(.inputValue(name, input.isSecret ? secret : Misfit(error)), at: nil)
      }
    }
    return try complete(given, mentioned, diagnostics)
  }

  /// The input of a name; `mentioned` gets it, or what a mistyped one probably means.
  private func checkedInput(
    _ name: String, _ mentioned: inout Set<String>, _ diagnostics: DiagnosticCollector
  ) -> PlannedInput? {
    if let input = inputs.first(where: { $0.name == name }) {
      mentioned.insert(name)
      return input
    }
    let problem = Problem.unknownInput(name, among: inputs.map(\.name))
    mentioned.formUnion(problem.near)
    return diagnostics.reject(problem, at: nil)
  }

  private func complete(
    _ given: [String: Value], _ mentioned: Set<String>, _ diagnostics: DiagnosticCollector
  ) throws(ScenarioError) -> [Value] {
    // One that was given and refused, or under a mistyped name, is reported already.
    for input in inputs where input.defaultValue == nil && !mentioned.contains(input.name) {
      diagnostics.add(
        input.isSecret ? .missingSecret(input.name) : .missingInput(input.name, type: input.type),
        at: nil)
    }
    for input in inputs where input.isSecret {
      guard case .string(let text)? = given[input.name] else { continue }
      if !Redactor.canHide(text) { diagnostics.add(.shortSecret(input.name), at: nil) }
    }
    try diagnostics.throwIfAny()
    return inputs.compactMap { given[$0.name] ?? $0.defaultValue }
  }

  private static func value(_ text: String, _ type: ValueType) -> Result<Value, Misfit> {
    if type == .string { return .success(.string(text)) }
    let whole = Misfit(
      expected: type, actual: Value.string(text).summary(), near: type.names(near: text))
    // Programs write JSON, and libyaml does not read all of its escapes.
    let bytes = Array(text.utf8)
    guard let node = (try? Node(parsing: bytes)) ?? (try? Node(parsing: bytes, as: .json)) else {
      return .failure(whole)
    }
    if let value = Value(node, as: type) { return .success(value) }
    guard let inner = Misfit(inside: node, type) else { return .failure(whole) }
    return .failure(inner)
  }
}

extension Misfit {
  fileprivate init(_ error: DecodeError) {
    guard case .mismatch(let expected, let actual) = error.reason else {
      self.init(path: error.path, expected: .dynamic, actual: "\(error.problem)")
      return
    }
    self.init(path: error.path, expected: expected, actual: actual.summary())
  }

  /// The first element of a list or a map that does not fit; nil where the node itself does not.
  fileprivate init?(inside node: Node, _ type: ValueType) {
    let elements: [(step: FieldPath.Step, node: Node)]
    switch (node.kind, type.unwrapped) {
    case (.sequence, .list):
      elements = node.items.enumerated().map { (.index($0.offset), $0.element) }
    case (.mapping, .map): elements = node.entries.map { (.field($0.key.text), $0.value) }
    default: return nil
    }
    guard let type = type.elementType ?? type.entryType,
      let wrong = elements.first(where: { Value($0.node, as: type) == nil })
    else { return nil }
    self =
      Misfit(inside: wrong.node, type)
      ?? Misfit(
        expected: type, actual: wrong.node.kindPhrase, near: type.names(near: wrong.node.text))
    path = path.inside(wrong.step)
  }
}

extension Plan {
  /// Recorded values of the inputs with the secrets, found by name, in the place of what was hidden.
  ///
  /// - Throws: `ScenarioError` with every secret that is not given, and every input of which a part was hidden.
  package func liveInputs(
    _ recorded: [Value], secret: (String) -> String?
  ) throws(ScenarioError) -> [Value] {
    let diagnostics = DiagnosticCollector(file: file)
    var values: [String: Value] = [:]
    for (input, value) in zip(inputs, recorded) {
      if input.isSecret {
        let secret = secret(input.name)
        if secret == nil { diagnostics.add(.missingSecret(input.name), at: nil) }
        values[input.name] = .string(secret ?? "")
      } else {
        if Redactor.hasPlaceholder(value) { diagnostics.add(.redactedInput(input.name), at: nil) }
        values[input.name] = value
      }
    }
    try diagnostics.throwIfAny()
    return try inputValues(values)
  }
}
