internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowSystem

/// The content of one line of a transcript after the header.
///
/// Its value is a tree in a line that was read, and a value of the run in a line to write: building
/// a tree for each line would take longer than everything else.
enum TranscriptLine<Content> {
  /// A component is opened or called.
  case invoke(at: String, name: String, input: Content, InnerCall)
  /// The call answered with its output.
  case answer(at: String, Content)
  /// The call answered with an error.
  case error(at: String, code: String, message: String)
  /// The call was stopped before it could answer.
  case cancelled(at: String)
  /// A component reported an event on its own initiative.
  case emit(at: String, event: String, payload: Content)
  /// In a journal: a timer of the step began, which ends at this time.
  case timer(at: String, name: String, until: Timestamp)
  /// In a journal: it was cancelled before.
  case timerCancelled(at: String, name: String)
  /// In a journal: the failed run goes on, and the calls of these steps so far count as not made.
  case retry(steps: [String])
  /// The run's end.
  ///
  /// `date` is the start of a run whose components asked for the date.
  case end(passed: Bool, outputs: Content, date: Timestamp?, isSealed: Bool)
}

/// The further properties of a call, by default those of nearly all calls of steps.
struct InnerCall: Sendable {
  /// Tells the tasks of a component's call apart, from 0.
  var lane = 0
  /// True if an equal call at the same time had another answer.
  var isTied = false
  /// The addition of the call to the recording, or nil if it was recorded with the run.
  var added: AddedCall?

  /// True if the line has properties that only calls of components have.
  var isOfComponent: Bool { lane > 0 || isTied }

  /// Far more tasks than one call starts.
  private static let mostLanes = 10_000_000
}

extension TranscriptLine<JSON> {
  /// Reads a line, or returns nil if its members are not those of its kind.
  init?(_ json: JSON) {
    guard case .object(let members) = json, members.count > 1, members[0].name == "at",
      let address = members[0].value.string
    else { return nil }
    // A list of the names would be made for every line, twice in a replay.
    switch (members.count, members[1].name, members.count > 2 ? members[2].name : "") {
    case (3...6, "invoke", "input"):
      guard let name = members[1].value.string, let inner = InnerCall(members.dropFirst(3)) else {
        return nil
      }
      self = .invoke(at: address, name: name, input: members[2].value, inner)
    case (2, "ok", _): self = .answer(at: address, members[1].value)
    case (3, "error", "message"):
      guard let code = members[1].value.string, let message = members[2].value.string else {
        return nil
      }
      self = .error(at: address, code: code, message: message)
    case (2, "cancelled", _):
      guard members[1].value == .bool(true) else { return nil }
      self = .cancelled(at: address)
    case (3, "emit", "payload"):
      guard let event = members[1].value.string else { return nil }
      self = .emit(at: address, event: event, payload: members[2].value)
    case (3, "timer", "until"):
      guard let name = members[1].value.string,
        let until = members[2].value.string.flatMap({ Timestamp($0) })
      else { return nil }
      self = .timer(at: address, name: name, until: until)
    case (3, "timer", "cancelled"):
      guard let name = members[1].value.string, members[2].value == .bool(true) else { return nil }
      self = .timerCancelled(at: address, name: name)
    case (2, "retry", _):
      guard address == Self.end, let steps = members[1].value.strings else { return nil }
      self = .retry(steps: steps)
    case (3...5, "end", "outputs"):
      guard address == "steps", let end = Self.end(members) else { return nil }
      self = end
    default: return nil
    }
  }

  private static func end(_ members: [JSON.Member]) -> Self? {
    guard let end = members[1].value.string, ["passed", "failed"].contains(end) else { return nil }
    var (rest, date) = (members.dropFirst(3), Timestamp?.none)
    if rest.first?.name == "date" {
      date = rest.removeFirst().value.string.flatMap { Timestamp($0) }
      if date == nil { return nil }
    }
    let isSealed = rest.first?.name == "seal"
    guard rest.count == (isSealed ? 1 : 0) else { return nil }
    return .end(passed: end == "passed", outputs: members[2].value, date: date, isSealed: isSealed)
  }

  /// The line as a tree.
  var json: JSON {
    var tree = JSONTree()
    write(to: &tree) { $1.value($0) }
    return tree.json
  }

  /// The input, answer, payload or outputs, or nil in lines without them.
  var value: Content? {
    switch self {
    case .invoke(_, _, let value, _), .answer(_, let value), .emit(_, _, let value),
      .end(_, let value, _, _):
      value
    case .error, .cancelled, .timer, .timerCancelled, .retry: nil
    }
  }

  /// The line with another value, if it has one.
  func mappingValue(_ transform: (JSON) -> JSON) -> Self {
    switch self {
    case .invoke(let address, let name, let input, let inner):
      .invoke(at: address, name: name, input: transform(input), inner)
    case .answer(let address, let output): .answer(at: address, transform(output))
    case .emit(let address, let event, let payload):
      .emit(at: address, event: event, payload: transform(payload))
    case .end(let passed, let outputs, let date, let isSealed):
      .end(passed: passed, outputs: transform(outputs), date: date, isSealed: isSealed)
    case .error, .cancelled, .timer, .timerCancelled, .retry: self
    }
  }
}

// MARK: - Writing

extension TranscriptLine {
  /// Writes the line, with `content` writing its value.
  ///
  /// A seal is added after the last line later. `call` distinguishes calls made by components and
  /// is only in lines of a journal. The line is consumed: a copy of its parts would take longer
  /// than writing most of them.
  consuming func write<Sink: JSONSink>(
    to sink: inout Sink, call: String? = nil, _ content: (Content, inout Sink) -> Void
  ) {
    switch consume self {
    case .invoke(let address, let name, let input, let inner):
      sink.begin(at: address)
      sink.member("invoke", name)
      sink.name("input")
      content(input, &sink)
      inner.write(to: &sink)
    case .answer(let address, let output):
      sink.begin(at: address)
      sink.name("ok")
      content(output, &sink)
    case .error(let address, let code, let message):
      sink.members(at: address, ("error", code), ("message", message))
    case .cancelled(let address):
      sink.begin(at: address)
      sink.cancelled()
    case .emit(let address, let event, let payload):
      sink.begin(at: address)
      sink.member("emit", event)
      sink.name("payload")
      content(payload, &sink)
    case .timer(let address, let name, let until):
      sink.members(at: address, ("timer", name), ("until", until.description))
    case .timerCancelled(let address, let name):
      sink.begin(at: address)
      sink.member("timer", name)
      sink.cancelled()
    case .retry(let steps):
      sink.begin(at: Self.end)
      sink.name("retry")
      sink.strings(steps)
    case .end(let passed, let outputs, let date, _):
      sink.begin(at: Self.end)
      sink.member("end", passed ? "passed" : "failed")
      sink.name("outputs")
      content(outputs, &sink)
      if let date { sink.member("date", date.description) }
    }
    if let call { sink.member("call", call) }
    sink.endObject()
  }

  /// The address of the last line.
  private static var end: String { "steps" }

  /// The address in the line.
  var place: String {
    switch self {
    case .invoke(let address, _, _, _), .answer(let address, _), .error(let address, _, _),
      .cancelled(let address), .emit(let address, _, _), .timer(let address, _, _),
      .timerCancelled(let address, _):
      address
    case .end, .retry: Self.end
    }
  }
}

extension InnerCall {
  fileprivate func write(to sink: inout some JSONSink) {
    if lane > 0 {
      sink.name("lane")
      sink.number(String(lane))
    }
    if isTied {
      sink.name("tied")
      sink.bool(true)
    }
    guard let added else { return }
    sink.name("added")
    sink.beginObject()
    sink.member("date", added.date.description)
    sink.member("from", added.source)
    sink.endObject()
  }

  /// Reads the members after the input, or returns nil if there are unknown ones.
  fileprivate init?(_ members: ArraySlice<JSON.Member>) {
    var rest = members
    if rest.first?.name == "lane" {
      guard case .number(let text) = rest.removeFirst().value, let lane = Int(text),
        1...Self.mostLanes ~= lane
      else { return nil }
      self.lane = lane
    }
    if rest.first?.name == "tied" {
      guard rest.removeFirst().value == .bool(true) else { return nil }
      isTied = true
    }
    if rest.first?.name == "added" {
      guard let added = AddedCall(rest.removeFirst().value) else { return nil }
      self.added = added
    }
    if !rest.isEmpty { return nil }
  }
}

extension JSONSink {
  /// Starts a line with its address.
  fileprivate mutating func begin(at address: String) {
    beginObject()
    member("at", address)
  }

  /// Begins a line of two texts.
  fileprivate mutating func members(
    at address: String, _ first: (name: String, text: String),
    _ second: (name: String, text: String)
  ) {
    begin(at: address)
    member(first.name, first.text)
    member(second.name, second.text)
  }

  fileprivate mutating func member(_ name: String, _ text: String) {
    self.name(name)
    string(text)
  }

  fileprivate mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  fileprivate mutating func cancelled() {
    name("cancelled")
    bool(true)
  }
}

/// The content of an event's line in place of its value.
enum EventContent {
  /// A value and its type, and the places in it that differ from run to run.
  case value(Value, ValueType, [VolatilePath] = [])
  /// The outputs of the scenario.
  case outputs([(name: String, value: Value)])
}

extension TranscriptLine<EventContent> {
  /// Creates the line of an event from the string of its address, or nil if the event has no line.
  fileprivate init?(_ event: Event, _ text: (Address) -> String) {
    switch event {
    case .invoked(let invocation):
      let input = Content.value(invocation.input, .record(invocation.inputType))
      let inner = InnerCall(lane: invocation.lane, isTied: invocation.isTied)
      self = .invoke(at: text(invocation.address), name: invocation.name, input: input, inner)
    case .completed(let invocation, .answer(let answer)):
      self = .answer(
        at: text(invocation.address),
        .value(answer, .record(invocation.outputType), invocation.volatile))
    case .completed(let invocation, .error(let error)):
      self = .error(
        at: text(invocation.address), code: error.code.name, message: error.message)
    case .completed(let invocation, .cancelled): self = .cancelled(at: text(invocation.address))
    case .emitted(let address, let event, let payload):
      self = .emit(at: text(address), event: event, payload: .value(payload, .dynamic))
    case .runEnded(let report):
      self = .end(
        passed: report.passed, outputs: .outputs(report.outputs), date: report.date,
        isSealed: false)
    case .runStarted, .branchStarted, .branchEnded, .caseStarted, .caseEnded, .stepStarted,
      .stepEnded:
      return nil
    }
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

extension JSON {
  /// Returns a journal's line without its last member `call`, and the value of that member or nil.
  ///
  /// An answer supplied by a person is read like one of a component.
  func takingCall() -> (line: JSON, call: String?) {
    guard case .object(let members) = self, let last = members.last, last.name == "call",
      let call = last.value.string
    else { return (takingSource(), nil) }
    return (JSON.object(members.dropLast()).takingSource(), call)
  }

  private func takingSource() -> JSON {
    guard case .object(let members) = self, members.count == 3, members[1].name == "ok",
      members[2] == .init("by", .string("person"))
    else { return self }
    return .object(members.dropLast())
  }

  /// The strings of a list, or nil for anything else.
  fileprivate var strings: [String]? {
    guard case .array(let values) = self else { return nil }
    let strings = values.compactMap(\.string)
    return strings.count == values.count ? strings : nil
  }
}

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
      isHiding = description.isHiding
      let header = TranscriptHeader(description, scenario: scenario, name: run, &values)
      writer.value(header.json)
    } else if let line = TranscriptLine(event, { text(of: $0) }) {
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
    case .outputs(let outputs): values.write(outputs: outputs, to: &writer)
    }
  }
}
