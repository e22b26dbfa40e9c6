internal import FlowCore
internal import FlowPlan
internal import FlowTexts
internal import FlowYAML

/// The properties of a component that follow from its settings.
struct DeclaredTraits {
  private let declaration: Scenario.ComponentDeclaration
  private let diagnostics: DiagnosticCollector

  init(_ declaration: Scenario.ComponentDeclaration, _ diagnostics: DiagnosticCollector) {
    (self.declaration, self.diagnostics) = (declaration, diagnostics)
  }

  /// Returns the properties, none without any, or after a problem.
  func traits(
    of plugin: RegisteredPlugin, _ settings: Template, _ library: ScenarioLibrary
  ) -> ComponentTraits? {
    guard let reader = plugin.traitsReader else { return nil }
    let sources = TraitSources(own: Self.own, file: library.document)
    do { return try reader(settings.known, sources) } catch {
      let reason = (error as? ComponentError)?.message ?? "\(error)"
      return diagnostics.reject(
        .refusedSettings(reason, of: declaration.name), at: declaration.place(of: reason))
    }
  }

  /// The presets that are a part of flow, under the name that messages show.
  private static func own() throws -> Document {
    try DocumentReader.document("presets.yaml", Texts.presets)
  }

  /// Returns the parts of answers that differ from run to run, with those that a preset adds.
  func volatile(
    _ written: [String: [ValuePath]], _ plugin: RegisteredPlugin
  ) -> [String: [ValuePath]] {
    var all = written
    var refused: Set<ComponentTraits.Place> = []
    for operation in plugin.operations {
      // A place is usually one of several operations, and is refused once.
      let places = (plugin.traits.volatile[operation.name] ?? []).filter { !refused.contains($0) }
      let known = Set(all[operation.name] ?? [])
      let paths = places.compactMap { place in
        let path = path(place, in: operation.output)
        if path == nil { refused.insert(place) }
        return path
      }
      let added = paths.filter { !known.contains($0) }
      if !added.isEmpty { all[operation.name, default: []] += added }
    }
    return all
  }

  /// Returns the parts of a component's call that differ from run to run, with those that a preset of
  /// the called component adds.
  func varying(
    _ written: VaryingParts, _ requirement: RoleRequirement, _ plugin: RegisteredPlugin
  ) -> VaryingParts {
    guard let own = plugin.traits.varying[requirement.member] else { return written }
    return written.adding(
      same: own.same.compactMap { path($0, in: requirement.input) },
      any: own.any.compactMap { path($0, in: requirement.input) })
  }

  /// Returns a place in a record, or reports one that it does not have and returns nil.
  private func path(_ place: ComponentTraits.Place, in record: RecordType) -> ValuePath? {
    if let path = ValuePath(place.path), case .value = path.end(in: .record(record)) { return path }
    let reason = "'preset': \(place.source): '\(place.path)' is no place such as 'json.items[*].id'"
    return diagnostics.reject(
      .refusedSettings(reason, of: declaration.name), at: declaration.place(of: reason))
  }
}

extension Template {
  /// Returns the settings with values in place of those that are null.
  func filling(_ values: [String: Value]) -> Template {
    if values.isEmpty { return self }
    switch self {
    case .constant(.record(let record)):
      let filled = zip(record.type.fields, record.values).map { field, value in
        value == .null ? values[field.name] ?? value : value
      }
      return .constant(.record(RecordValue(record.type, filled)))
    case .record(let type, let fields):
      let filled = zip(type.fields, fields).map { field, template in
        template.constant == .null
          ? values[field.name].map(Template.constant) ?? template : template
      }
      return .record(type, filled)
    case .constant, .expression, .text, .list, .map: return self
    }
  }
}
