internal import FlowCore
internal import FlowPlan

/// A page of the reference in Markdown, made of declarations, which `flow help --markdown` prints.
///
/// The pages of `Docs/reference` have an introduction above it.
enum ReferencePage: String, CaseIterable {
  case commands, plugins, scenario, project, diagnostics

  static let names = allCases.map(\.rawValue)

  /// Returns the page for the plugins and families of a registry.
  func text(_ registry: Registry) throws(RegistryError) -> String {
    switch self {
    case .commands: CommandReference.text(of: Command.all.map(\.syntax))
    case .plugins: PluginReference.text(of: try registry.pluginsBeforeExamples)
    case .scenario: KeyReference.scenario
    case .project: KeyReference.project(registry.familyKeys.compactMap(registry.family))
    case .diagnostics: Self.rules
    }
  }

  private static var rules: String {
    ReferenceText.table(
      ["code", "rule"],
      Rule.all.map { rule in
        let anchor = ReferenceText.anchor("\(rule.code): \(rule.title)")
        return ["[\(rule.code)](../rules.md#\(anchor))", rule.title]
      })
  }
}
