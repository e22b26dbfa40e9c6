package import FlowCore
package import FlowPlan
import FlowRedaction
import FlowScenario

/// Loads texts of scenarios over the probe as `p` and the shapes as `s`.
package enum ScenarioText {
  /// The first two lines of every text.
  package static let head = "flow: 1\ncomponents: {p: {plugin: probe}, s: {plugin: shapes}}\n"

  package static func plan(
    _ text: String, in file: String = "test.yaml", files: [String: String] = [:]
  ) throws -> Plan {
    try ScenarioLoader(
      registry: try Registry([Probe.self, Shapes.self]), files: ScenarioFiles(texts: files)
    ).plan(ScenarioSource(file: file, bytes: Array(text.utf8)))
  }

  /// The warnings as `line:start-end: message [code]`, in file order.
  package static func warnings(_ text: String) throws -> [String] {
    let source = ScenarioSource(file: "test.yaml", bytes: Array(text.utf8))
    return try ScenarioLoader(registry: try Registry([Probe.self, Shapes.self]))
      .check(source, hidingSecretsBy: Redactor()).warnings.map(\.line)
  }

  /// The problems as `line:start-end: message [code] (note)` in file order, or an empty string.
  package static func problems(
    _ text: String, in file: String = "test.yaml", files: [String: String] = [:]
  ) throws -> [String] {
    do {
      _ = try plan(text, in: file, files: files)
      return []
    } catch let error as ScenarioError {
      return error.diagnostics.map(\.line)
    }
  }
}

extension Diagnostic {
  /// The problem and its notes on one line.
  package var line: String {
    let place = span.map { "\($0.start.line):\($0.start.column)-\($0.end.column): " } ?? ""
    return place + "\(message) [\(code)]" + notes.map { " (\($0))" }.joined()
  }
}
