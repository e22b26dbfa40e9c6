internal import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowScenario
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
    if case .runStarted(let description) = event {
      isHiding = { [redactor = description.redactor] in redactor.isActive }
      let header = TranscriptHeader(description, scenario: scenario, name: run, &values)
      writer.value(header.json)
    } else if let line = TranscriptLine(event, keepsFiles: run == nil, { text(of: $0) }) {
      let call = run == nil ? nil : event.callAddress?.tags
      line.write(to: &writer, call: call) { content, writer in
        write(content, to: &writer)
      }
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

  private mutating func write(_ content: EventContent, to writer: inout JSONWriter) {
    let start = writer.count
    writeWhole(content, to: &writer)
    guard values.separatesBodies, writer.count - start > LongValues.longestInLine,
      // What is nested too deep is refused with its line.
      let json = try? JSONParser.parse(writer[start...][...])
    else { return }
    writer.replaceValue(at: start, with: values.separatingLong(json).text)
  }

  private mutating func writeWhole(_ content: EventContent, to writer: inout JSONWriter) {
    switch content {
    case .value(let value, let type, let volatile):
      guard !volatile.isEmpty, values.placesVolatile else {
        return values.write(value, as: type, to: &writer)
      }
      writer.value(values.json(value, as: type).marking(volatile, as: type))
    case .input(let invocation):
      guard invocation.variesInput, values.placesVolatile else {
        return values.exactly {
          $0.write(invocation.input, as: .record(invocation.inputType), to: &writer)
        }
      }
      values.exactly { values in
        let input = values.json(invocation.input, as: .record(invocation.inputType))
        writer.value(invocation.marked(input))
      }
    case .outputs(let outputs):
      values.exactly { $0.write(outputs: outputs, to: &writer) }
    }
  }
}

/// The content of an event's line in place of its value.
enum EventContent {
  /// A value and its type, and the places in it that differ from run to run.
  case value(Value, ValueType, [AnswerPath] = [])
  /// The input of a call, which a replay computes again from the recorded answers.
  case input(Invocation)
  /// The outputs of the scenario, which a replay computes again.
  case outputs([(name: String, value: Value)])
}

extension TranscriptLine<EventContent> {
  /// Creates the line of an event from the string of its address, or nil if the event has no line.
  ///
  /// A journal keeps no files: it is resumed with its answers, whatever is in the files.
  fileprivate init?(_ event: Event, keepsFiles: Bool, _ text: (Address) -> String) {
    at = event.callAddress.map(text) ?? "steps"
    switch event {
    case .invoked(let invocation):
      kind = .invoke(name: invocation.name, CallMarks(invocation))
      value = .input(invocation)
    case .completed(let invocation, .answer(let answer)):
      kind = .answer
      value = .value(answer, .record(invocation.outputType), invocation.volatile)
    case .completed(_, .error(let error)):
      kind = .error(code: error.code.name, message: error.message)
    case .completed(_, .cancelled): kind = .cancelled
    case .emitted(_, let event, let payload):
      kind = .emit(event: event)
      value = .value(payload, .dynamic)
    case .runEnded(let report):
      kind = .end(
        passed: report.passed, date: report.date, files: keepsFiles ? report.files : [],
        isSealed: false)
      value = .outputs(report.outputs)
    case .runStarted, .branchStarted, .branchEnded, .caseStarted, .caseEnded, .stepStarted,
      .stepEnded, .computed:
      return nil
    }
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
  /// The address of the call that the line concerns, or nil.
  var callAddress: Address? {
    switch self {
    case .invoked(let invocation), .completed(let invocation, _): invocation.address
    case .emitted(let address, _, _): address
    default: nil
    }
  }
}
