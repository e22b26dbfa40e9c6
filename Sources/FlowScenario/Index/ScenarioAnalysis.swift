package import FlowCore
package import FlowPlan
package import FlowYAML

/// Everything that tools can know about a scenario without running it.
package struct ScenarioAnalysis: Sendable {
  /// The plan, or nil for a scenario with errors.
  package let plan: Plan?
  /// The problems, as `flow check` lists them.
  package let diagnostics: [Diagnostic]
  /// The tree of the text, or nil if it cannot be read as YAML.
  package let root: Node?
  /// The path of the scenario's own index.
  let main: String
  /// The indexes of the scenario and of those that it includes, by the paths of their plans.
  ///
  /// A file that cannot be read as YAML has none.
  package let indexes: [String: ScenarioIndex]

  /// The index of the scenario itself, or nil if its file cannot be read as YAML.
  package var index: ScenarioIndex? { indexes[main] }
}
