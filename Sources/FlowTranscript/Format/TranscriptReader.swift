internal import FlowCore
internal import FlowSystem

/// Reads transcripts; they are untrusted.
public struct TranscriptReader: Sendable {
  /// The largest transcript that is read, in bytes.
  private static let largest = 1 << 30

  private let file: String
  private var bodies: BlobReader
  private var calls: [Transcript.Call] = []
  /// The latest call of each address; what it started may still report after its answer.
  private var latest: [String: Int] = [:]
  private var end: (passed: Bool, outputs: RecordedValue, isSealed: Bool)?
  private var values = RecordedValue.Reader()
  /// The checksum of the lines so far; nil where they have none.
  private var checksum: Checksum?
  /// Whether the seal is ignored, and a body that cannot be read counts as empty.
  private var isLenient = false
  /// Whether all bodies could be read.
  private var isWhole = true

  /// The transcript in a file.
  ///
  /// - Throws: `TranscriptError` at the first line that does not belong.
  public static func read(_ file: String) throws(TranscriptError) -> Transcript {
    try read(file, allowsPipe: true)
  }

  /// The transcript in a file, which may be a pipe where a person names it.
  ///
  /// - Throws: `TranscriptError` at the first line that does not belong.
  package static func read(
    _ file: String, allowsPipe: Bool
  ) throws(TranscriptError) -> Transcript {
    try read(try contents(file, allowsPipe: allowsPipe), file: file)
  }

  /// The journal in a file.
  ///
  /// - Throws: `TranscriptError` at the first whole line that does not belong.
  public static func readJournal(_ file: String) throws(TranscriptError) -> Journal {
    try readJournal(try contents(file, allowsPipe: true), file: file)
  }

  /// The header of a transcript in bytes, without the bodies that it names; nil for everything else.
  package static func header(of bytes: [UInt8]) -> TranscriptHeader? {
    var lines = LineCursor(bytes)
    guard let line = lines.next(), line.count <= LineCursor.longest,
      let json = try? JSONParser.parse(line)
    else { return nil }
    return TranscriptHeader(json)
  }

  /// Whether a file is a transcript that names a scenario which is there.
  package static func namesScenario(_ file: String) -> Bool {
    guard let content = try? contents(file), let header = header(of: content) else { return false }
    return FileSystem.isFile(header.scenarioPath(beside: file))
  }

  static func contents(
    _ file: String, allowsPipe: Bool = false
  ) throws(TranscriptError) -> [UInt8] {
    do { return try FileSystem.contents(of: file, limit: largest, allowsPipe: allowsPipe) } catch {
      throw TranscriptError(.unreadable("\(error)"), file: file, line: nil)
    }
  }

  /// The transcript in bytes; `file` names them in errors, and its folder has the bodies.
  ///
  /// - Throws: `TranscriptError` at the first line that does not belong.
  public static func read(_ bytes: [UInt8], file: String) throws(TranscriptError) -> Transcript {
    try read(bytes, file: file, bodies: [:])
  }

  /// The transcript in bytes, some of whose bodies are in memory.
  ///
  /// - Throws: `TranscriptError` at the first line that does not belong.
  package static func read(
    _ bytes: [UInt8], file: String, bodies: [Blob: [UInt8]]
  ) throws(TranscriptError) -> Transcript {
    var reader = TranscriptReader(file: file, bodies: bodies)
    return try reader.transcript(bytes)
  }

  /// The transcript in bytes, whatever its seal says, and whether all its bodies were there.
  ///
  /// - Throws: `TranscriptError` at the first line that does not belong.
  static func readLeniently(
    _ bytes: [UInt8], file: String
  ) throws(TranscriptError) -> (Transcript, isWhole: Bool) {
    var reader = TranscriptReader(file: file)
    reader.isLenient = true
    let transcript = try reader.transcript(bytes)
    return (transcript, reader.isWhole)
  }

  private init(file: String, bodies: [Blob: [UInt8]] = [:]) {
    self.file = file
    self.bodies = BlobReader(beside: file, given: bodies)
  }

  private mutating func transcript(_ bytes: [UInt8]) throws(TranscriptError) -> Transcript {
    var lines = LineCursor(bytes)
    guard let first = lines.next() else { throw error(.empty, 1) }
    let header = try header(first)
    try takeAll(&lines)
    guard let end else { throw error(.cutOff, lines.number) }
    if end.isSealed, !isLenient, !Seal.holds(of: bytes) {
      let isForeign = Seal.hasCarriageReturns(bytes)
      throw error(.brokenSeal(hasCarriageReturns: isForeign), lines.number)
    }
    if let unanswered = calls.first(where: { $0.answer == nil }) {
      throw error(.callWithoutAnswer(unanswered.address), unanswered.line)
    }
    return Transcript(header: header, passed: end.passed, calls: calls, outputs: end.outputs)
  }

  /// The journal in bytes, whose last line may be torn and whose end may be missing.
  ///
  /// - Throws: `TranscriptError` at the first whole line that does not belong.
  public static func readJournal(
    _ bytes: [UInt8], file: String
  ) throws(TranscriptError) -> Journal {
    var reader = TranscriptReader(file: file)
    return try reader.journal(bytes)
  }

  private mutating func journal(_ bytes: [UInt8]) throws(TranscriptError) -> Journal {
    let length = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    var lines = LineCursor(Array(bytes[..<length]))
    guard let first = lines.next() else { throw error(.nothingWritten, 1) }
    let header = try header(first)
    guard let run = header.run else { throw error(.noJournal, 1) }
    try takeAll(&lines)
    return Journal(
      header: header, run: run, passed: end?.passed, length: length,
      tornBytes: bytes.count - length, checksum: checksum, calls: calls)
  }

  private mutating func takeAll(_ lines: inout LineCursor) throws(TranscriptError) {
    while let line = lines.next() {
      guard end == nil else { throw error(.afterEnd, lines.number) }
      guard lines.isTerminated else { throw error(.cutOff, lines.number) }
      let (json, hasSigns) = try checked(line, lines.number)
      let resolved = hasSigns ? try resolved(json, lines.number) : json
      guard let content = TranscriptLine<JSON>(resolved) else { throw error(.line, lines.number) }
      try take(content, Line(number: lines.number, bytes: line, hasSigns: hasSigns))
    }
  }

  /// A line whose values are being read.
  private struct Line {
    let number: Int
    let bytes: ArraySlice<UInt8>
    /// Whether the name of a member begins with `$`.
    let hasSigns: Bool
  }

  /// The line with the bodies that stand in files of their own.
  private mutating func resolved(_ json: JSON, _ number: Int) throws(TranscriptError) -> JSON {
    do throws(BlobError) {
      return try json.resolvingBlobs { blob throws(BlobError) in try text(of: blob) }
    } catch {
      throw TranscriptError(.blob(error), file: file, line: number)
    }
  }

  private mutating func text(of blob: Blob) throws(BlobError) -> String {
    do throws(BlobError) { return try bodies.text(of: blob) } catch {
      guard isLenient else { throw error }
      isWhole = false
      return ""
    }
  }

  private mutating func header(
    _ line: ArraySlice<UInt8>
  ) throws(TranscriptError) -> TranscriptHeader {
    guard line.count <= LineCursor.longest else { throw error(.lineTooLong(LineCursor.longest), 1) }
    guard let parsed = try? JSONParser.parse(line) else {
      throw error(.noTranscript, 1)
    }
    let json = try resolved(parsed, 1)
    guard json["transcript"] == .number("\(TranscriptHeader.version)") else {
      let version: String? =
        switch json["transcript"] {
        case .number(let text)?: text
        case nil: nil
        default: "of another kind"
        }
      throw error(.version(version), 1)
    }
    guard let header = TranscriptHeader(json) else { throw error(.header, 1) }
    guard header.hasChecksums else { return header }
    var checksum = Checksum()
    guard checksum.accepts(line) else { throw error(.otherChecksum, 1) }
    self.checksum = checksum
    return header
  }

  /// A line without its checksum, which is right.
  private mutating func checked(
    _ line: ArraySlice<UInt8>, _ number: Int
  ) throws(TranscriptError) -> (json: JSON, hasSigns: Bool) {
    guard var checksum else { return try json(line, number) }
    guard checksum.accepts(line) else { throw error(.otherChecksum, number) }
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
    do { return try JSONParser.parseSigned(line) } catch {
      throw TranscriptError(
        .json(error), file: file, line: number, column: Self.column(error.offset, line))
    }
  }

  /// Bytes become columns in unicode scalars, as everywhere.
  private static func column(_ offset: Int, _ line: ArraySlice<UInt8>) -> Int {
    String(decoding: line.prefix(offset), as: UTF8.self).unicodeScalars.count + 1
  }

  /// A value of a line, whose patterns need examples where it is served.
  private mutating func value(
    _ json: JSON, _ member: String, isServed: Bool, of line: Line
  ) throws(TranscriptError) -> RecordedValue {
    // Only where a name begins with a sign can there be a pattern.
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
    _ content: TranscriptLine<JSON>, _ line: Line
  ) throws(TranscriptError) {
    let number = line.number
    switch content {
    case .invoke(let address, let name, let input):
      let input = try value(input, "input", isServed: false, of: line)
      if isOpen(address) { throw error(.callWithoutAnswer(address), number) }
      latest[address] = calls.count
      calls.append(.init(line: number, address: address, name: name, input: input))
    case .emit(let address, let event, let payload):
      let payload = try value(payload, "payload", isServed: true, of: line)
      guard let index = latest[address] else { throw error(.answerWithoutCall(address), number) }
      calls[index].emitted.append((event, payload))
    case .answer(let address, let output):
      try answer(address, .output(try value(output, "ok", isServed: true, of: line)), number)
    case .error(let address, let code, let message):
      try answer(address, .error(code: code, message: message), number)
    case .cancelled(let address): try answer(address, .cancelled, number)
    case .end(let passed, let outputs, let isSealed):
      end = (passed, try value(outputs, "outputs", isServed: false, of: line), isSealed)
    }
  }

  private func isOpen(_ address: String) -> Bool {
    latest[address].map { calls[$0].answer == nil } ?? false
  }

  private mutating func answer(
    _ address: String, _ answer: Transcript.Answer, _ number: Int
  ) throws(TranscriptError) {
    guard let index = latest[address], calls[index].answer == nil else {
      throw error(.answerWithoutCall(address), number)
    }
    calls[index].answer = answer
    calls[index].answerLine = number
  }

  private func error(_ problem: TranscriptError.Problem, _ line: Int) -> TranscriptError {
    TranscriptError(problem, file: file, line: line)
  }
}
