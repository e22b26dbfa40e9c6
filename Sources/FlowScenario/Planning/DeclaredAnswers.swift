internal import FlowCore
internal import FlowPlan
internal import FlowYAML

/// The rules of a component for its answers: `volatile`, `compare_headers`, `live` and `restart`.
struct DeclaredAnswers {
  private let declaration: Scenario.ComponentDeclaration
  private let plugin: RegisteredPlugin
  private let lock: String?
  private let diagnostics: DiagnosticCollector

  /// Creates the rules of a component, whose plugin may be described in flow.lock.
  init(
    _ declaration: Scenario.ComponentDeclaration, _ plugin: RegisteredPlugin, lock: String?,
    _ diagnostics: DiagnosticCollector
  ) {
    self.lock = lock
    self.declaration = declaration
    self.plugin = plugin
    self.diagnostics = diagnostics
  }

  /// The parts that differ from run to run, by the operations' names.
  var volatile: [String: [ValuePath]] {
    var paths: [String: [ValuePath]] = [:]
    for entry in declaration.volatile {
      let name = entry.key.text
      guard let index = plugin.operationIndex(name) else {
        diagnostics.add(
          .unknownOperation(name, component: declaration.name, of: plugin, lock: lock),
          at: entry.key.span)
        continue
      }
      let owner = "'\(name)' in 'volatile' of the component '\(declaration.name)'"
      let places = AnswerPlaces(
        key: "volatile", record: plugin.operations[index].output,
        owner: "the answer of '\(declaration.name).\(name)'", diagnostics: diagnostics)
      paths[name] = list(entry.value, owner).compactMap(places.path)
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

  /// True if `restart: never` keeps its programs.
  var keepsPrograms: Bool {
    guard let node = declaration.restart else { return false }
    if node.text == "never" { return true }
    diagnostics.add(
      node, is: "'restart' of the component '\(declaration.name)'", not: "'never'")
    return false
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

/// Reads the places in a record under a key such as `volatile`.
struct AnswerPlaces {
  let key: String
  let record: RecordType
  /// The name of the record: `the answer of 'balance.load'`.
  let owner: String
  let diagnostics: DiagnosticCollector

  /// Returns a place, or adds the problem and returns nil.
  func path(_ node: Node) -> ValuePath? { end(node)?.path }

  /// Returns a place with text to hide, or adds the problem and returns nil.
  func secretPath(_ node: Node) -> ValuePath? {
    guard let (path, type) = end(node) else { return nil }
    if type.mayHoldText { return path }
    let problem = Problem.wrongKind(
      owner: "'\(path.text)' in \(owner)", expected: "text to be hidden",
      actual: "a value of type \(type)")
    return diagnostics.reject(problem, at: node.span)
  }

  /// Returns a place of a list, or adds the problem and returns nil.
  func listPath(_ node: Node) -> ValuePath? {
    guard let (path, type) = end(node) else { return nil }
    switch type.unwrapped {
    case .list, .dynamic: return path
    default:
      let problem = Problem.wrongKind(
        owner: "'\(path.text)' in \(owner)", expected: "a list", actual: "a value of type \(type)")
      return diagnostics.reject(problem, at: node.span)
    }
  }

  private func end(_ node: Node) -> (path: ValuePath, type: ValueType)? {
    guard node.isText(owner: "a place of '\(key)'", diagnostics) else { return nil }
    guard let path = ValuePath(node.text) else {
      diagnostics.add(node, is: "a place of '\(key)'", not: "a path such as 'items[*].id'")
      return nil
    }
    switch path.end(in: .record(record)) {
    case .value(let type): return (path, type)
    case .nothing(let misstep):
      diagnostics.add(misstep.problem(in: owner), at: node.span)
      return nil
    }
  }
}

extension ValueType {
  /// True if its values can be or contain hidden texts.
  fileprivate var mayHoldText: Bool {
    switch self {
    case .string, .bytes, .dynamic: true
    case .optional(let type), .list(let type), .map(let type): type.mayHoldText
    case .record(let record): record.fields.contains { $0.type.mayHoldText }
    default: false
    }
  }
}

extension ValuePath.Misstep {
  /// The problem in a record.
  fileprivate func problem(in record: String) -> Problem {
    let owner = (place.isEmpty ? "" : "'\(place)' in ") + record
    guard let noList else { return .unknownField(name, owner: owner, known: fields) }
    return .wrongKind(
      owner: owner, expected: "a list for '\(name)'", actual: "a value of type \(noList)")
  }
}
