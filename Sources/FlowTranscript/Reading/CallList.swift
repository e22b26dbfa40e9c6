internal import FlowCore
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

  /// The positions of the calls.
  private(set) var lines: CallLines
  private var events: [EventEntry] = []
  private(set) var table = AddressTable()
  /// True if each line ends with a checksum.
  var hasChecksums = false
  /// True for a journal, whose lines distinguish the calls of components.
  var isJournal = false
  /// The calls of components, by their addresses without tags.
  private var ofComponents: [Address: [Int]] = [:]
  /// The calls of components, by their makers.
  private var byMaker: [Maker: [Int]] = [:]
  /// The latest calls of components, by their addresses, in a journal with their tags.
  private var latest: [Address: Int] = [:]
  /// The calls that need more than their lines: with patterns, with bodies in files, or altered.
  private var kept: [Int: Transcript.Call] = [:]

  /// The attempts of the calls, from 1, or nil for calls that were not repeated.
  var attempts: [Int?] { table.ordinals.map { $0 == 0 ? nil : Int($0) } }

  /// The maker of a component's call.
  enum Maker: Hashable {
    /// The component, during the recorded call of a number.
    case call(Int)
    /// A task started by it, by the task's address without tags.
    case task(Address)
  }

  /// No calls yet, of a transcript in bytes.
  init(in bytes: LineBytes = LineBytes([])) {
    lines = CallLines(bytes: bytes)
  }

  // MARK: - Reading

  /// The latest call at an address, or nil.
  func latest(at address: Address) -> Int? {
    if address.calls.isEmpty { return table.last(at: "\(address)", in: lines) }
    return latest[isJournal ? address.recorded : address.untagged]
  }

  /// The latest call of a step at the string of its address, or nil.
  func latest(ofStep address: String) -> Int? { table.last(at: address, in: lines) }

  /// Returns true if a call has its answer.
  func isAnswered(_ call: Int) -> Bool { lines.entries[call].answerLine != 0 }

  /// Adds a call whose line starts at an offset.
  ///
  /// `input` is given unless the line contains it.
  mutating func append(
    at address: Address, _ json: JSON, _ offset: Int, line: Int, input: RecordedValue?
  ) {
    let number = lines.entries.count
    let key = CallLines.key("\(address)", json)
    if !address.calls.isEmpty {
      byMaker[maker(of: address), default: []].append(number)
      latest[address] = number
      ofComponents[isJournal ? address.untagged : address, default: []].append(number)
      // The line names a body in a file, or has a matcher.
      if input != nil { lines.keys[number] = key }
    }
    table.append(at: key, in: lines)
    lines.entries.append(CallLines.Entry(line: UInt32(line), invoke: UInt32(offset)))
    if let input { self[number].input = input }
  }

  /// Adds a step's call with a complete line at an offset.
  mutating func append(at address: String, _ offset: Int, line: Int) {
    table.append(at: address, in: lines)
    lines.entries.append(CallLines.Entry(line: UInt32(line), invoke: UInt32(offset)))
  }

  /// Adds an event to a call.
  ///
  /// `event` is given unless the line contains it.
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

  /// Adds the answer to a call.
  ///
  /// `answer` is given unless the line contains it.
  mutating func answer(_ call: Int, _ answer: Transcript.Answer?, _ offset: Int, line: Int) {
    // Kept before its answer's line is known, to avoid reading it again.
    if answer != nil, kept[call] == nil { kept[call] = self[call] }
    lines.entries[call].answer = UInt32(offset)
    lines.entries[call].answerLine = UInt32(line)
    guard kept[call] != nil else { return }
    let said = answer ?? self.answer(at: UInt32(offset))
    kept[call]?.answer = said
    kept[call]?.answerLine = line
  }

  /// The calls with possible patterns, in no order.
  var withPatterns: some Sequence<Transcript.Call> { kept.values.lazy.filter(\.hasPatterns) }

  /// True if components called others.
  var hasCallsOfComponents: Bool { !latest.isEmpty }

  /// The calls of components at an address, in order.
  func made(at address: Address) -> [Int] { ofComponents[address.untagged] ?? [] }

  /// The calls of a maker, in order.
  func made(by maker: Maker) -> [Int] { byMaker[maker] ?? [] }

  /// The maker of the next added call of a component.
  private func maker(of address: Address) -> Maker {
    let caller = address.caller ?? address
    return latest(at: caller).map { .call($0) } ?? .task(caller.untagged)
  }

  /// Returns true if the maker of a call is recorded.
  ///
  /// Steps need none.
  func hasCaller(of address: Address) -> Bool {
    address.caller.map { latest(at: $0.outsideLane) != nil } ?? true
  }

  /// Returns true if a component made a call.
  func isOfComponent(_ call: Int) -> Bool {
    hasCallsOfComponents && CallLines.isOfComponent(lines.text(of: call))
  }

  /// Returns true if the lines of all calls are equal to those of another list.
  ///
  /// False if lines alone do not determine the calls, as with patterns.
  func hasLines(of other: CallList) -> Bool {
    kept.isEmpty && other.kept.isEmpty && count == other.count
      && hasChecksums == other.hasChecksums && isJournal == other.isJournal
      && lines.bytes.hasLinesBetweenEnds(of: other.lines.bytes)
  }

  /// Returns the list without the calls of some steps, and without the calls made during those.
  func without(_ steps: Set<Address>) -> CallList {
    keeping { !steps.contains(address(of: $0).step) }
  }

  /// Returns the list with some of its calls, asked in order.
  func keeping(_ isKept: (Int) -> Bool) -> CallList {
    var rest = CallList(in: lines.bytes)
    (rest.hasChecksums, rest.isJournal) = (hasChecksums, isJournal)
    for number in indices where isKept(number) { rest.copy(number, of: self) }
    return rest
  }

  private mutating func copy(_ number: Int, of other: CallList) {
    let (entry, new) = (other.lines.entries[number], count)
    if other.isOfComponent(number) {
      let call = other[number]
      append(
        at: call.address, call.input.json, Int(entry.invoke), line: Int(entry.line),
        input: other.lines.keys[number] == nil ? nil : call.input)
    } else {
      append(at: other.lines.text(of: number), Int(entry.invoke), line: Int(entry.line))
    }
    kept[new] = other.kept[number]
    for offset in other.eventOffsets(of: number) {
      events.append(EventEntry(line: offset, previous: lines.entries[new].lastEvent))
      lines.entries[new].lastEvent = UInt32(events.count)
    }
    lines.entries[new].answer = entry.answer
    lines.entries[new].answerLine = entry.answerLine
  }

  // MARK: - Parts of calls

  /// The line of a call.
  func line(of call: Int) -> Int { Int(lines.entries[call].line) }

  /// The line of a call's answer, or nil.
  func answerLine(of call: Int) -> Int? {
    isAnswered(call) ? Int(lines.entries[call].answerLine) : nil
  }

  /// Returns true if an event was reported during a call, or after it.
  func hasEvents(_ call: Int) -> Bool { lines.entries[call].lastEvent != 0 }

  /// The offsets of a call's events, in order.
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

  /// The offset of a call's answer, or nil.
  func answerOffset(of call: Int) -> UInt32? {
    isAnswered(call) ? lines.entries[call].answer : nil
  }

  /// The offset of a call's line.
  func offset(of call: Int) -> UInt32 { lines.entries[call].invoke }

  /// The address of a call in the transcript.
  func address(of call: Int) -> Address { Address(recorded: lines.text(of: call)) }

  private func line(at offset: UInt32) -> (line: TranscriptLine?, tags: String?) {
    guard case .object(let members)? = try? JSONParser.parse(lines.bytes.line(at: Int(offset)))
    else {
      lines.bytes.noteUnreadable(at: Int(offset))
      return (nil, nil)
    }
    let json = JSON.object(hasChecksums ? members.dropLast() : members)
    guard isJournal else { return (TranscriptLine(json), nil) }
    let (content, tags) = json.takingCall()
    return (TranscriptLine(content), tags)
  }

  private func event(at offset: UInt32) -> (event: String, payload: RecordedValue)? {
    guard let line = line(at: offset).line, case .emit(let event) = line.kind else { return nil }
    return (event, .plain(line.value ?? .null))
  }

  private func answer(at offset: UInt32) -> Transcript.Answer? {
    guard let line = line(at: offset).line else { return nil }
    return switch line.kind {
    case .answer: .output(.plain(line.value ?? .null))
    case .error(let code, let message): .error(code: code, message: message)
    case .cancelled: .cancelled
    default: nil
    }
  }

  private func events(of entry: CallLines.Entry) -> [(event: String, payload: RecordedValue)] {
    eventOffsets(of: entry).compactMap { event(at: $0) }
  }
}

extension Address {
  /// The address in a line that was checked when it was read.
  fileprivate init(recorded text: String, tags: String? = nil) {
    self = tags.flatMap { Address(text, tags: $0) } ?? Address(text) ?? Address(path: text)
  }

  /// An address with the attempt of a call: `spend#1`, or `spend#1, attempt 2`.
  func words(ofAttempt attempt: Int?) -> String {
    "\(self)".escaped + (attempt.map { ", attempt \($0)" } ?? "")
  }
}

extension CallList: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }

  var endIndex: Int { lines.entries.count }

  subscript(call: Int) -> Transcript.Call {
    get {
      if !kept.isEmpty, let call = kept[call] { return call }
      let entry = lines.entries[call]
      let (content, tags) = line(at: entry.invoke)
      guard let content, case .invoke(let name, let marks) = content.kind else {
        lines.bytes.noteUnreadable(at: Int(entry.invoke))
        return Transcript.Call(
          line: Int(entry.line), address: Address(path: ""), name: "", input: .plain(.null))
      }
      var read = Transcript.Call(
        line: Int(entry.line), address: Address(recorded: content.at, tags: tags), name: name,
        input: .plain(content.value ?? .null), marks: marks)
      read.emitted = events(of: entry)
      if entry.answer != 0 { read.answer = answer(at: entry.answer) }
      read.answerLine = answerLine(of: call)
      return read
    }
    set { kept[call] = newValue }
  }
}
