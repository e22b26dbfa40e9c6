internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

extension Stranger {
  /// A stranger in the place of YAML or JSON, which may be UTF-16 with its mark.
  init?(ofYAML bytes: [UInt8]) {
    guard let stranger = Stranger(bytes) else { return nil }
    if case .otherEncoding = stranger,
      bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    {
      return nil
    }
    self = stranger
  }
}

extension DiagnosticCollector {
  /// Reports a content that cannot be a noun, such as `a scenario`, or returns false if it may be
  /// one.
  func rejectStranger(_ bytes: [UInt8], insteadOf noun: String) -> Bool {
    guard let stranger = Stranger(ofYAML: bytes) else { return false }
    let start = Position(line: 1, column: 1)
    add(.stranger(stranger, insteadOf: noun), at: Span(start: start, end: start))
    return true
  }
}
