internal import FlowCore
internal import FlowYAML

/// The rules of a component for its answers: `volatile`, `compare_headers` and `live`.
struct DeclaredAnswers {
  private let declaration: Scenario.ComponentDeclaration
  private let plugin: RegisteredPlugin
  private let diagnostics: DiagnosticCollector

  init(
    _ declaration: Scenario.ComponentDeclaration, _ plugin: RegisteredPlugin,
    _ diagnostics: DiagnosticCollector
  ) {
    self.declaration = declaration
    self.plugin = plugin
    self.diagnostics = diagnostics
  }

  /// The parts that differ from run to run, by the operations' names.
  var volatile: [String: [VolatilePath]] {
    var paths: [String: [VolatilePath]] = [:]
    for entry in declaration.volatile {
      let name = entry.key.text
      guard let index = plugin.operationIndex(name) else {
        let known = plugin.operations.map(\.name)
        diagnostics.add(
          .unknownOperation(name, component: declaration.name, known: known, elsewhere: []),
          at: entry.key.span)
        continue
      }
      let owner = "'\(name)' in 'volatile' of the component '\(declaration.name)'"
      paths[name] = list(entry.value, owner).compactMap {
        VolatilePath(
          $0, in: plugin.operations[index], of: "\(declaration.name).\(name)", diagnostics)
      }
    }
    return paths
  }

  /// The headers, in lower case, that are compared although no step reads them.
  var comparedHeaders: [String] {
    guard let node = declaration.comparedHeaders else { return [] }
    guard plugin.operations.contains(where: \.hasHeaders) else {
      diagnostics.add(.noHeaders(of: declaration.name), at: node.span)
      return []
    }
    return list(node, "'compare_headers' of the component '\(declaration.name)'")
      .filter { $0.isText(owner: "a header of 'compare_headers'", diagnostics) }
      .map { $0.text.lowercased() }
  }

  /// True if tests call the component instead of serving its recorded answers.
  var isLive: Bool {
    declaration.live?.flag(
      owner: "'live' of the component '\(declaration.name)'", diagnostics) ?? false
  }

  private func list(_ node: Node, _ owner: String) -> [Node] {
    if node.kind != .sequence { diagnostics.add(node, is: owner, not: "a list") }
    return Array(node.items)
  }
}

extension OperationDescription {
  /// True if its answers have a map of headers.
  fileprivate var hasHeaders: Bool {
    guard case .map? = output.field("headers")?.type.unwrapped else { return false }
    return true
  }
}

extension VolatilePath {
  /// Reads a place in the answer of an operation, or adds the problem and returns nil.
  init?(
    _ node: Node, in operation: OperationDescription, of name: String,
    _ diagnostics: DiagnosticCollector
  ) {
    guard node.isText(owner: "a place of 'volatile'", diagnostics) else { return nil }
    guard let path = VolatilePath(node.text) else {
      diagnostics.add(node, is: "a place of 'volatile'", not: "a path such as 'items[*].id'")
      return nil
    }
    if let misstep = path.misstep(in: .record(operation.output)) {
      diagnostics.add(misstep.problem(in: name), at: node.span)
      return nil
    }
    self = path
  }
}

extension VolatilePath.Misstep {
  /// The problem in the answer of an operation.
  fileprivate func problem(in operation: String) -> Problem {
    let owner =
      (place.isEmpty ? "" : "'\(place)' in ") + "the answer of '\(operation)'"
    guard let noList else { return .unknownField(name, owner: owner, known: fields) }
    return .wrongKind(
      owner: owner, expected: "a list for '\(name)'", actual: "a value of type \(noList)")
  }
}
