internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// Reads transcripts, which are untrusted.
public struct TranscriptReader: Sendable {
  private let bytes: [UInt8]
  private let file: String
  /// True if the lines are in a file, with its bodies beside it.
  private let isFile: Bool
  private var calls = CallList()
  private var end: End?
  /// The last version of the scenario that went on with the run, or nil for the first one.
  private var version: JournalVersion?
  private var timers: [RecordedTimer.Key: RecordedTimer] = [:]
  private var values: RecordedValue.Reader
  /// True for a journal.
  private var isJournal = false
  /// The checksum of the lines so far, or nil if they have none.
  private var checksum: Checksum?
  /// True to ignore the seal.
  private let isLenient: Bool
  /// The bytes that lines have more with what they repeat.
  private var repeatedSize = 0

  /// The last line.
  private struct End {
    let passed: Bool
    let outputs: RecordedValue
    let date: Timestamp?
    let isSealed: Bool
  }

  /// Creates the reader of bytes whose bodies are beside a file, or all `named`.
  ///
  /// A lenient one ignores the seal, and takes an unreadable body as empty.
  init(
    _ bytes: [UInt8], file: String, named: [String: [UInt8]]? = nil, isLenient: Bool = false
  ) {
    self.bytes = bytes
    self.file = file
    self.isLenient = isLenient
    isFile = named == nil
    values = RecordedValue.Reader(BlobReader(beside: file, named: named, isLenient: isLenient))
  }

  /// True if all bodies could be read.
  var isWhole: Bool { values.bodies?.isWhole ?? true }

  /// Reads all of it as a transcript.
  mutating func transcript() throws(TranscriptError) -> Transcript {
    try checkSize()
    var lines = LineCursor(bytes)
    guard let first = lines.next() else { throw error(.empty, 1) }
    var header = try header(first)
    try takeAll(&lines)
    header.take(version)
    guard let end else { throw error(.cutOff, lines.number) }
    if end.isSealed, !isLenient, !Seal.holds(of: bytes) {
      throw error(.brokenSeal(hasCarriageReturns: Seal.hasCarriageReturns(bytes)), lines.number)
    }
    if let unanswered = calls.indices.first(where: { !calls.isAnswered($0) }) {
      let address = "\(calls.address(of: unanswered))"
      throw error(.callWithoutAnswer(address), calls.line(of: unanswered))
    }
    return Transcript(header, calls, isSealed: end.isSealed)
  }

  /// Reads all of it as a journal.
  mutating func journal() throws(TranscriptError) -> Journal {
    try checkSize()
    let length = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    var lines = LineCursor(bytes, length: length)
    guard let first = lines.next() else { throw error(.nothingWritten, 1) }
    var header = try header(first)
    guard let run = header.run else { throw error(.noJournal, 1) }
    try takeAll(&lines)
    header.take(version)
    return Journal(
      header: header, run: run, passed: end?.passed, outputs: end?.outputs ?? .plain(.object([])),
      date: end?.date, length: length,
      tornBytes: bytes.count - length, checksum: checksum, calls: calls, timers: timers)
  }

  private func checkSize() throws(TranscriptError) {
    guard bytes.count > TranscriptLine.mostBytes else { return }
    throw TranscriptError(.tooLarge(file), file: file, line: nil)
  }

  private mutating func takeAll(_ lines: inout LineCursor) throws(TranscriptError) {
    while let bytes = lines.next() {
      // A journal may go on after the end of a failed run.
      guard end == nil || isJournal else { throw error(.afterEnd, lines.number) }
      guard lines.isTerminated else { throw error(.cutOff, lines.number) }
      let (json, hasSigns) = try checked(bytes, lines.number)
      let (short, tags) = isJournal ? json.takingCall() : (json, nil)
      let rest = try completed(short, bytes.count, lines.number)
      guard var line = TranscriptLine(rest), let address = address(of: line, tags) else {
        throw error(.line, lines.number)
      }
      // A pattern and a body need a name that starts with a sign.
      if hasSigns { try read(&line, bytes, lines.number) }
      try take(line, at: address, lines.number)
    }
  }

  /// Returns a line with what it repeats of an earlier one.
  private mutating func completed(
    _ line: JSON, _ size: Int, _ number: Int
  ) throws(TranscriptError) -> JSON {
    var rest = line
    guard !isJournal, let address = rest.takeRepeated() else { return line }
    do throws(RepetitionError) {
      guard let call = Address(address).flatMap({ calls.latest(at: $0) }) else {
        throw .noCall(address)
      }
      var length = size
      let whole = try rest.completed(by: calls.input(of: call), length: &length)
      repeatedSize += length - size
      if bytes.count + repeatedSize > TranscriptLine.mostBytes { throw .tooLong }
      return whole
    } catch {
      throw self.error(.repetition(error), number)
    }
  }

  /// Returns the address of a line, or nil if no run has it.
  ///
  /// In a journal, tags identify the call of a component.
  private func address(of line: TranscriptLine, _ tags: String?) -> Address? {
    switch line.kind {
    case .end, .retry, .version: return tags == nil ? Address(path: line.at) : nil
    // As nearly always, and found by its string.
    case .answer, .error, .cancelled, .emit:
      if let call = calls.last(at: line.at) { return calls.address(of: call) }
    default: break
    }
    let address = tags.map { Address(line.at, tags: $0) } ?? Address(line.at)
    guard let address, line.at.utf8.allSatisfy({ $0 < 0x80 }), "\(address)" == line.at,
      address.tags == tags || tags == nil && !isJournal
    else { return nil }
    if case .invoke(_, let marks) = line.kind, address.calls.isEmpty, marks.isOfComponent {
      return nil
    }
    return address
  }

  private mutating func header(
    _ line: ArraySlice<UInt8>
  ) throws(TranscriptError) -> TranscriptHeader {
    if let stranger = Stranger(line) { throw error(.stranger(stranger), 1) }
    guard line.count <= LineCursor.longest else { throw error(.lineTooLong(LineCursor.longest), 1) }
    guard let parsed = try? JSONParser.parse(line) else {
      let isScenario = [".yaml", ".yml"].contains { file.hasSuffix($0) }
      throw error(Self.isConflict(line) ? .conflict : .noTranscript(isScenario: isScenario), 1)
    }
    guard parsed["transcript"] == .number("\(TranscriptHeader.version)") else {
      let version: String? =
        switch parsed["transcript"] {
        case .number(let text)?: text
        case nil: nil
        default: "of the wrong type"
        }
      throw error(.version(version), 1)
    }
    guard var header = TranscriptHeader(parsed) else { throw error(.header, 1) }
    try read(&header)
    isJournal = header.run != nil
    calls = CallList(isJournal: isJournal)
    guard header.hasChecksums else { return header }
    var checksum = Checksum()
    guard checksum.accepts(line) else { throw error(.otherChecksum(isFile: isFile), 1) }
    self.checksum = checksum
    return header
  }

  /// Returns a line without its checksum, after verifying it.
  private mutating func checked(
    _ line: ArraySlice<UInt8>, _ number: Int
  ) throws(TranscriptError) -> (json: JSON, hasSigns: Bool) {
    guard var checksum else { return try json(line, number) }
    guard checksum.accepts(line) else {
      throw error(.otherChecksum(isFile: isFile), number)
    }
    self.checksum = checksum
    let (json, hasSigns) = try json(line, number)
    guard case .object(let members) = json else { throw error(.line, number) }
    return (.object(members.dropLast()), hasSigns)
  }

  private func json(
    _ line: ArraySlice<UInt8>, _ number: Int
  ) throws(TranscriptError) -> (json: JSON, hasSigns: Bool) {
    guard line.count <= LineCursor.longest else {
      throw error(.lineTooLong(LineCursor.longest), number)
    }
    if Self.isConflict(line) { throw error(.conflict, number) }
    do { return try JSONParser.parseSigned(line) } catch {
      throw TranscriptError(
        .json(error), file: file, line: number, column: Self.column(error.offset, line))
    }
  }

  /// Returns true for a line that Git writes between the versions in a merge conflict.
  private static func isConflict(_ line: ArraySlice<UInt8>) -> Bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains { line.starts(with: $0.utf8) }
  }

  /// Bytes become columns in unicode scalars, as everywhere.
  private static func column(_ offset: Int, _ line: ArraySlice<UInt8>) -> Int {
    String(decoding: line.prefix(offset), as: UTF8.self).unicodeScalars.count + 1
  }

  /// Reads the patterns and the bodies of a line.
  private mutating func read(
    _ line: inout TranscriptLine, _ bytes: ArraySlice<UInt8>, _ number: Int
  ) throws(TranscriptError) {
    guard let value = line.value, let member = line.kind.valueName else { return }
    do throws(RecordedValue.Failure) {
      line.value = try values.value(
        value.json, isServed: line.kind.isServed, at: [.field(member)])
    } catch {
      switch error {
      case .body(let problem): throw self.error(.blob(problem), number)
      case .pattern(let problem, let path):
        let offset = JSONParser.offset(of: path, in: bytes) ?? 0
        throw TranscriptError(
          .matcher(problem), file: file, line: number, column: Self.column(offset, bytes))
      }
    }
  }

  /// Reads the bodies of the inputs.
  ///
  /// A pattern is no input, and stays as it is.
  private mutating func read(_ header: inout TranscriptHeader) throws(TranscriptError) {
    do throws(BlobError) {
      for index in header.values.indices {
        let input = header.values[index]
        header.values[index] = .init(
          name: input.name, value: try values.input(input.value.json))
      }
    } catch {
      throw self.error(.blob(error), 1)
    }
  }

  private mutating func take(
    _ line: TranscriptLine, at address: Address, _ number: Int
  ) throws(TranscriptError) {
    if case .retry(let steps) = line.kind { return try retry(steps, line, number) }
    if case .version(let version) = line.kind { return try take(version, line, number) }
    if end != nil { throw error(.afterEnd, number) }
    switch line.kind {
    case .invoke: try invoke(line, at: address, number)
    case .emit:
      // What a call started may still report after its answer.
      guard let call = call(line, at: address) else {
        throw error(.answerWithoutCall(line.at), number)
      }
      calls.append(event: line, of: call)
    case .answer, .error, .cancelled:
      guard let call = call(line, at: address), !calls.isAnswered(call) else {
        throw error(.answerWithoutCall(line.at), number)
      }
      calls.append(answer: line, of: call)
    case .timer(let name, let until):
      guard isJournal, RunTimer.isName(name) else { throw error(.line, number) }
      timers[.init(address: address, name: name)] = RecordedTimer(until: until)
      calls.append(other: line)
    case .timerCancelled(let name):
      let key = RecordedTimer.Key(address: address, name: name)
      guard timers[key]?.wasCancelled == false else { throw error(.line, number) }
      timers[key]?.wasCancelled = true
      calls.append(other: line)
    case .retry, .version: break
    case .end(let passed, let date, let files, let isSealed):
      end = End(
        passed: passed, outputs: line.value ?? .plain(.object([])), date: date, isSealed: isSealed)
      var unsealed = line
      unsealed.kind = .end(passed: passed, date: date, files: files, isSealed: false)
      calls.append(other: unsealed)
    }
  }

  private func call(_ line: TranscriptLine, at address: Address) -> Int? {
    calls.last(at: line.at) ?? calls.latest(at: address)
  }

  /// Takes the start of a call.
  private mutating func invoke(
    _ line: TranscriptLine, at address: Address, _ number: Int
  ) throws(TranscriptError) {
    if let call = calls.latest(at: address), !calls.isAnswered(call) {
      throw error(.callWithoutAnswer(line.at), number)
    }
    guard calls.hasCaller(of: address) else { throw error(.callWithoutCaller(line.at), number) }
    calls.invoke(line, at: address)
  }

  /// Goes on after the end of a failed run, without the calls and timers of some steps.
  private mutating func retry(
    _ steps: [String], _ line: TranscriptLine, _ number: Int
  ) throws(TranscriptError) {
    let addresses = Set(steps.compactMap { Address($0)?.step })
    guard isJournal, end?.passed == false, addresses.count == steps.count else {
      throw error(.line, number)
    }
    end = nil
    calls = calls.without(addresses)
    calls.append(other: line)
    timers = timers.without(addresses)
  }

  /// Goes on with another version of the scenario, in which steps may have other names.
  private mutating func take(
    _ version: JournalVersion, _ line: TranscriptLine, _ number: Int
  ) throws(TranscriptError) {
    guard isJournal, end?.passed != true else { throw error(.line, number) }
    calls = calls.renaming(version.steps)
    timers = version.steps.timers(timers)
    // The names are those of the new version from here on.
    var applied = line
    applied.kind = .version(version.withoutSteps)
    calls.append(other: applied)
    self.version = version
  }

  private func error(_ problem: TranscriptError.Problem, _ line: Int) -> TranscriptError {
    TranscriptError(problem, file: file, line: line)
  }
}
