package import FlowRedaction
package import FlowSystem
private import Synchronization

/// A kind of report that is written while scenarios are tested; `--report` chooses among them.
///
/// A new kind is a file with one of these, and its place in `ReportFormat.all`.
package struct ReportFormat: Sendable {
  /// What a report has of one scenario.
  package struct Entry: Sendable {
    /// Some of its text.
    enum Piece: Sendable {
      case text(String)
      /// Text that stays in a file until the report is put together.
      case stored(ScratchPiece)

      fileprivate var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .stored(let piece): piece.count
        }
      }
    }

    let pieces: [Piece]
    /// Whether it stands before those of which this is not so.
    let isFirst: Bool
    /// What is stored in files beside the report.
    let attachments: [Attachment]
    /// Why it is not whole; nil for one that is.
    let failure: FileError?

    init(_ text: String, isFirst: Bool = false, attachments: [Attachment] = []) {
      pieces = text.isEmpty ? [] : [.text(text)]
      (self.isFirst, self.attachments, failure) = (isFirst, attachments, nil)
    }

    init(_ pieces: [Piece], failure: FileError?) {
      (self.pieces, self.failure, isFirst, attachments) = (pieces, failure, false, [])
    }

    /// The same without attachments.
    fileprivate init(withoutAttachments entry: Entry) {
      (pieces, isFirst, failure) = (entry.pieces, entry.isFirst, entry.failure)
      attachments = []
    }

    /// How many bytes its text has.
    var count: Int { pieces.reduce(0) { $0 + $1.count } }

    /// All of it.
    ///
    /// - Throws: `FileError` when something of it is missing.
    var text: String {
      get throws(FileError) {
        if let failure { throw failure }
        var whole = ""
        for piece in pieces {
          switch piece {
          case .text(let text): whole += text
          case .stored(let piece): whole += String(decoding: try piece.bytes, as: UTF8.self)
          }
        }
        return whole
      }
    }
  }

  /// What a kind of report needs, and how large it may be.
  struct Traits: Sendable {
    /// Whether it shows what happens in the runs, which are then traced.
    var showsRuns = true
    /// Whether it shows the values in them, as a page does: their beginnings.
    var showsExcerpts = false
    /// Whether it shows them as JSON Lines do.
    var showsLines = false
    /// The bytes of entries beyond which further ones are left out, and what is said of so many; nil for no limit.
    var limit: (bytes: Int, omitted: @Sendable (Int) -> String)?
    /// The bytes above which a warning is given; nil for none.
    var worrying: (bytes: Int, warning: String)?
  }

  /// What `--report` calls it: `junit`.
  package let name: String
  /// The file that is written unless another one is named.
  package let file: String
  var traits: Traits
  let entry: @Sendable (ScenarioReport, _ number: Int, Redactor) -> Entry
  /// What stands before and after the entries, made when all have ended.
  let frame: @Sendable (SuiteReport) -> (head: String, foot: String)
  /// Reads the entry of a scenario with a number that another process wrote, and gives it back as this one would have
  /// written it, or nil where it would not; nil itself for a kind that is rendered again from the facts.
  var restored:
    (@Sendable (_ text: String, ScenarioReport, _ number: Int, inout PartBudget) -> String?)?
  /// Whether the entries of such a kind stand first that have to be looked at.
  var putsFailingFirst = false
  /// What stands behind every few entries; nil for nothing.
  var separator: (text: String, every: Int)?

  /// A kind of report.
  ///
  /// - Parameters:
  ///   - name: What `--report` calls it.
  ///   - file: The file that is written unless another one is named.
  ///   - traits: What it needs.
  ///   - entry: What it has of a scenario, which has its number, from 1. Made by the task that tested the scenario; the
  ///     scenario's texts hold no secrets, those of files that are quoted are hidden by the redactor.
  ///   - frame: What stands before and after the entries.
  init(
    _ name: String, file: String, _ traits: Traits = Traits(),
    entry: @escaping @Sendable (ScenarioReport, Int, Redactor) -> Entry,
    frame: @escaping @Sendable (SuiteReport) -> (head: String, foot: String)
  ) {
    self.name = name
    self.file = file
    self.traits = traits
    self.entry = entry
    self.frame = frame
  }

  /// All kinds, in the order in which help lists them.
  package static let all: [ReportFormat] = all(in: nil)

  /// The same for a job of GitHub, whose files they link to.
  package static func all(in job: GitHubJob?) -> [ReportFormat] {
    [.html, .junit, .tap, .tap14, .jsonLines, .trace, .markdown(job)]
  }
}

/// A report that is being written; it takes its place when it is complete.
///
/// What has been written of scenarios is kept in files without names, of which only the latest bytes are in memory, and
/// copied a piece at a time; only what goes to the end of a file is put together whole.
package final class ReportFile: Sendable {
  /// Where a report goes.
  package enum Destination: Sendable {
    /// A file, which is replaced; where flow chose its name, a link there is replaced itself.
    case file(String, followsLinks: Bool = true)
    /// A descriptor of this process, to which the report is written when it is complete.
    case descriptor(Int32)
    /// The end of a file, which others write to as well.
    case end(of: String)
    /// A stream.
    case stream(@Sendable (String) -> Void)
  }

  private struct State {
    var bytes = 0
    var omitted = 0
    /// How many entries there are among the first ones, and among the others.
    var (first, rest) = (0, 0)
    /// Why what was added is lost.
    var failure: FileError?

    /// Counts an entry among its like; nil for one that is too much.
    mutating func count(_ entry: ReportFormat.Entry, _ limit: Int?) -> Int? {
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

  private let format: ReportFormat
  private let destination: Destination
  private let redactor: Redactor
  /// What new files may permit at most.
  private let permissions: Int
  /// The file that takes its place; nil for the other destinations.
  private let file: OutputFile?
  private let first: ScratchFile
  private let rest: ScratchFile
  private let state = Mutex(State())

  /// A report without entries, which a new file lets others read as far as the permissions say.
  ///
  /// - Throws: `FileError` when the file could not be written.
  package init(
    _ format: ReportFormat, to destination: Destination, _ redactor: Redactor,
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

  /// What it needs of the runs; nil for nothing.
  package var tracing: TraceOptions? {
    guard format.traits.showsRuns else { return nil }
    var options = TraceOptions()
    options.keepsExcerpts = format.traits.showsExcerpts
    options.keepsLines = format.traits.showsLines
    if case .file(let path, _) = destination { options.folder = Path.folder(of: path) }
    return options
  }

  /// What the report has of a scenario, whose secrets are hidden; may be called on several tasks at once.
  package func entry(for scenario: ScenarioReport, number: Int) -> ReportFormat.Entry {
    kept(format.entry(scenario, number, redactor))
  }

  /// What the report has of a scenario that another process tested; nothing when that did not make it.
  package func entry(for scenario: StoredScenario) -> ReportFormat.Entry {
    if format.restored == nil {
      return format.entry(scenario.report, scenario.number, redactor)
    }
    return kept(scenario.entries[format.name] ?? ReportFormat.Entry(""))
  }

  private func kept(_ entry: ReportFormat.Entry) -> ReportFormat.Entry {
    for attachment in entry.attachments { store(attachment) }
    // Without what is stored now, and would stay in memory until the entry's turn comes.
    return ReportFormat.Entry(withoutAttachments: entry)
  }

  /// The folder beside whose files attachments are stored.
  private var folder: String {
    switch destination {
    case .file(let path, _), .end(let path): Path.folder(of: path)
    case .descriptor, .stream: "."
    }
  }

  /// Writes what is not in the report itself at once, so that it does not stay in memory.
  private func store(_ attachment: Attachment) {
    let place = Path.joined(folder, attachment.path)
    do throws(FileError) {
      let own = Path.folder(of: place)
      // Whoever made the project must not choose where files come.
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

  /// Adds what a scenario has become; one task at a time.
  ///
  /// What goes wrong is thrown in the end.
  package func add(_ entry: ReportFormat.Entry) {
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

  /// Where the report takes the place of a file; nil for the other destinations.
  package var path: String? {
    if case .file(let path, _) = destination { path } else { nil }
  }

  /// Whether a link in its place is followed, as it is where the user named the path.
  package var followsLinks: Bool {
    if case .file(_, let followsLinks) = destination { followsLinks } else { true }
  }

  /// Leaves what is in its place as it is.
  package func abandon() { file?.discard() }

  /// Puts the complete report in its place; tells what a reader of it may not like.
  ///
  /// - Throws: `FileError` when the system refuses, or refused what was added.
  package func finish(_ suite: SuiteReport) throws(FileError) -> String? {
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    let (head, foot) = format.frame(suite)
    let omitted = state.omitted > 0 ? format.traits.limit?.omitted(state.omitted) ?? "" : ""
    try write(head, omitted + foot)
    guard let worrying = format.traits.worrying, state.bytes > worrying.bytes else { return nil }
    return "the \(format.name) report has \(state.bytes >> 20) MB, and \(worrying.warning)"
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
      // In one piece, so that nothing of others comes between.
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

/// Hands on whole lines, since what writes them may look at how each begins.
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
