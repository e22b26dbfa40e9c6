package import FlowCore
internal import FlowRedaction
internal import FlowSystem
package import FlowTranscript

/// The findings in the run of a scenario.
package struct RunFindings: Sendable {
  /// The problems, in the order of the run.
  package var diagnostics: [Diagnostic] = []
  /// The explanations, a sentence each: the changes since the recording, anything allowed or lost,
  /// and the log of the components of a failed run.
  package var notes: [String] = []
  /// The departures from its transcript, including the allowed ones.
  package var mismatches: [ReplayMismatch] = []
  /// The command that accepts the departures.
  package var acceptance = ""

  /// Creates empty findings.
  package init() {}

  func members(_ redactor: Redactor) -> [JSON.Member] {
    [
      .init("mismatches", .array(mismatches.map { $0.json(acceptance: acceptance, redactor) })),
      .init("diagnostics", .diagnostics(diagnostics, redactor)),
      .init("notes", .list(notes.map(redactor.redacted))),
    ]
  }
}

extension ReplayMismatch {
  /// Returns one departure, with the command that records anew.
  fileprivate func json(acceptance: String, _ redactor: Redactor) -> JSON {
    var members: [JSON.Member] = [
      .init("address", .string(address)), .init("compared", .string(subject.rawValue)),
      .init("code", .string(diagnostic.code.name)),
      .init("message", .string(redactor.redacted(diagnostic.message))),
    ]
    if let line { members.append(.init("line", .number(line))) }
    if let expected { members.append(.init("expected", .recorded(expected, redactor))) }
    if let actual { members.append(.init("actual", .recorded(actual, redactor))) }
    members.append(.init("fields", .array(fields.map { $0.json(redactor) })))
    if let nearest { members.append(.init("nearest", nearest.json(redactor))) }
    return .object(
      members + [
        .init("allowed", .bool(isAllowed)), .init("consequence", .bool(isConsequence)),
        .init("accept", .string(acceptance)),
      ])
  }
}

extension ReplayMismatch.Candidate {
  fileprivate func json(_ redactor: Redactor) -> JSON {
    .object([
      .init("address", .string("\(address)")), .init("line", .number(line)),
      .init("served", .bool(isServed)),
      .init("fields", .array(fields.map { $0.json(redactor) })),
    ])
  }
}
