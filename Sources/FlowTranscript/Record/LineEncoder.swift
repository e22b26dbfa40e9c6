internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// Writes the lines of a run's events.
struct LineEncoder {
  /// Writes the values in them.
  var values: ValueEncoder
  /// True if something is hidden in the run, from its first event on.
  private(set) var isHiding: @Sendable () -> Bool = { false }
  private let scenario: String
  private let run: String?
  /// The address of the latest line and its string, since lines of the same call mostly follow each
  /// other.
  private var latest: (address: Address, text: String)?

  /// Only a journal's header names the run, and only its lines tell equal addresses of calls apart.
  init(scenario: String, run: String? = nil, _ values: ValueEncoder) {
    self.scenario = scenario
    self.run = run
    self.values = values
  }

  /// Writes an event's line, if it has one.
  mutating func write(_ event: Event, to writer: inout JSONWriter) {
    // A journal keeps no files: it is resumed with its answers, whatever is in the files.
    if let kind = event.lineKind(keepsFiles: run == nil) {
      let address = event.callAddress
      let call = run == nil ? nil : address?.tags
      kind.write(at: address.map { text(of: $0) } ?? "steps", to: &writer, call: call) { writer in
        writeValue(of: event, to: &writer)
      }
    } else if case .runStarted(let description) = event {
      isHiding = { [redactor = description.redactor] in redactor.isActive }
      let header = TranscriptHeader(description, scenario: scenario, name: run, &values)
      writer.value(header.json)
    } else {
      return
    }
    writer.endLine()
  }

  private mutating func text(of address: Address) -> String {
    if let latest, latest.address == address { return latest.text }
    let text = address.description
    latest = (address, text)
    return text
  }

  private mutating func writeValue(of event: Event, to writer: inout JSONWriter) {
    let start = writer.count
    writeWholeValue(of: event, to: &writer)
    guard values.separatesBodies, writer.count - start > LongValues.longestInLine,
      // What is nested too deep is refused with its line.
      let json = try? JSONParser.parse(writer[start...][...])
    else { return }
    writer.replaceValue(at: start, with: values.separatingLong(json).text)
  }

  private mutating func writeWholeValue(of event: Event, to writer: inout JSONWriter) {
    switch event {
    case .invoked(let invocation): writeInput(of: invocation, to: &writer)
    case .completed(let invocation, .answer(let answer)):
      write(answer, of: invocation, to: &writer)
    case .emitted(_, _, let payload): values.write(payload, as: .dynamic, to: &writer)
    case .runEnded(let report):
      // A replay computes them again.
      values.exactly { $0.write(outputs: report.outputs, to: &writer) }
    default: break
    }
  }

  /// Writes the input of a call, which a replay computes again from the recorded answers.
  private mutating func writeInput(of invocation: Invocation, to writer: inout JSONWriter) {
    let type = ValueType.record(invocation.inputType)
    guard invocation.variesInput, values.placesVolatile else {
      return values.exactly { $0.write(invocation.input, as: type, to: &writer) }
    }
    values.exactly { writer.value(invocation.marked($0.json(invocation.input, as: type))) }
  }

  private mutating func write(
    _ answer: Value, of invocation: Invocation, to writer: inout JSONWriter
  ) {
    let type = ValueType.record(invocation.outputType)
    guard values.placesVolatile, !invocation.volatile.isEmpty else {
      return values.write(answer, as: type, to: &writer)
    }
    writer.value(values.json(answer, as: type).marking(invocation.volatile, as: type))
  }
}

extension CallMarks {
  /// The properties of a call of the run.
  fileprivate init(_ invocation: Invocation) {
    lane = invocation.lane
    isTied = invocation.isTied
    arrival = invocation.step.map { Arrival(step: $0, turn: invocation.turn) }
  }
}

extension Event {
  /// The kind of its line, or nil if it has no line.
  fileprivate func lineKind(keepsFiles: Bool) -> TranscriptLine.Kind? {
    switch self {
    case .invoked(let invocation): .invoke(name: invocation.name, CallMarks(invocation))
    case .completed(_, .answer): .answer
    case .completed(_, .error(let error)): .error(code: error.code.name, message: error.message)
    case .completed(_, .cancelled): .cancelled
    case .emitted(_, let event, _): .emit(event: event)
    case .runEnded(let report):
      .end(
        passed: report.passed, date: report.date, files: keepsFiles ? report.files : [],
        isSealed: false)
    case .runStarted, .branchStarted, .branchEnded, .caseStarted, .caseEnded, .stepStarted,
      .stepEnded, .computed:
      nil
    }
  }

  /// The address of the call that the line concerns, or nil.
  var callAddress: Address? {
    switch self {
    case .invoked(let invocation), .completed(let invocation, _): invocation.address
    case .emitted(let address, _, _): address
    default: nil
    }
  }
}
