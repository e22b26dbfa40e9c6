internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// Makes the lines of a run's events: as values for a recording, and as text for a journal.
struct LineEncoder {
  /// Writes the values in them.
  var values: ValueEncoder
  private let scenario: String
  private let run: String?
  /// The approximate length of the latest line, in bytes.
  private(set) var latestSize = 0
  /// The reason that a reader would refuse the latest line, or nil.
  private(set) var excess: JSONWriter.Excess?
  /// The length of a line without its address and value, with a short name.
  private static let frame = 48
  /// The address of the latest line and its string, since lines of the same call mostly follow each
  /// other.
  private var latest: (address: Address, text: String)?

  /// Only a journal's header names the run, and only its lines tell equal addresses of calls apart.
  init(scenario: String, run: String? = nil, _ values: ValueEncoder) {
    self.scenario = scenario
    self.run = run
    self.values = values
  }

  /// Returns the header of a run.
  mutating func header(of run: RunDescription) -> TranscriptHeader {
    TranscriptHeader(run, scenario: scenario, name: self.run, &values)
  }

  /// Returns an event's line, or nil if it has none.
  mutating func line(of event: Event) -> TranscriptLine? {
    guard let kind = event.lineKind(keepsFiles: run == nil) else { return nil }
    let address = event.callAddress
    var tree = JSONTree()
    writePlainValue(of: event, to: &tree)
    let marked = event.marked(tree.json)
    let value = values.valueOfLine(marked ?? tree.json, tree, isChanged: marked != nil)
    let line = TranscriptLine(
      at: address.map { text(of: $0) } ?? "steps", kind: kind,
      value: kind.valueName == nil ? nil : value)
    note(line, tree)
    return line
  }

  /// Measures a line, exactly only if it may be too long or too deep.
  private mutating func note(_ line: TranscriptLine, _ tree: JSONTree) {
    latestSize = Self.frame + line.at.utf8.count + tree.size
    if case .error(_, let message) = line.kind { latestSize += message.utf8.count }
    // The line is an object around the value, and a pattern another one.
    guard latestSize > LongValues.longestInLine || tree.depth + 4 > JSONParser.depthLimit else {
      return
    }
    var writer = JSONWriter(longestLine: LineCursor.longest)
    line.write(to: &writer)
    writer.endLine()
    (latestSize, excess) = (writer.count, writer.excess)
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
      writer.value(header(of: description).json)
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
    writePlainValue(of: event, to: &writer)
    guard values.separatesBodies, writer.count - start > LongValues.longestInLine,
      // What is nested too deep is refused with its line.
      let json = try? JSONParser.parse(writer[start...][...])
    else { return }
    writer.replaceValue(at: start, with: values.separatingLong(json).text)
  }

  /// Writes the value of an event, without patterns in the places that the scenario declares.
  private mutating func writePlainValue(of event: Event, to sink: inout some JSONSink) {
    switch event {
    case .invoked(let invocation):
      // A replay computes it again from the recorded answers.
      values.exactly {
        $0.write(invocation.input, as: .record(invocation.inputType), to: &sink)
      }
    case .completed(let invocation, .answer(let answer)):
      values.write(answer, as: .record(invocation.outputType), to: &sink)
    case .emitted(_, _, let payload): values.write(payload, as: .dynamic, to: &sink)
    // A replay computes them again.
    case .runEnded(let report): values.exactly { $0.write(outputs: report.outputs, to: &sink) }
    default: break
    }
  }
}

extension CallMarks {
  /// The properties of a call of the run.
  fileprivate init(_ invocation: Invocation) {
    lane = invocation.lane
    isTied = invocation.isTied
    after = invocation.after
    arrival = invocation.step.map {
      Arrival(step: $0.recorded, turn: invocation.turn, isLate: invocation.isLate)
    }
  }
}

extension Event {
  /// Its value with patterns in the places that vary as the scenario declares, or nil without any.
  fileprivate func marked(_ value: JSON) -> JSON? {
    switch self {
    case .invoked(let invocation) where invocation.variesInput: invocation.marked(value)
    case .completed(let invocation, .answer) where !invocation.volatile.isEmpty:
      value.marking(invocation.volatile, as: .record(invocation.outputType))
    default: nil
    }
  }

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
