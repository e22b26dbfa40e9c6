package import FlowCore
package import FlowPlan
internal import FlowSystem
internal import FlowYAML

extension Plan {
  /// Returns the values of all inputs in their order, given as strings or in a file, or their
  /// defaults.
  ///
  /// A string takes the place of a value in the file. A string for a `string` input is taken
  /// literally. For every other type it is read as YAML.
  ///
  /// - Throws: `ScenarioError` with every unknown, missing or ill-typed input.
  package func inputValues(
    texts: [(name: String, text: String)], file inputs: InputsFile? = nil
  ) throws(ScenarioError) -> [Value] {
    let diagnostics = DiagnosticCollector(file: inputs?.file ?? file)
    let (given, mentioned) = read(texts, inputs, diagnostics)
    return try complete(given, mentioned, diagnostics)
  }

  /// Returns the values of the given inputs only.
  ///
  /// A value given as a string takes the place of one in the file.
  ///
  /// - Throws: `ScenarioError` with every unknown or ill-typed input.
  package func givenValues(
    texts: [(name: String, text: String)], file inputs: InputsFile?
  ) throws(ScenarioError) -> [String: Value] {
    let diagnostics = DiagnosticCollector(file: inputs?.file ?? file)
    let (given, _) = read(texts, inputs, diagnostics)
    try diagnostics.throwIfAny()
    return given
  }

  private func read(
    _ texts: [(name: String, text: String)], _ inputs: InputsFile?,
    _ diagnostics: DiagnosticCollector
  ) -> (given: [String: Value], mentioned: Set<String>) {
    var given: [String: Value] = [:]
    var names = InputNames(self.inputs)
    for (name, text) in texts {
      guard let input = names.input(name, diagnostics) else { continue }
      switch Self.value(text, input.type) {
      case .success(let value): given[name] = value
      case .failure(let misfit): diagnostics.add(.inputValue(name, misfit), at: nil)
      }
    }
    let replaced = Set(texts.map(\.name))
    for entry in inputs?.entries ?? [] {
      let name = entry.key.text
      guard let value = value(entry, &names, diagnostics), !replaced.contains(name) else {
        continue
      }
      given[name] = value
    }
    for variable in inputs?.variables ?? [] {
      guard let value = value(variable, &names, diagnostics), !replaced.contains(variable.name)
      else { continue }
      given[variable.name] = value
    }
    return (given, names.mentioned)
  }

  /// Returns the value of a variable, or nil if it is none of an input, or after a problem.
  ///
  /// A secret may be there: such a file is not kept with the scenarios.
  private func value(
    _ variable: EnvironmentVariable, _ names: inout InputNames, _ diagnostics: DiagnosticCollector
  ) -> Value? {
    guard names.isNear(variable.name),
      let input = names.input(variable.name, at: variable.span, diagnostics)
    else { return nil }
    switch Self.value(variable.value, input.type) {
    case .success(let value): return value
    case .failure(let misfit):
      diagnostics.add(.inputValue(input.name, misfit), at: variable.span, showsLine: false)
      return nil
    }
  }

  /// Returns the value of an entry of a file, or nil after a problem.
  private func value(
    _ entry: Node.Entry, _ names: inout InputNames, _ diagnostics: DiagnosticCollector
  ) -> Value? {
    let name = entry.key.text
    guard let input = names.input(name, at: entry.key.span, diagnostics) else {
      return nil
    }
    if input.isSecret {
      diagnostics.keep(secret: entry.value, of: name)
      return diagnostics.reject(.secretInFile(name), at: entry.key.span)
    }
    if let value = Value(entry.value, as: input.type) { return value }
    let misfit = Misfit(of: entry.value, input.type)
    return diagnostics.reject(.inputValue(name, misfit), at: misfit.span ?? entry.value.span)
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
    guard let inner = Misfit(inside: node, type) else {
      return .failure(whole.noting(type.limitNote(on: node)))
    }
    return .failure(inner)
  }
}

extension Misfit {
  /// Creates the misfit of a node with another type.
  fileprivate init(of node: Node, _ type: ValueType) {
    self =
      Misfit(inside: node, type)
      ?? Misfit(
        expected: type, actual: node.kindPhrase, near: type.names(near: node.text), span: node.span
      ).noting(type.limitNote(on: node))
  }

  /// Creates the misfit of the first wrong element of a list or a map, or nil if the node itself
  /// has another type.
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
    self.init(of: wrong.node, type)
    path = path.inside(wrong.step)
  }
}
