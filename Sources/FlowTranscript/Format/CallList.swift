internal import FlowSystem

/// The calls of a transcript in the order of their beginnings.
///
/// A transcript may have millions of them. So a call is kept as the places of its lines, which were checked when the
/// transcript was read, and is read from them again whenever it is asked for.
struct CallList: Sendable {
  /// The line of an event, and the event of the same call before it, by its number from 1.
  private struct EventEntry {
    let line: UInt32
    let previous: UInt32
  }

  /// Where the calls stand.
  private(set) var lines: CallLines
  private var events: [EventEntry] = []
  private(set) var byAddress = AddressTable()
  /// Whether each line ends with a checksum.
  var hasChecksums = false
  /// Whether they are a journal's, whose lines tell calls of components apart.
  var isJournal = false
  /// The calls that components made, by their addresses.
  private var ofComponents: [String: [Int]] = [:]
  /// The calls that components made, by what made them.
  private var byMaker: [Maker: [Int]] = [:]
  /// The latest calls that components made, by their addresses; in a journal with what tells them apart.
  private var latest: [String: Int] = [:]
  /// The calls that are not what their lines say alone: with patterns, with bodies in files, or altered.
  private var kept: [Int: Transcript.Call] = [:]

  /// Which attempts of their steps' calls the calls are.
  var attempts: CallAttempts { CallAttempts(ordinals: byAddress.ordinals) }

  /// What made a call that a component makes.
  enum Maker: Hashable {
    /// The component, during the recorded call of a number.
    case call(Int)
    /// A task that it had started, by the task's address.
    case task(String)
  }

  /// No calls yet, of a transcript in bytes.
  init(in bytes: TranscriptBytes = TranscriptBytes([])) {
    lines = CallLines(bytes: bytes)
  }

  // MARK: - Reading

  /// The latest call at an address; nil for none.
  func latest(at address: String) -> Int? {
    CallKey.isOfComponent(address) ? latest[address] : byAddress.last(at: address, in: lines)
  }

  /// Whether a call has its answer.
  func isAnswered(_ call: Int) -> Bool { lines.entries[call].answerLine != 0 }

  /// Adds a call whose line begins at an offset; `input` is given unless it is what the line says.
  ///
  /// `key` is what `latest` finds it by.
  mutating func append(
    at address: String, key: String, _ json: JSON, _ offset: Int, line: Int, input: RecordedValue?
  ) {
    let number = lines.entries.count
    let found = CallKey.text(address, json)
    if CallKey.isOfComponent(address) {
      byMaker[maker(of: key), default: []].append(number)
      latest[key] = number
      ofComponents[address, default: []].append(number)
      // The line names a body that stands in a file, or has a matcher.
      if input != nil { lines.keys[number] = found }
    }
    byAddress.append(at: found, in: lines)
    lines.entries.append(CallLines.Entry(line: UInt32(line), invoke: UInt32(offset)))
    if let input { self[number].input = input }
  }

  /// Adds a step's call whose line begins at an offset, and says all of it.
  mutating func append(at address: String, _ offset: Int, line: Int) {
    byAddress.append(at: address, in: lines)
    lines.entries.append(CallLines.Entry(line: UInt32(line), invoke: UInt32(offset)))
  }

  /// Adds an event to a call; `event` is given unless it is what the line says.
  mutating func append(
    _ event: (event: String, payload: RecordedValue)?, to call: Int, _ offset: Int
  ) {
    if event != nil, kept[call] == nil { kept[call] = self[call] }
    // In place: a call may have reported very much.
    if kept[call] != nil, let event = event ?? self.event(at: UInt32(offset)) {
      kept[call]?.emitted.append(event)
    }
    events.append(EventEntry(line: UInt32(offset), previous: lines.entries[call].lastEvent))
    lines.entries[call].lastEvent = UInt32(events.count)
  }

  /// Adds the answer to a call; `answer` is given unless it is what the line says.
  mutating func answer(_ call: Int, _ answer: Transcript.Answer?, _ offset: Int, line: Int) {
    // Before its answer's line is known, which would be read once more.
    if answer != nil, kept[call] == nil { kept[call] = self[call] }
    lines.entries[call].answer = UInt32(offset)
    lines.entries[call].answerLine = UInt32(line)
    guard kept[call] != nil else { return }
    let said = answer ?? self.answer(at: UInt32(offset))
    kept[call]?.answer = said
    kept[call]?.answerLine = line
  }

  /// The calls in which patterns may stand, in no order.
  var withPatterns: some Sequence<Transcript.Call> { kept.values.lazy.filter(\.hasPatterns) }

  /// Whether components called others.
  var hasCallsOfComponents: Bool { !latest.isEmpty }

  /// The calls that components made at an address, in their order.
  func made(at address: String) -> [Int] { ofComponents[address] ?? [] }

  /// The calls that something made, in their order.
  func made(by maker: Maker) -> [Int] { byMaker[maker] ?? [] }

  /// What makes the call that is added next.
  private func maker(of key: String) -> Maker {
    let caller = CallKey.caller(of: key)
    return latest(at: caller).map { .call($0) } ?? .task(String(caller.prefix { $0 != "~" }))
  }

  /// Whether what makes the call of a key was called, or was started as a task while it was; steps make their own.
  func hasCaller(of key: String) -> Bool {
    !CallKey.isOfComponent(key)
      || latest(at: CallKey.outsideTasks(CallKey.caller(of: key))) != nil
  }

  /// Whether the lines of all calls are those of another list, so that they say the same.
  ///
  /// Not where lines alone do not say it, as with patterns.
  func hasLines(of other: CallList) -> Bool {
    kept.isEmpty && other.kept.isEmpty && count == other.count
      && hasChecksums == other.hasChecksums && isJournal == other.isJournal
      && lines.bytes.hasLinesBetweenEnds(of: other.lines.bytes)
  }

  // MARK: - Parts of calls

  /// The line of a call.
  func line(of call: Int) -> Int { Int(lines.entries[call].line) }

  /// The line of a call's answer; nil without one.
  func answerLine(of call: Int) -> Int? {
    isAnswered(call) ? Int(lines.entries[call].answerLine) : nil
  }

  /// Whether something was reported during a call, or after it.
  func hasEvents(_ call: Int) -> Bool { lines.entries[call].lastEvent != 0 }

  /// Where the events of a call stand, in their order.
  func eventOffsets(of call: Int) -> [UInt32] { eventOffsets(of: lines.entries[call]) }

  private func eventOffsets(of entry: CallLines.Entry) -> [UInt32] {
    if entry.lastEvent == 0 { return [] }
    var (offsets, number) = ([UInt32](), entry.lastEvent)
    while number != 0 {
      let entry = events[Int(number) - 1]
      offsets.append(entry.line)
      number = entry.previous
    }
    return offsets.reversed()
  }

  /// Where the answer of a call stands; nil without one.
  func answerOffset(of call: Int) -> UInt32? {
    isAnswered(call) ? lines.entries[call].answer : nil
  }

  /// Where the line of a call stands.
  func offset(of call: Int) -> UInt32 { lines.entries[call].invoke }

  /// Where a call was made, as the transcript says it.
  func address(of call: Int) -> String { lines.address(of: call) }

  private func content(_ offset: UInt32) -> TranscriptLine<JSON>? { tagged(offset).content }

  private func tagged(_ offset: UInt32) -> (content: TranscriptLine<JSON>?, call: String?) {
    guard case .object(let members)? = try? JSONParser.parse(lines.bytes.line(at: Int(offset)))
    else {
      lines.bytes.noteUnreadable(at: Int(offset))
      return (nil, nil)
    }
    let json = JSON.object(hasChecksums ? members.dropLast() : members)
    guard isJournal else { return (TranscriptLine(json), nil) }
    let (content, call) = json.takingCall()
    return (TranscriptLine(content), call)
  }

  private func event(at offset: UInt32) -> (event: String, payload: RecordedValue)? {
    guard case .emit(_, let event, let payload)? = content(offset) else { return nil }
    return (event, .plain(payload))
  }

  private func answer(at offset: UInt32) -> Transcript.Answer? {
    switch content(offset) {
    case .answer(_, let output)?: .output(.plain(output))
    case .error(_, let code, let message)?: .error(code: code, message: message)
    case .cancelled?: .cancelled
    default: nil
    }
  }

  private func events(of entry: CallLines.Entry) -> [(event: String, payload: RecordedValue)] {
    eventOffsets(of: entry).compactMap { event(at: $0) }
  }
}

/// Which attempt each call of a list is, found at once for all of them.
struct CallAttempts {
  fileprivate let ordinals: [UInt32]

  /// Which attempt of its step's call a call is, from 1; nil for one that was not tried again.
  subscript(call: Int) -> Int? { ordinals[call] == 0 ? nil : Int(ordinals[call]) }
}

extension String {
  /// An address with the attempt of a call: `spend#1`, or `spend#1, attempt 2`.
  func words(ofAttempt attempt: Int?) -> String { self + (attempt.map { ", attempt \($0)" } ?? "") }
}

extension CallList: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }

  var endIndex: Int { lines.entries.count }

  subscript(call: Int) -> Transcript.Call {
    get {
      if !kept.isEmpty, let call = kept[call] { return call }
      let entry = lines.entries[call]
      let (content, tags) = tagged(entry.invoke)
      guard case .invoke(let address, let name, let input, let inner)? = content else {
        lines.bytes.noteUnreadable(at: Int(entry.invoke))
        return Transcript.Call(
          line: Int(entry.line), address: "", name: "", input: .plain(.null))
      }
      var read = Transcript.Call(
        line: Int(entry.line), address: address, name: name, input: .plain(input), inner: inner,
        tags: tags)
      read.emitted = events(of: entry)
      if entry.answer != 0 { read.answer = answer(at: entry.answer) }
      read.answerLine = answerLine(of: call)
      return read
    }
    set { kept[call] = newValue }
  }
}
