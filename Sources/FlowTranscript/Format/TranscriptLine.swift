internal import FlowCore
internal import FlowSystem

/// One line of a transcript after the header.
struct TranscriptLine: Sendable, Hashable {
  /// The meaning of a line.
  enum Kind: Sendable, Hashable {
    /// A component is opened or called.
    case invoke(name: String, CallMarks)
    /// The call answered with its output.
    case answer
    /// The call answered with an error.
    case error(code: String, message: String)
    /// The call was stopped before it could answer.
    case cancelled
    /// A component reported an event on its own initiative.
    ///
    /// `after` has the requests from outside of the run before it, if a component follows the event
    /// which passes such requests on.
    case emit(event: String, after: RequestCount = RequestCount())
    /// In a journal: a timer of the step began, which ends at this time.
    case timer(name: String, until: Timestamp)
    /// In a journal: it was cancelled before.
    case timerCancelled(name: String)
    /// In a journal: the failed run goes on, and the calls of these steps so far count as not made.
    case retry(steps: [String])
    /// In a journal: another version of the scenario goes on from here.
    case version(JournalVersion)
    /// The run's end.
    ///
    /// `date` is the start of a run whose components asked for the date. `files` are the project
    /// files that they read.
    case end(passed: Bool, date: Timestamp?, files: [ReadFile], isSealed: Bool)
  }

  /// The most bytes of all lines of a transcript, without its bodies in files.
  ///
  /// In memory their values take some ten times as much.
  static let mostBytes = 256 << 20

  /// The address, or `steps` in the last line.
  var at: String
  /// The meaning of the line.
  var kind: Kind
  /// The input, answer, payload or outputs, or nil in lines without them.
  var value: RecordedValue?
}

/// The further properties of a call, by default those of nearly all calls of steps.
struct CallMarks: Sendable, Hashable {
  /// Tells the tasks of a component's call apart, from 0.
  var lane = 0
  /// True if an equal call at the same time had another answer.
  var isTied = false
  /// The moment of a request from outside of the run, or nil for another call.
  var arrival: Arrival?
  /// The number of requests of its conversation that had come before its answer, of a call that
  /// continues one.
  var after = 0
  /// The addition of the call to the recording, or nil if it was recorded with the run.
  var added: Addition?

  /// True if the line has properties that only calls of components have.
  var isOfComponent: Bool { lane > 0 || isTied || arrival != nil || after > 0 }

  /// Far more tasks than one call starts.
  private static let mostLanes = 10_000_000
  /// Far more messages than one conversation has.
  private static let mostMessages = 100_000_000
}

/// The moment of a request from outside of the run.
struct Arrival: Sendable, Hashable {
  /// The step during which it came.
  let step: Address
  /// Its group among those of the step, from 1, or 0 for a request in any order.
  ///
  /// Requests of one group came at the same time, in any order. Those of the next group came when
  /// all of them had their answers.
  var turn = 1
  /// True if the step had its answer before the request had.
  ///
  /// The step may not have waited for it, so in another run it may come during another step.
  var isLate = false

  /// True if the recording determines the step.
  var isOfStep: Bool { !isLate && turn > 0 }

  /// Returns true if a request that came during a step of another run may be this one.
  ///
  /// Of two steps at the same time either may be the one that the request is counted with, and so
  /// may the step around both.
  func fits(_ step: Address) -> Bool {
    !isOfStep || self.step == step || step.isAround(self.step) || self.step.isAround(step)
  }
}

extension Address {
  /// Returns true for a step with the other one inside, or for the whole run.
  func isAround(_ other: Address) -> Bool {
    guard path != other.path else { return false }
    // A line has a first iteration outside of loops.
    let outer = Address(path: path, iterations: iterations == [1] ? [] : iterations)
    return path == "steps" || other.belongs(to: outer)
  }
}

/// The date and the source of a call that was added to a recording.
///
/// A class, so the lines of all other calls take no more room.
final class Addition: Sendable, Hashable {
  let date: Timestamp
  /// The component and its plugin's version, `catalog 1.0`.
  let source: String

  init(date: Timestamp, source: String) {
    self.date = date
    self.source = source
  }

  static func == (left: Addition, right: Addition) -> Bool {
    left.date == right.date && left.source == right.source
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(date)
    hasher.combine(source)
  }

  /// Reads `{"date":"…","from":"catalog 1.0"}`.
  ///
  /// Nil for anything else.
  convenience init?(_ json: JSON) {
    guard case .object(let members) = json, members.map(\.name) == ["date", "from"],
      let date = members[0].value.string.flatMap({ Timestamp($0) }),
      let source = members[1].value.string
    else { return nil }
    self.init(date: date, source: source)
  }
}

// By the bytes of texts, as JSON is compared.
extension TranscriptLine {
  static func == (left: TranscriptLine, right: TranscriptLine) -> Bool {
    left.at.isIdentical(to: right.at) && left.kind == right.kind && left.value == right.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(at) }
}

extension TranscriptLine {
  /// Returns true for the same line, besides parts of its value that have any value in both.
  func isAlike(_ other: TranscriptLine) -> Bool {
    guard at.isIdentical(to: other.at), kind == other.kind, let value, let now = other.value else {
      return false
    }
    return value.isAlike(now)
  }
}

extension TranscriptLine.Kind {
  static func == (left: TranscriptLine.Kind, right: TranscriptLine.Kind) -> Bool {
    switch (left, right) {
    case (.answer, .answer), (.cancelled, .cancelled): true
    case (.invoke(let name, let marks), .invoke(let other, let others)):
      name.isIdentical(to: other) && marks == others
    case (.emit(let name, let after), .emit(let other, let place)):
      name.isIdentical(to: other) && after == place
    default: TranscriptLine(at: "", kind: left).json == TranscriptLine(at: "", kind: right).json
    }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(valueName) }
}

extension TranscriptLine {
  /// Reads a line, or returns nil if its members are not those of its kind.
  ///
  /// Its value is plain, whatever it has.
  init?(_ json: JSON) {
    guard case .object(let members) = json, members.count > 1, members[0].name == "at",
      let address = members[0].value.string
    else { return nil }
    let text = members[1].value.string
    let kind: Kind
    // A list of the names would be made for every line.
    switch (members.count, members[1].name, members.count > 2 ? members[2].name : "") {
    case (3...9, "invoke", "input"):
      guard let text, let marks = CallMarks(members.dropFirst(3)) else { return nil }
      kind = .invoke(name: text, marks)
    case (2, "ok", _): kind = .answer
    case (3, "error", "message"):
      guard let text, let message = members[2].value.string else { return nil }
      kind = .error(code: text, message: message)
    case (2, "cancelled", _):
      guard members[1].value == .bool(true) else { return nil }
      kind = .cancelled
    case (3...5, "emit", "payload"):
      guard let text, let after = RequestCount(members.dropFirst(3)) else { return nil }
      kind = .emit(event: text, after: after)
    case (3, "timer", "until"):
      guard let text, let until = members[2].value.string.flatMap({ Timestamp($0) }) else {
        return nil
      }
      kind = .timer(name: text, until: until)
    case (3, "timer", "cancelled"):
      guard let text, members[2].value == .bool(true) else { return nil }
      kind = .timerCancelled(name: text)
    case (2, "retry", _):
      guard address == "steps", let steps = members[1].value.strings else { return nil }
      kind = .retry(steps: steps)
    case (3...4, "version", "plugins"):
      guard address == "steps", let version = JournalVersion(members.dropFirst()) else {
        return nil
      }
      kind = .version(version)
    case (3...6, "end", "outputs"):
      guard address == "steps", let text, let end = Self.end(text, members.dropFirst(3)) else {
        return nil
      }
      kind = end
    default: return nil
    }
    self.init(at: address, kind: kind, value: Self.value(of: kind, members))
  }

  private static func value(of kind: Kind, _ members: [JSON.Member]) -> RecordedValue? {
    switch kind {
    case .answer: .plain(members[1].value)
    case .invoke, .emit, .end: .plain(members[2].value)
    case .error, .cancelled, .timer, .timerCancelled, .retry, .version: nil
    }
  }

  private static func end(_ end: String, _ members: ArraySlice<JSON.Member>) -> Kind? {
    guard ["passed", "failed"].contains(end) else { return nil }
    var (rest, date) = (members, Timestamp?.none)
    if rest.first?.name == "date" {
      date = rest.removeFirst().value.string.flatMap { Timestamp($0) }
      if date == nil { return nil }
    }
    var files: [ReadFile] = []
    if rest.first?.name == "files" {
      guard let read = [ReadFile](rest.removeFirst().value) else { return nil }
      files = read
    }
    let isSealed = rest.first?.name == "seal"
    guard rest.count == (isSealed ? 1 : 0) else { return nil }
    return .end(passed: end == "passed", date: date, files: files, isSealed: isSealed)
  }

  /// The line as a tree.
  var json: JSON {
    var tree = JSONTree()
    write(to: &tree)
    return tree.json
  }

  /// Writes the line.
  func write(to sink: inout some JSONSink) {
    kind.write(at: at, to: &sink) { sink in
      if let value { sink.value(value.written) }
    }
  }
}

// MARK: - Writing

extension TranscriptLine.Kind {
  /// Writes the line of an address, with `content` writing its value, if it has one.
  ///
  /// A seal is added after the last line later. `call` distinguishes calls made by components and
  /// is only in lines of a journal. `like` is the address of the call that the input repeats. A line of the run has no `TranscriptLine`: building a tree of
  /// each value, or a copy of it, would take longer than writing most of them.
  func write<Sink: JSONSink>(
    at address: String, to sink: inout Sink, call: String? = nil, like: String? = nil,
    _ content: (inout Sink) -> Void
  ) {
    sink.beginObject()
    sink.member("at", address)
    switch self {
    case .invoke(let name, _):
      sink.member("invoke", name)
      if let like { sink.member("like", like) }
    case .answer: break
    case .error(let code, let message):
      sink.member("error", code)
      sink.member("message", message)
    case .cancelled: sink.flag("cancelled")
    case .emit(let event, _):
      sink.member("emit", event)
    case .timer(let name, let until):
      sink.member("timer", name)
      sink.member("until", until.description)
    case .timerCancelled(let name):
      sink.member("timer", name)
      sink.flag("cancelled")
    case .retry(let steps):
      sink.name("retry")
      sink.strings(steps)
    case .version(let version): version.write(to: &sink)
    case .end(let passed, _, _, _):
      sink.member("end", passed ? "passed" : "failed")
    }
    if let valueName { sink.name(valueName) }
    content(&sink)
    if case .invoke(_, let marks) = self { marks.write(to: &sink) }
    if case .emit(_, let after) = self { after.write(to: &sink) }
    if case .end(_, let date, let files, _) = self {
      if let date { sink.member("date", date.description) }
      files.write(to: &sink)
    }
    if let call { sink.member("call", call) }
    sink.endObject()
  }
}

extension TranscriptLine.Kind {
  /// The name of the member with the value, or nil for a line without one.
  var valueName: String? {
    switch self {
    case .invoke: "input"
    case .answer: "ok"
    case .emit: "payload"
    case .end: "outputs"
    case .error, .cancelled, .timer, .timerCancelled, .retry, .version: nil
    }
  }

  /// True if a replay serves the value.
  var isServed: Bool {
    switch self {
    case .answer, .emit: true
    default: false
    }
  }
}

extension CallMarks {
  fileprivate func write(to sink: inout some JSONSink) {
    if lane > 0 {
      sink.name("lane")
      sink.number(String(lane))
    }
    if isTied { sink.flag("tied") }
    if let arrival {
      sink.member("during", "\(arrival.step)")
      if arrival.turn != 1 {
        sink.name("turn")
        sink.number(String(arrival.turn))
      }
      if arrival.isLate { sink.flag("late") }
    }
    if after > 0 {
      sink.name("after")
      sink.number(String(after))
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
    if rest.first?.name == "during" {
      guard let arrival = Arrival(&rest) else { return nil }
      self.arrival = arrival
    }
    if rest.first?.name == "after" {
      guard case .number(let text) = rest.removeFirst().value, let after = Int(text),
        1...Self.mostMessages ~= after
      else { return nil }
      self.after = after
    }
    if rest.first?.name == "added" {
      guard let added = Addition(rest.removeFirst().value) else { return nil }
      self.added = added
    }
    if !rest.isEmpty { return nil }
  }
}

extension Arrival {
  /// The most groups of a step's requests.
  private static let mostTurns = 10_000_000

  /// Takes the members `during`, `turn` and `late` from the front, or returns nil if they are
  /// malformed.
  fileprivate init?(_ members: inout ArraySlice<JSON.Member>) {
    guard let text = members.removeFirst().value.string, let step = Address(text),
      step.calls.isEmpty, "\(step)" == text
    else { return nil }
    self.step = step
    if members.first?.name == "turn" {
      guard case .number(let text) = members.removeFirst().value, let turn = Int(text),
        turn != 1, 0...Self.mostTurns ~= turn
      else { return nil }
      self.turn = turn
    }
    guard members.first?.name == "late" else { return }
    guard members.removeFirst().value == .bool(true) else { return nil }
    isLate = true
  }
}

extension JSONSink {
  mutating func member(_ name: String, _ text: String) {
    self.name(name)
    string(text)
  }

  fileprivate mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }

  fileprivate mutating func flag(_ name: String) {
    self.name(name)
    bool(true)
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
