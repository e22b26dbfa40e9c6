internal import FlowCore
internal import FlowSystem

/// Problems in the form of the protocol.
enum Diagnostics {
  static func json(_ problem: PlacedDiagnostic) -> JSON {
    let diagnostic = problem.diagnostic
    let text = ([diagnostic.message] + diagnostic.notes).joined(separator: "\n")
    let isUnused = PlacedDiagnostic.unused.contains(diagnostic.code)
    return .fields([
      "range": problem.range.json,
      "severity": .int(diagnostic.severity == .error ? 1 : 2),
      "code": .string(diagnostic.code.name), "source": .string("flow"), "message": .string(text),
      "tags": isUnused ? .array([.int(1)]) : nil,
    ])
  }
}
