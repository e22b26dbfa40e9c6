internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The names that a scenario may use, with their meanings.
struct ScenarioFacts {
  private let analysis: FileAnalysis
  private let settings: EditorSettings
  /// The path of the scenario.
  private let path: String

  init(_ analysis: FileAnalysis, _ path: String, _ settings: EditorSettings) {
    (self.analysis, self.path, self.settings) = (analysis, path, settings)
  }

  var formats: [String] { settings.formats }

  var index: ScenarioIndex? { analysis.scenario?.index }

  // MARK: - Plugins and components

  /// The plugins of the program and of the project.
  private var known: [RegisteredPlugin] {
    let folder = Path.folder(of: path)
    // Wrong declarations are reported when flow starts, and projects with mistakes where they are open.
    let declared = try? KnownPlugins(settings.registry).declaredPlugins(around: folder)
    let own = try? settings.registry.plugins
    return (own ?? []) + (declared ?? [])
  }

  var plugins: [Expected.Naming] {
    known.map { .init(name: $0.plugin.name, detail: "plugin", summary: $0.plugin.summary) }
  }

  func plugin(named name: String?) -> RegisteredPlugin? {
    guard let name else { return nil }
    return known.first { $0.plugin.name == name }
  }

  func roles(of plugin: String?) -> [Expected.Naming] {
    let roles = self.plugin(named: plugin)?.roles.map(\.role).filter { !$0.isOpen } ?? []
    var names: Set<String> = []
    return roles.filter { names.insert($0.name).inserted }.map {
      .init(name: $0.name, detail: "role", summary: $0.summary)
    }
  }

  private var components: [ScenarioIndex.Component] { index?.components ?? [] }

  var componentNames: [Expected.Naming] {
    components.map {
      .init(
        name: $0.name, detail: $0.plugin?.plugin.name ?? "component",
        summary: $0.plugin?.plugin.summary ?? "")
    }
  }

  func component(_ name: String) -> ScenarioIndex.Component? {
    components.first { $0.name == name }
  }

  // MARK: - Operations and events

  var operations: [Expected.Naming] {
    components.flatMap { component in
      (component.plugin?.ownOperations ?? []).map {
        .init(name: "\(component.name).\($0.name)", detail: $0.signature, summary: $0.summary)
      }
    }
  }

  var events: [Expected.Naming] {
    components.flatMap { component in
      (component.plugin?.events ?? []).map {
        .init(name: "\(component.name).\($0.name)", detail: "event", summary: $0.summary)
      }
    }
  }

  /// The operation of `balance.load`, or nil for an unknown one.
  func operation(_ text: String?) -> OperationDescription? {
    let parts = text?.split(separator: ".", maxSplits: 1) ?? []
    guard parts.count == 2, let plugin = component(String(parts[0]))?.plugin else { return nil }
    return plugin.operations.first { $0.name == parts[1] }
  }

  func event(_ text: String?) -> EventDescription? {
    let parts = text?.split(separator: ".", maxSplits: 1) ?? []
    guard parts.count == 2, let plugin = component(String(parts[0]))?.plugin else { return nil }
    return plugin.events.first { $0.name == parts[1] }
  }

  func codes(of operation: OperationDescription) -> [Expected.Naming] {
    operation.errors.map { .init(name: $0.name, detail: "error code", summary: $0.summary) }
  }

  func fields(of record: RecordType) -> [Expected.Naming] {
    record.fields.map { .init(name: $0.name, detail: "\($0.type)", summary: $0.summary) }
  }

  // MARK: - Included scenarios

  private func inclusion(_ file: String?) -> Plan? {
    guard let file else { return nil }
    let inclusions = index?.inclusions ?? []
    return inclusions.first { inclusion in
      guard let plan = inclusion.plan else { return false }
      return plan.path == file || Path.plain(plan.path) == Path.plain(file)
        || plan.path.hasSuffix("/" + file)
    }?.plan
  }

  func inputs(of file: String?) -> RecordType? { inclusion(file)?.inputType }

  func components(of file: String?) -> [Expected.Naming] {
    (inclusion(file)?.components ?? []).map {
      .init(name: $0.name, detail: $0.plugin.plugin.name, summary: $0.plugin.plugin.summary)
    }
  }

  /// The scenarios in the folder of this one and in the folders below it.
  var scenarioFiles: [Expected.Naming] {
    let folder = Path.folder(of: path)
    let found = (try? ScenarioFinder(excluding: []).files(at: [folder]).files) ?? []
    let prefix = folder == "." ? "" : folder + "/"
    return found.map(\.path).filter { $0 != path && $0.hasPrefix(prefix) }.map {
      .init(name: String($0.dropFirst(prefix.count)), detail: "scenario", summary: "")
    }
  }

  // MARK: - Types

  /// The types of inputs: the simple ones, and lists and maps of these.
  var types: [Expected.Naming] {
    let simple = ValueType.simple.map(\.name)
    let names = simple + simple.map { "list(\($0))" } + simple.map { "map(\($0))" }
    return names.map {
      .init(name: $0, detail: "type", summary: "")
    }
  }

  func type(_ text: String?) -> ValueType? { text.flatMap { ValueType(scenarioText: $0) } }
}

extension OperationDescription {
  /// The fields of input and answer: `(amount: decimal) -> (balance: decimal)`.
  var signature: String { "\(input.signature) -> \(output.signature)" }
}

extension RecordType {
  /// The names and types of the first fields: `(amount: decimal, note?: string)`.
  var signature: String {
    let shown = fields.prefix(6).map { field in
      "\(field.name)\(field.isRequired ? "" : "?"): \(field.type)"
    }
    return "(" + (shown + (fields.count > 6 ? ["…"] : [])).joined(separator: ", ") + ")"
  }
}
