internal import FlowYAML

extension ScenarioSource {
  /// Whether a file that cannot be planned is a scenario with mistakes rather than something else: its
  /// root is a mapping with the keys `flow` and `steps`.
  ///
  /// Of a text that is no YAML only the lines can tell: one must begin with each key.
  public var isScenario: Bool {
    if let root = try? Node(parsing: bytes) { return root["flow"] != nil && root["steps"] != nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return ["flow:", "steps:"].allSatisfy { key in
      lines.contains { $0.starts(with: key.utf8) }
    }
  }
}
