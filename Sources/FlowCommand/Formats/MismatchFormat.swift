internal import FlowCore
internal import FlowTranscript

/// How the departures of a run from its transcript are told to machines.
enum MismatchFormat {
  /// One departure, with the command that records anew and recorded values that a redactor has seen.
  static func json(
    _ mismatch: ReplayMismatch, acceptance: String, _ redactor: Redactor
  ) -> JSON {
    let value = { (json: JSON) -> JSON in json.redacted(by: redactor, names: true) }
    var members: [JSON.Member] = [
      .init("address", .string(mismatch.address)),
      .init("compared", .string(mismatch.subject.rawValue)),
      .init("code", .string(mismatch.diagnostic.code)),
      .init("message", .string(redactor.redacted(mismatch.diagnostic.message))),
    ]
    if let line = mismatch.line { members.append(.init("line", number(line))) }
    if let expected = mismatch.expected { members.append(.init("expected", value(expected))) }
    if let actual = mismatch.actual { members.append(.init("actual", value(actual))) }
    members.append(.init("fields", fields(mismatch.fields, redactor)))
    if let nearest = mismatch.nearest {
      members.append(.init("nearest", json(nearest, redactor)))
    }
    return .object(
      members + [
        .init("allowed", .bool(mismatch.isAllowed)), .init("accept", .string(acceptance)),
      ])
  }

  private static func json(
    _ candidate: ReplayMismatch.Candidate, _ redactor: Redactor
  ) -> JSON {
    .object([
      .init("address", .string(candidate.address)), .init("line", number(candidate.line)),
      .init("served", .bool(candidate.isServed)),
      .init("fields", fields(candidate.fields, redactor)),
    ])
  }

  private static func fields(_ changes: [FieldChange], _ redactor: Redactor) -> JSON {
    .array(changes.map { DifferenceFormat.json($0, redactor) })
  }

  private static func number(_ value: Int) -> JSON { .number(String(value)) }

  /// The command that records a transcript anew, with the inputs and the seed that its header has.
  static func acceptance(of transcript: String, scenario: String, _ header: TranscriptHeader)
    -> String
  {
    let command = acceptance(of: transcript, scenario: scenario)
    // `flow test` keeps them by itself.
    if Path.transcript(of: scenario) == transcript { return command }
    let inputs = header.inputs.map { ($0.name, $0.value.inputText) }
      // What was hidden nobody can give again by what was recorded.
      .filter { !Redactor.hasPlaceholder(.string($0.1)) }.map { name, text in
        " --input " + "\(name)=\(text)".shellWord
      }
    return command + inputs.joined() + (header.seed == 0 ? "" : " --seed \(header.seed)")
  }

  /// The command that records a scenario's transcript anew; a live run may fail where a replay passes.
  static func acceptance(of transcript: String, scenario: String, isLive: Bool = false) -> String {
    Path.transcript(of: scenario) == transcript
      ? "flow test \(isLive ? "--live " : "")\(scenario.shellPath) --update failed"
      : "flow run \(scenario.shellPath) --record=\(transcript.shellWord)"
  }
}

extension JSON {
  /// A recorded input as `--input` takes it.
  fileprivate var inputText: String {
    if let string { return string }
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
