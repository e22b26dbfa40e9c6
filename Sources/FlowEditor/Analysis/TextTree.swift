internal import FlowScenario
internal import FlowSystem
internal import FlowYAML

/// The tree of a text, of a repaired one if the text is no YAML.
struct TextTree {
  let root: Node

  /// Reads a text, or returns nil if no repair helps.
  init?(_ document: TextDocument) {
    if let node = try? Node(parsing: document.bytes, as: Format(ofFile: document.path)) {
      root = node
    } else if let bytes = RepairedText(document.bytes)?.bytes,
      let node = try? Node(parsing: bytes)
    {
      root = node
    } else {
      return nil
    }
  }

  /// The keys whose values are lists of steps.
  static let stepKeys = ["invariants", "steps", "finally", "do", "else"]
}
