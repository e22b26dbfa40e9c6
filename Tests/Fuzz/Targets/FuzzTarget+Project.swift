import FlowCommand
import FlowCore
import FlowPlan
import FlowRedaction
import FlowScenario

extension FuzzTarget {
  /// The bytes as a project's file, as its state, and as a text in which secrets may stand.
  static func project(_ bytes: [UInt8]) {
    state(bytes)
    do {
      let file = try ProjectFile(file: "flow.yaml", bytes: bytes)
      redact(bytes, with: file.patterns)
    } catch {
      _ = DiagnosticRenderer(sources: ["flow.yaml": bytes]).render(error.diagnostics)
      redact(bytes, with: [])
    }
  }

  private static func state(_ bytes: [UInt8]) {
    guard let state = SuiteState(bytes) else { return }
    precondition(SuiteState(state.bytes) == state, "a state is not what was written")
  }

  private static let secrets = ["s3cr+t/\"x\\y é?>~", "abcabcab", "line one\nline two", "it's one"]

  private static func redact(_ bytes: [UInt8], with patterns: [RedactionPattern]) {
    let redactor = Redactor()
    for (index, secret) in secrets.enumerated() {
      try? redactor.add(secret, named: "secret\(index)")
    }
    redactor.use(patterns)
    _ = redactor.masked(bytes)
    _ = redactor.redacted(bytes)
    let text = redactor.redacted(String(decoding: bytes, as: UTF8.self))
    _ = redactor.restored(.string(text))
    for secret in secrets {
      // By bytes, since letters may be equal that are written otherwise.
      let place = Array(text.utf8).firstRange(of: Array(secret.utf8))
      precondition(place == nil, "'\(secret)' is seen in '\(text)'")
    }
  }
}
