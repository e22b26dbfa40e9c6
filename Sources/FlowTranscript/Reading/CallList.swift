internal import FlowCore
internal import FlowSystem

/// The lines of a recording, as calls in the order of their beginnings.
struct CallList: Sendable {
  /// The line of an event, and the event of the same call before it, by its number from 1.
  private struct EventEntry {
    let line: UInt32
    let previous: UInt32
  }

  /// The lines, and the places of the calls in them.
  private(set) var lines = CallLines()
  private var events: [EventEntry] = []
  private(set) var table = AddressTable()
  /// True for a journal, whose lines distinguish the calls of components.
  private let isJournal: Bool
  /// The calls of components, by their addresses without tags.
  private var ofComponents: [Address: [Int]] = [:]
  /// The calls of components, by their makers.
  private var byMaker: [Maker: [Int]] = [:]
  /// The latest calls of components, by their addresses, in a journal with their tags.
  private var latest: [Address: Int] = [:]

  /// The attempts of the calls, from 1, or nil for calls that were not repeated.
  var attempts: [Int?] { table.ordinals.map { $0 == 0 ? nil : Int($0) } }

  /// The maker of a component's call.
  enum Maker: Hashable {
    /// The component, during the recorded call of a number.
    case call(Int)
    /// A task started by it, by the task's address without tags.
    case task(Address)
  }

  /// Creates a list without lines.
  init(isJournal: Bool = false) { self.isJournal = isJournal }

  /// Creates the calls in the lines of a transcript that was read or recorded, or made of one.
  init(_ lines: [TranscriptLine]) {
    self.init()
    self.lines.all.reserveCapacity(lines.count)
    for line in lines {
      switch line.kind {
      case .invoke: invoke(line, at: Address(recorded: line.at))
      case .emit:
        if let call = call(of: line) { append(event: line, of: call) } else { append(other: line) }
      case .answer, .error, .cancelled:
        if let call = call(of: line) { append(answer: line, of: call) } else { append(other: line) }
      case .timer, .timerCancelled, .retry, .version, .end: append(other: line)
      }
    }
  }

  // MARK: - Reading

  private func call(of line: TranscriptLine) -> Int? {
    last(at: line.at) ?? latest(at: Address(recorded: line.at))
  }

  /// The last call of all if it has the string of an address, as nearly always in the line after it.
  ///
  /// Nil in a journal, where a string may be that of several calls.
  func last(at address: String) -> Int? {
    guard !isJournal, let last = indices.last, lines.text(of: last).isIdentical(to: address)
    else { return nil }
    return last
  }

  /// The latest call at an address, or nil.
  func latest(at address: Address) -> Int? {
    if address.calls.isEmpty { return table.last(at: "\(address)", in: lines) }
    return latest[isJournal ? address.recorded : address.untagged]
  }

  /// Returns true if a call has its answer.
  func isAnswered(_ call: Int) -> Bool { lines.entries[call].answer != 0 }

  /// Adds a call.
  mutating func invoke(_ line: TranscriptLine, at address: Address) {
    add(address, line: lines.all.count, CallLines.key(line.at, address, line.value))
    lines.all.append(line)
  }

  private mutating func add(_ address: Address, line: Int, _ key: String) {
    let number = lines.entries.count
    if !address.calls.isEmpty {
      byMaker[maker(of: address), default: []].append(number)
      latest[address] = number
      ofComponents[isJournal ? address.untagged : address, default: []].append(number)
    }
    table.append(at: key, in: lines)
    lines.entries.append(CallLines.Entry(address: address, invoke: UInt32(line)))
  }

  /// Adds an event of a call.
  mutating func append(event line: TranscriptLine, of call: Int) {
    events.append(
      EventEntry(line: UInt32(lines.all.count), previous: lines.entries[call].lastEvent))
    lines.entries[call].lastEvent = UInt32(events.count)
    lines.all.append(line)
  }

  /// Adds the answer to a call.
  mutating func append(answer line: TranscriptLine, of call: Int) {
    lines.entries[call].answer = UInt32(lines.all.count)
    lines.all.append(line)
  }

  /// Adds a line of no call.
  mutating func append(other line: TranscriptLine) { lines.all.append(line) }

  /// True if components called others.
  var hasCallsOfComponents: Bool { !latest.isEmpty }

  /// The calls of components at an address, in order.
  func made(at address: Address) -> [Int] { ofComponents[address.untagged] ?? [] }

  /// The calls of a maker, in order.
  func made(by maker: Maker) -> [Int] {
    if let own = byMaker[maker] { return own }
    guard case .task(let task) = maker else { return [] }
    return byMaker[.task(recordedScope(of: task))] ?? []
  }

  /// The scope in the recording for one of a run: of the same number, or the first one of its name.
  ///
  /// A program may repeat a scope more often than recorded, as tests are tried again and fixtures are
  /// made by each of several workers.
  func recordedScope(of scope: Address) -> Address {
    let own = scope.untagged
    guard byMaker[.task(own)] == nil, let last = own.calls.last, last.isScope,
      let caller = own.caller
    else { return own }
    if last.isConversation { return recordedScope(of: caller).call(last.name, number: last.number) }
    let first = caller.call(last.name, number: 1)
    return byMaker[.task(first)] == nil ? own : first
  }

  /// Returns true for a call in a scope that is recorded, but not so often.
  func repeats(scopeOf address: Address) -> Bool {
    guard let scope = address.scope else { return false }
    return recordedScope(of: scope) != scope.untagged
  }

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
  func isOfComponent(_ call: Int) -> Bool { !lines.entries[call].address.calls.isEmpty }

  /// Returns true if all lines but the end are equal to those of another list.
  ///
  /// False if lines alone do not determine the calls, as with patterns. `besidesVarying` leaves out
  /// the parts of answers and events that have any value in both, such as the date of a response.
  func hasLines(of other: CallList, besidesVarying: Bool = false) -> Bool {
    isJournal == other.isJournal && count == other.count && lines.all.count == other.lines.all.count
      && zip(lines.all, other.lines.all).allSatisfy { line, other in
        if case (.end, .end) = (line.kind, other.kind) { return true }
        if besidesVarying, line.kind.isServed, line.value?.isPlain == false {
          return line.isAlike(other)
        }
        return line == other && line.value?.hasPatterns != true
      }
  }

  /// Returns the list without the calls of some steps, and without the calls made during those.
  func without(_ steps: Set<Address>) -> CallList {
    keeping { !steps.contains(address(of: $0).step) }
  }

  /// Returns the list with some of its calls, asked in order.
  ///
  /// All lines stay, so that they keep their numbers.
  func keeping(_ isKept: (Int) -> Bool) -> CallList {
    var rest = CallList(isJournal: isJournal)
    rest.lines.all = lines.all
    for number in indices where isKept(number) { rest.copy(number, of: self) }
    return rest
  }

  /// Returns the list with other addresses of some steps.
  func renaming(_ steps: RenamedSteps) -> CallList {
    if steps.isEmpty { return self }
    var renamed = CallList(isJournal: isJournal)
    renamed.lines.all = lines.all.map(steps.line)
    for number in indices { renamed.copy(number, of: self, renaming: steps) }
    return renamed
  }

  private mutating func copy(
    _ number: Int, of other: CallList, renaming steps: RenamedSteps? = nil
  ) {
    let (entry, new) = (other.lines.entries[number], count)
    let address = steps?.address(entry.address) ?? entry.address
    let line = lines.all[Int(entry.invoke)]
    add(address, line: Int(entry.invoke), CallLines.key(line.at, address, line.value))
    for line in other.eventLines(of: number) {
      events.append(EventEntry(line: UInt32(line), previous: lines.entries[new].lastEvent))
      lines.entries[new].lastEvent = UInt32(events.count)
    }
    lines.entries[new].answer = entry.answer
  }

  // MARK: - Parts of calls

  /// The number of a line in its file, from 1, by its index.
  ///
  /// The first one is the header.
  private static func number(ofLine index: UInt32) -> Int { Int(index) + 2 }

  /// The number of a call's line.
  func line(of call: Int) -> Int { Self.number(ofLine: lines.entries[call].invoke) }

  /// The number of the line of a call's answer, or nil.
  func answerLine(of call: Int) -> Int? {
    isAnswered(call) ? Self.number(ofLine: lines.entries[call].answer) : nil
  }

  /// Returns true if an event was reported during a call, or after it.
  func hasEvents(_ call: Int) -> Bool { lines.entries[call].lastEvent != 0 }

  /// The indices of the lines of a call's events, in order.
  func eventLines(of call: Int) -> [Int] {
    var (found, number) = ([Int](), lines.entries[call].lastEvent)
    while number != 0 {
      let entry = events[Int(number) - 1]
      found.append(Int(entry.line))
      number = entry.previous
    }
    return found.reversed()
  }

  /// The input of a call as its line has it.
  func input(of call: Int) -> JSON { lines.all[beginning(of: call)].value?.written ?? .null }

  /// The index of the line of a call.
  func beginning(of call: Int) -> Int { Int(lines.entries[call].invoke) }

  /// The index of the line of a call's answer, or nil.
  func answer(of call: Int) -> Int? {
    isAnswered(call) ? Int(lines.entries[call].answer) : nil
  }

  /// The address of a call in the transcript.
  func address(of call: Int) -> Address { lines.entries[call].address }
}

extension Address {
  /// The address in a line that was checked when it was read.
  init(recorded text: String) { self = Address(text) ?? Address(path: text) }

  /// An address with the attempt of a call: `spend#1`, or `spend#1, attempt 2`.
  func words(ofAttempt attempt: Int?) -> String {
    "\(self)".escaped + (attempt.map { ", attempt \($0)" } ?? "")
  }
}

extension CallList: RandomAccessCollection {
  var startIndex: Int { 0 }

  var endIndex: Int { lines.entries.count }

  subscript(call: Int) -> Transcript.Call {
    let entry = lines.entries[call]
    let line = lines.all[Int(entry.invoke)]
    var (name, marks) = ("", CallMarks())
    if case .invoke(let operation, let others) = line.kind { (name, marks) = (operation, others) }
    var read = Transcript.Call(
      line: self.line(of: call), address: entry.address, name: name,
      input: line.value ?? .plain(.null), marks: marks)
    read.emitted = eventLines(of: call).compactMap { lines.all[$0].event }
    read.answer = answer(of: call).flatMap { lines.all[$0].answer }
    read.answerLine = answerLine(of: call)
    return read
  }

  /// Puts another answer in the place of a call's one.
  mutating func replaceAnswer(of call: Int, with answer: Transcript.Answer) {
    guard let line = self.answer(of: call) else { return }
    lines.all[line].replaceAnswer(with: answer)
  }
}

extension TranscriptLine {
  /// The event in the line, or nil.
  fileprivate var event: (event: String, payload: RecordedValue)? {
    guard case .emit(let event, _) = kind else { return nil }
    return (event, value ?? .plain(.null))
  }

  /// The answer in the line, or nil.
  fileprivate var answer: Transcript.Answer? {
    switch kind {
    case .answer: .output(value ?? .plain(.null))
    case .error(let code, let message): .error(code: code, message: message)
    case .cancelled: .cancelled
    default: nil
    }
  }

  fileprivate mutating func replaceAnswer(with answer: Transcript.Answer) {
    switch answer {
    case .output(let output): (kind, value) = (.answer, output)
    case .error(let code, let message): (kind, value) = (.error(code: code, message: message), nil)
    case .cancelled: (kind, value) = (.cancelled, nil)
    }
  }
}
