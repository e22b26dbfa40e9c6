internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// What one line of a transcript, after the header, says.
enum TranscriptLine: Sendable, Hashable {
  /// A component is opened or called.
  case invoke(at: String, name: String, input: JSON)
  /// It answered with its output.
  case answer(at: String, JSON)
  /// It answered with an error.
  case error(at: String, code: String, message: String)
  /// It was stopped before it could answer.
  case cancelled(at: String)
  /// A component reported something by itself.
  case emit(at: String, event: String, payload: JSON)
  /// The run's end.
  case end(passed: Bool, outputs: JSON, isSealed: Bool)

  /// Reads a line; nil when it has other members than its kind asks for.
  init?(_ json: JSON) {
    guard case .object(let members) = json, let address = json["at"]?.string else { return nil }
    switch members.map(\.name) {
    case ["at", "invoke", "input"]:
      guard let name = members[1].value.string else { return nil }
      self = .invoke(at: address, name: name, input: members[2].value)
    case ["at", "ok"]: self = .answer(at: address, members[1].value)
    case ["at", "error", "message"]:
      guard let code = members[1].value.string, let message = members[2].value.string else {
        return nil
      }
      self = .error(at: address, code: code, message: message)
    case ["at", "cancelled"]:
      guard members[1].value == .bool(true) else { return nil }
      self = .cancelled(at: address)
    case ["at", "emit", "payload"]:
      guard let event = members[1].value.string else { return nil }
      self = .emit(at: address, event: event, payload: members[2].value)
    case ["at", "end", "outputs"], ["at", "end", "outputs", "seal"]:
      guard address == "steps", let end = members[1].value.string,
        ["passed", "failed"].contains(end)
      else { return nil }
      self = .end(
        passed: end == "passed", outputs: members[2].value, isSealed: members.count == 4)
    default: return nil
    }
  }

  /// The line as it is written; a seal is put behind the last one afterwards.
  var json: JSON {
    switch self {
    case .invoke(let address, let name, let input):
      Self.line(address, ("invoke", .string(name)), ("input", input))
    case .answer(let address, let output): Self.line(address, ("ok", output))
    case .error(let address, let code, let message):
      Self.line(address, ("error", .string(code)), ("message", .string(message)))
    case .cancelled(let address): Self.line(address, ("cancelled", .bool(true)))
    case .emit(let address, let event, let payload):
      Self.line(address, ("emit", .string(event)), ("payload", payload))
    case .end(let passed, let outputs, _):
      Self.line("steps", ("end", .string(passed ? "passed" : "failed")), ("outputs", outputs))
    }
  }

  private static func line(_ address: String, _ members: (name: String, value: JSON)...) -> JSON {
    .object([JSON.Member("at", .string(address))] + members.map { JSON.Member($0.name, $0.value) })
  }

  /// The line with another value, if it has one.
  func mappingValue(_ transform: (JSON) -> JSON) -> TranscriptLine {
    switch self {
    case .invoke(let address, let name, let input):
      .invoke(at: address, name: name, input: transform(input))
    case .answer(let address, let output): .answer(at: address, transform(output))
    case .emit(let address, let event, let payload):
      .emit(at: address, event: event, payload: transform(payload))
    case .end(let passed, let outputs, let isSealed):
      .end(passed: passed, outputs: transform(outputs), isSealed: isSealed)
    case .error, .cancelled: self
    }
  }
}

// MARK: - Events

extension TranscriptLine {
  /// The line of an event; nil for one without.
  init?(_ event: Event, _ encoder: inout ValueEncoder) {
    switch event {
    case .invoked(let invocation):
      let input = encoder.json(invocation.input, as: .record(invocation.inputType))
      self = .invoke(at: "\(invocation.address)", name: invocation.name, input: input)
    case .completed(let invocation, .answer(let answer)):
      let output = encoder.json(answer, as: .record(invocation.outputType))
      self = .answer(at: "\(invocation.address)", output)
    case .completed(let invocation, .error(let error)):
      self = .error(at: "\(invocation.address)", code: error.code.name, message: error.message)
    case .completed(let invocation, .cancelled): self = .cancelled(at: "\(invocation.address)")
    case .emitted(let address, let event, let payload):
      self = .emit(at: "\(address)", event: event, payload: encoder.dynamic(payload))
    case .runEnded(let report):
      self = .end(
        passed: report.passed, outputs: encoder.outputs(report.outputs), isSealed: false)
    case .runStarted, .branchStarted, .branchEnded, .stepStarted, .stepEnded: return nil
    }
  }
}

extension JSONWriter {
  /// Writes an event's line, if it has one.
  ///
  /// Only a journal's header names the run.
  mutating func line(
    of event: Event, scenario: String, run: String? = nil, _ encoder: inout ValueEncoder
  ) {
    if case .runStarted(let description) = event {
      let header = TranscriptHeader(description, scenario: scenario, name: run, &encoder)
      value(header.json)
    } else if let line = TranscriptLine(event, &encoder) {
      value(line.json)
    } else {
      return
    }
    endLine()
  }
}
