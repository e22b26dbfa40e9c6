package import FlowRedaction
package import FlowSystem
private import Synchronization

/// A report in progress, moved to its place when it is complete.
///
/// The text of finished scenarios is kept in unnamed files, with only the latest bytes in memory,
/// and copied a piece at a time. Only text for the end of a file is assembled as a whole.
package final class ReportFile: Sendable {
  /// The destination of a report.
  package enum Destination: Sendable {
    /// A file to replace.
    ///
    /// If flow chose its name, a link in its place is replaced itself.
    case file(String, followsLinks: Bool = true)
    /// A descriptor of this process.
    ///
    /// The report is written to it when it is complete.
    case descriptor(Int32)
    /// The end of a file with other writers.
    case end(of: String)
    /// A stream.
    case stream(@Sendable (String) -> Void)
  }

  private struct State {
    var bytes = 0
    var omitted = 0
    /// The number of entries among the first ones, and among the others.
    var (first, rest) = (0, 0)
    /// The reason why added entries are lost.
    var failure: FileError?

    /// Counts an entry and returns its number in its group.
    ///
    /// Nil if it exceeds the limit.
    mutating func count(_ entry: ReportEntry, _ limit: Int?) -> Int? {
      let count = entry.count
      guard bytes + count <= limit ?? .max else {
        omitted += 1
        return nil
      }
      bytes += count
      if entry.isFirst { first += 1 } else { rest += 1 }
      return entry.isFirst ? first : rest
    }
  }

  private let format: ReportFormat<SuiteReport>
  private let destination: Destination
  private let redactor: Redactor
  /// The most permissions of new files.
  private let permissions: Int
  /// The output file, or nil for the other destinations.
  private let file: OutputFile?
  private let first: ScratchFile
  private let rest: ScratchFile
  private let state = Mutex(State())

  /// Creates a report without entries.
  ///
  /// The permissions limit the readers of a new file.
  ///
  /// - Throws: `FileError` if the file could not be written.
  package init(
    _ format: ReportFormat<SuiteReport>, to destination: Destination, _ redactor: Redactor,
    permissions: Int = 0o777
  ) throws(FileError) {
    self.format = format
    self.destination = destination
    self.redactor = redactor
    self.permissions = permissions
    if case .file(let path, let followsLinks) = destination {
      file = try OutputFile(replacing: path, followsLinks: followsLinks, asPart: true)
      file?.restrict(to: permissions)
      first = ScratchFile(in: Path.folder(of: path))
      rest = ScratchFile(in: Path.folder(of: path))
    } else {
      file = nil
      first = ScratchFile(in: FileSystem.temporaryFolder)
      rest = ScratchFile(in: FileSystem.temporaryFolder)
    }
  }

  /// The needed tracing of the runs, or nil.
  package var tracing: TraceOptions? {
    guard format.traits.showsRuns else { return nil }
    var options = TraceOptions()
    options.keepsExcerpts = format.traits.showsExcerpts
    options.keepsLines = format.traits.showsLines
    if case .file(let path, _) = destination { options.folder = Path.folder(of: path) }
    return options
  }

  /// True if it shows what the calls cover of services' descriptions, or what they take.
  package var showsMeasures: Bool { format.traits.showsMeasures }

  /// Returns the entry for a scenario with hidden secrets.
  ///
  /// Safe to call on several tasks at once.
  package func entry(for scenario: ScenarioReport, number: Int) -> ReportEntry {
    kept(format.entry(scenario, number, redactor))
  }

  /// Returns the entry for a scenario from another process, empty if that process did not write
  /// one.
  package func entry(for scenario: StoredScenario) -> ReportEntry {
    if format.stored == nil {
      return format.entry(scenario.report, scenario.number, redactor)
    }
    return kept(scenario.entries[format.name] ?? ReportEntry(""))
  }

  private func kept(_ entry: ReportEntry) -> ReportEntry {
    for attachment in entry.attachments { store(attachment) }
    // Without the attachments just stored, which would stay in memory until the entry's turn comes.
    return ReportEntry(withoutAttachments: entry)
  }

  /// The folder of the report, next to which attachments are stored.
  private var folder: String {
    switch destination {
    case .file(let path, _), .end(let path): Path.folder(of: path)
    case .descriptor, .stream: "."
    }
  }

  /// Writes an attachment at once, so that it does not stay in memory.
  private func store(_ attachment: Attachment) {
    let place = Path.joined(folder, attachment.path)
    do throws(FileError) {
      let own = Path.folder(of: place)
      // The author of the project must not choose where files are written.
      if FileSystem.isLink(own) { try FileSystem.remove(own) }
      if FileSystem.sizeOfFile(place) == attachment.bytes.count { return }
      try FileSystem.makeFolders(folder)
      try FileSystem.makeFolder(own)
      let file = try OutputFile(
        replacing: place, followsLinks: false, isPrivate: redactor.hasSecrets, asPart: true)
      file.restrict(to: permissions)
      try file.append(attachment.bytes)
      try file.commit()
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
    }
  }

  /// Adds the entry of a scenario, from one task at a time.
  ///
  /// `finish` throws its errors.
  package func add(_ entry: ReportEntry) {
    if let failure = entry.failure { state.withLock { $0.failure = $0.failure ?? failure } }
    if entry.pieces.isEmpty { return }
    guard let count = state.withLock({ $0.count(entry, format.traits.limit?.bytes) }) else {
      return
    }
    let separator = format.separator.flatMap { count.isMultiple(of: $0.every) ? $0.text : nil }
    do throws(FileError) {
      let file = entry.isFirst ? first : rest
      for piece in entry.pieces {
        switch piece {
        case .text(let text): try file.append(text)
        case .stored(let piece):
          try piece.copy { bytes throws(FileError) in _ = try file.append(bytes: bytes) }
        }
      }
      if let separator { try file.append(separator) }
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
    }
  }

  /// The path of the replaced file, or nil for the other destinations.
  package var path: String? {
    if case .file(let path, _) = destination { path } else { nil }
  }

  /// True for a new file that only its owner may read, because the run had secrets.
  package var isPrivate: Bool {
    file.map { !$0.isReplacing && redactor.hasSecrets } ?? false
  }

  /// True if a link in its place is followed, as for a path named by the user.
  package var followsLinks: Bool {
    if case .file(_, let followsLinks) = destination { followsLinks } else { true }
  }

  /// Discards the report and keeps the file in its place.
  package func abandon() { file?.discard() }

  /// Moves the complete report to its place.
  ///
  /// Returns a warning for its readers, or nil.
  ///
  /// - Throws: `FileError` if the system refuses, or has refused an added entry.
  package func finish(_ suite: SuiteReport) throws(FileError) -> String? {
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    let (head, foot) = frame(of: suite)
    let omitted = state.omitted > 0 ? format.traits.limit?.omitted(state.omitted) ?? "" : ""
    try write(head, omitted + foot)
    guard let worrying = format.traits.worrying, state.bytes > worrying.bytes else { return nil }
    return "the \(format.name) report has \(state.bytes >> 20) MB, and \(worrying.warning)"
  }

  private func frame(of suite: SuiteReport) -> (head: String, foot: String) {
    switch format.document?(suite.redacted(by: redactor), redactor) {
    case .text(let head, let foot): (head, foot)
    case .json(let document): (document.documentText(redactor), "")
    case nil: ("", "")
    }
  }

  private func write(_ head: String, _ foot: String) throws(FileError) {
    switch destination {
    case .file:
      guard let file else { return }
      try copy(head, foot) { piece throws(FileError) in try file.append(piece) }
      try file.commit(isPrivate: redactor.hasSecrets, isDurable: true)
    case .descriptor(let descriptor):
      try copy(head, foot) { piece throws(FileError) in
        try FileSystem.writeWhole(piece, to: descriptor)
      }
    case .end(let path):
      // In one piece, so that no other writer's text comes between.
      var bytes: [UInt8] = []
      try copy(head, foot) { bytes += $0 }
      try FileSystem.append(bytes, to: path)
    case .stream(let write):
      var lines = LineStream(write)
      try copy(head, foot) { lines.add($0) }
      lines.finish()
    }
  }

  /// Hands on the whole report, a piece at a time.
  private func copy(
    _ head: String, _ foot: String, _ receive: ([UInt8]) throws(FileError) -> Void
  ) throws(FileError) {
    try receive(Array(head.utf8))
    try first.copy(receive)
    try rest.copy(receive)
    try receive(Array(foot.utf8))
  }
}

/// A stream of whole lines, for a writer that looks at the start of each.
private struct LineStream {
  private let write: @Sendable (String) -> Void
  private var rest: [UInt8] = []

  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  mutating func add(_ piece: [UInt8]) {
    guard let end = piece.lastIndex(of: 0x0A) else { return rest += piece }
    write(String(decoding: rest + piece[...end], as: UTF8.self))
    rest = Array(piece[(end + 1)...])
  }

  /// Hands on a last line without an end.
  mutating func finish() {
    if !rest.isEmpty { write(String(decoding: rest, as: UTF8.self)) }
  }
}
