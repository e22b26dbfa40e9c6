package import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

extension ProjectFile {
  /// A plugin that a project declares, an entry of `plugins`.
  public struct PluginDeclaration: Sendable {
    /// The name in `plugin:` of scenarios.
    public let name: Entry<String>
    /// The key of its family, or an empty string if the families are not known.
    public let family: String
    /// The fields of the declaration, converted to the types of the family.
    package let fields: Value

    /// Reads an entry of `plugins`, or returns nil after a problem.
    ///
    /// Without a registry any declaration is accepted.
    init?(_ entry: Node.Entry, _ registry: Registry?, _ diagnostics: DiagnosticCollector) {
      let name = entry.key.text
      self.name = Entry(value: name, span: SourceSpan(entry.key.span, file: diagnostics.file))
      guard RegisteredPlugin.isValid(name) else {
        diagnostics.add(.invalidPluginName(name), at: entry.key.span)
        return nil
      }
      guard let registry else {
        (family, fields) = ("", .null)
        return
      }
      if registry.names.contains(name) {
        diagnostics.add(.builtInPlugin(name), at: entry.key.span)
        return nil
      }
      guard let family = Self.family(entry.value, name, registry, diagnostics),
        let fields = Self.fields(entry.value, name, family, diagnostics)
      else { return nil }
      (self.family, self.fields) = (family.key, fields)
    }

    private static func family(
      _ node: Node, _ name: String, _ registry: Registry, _ diagnostics: DiagnosticCollector
    ) -> RegisteredFamily? {
      guard node.kind == .mapping else {
        diagnostics.add(node, is: "the plugin '\(name)'", not: "a mapping")
        return nil
      }
      for entry in node.entries {
        if let family = registry.family(entry.key.text) { return family }
      }
      let near = node.entries.flatMap { entry in
        Suggestion.nearest(to: entry.key.text, among: registry.familyKeys)
      }
      diagnostics.add(
        .noFamily(of: name, near: near, among: registry.familyKeys), at: node.span.firstCharacter)
      return nil
    }

    private static func fields(
      _ node: Node, _ name: String, _ family: RegisteredFamily, _ diagnostics: DiagnosticCollector
    ) -> Value? {
      let owner = "the plugin '\(name)'"
      let type = family.declaration
      guard
        let reader = MappingReader(
          node, owner: owner, keys: type.fields.map(\.name), diagnostics)
      else { return nil }
      var values: [Value] = []
      for field in type.fields {
        guard let part = reader[field.name] else {
          if let value = field.defaultValue {
            values.append(value)
          } else {
            _ = reader.required(field.name)
          }
          continue
        }
        if let value = Value(part, as: field.type) {
          values.append(value)
        } else {
          diagnostics.add(part, is: "'\(field.name)' of \(owner)", not: "\(field.type)")
        }
      }
      guard values.count == type.fields.count, reader.unknown.isEmpty else { return nil }
      let value = Value.record(RecordValue(type, values))
      do {
        try family.check(value)
        return value
      } catch {
        diagnostics.add(.refusedDeclaration("\(error)", of: name), at: node.span)
        return nil
      }
    }
  }
}
