internal import FlowCore
internal import FlowEngine
internal import FlowSystem

/// Reads transcripts, which are untrusted.
public struct TranscriptReader: Sendable {
  /// The largest transcript to read, in bytes.
  static let largest = 1 << 30

  private let bytes: LineBytes
  private let file: String
  /// True if the lines are in a file, with its bodies beside it.
  private let isFile: Bool
  private var bodies: BlobReader
  private var calls: CallList
  private var end: End?
  private var timers: [RecordedTimer.Key: RecordedTimer] = [:]
  private var values = RecordedValue.Reader()
  private var plainLines = PlainLineReader()
  /// The call that was added last, and its address, if its line was plain.
  private var latest: (address: String, call: Int)?
  /// The checksum of the lines so far, or nil if they have none.
  private var checksum: Checksum?
  /// True to ignore the seal and to treat an unreadable body as empty.
  var isLenient = false
  /// True if calls may have no answer, as in a run that failed at one of them.
  var allowsUnanswered = false
  /// True if all bodies could be read.
  private(set) var isWhole = true

  /// The last line.
  private struct End {
    let passed: Bool
    let outputs: RecordedValue
    let date: Timestamp?
    let files: [ReadFile]
    let isSealed: Bool
  }

  init(
    _ bytes: LineBytes, file: String, bodies: [Blob: [UInt8]] = [:],
    named: [String: [UInt8]]? = nil
  ) {
    self.bytes = bytes
    self.file = file
    isFile = named == nil
    calls = CallList(in: bytes)
    self.bodies = BlobReader(beside: file, given: bodies, named: named)
  }

  /// Reads all of it as a transcript.
  mutating func transcript() throws(TranscriptError) -> Transcript {
    try checkSize()
    var lines = LineCursor(bytes)
    guard let first = lines.next() else { throw error(.empty, 1) }
    let header = try header(first)
    try takeAll(&lines)
    guard let end else { throw error(.cutOff, lines.number) }
    if end.isSealed, !isLenient, !Seal.holds(of: bytes) {
      let isForeign = Seal.hasCarriageReturns(bytes.suffix(2))
      throw error(.brokenSeal(hasCarriageReturns: isForeign), lines.number)
    }
    if !allowsUnanswered,
      let unanswered = calls.indices.first(where: { !calls.isAnswered($0) })
    {
      let address = "\(calls.address(of: unanswered))"
      throw error(.callWithoutAnswer(address), calls.line(of: unanswered))
    }
    return Transcript(
      header: header, passed: end.passed, date: end.date, files: end.files, calls: calls,
      outputs: end.outputs)
  }

  /// Reads all of the content as a journal.
  mutating func journal(_ content: [UInt8]) throws(TranscriptError) -> Journal {
    try checkSize()
    let length = content.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    var lines = LineCursor(bytes, length: length)
    guard let first = lines.next() else { throw error(.nothingWritten, 1) }
    let header = try header(first)
    guard let run = header.run else { throw error(.noJournal, 1) }
    try takeAll(&lines)
    return Journal(
      header: header, run: run, passed: end?.passed, outputs: end?.outputs ?? .plain(.object([])),
      date: end?.date, length: length,
      tornBytes: bytes.count - length, checksum: checksum, calls: calls, timers: timers)
  }

  private func checkSize() throws(TranscriptError) {
    if bytes.count <= Self.largest { return }
    throw TranscriptError(
      .unreadable("\(FileError(.tooLarge, path: file))"), file: file, line: nil)
  }

  private mutating func takeAll(_ lines: inout LineCursor) throws(TranscriptError) {
    while let line = lines.next() {
      // A journal may go on after the end of a failed run.
      guard end == nil || calls.isJournal else { throw error(.afterEnd, lines.number) }
      guard lines.isTerminated else { throw error(.cutOff, lines.number) }
      if let plain = plain(line) {
        try take(plain, lines.offset, lines.number)
        continue
      }
      let (json, hasSigns) = try checked(line, lines.number)
      let resolved = hasSigns ? try resolved(json, lines.number) : json
      let hasBodies = hasSigns && resolved != json
      let (rest, tags) = calls.isJournal ? resolved.takingCall() : (resolved, nil)
      guard let content = TranscriptLine(rest), let address = address(of: content, tags)
      else {
        throw error(.line, lines.number)
      }
      try take(
        content,
        ReadLine(
          number: lines.number, offset: lines.offset, bytes: line, address: address,
          hasSigns: hasSigns, hasBodies: hasBodies))
    }
  }

  /// Reads a simple line of a golden transcript without parsing, or returns nil.
  private mutating func plain(_ line: ArraySlice<UInt8>) -> PlainLine? {
    calls.isJournal || line.count > LineCursor.longest ? nil : plainLines.line(line)
  }

  private mutating func take(
    _ line: PlainLine, _ offset: Int, _ number: Int
  ) throws(TranscriptError) {
    let call =
      latest.flatMap { $0.address == line.address ? $0.call : nil }
      ?? calls.latest(ofStep: line.address)
    switch line.kind {
    case .invoke:
      if let call, !calls.isAnswered(call) { throw error(.callWithoutAnswer(line.address), number) }
      calls.append(at: line.address, offset, line: number)
      latest = (line.address, calls.count - 1)
    case .emit:
      guard let call else { throw error(.answerWithoutCall(line.address), number) }
      calls.append(nil, to: call, offset)
    case .ok:
      guard let call, !calls.isAnswered(call) else {
        throw error(.answerWithoutCall(line.address), number)
      }
      calls.answer(call, nil, offset, line: number)
    }
  }

  /// Returns the address of a line, or nil if no run has it.
  ///
  /// In a journal, tags identify the call of a component.
  private func address(of line: TranscriptLine, _ tags: String?) -> Address? {
    switch line.kind {
    case .end, .retry: return tags == nil ? Address(path: line.at) : nil
    default: break
    }
    let address = tags.map { Address(line.at, tags: $0) } ?? Address(line.at)
    guard let address, line.at.utf8.allSatisfy({ $0 < 0x80 }), "\(address)" == line.at,
      address.tags == tags || tags == nil && !calls.isJournal
    else { return nil }
    if case .invoke(_, let marks) = line.kind, address.calls.isEmpty, marks.isOfComponent {
      return nil
    }
    return address
  }

  /// Returns the line with the bodies of its separate files.
  private mutating func resolved(_ json: JSON, _ number: Int) throws(TranscriptError) -> JSON {
    do throws(BlobError) {
      return try json.resolvingBlobsOfLine { blob throws(BlobError) in try value(of: blob) }
    } catch {
      throw TranscriptError(.blob(error), file: file, line: number)
    }
  }

  private mutating func value(of blob: Blob) throws(BlobError) -> JSON {
    do throws(BlobError) { return try bodies.value(of: blob) } catch {
      guard isLenient else { throw error }
      isWhole = false
      return .string("")
    }
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
    let json = try resolved(parsed, 1)
    guard json["transcript"] == .number("\(TranscriptHeader.version)") else {
      let version: String? =
        switch json["transcript"] {
        case .number(let text)?: text
        case nil: nil
        default: "of the wrong type"
        }
      throw error(.version(version), 1)
    }
    guard let header = TranscriptHeader(json) else { throw error(.header, 1) }
    calls.isJournal = header.run != nil
    guard header.hasChecksums else { return header }
    var checksum = Checksum()
    guard checksum.accepts(line) else { throw error(.otherChecksum(isFile: isFile), 1) }
    self.checksum = checksum
    calls.hasChecksums = true
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

  /// Returns a value of a line, in which patterns need examples if it is served.
  private mutating func value(
    _ json: JSON, _ member: String, isServed: Bool, of line: ReadLine
  ) throws(TranscriptError) -> RecordedValue {
    // A pattern needs a name that starts with a sign.
    guard line.hasSigns else { return .plain(json) }
    do throws(RecordedValue.Failure) {
      return try values.value(json, isServed: isServed, at: [.field(member)])
    } catch {
      let offset = JSONParser.offset(of: error.path, in: line.bytes) ?? 0
      throw TranscriptError(
        .matcher(error.problem), file: file, line: line.number,
        column: Self.column(offset, line.bytes))
    }
  }

  private mutating func take(
    _ content: TranscriptLine, _ line: ReadLine
  ) throws(TranscriptError) {
    let (address, number) = (line.address, line.number)
    let content = (kind: content.kind, text: content.at, value: content.value ?? .null)
    if case .retry(let steps) = content.kind { return try retry(steps, number) }
    if end != nil { throw error(.afterEnd, number) }
    switch content.kind {
    case .invoke: try invoke(content.value, content.text, line)
    case .emit(let event):
      let payload = try value(content.value, "payload", isServed: true, of: line)
      // What a call started may still report after its answer.
      guard let call = calls.latest(at: address) else {
        throw error(.answerWithoutCall(content.text), number)
      }
      calls.append(line.kept(payload).map { (event, $0) }, to: call, line.offset)
    case .answer:
      let output = line.kept(try value(content.value, "ok", isServed: true, of: line))
      try answer(output.map(Transcript.Answer.output), content.text, line)
    case .error, .cancelled: try answer(nil, content.text, line)
    case .timer(let name, let until):
      guard calls.isJournal, RunTimer.isName(name) else { throw error(.line, number) }
      timers[.init(address: address, name: name)] = RecordedTimer(until: until)
    case .timerCancelled(let name):
      let key = RecordedTimer.Key(address: address, name: name)
      guard timers[key]?.wasCancelled == false else { throw error(.line, number) }
      timers[key]?.wasCancelled = true
    case .retry: break
    case .end(let passed, let date, let files, let isSealed):
      let outputs = try value(content.value, "outputs", isServed: false, of: line)
      end = End(passed: passed, outputs: outputs, date: date, files: files, isSealed: isSealed)
    }
  }

  /// Takes the start of a call.
  private mutating func invoke(
    _ input: JSON, _ address: String, _ line: ReadLine
  ) throws(TranscriptError) {
    let value = try value(input, "input", isServed: false, of: line)
    if let call = calls.latest(at: line.address), !calls.isAnswered(call) {
      throw error(.callWithoutAnswer(address), line.number)
    }
    guard calls.hasCaller(of: line.address) else {
      throw error(.callWithoutCaller(address), line.number)
    }
    latest = nil
    calls.append(
      at: line.address, input, line.offset, line: line.number, input: line.kept(value))
  }

  /// Goes on after the end of a failed run, without the calls and timers of some steps.
  private mutating func retry(_ steps: [String], _ number: Int) throws(TranscriptError) {
    let addresses = Set(steps.compactMap { Address($0)?.step })
    guard calls.isJournal, end?.passed == false, addresses.count == steps.count else {
      throw error(.line, number)
    }
    end = nil
    latest = nil
    calls = calls.without(addresses)
    timers = timers.without(addresses)
  }

  private mutating func answer(
    _ answer: Transcript.Answer?, _ address: String, _ line: ReadLine
  ) throws(TranscriptError) {
    guard let call = calls.latest(at: line.address), !calls.isAnswered(call) else {
      throw error(.answerWithoutCall(address), line.number)
    }
    calls.answer(call, answer, line.offset, line: line.number)
  }

  private func error(_ problem: TranscriptError.Problem, _ line: Int) -> TranscriptError {
    TranscriptError(problem, file: file, line: line)
  }
}
