internal import FlowCore
internal import FlowPlan
internal import FlowYAML

/// The parts of a component's calls that vary, as its `varies` declares them.
struct DeclaredVarying {
  private let declaration: Scenario.ComponentDeclaration
  private let calls: DeclaredCalls
  private let diagnostics: DiagnosticCollector

  init(
    _ declaration: Scenario.ComponentDeclaration, _ requirements: [RoleRequirement],
    _ diagnostics: DiagnosticCollector
  ) {
    self.declaration = declaration
    calls = DeclaredCalls(declaration, requirements)
    self.diagnostics = diagnostics
  }

  /// The parts, by the calls' names.
  var parts: [String: VaryingParts] {
    var parts: [String: VaryingParts] = [:]
    for entry in declaration.varies {
      guard let requirement = calls.call(entry.key, diagnostics) else { continue }
      parts[requirement.name] = self.parts(of: requirement, entry.value)
    }
    return parts
  }

  private func parts(of requirement: RoleRequirement, _ node: Node) -> VaryingParts? {
    let owner = "'\(requirement.name)' in 'varies' of the component '\(declaration.name)'"
    // A component makes all other calls in an order of its own.
    let keys = requirement.isFromOutside ? KeySet.varyingCallFromOutside : .varyingCall
    guard let reader = MappingReader(node, owner: owner, keys: keys.names, diagnostics)
    else { return nil }
    let place = "the input of '\(requirement.name)'"
    let input = { (key: String) in paths(reader.items(key), in: requirement.input, place) }
    checkOnce(reader)
    var parts = VaryingParts(
      same: input("same"), any: input("any"),
      answer: paths(
        reader.items("answer"), in: requirement.output, "the answer of '\(requirement.name)'"))
    parts.unordered = lists(reader.items("unordered"), in: requirement.input, place)
    parts.keepsOrder = reader["order"].map { order($0, of: requirement) } == nil
    return parts
  }

  /// Checks the only possible order.
  private func order(_ node: Node, of requirement: RoleRequirement) {
    if node.text == "any" { return }
    diagnostics.add(node, is: "'order' of '\(requirement.name)'", not: "'any'")
  }

  /// Reports a part that is to keep its identity and to have any value.
  private func checkOnce(_ reader: MappingReader) {
    let items = { (key: String) in
      reader[key].map { $0.kind == .sequence ? Array($0.items) : [] } ?? []
    }
    let same = Set(items("same").map(\.text))
    for node in items("any") where same.contains(node.text) {
      diagnostics.add(.variesTwice(node.text), at: node.span)
    }
  }

  private func lists(_ nodes: [Node], in type: RecordType, _ owner: String) -> [ValuePath] {
    let places = AnswerPlaces(key: "varies", record: type, owner: owner, diagnostics: diagnostics)
    return nodes.compactMap(places.listPath)
  }

  private func paths(_ nodes: [Node], in type: RecordType, _ owner: String) -> [ValuePath] {
    let places = AnswerPlaces(key: "varies", record: type, owner: owner, diagnostics: diagnostics)
    return nodes.compactMap(places.path)
  }
}
