package import FlowCore

/// Everything that a server of an editor knows from the program around it.
package struct EditorSettings: Sendable {
  let registry: Registry
  let version: String
  /// The names of a suite's outputs, for `flow.yaml`.
  let formats: [String]

  /// Creates the settings of a program with these components.
  package init(registry: Registry, version: String, formats: [String]) {
    (self.registry, self.version, self.formats) = (registry, version, formats)
  }
}
