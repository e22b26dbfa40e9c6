internal import FlowDatabase
internal import FlowSystem
internal import FlowTranscript

/// Where a run's journal is, in a file or in a database: what makes a store of either, and reads it.
enum JournalPlace: Sendable {
  /// A file, with its bodies beside it.
  case file(String)
  /// A journal in a database of PostgreSQL.
  case database(DatabaseAddress)

  /// What an argument names.
  ///
  /// - Throws: `UsageError` for the address of a database that names no journal.
  init(_ text: String) throws(UsageError) {
    do throws(DatabaseAddressError) {
      guard let address = try DatabaseAddress(text) else {
        self = .file(text)
        return
      }
      guard address.name != nil else { throw DatabaseAddressError.name }
      self = .database(address)
    } catch {
      throw .journalAddress("\(error)")
    }
  }

  /// The argument again, as messages may show it: without a password.
  var text: String {
    switch self {
    case .file(let path): path
    case .database(let address): address.description
    }
  }

  /// The path beside which scenarios and bodies are; a database is nowhere, so that it is the working directory's.
  var path: String {
    switch self {
    case .file(let path): path
    case .database: "journal"
    }
  }

  /// Whether `take` takes it from a process that has it, instead of failing.
  var isTakenOver: Bool {
    if case .database = self { return true }
    return false
  }

  /// Whether a run has begun with it: it has a whole line.
  ///
  /// - Throws: `FileError` when a database does not say it.
  func isBegun() throws(FileError) -> Bool {
    switch self {
    case .file(let path):
      (try? FileSystem.contents(of: path, limit: 1 << 30).contains(0x0A))
        ?? FileSystem.exists(path)
    case .database(let address): try DatabaseJournal.isBegun(address)
    }
  }

  /// Begins it.
  ///
  /// - Throws: `FileError` when it is there; with `mayExist` when a line is in it.
  func begin(
    mayExist: Bool, isPrivate: Bool
  ) throws(FileError) -> any JournalStore {
    switch self {
    case .file(let path):
      let file =
        mayExist
        ? try JournalFile(at: path, beginning: TranscriptHeader.beginning, isPrivate: isPrivate)
        : try JournalFile(creating: path, isPrivate: isPrivate)
      return FileJournal(file, at: path)
    case .database(let address): return try DatabaseJournal.begin(at: address, mayExist: mayExist)
    }
  }

  /// Takes it, so that no other process adds to it, and reads it.
  ///
  /// - Throws: `FileError` when it cannot be had, `TranscriptError` when it cannot be read.
  func take() throws -> (store: any JournalStore, journal: Journal) {
    switch self {
    case .file(let path):
      // Held before it is read.
      let file = try JournalFile(opening: path)
      let journal = try TranscriptReader.readJournal(path)
      return (FileJournal(file, at: path), journal)
    case .database(let address):
      let (store, content) = try DatabaseJournal.takeOver(address)
      return (store, try read(content))
    }
  }

  /// Reads it; other processes may add to it.
  ///
  /// - Throws: `TranscriptError`, or `FileError` where a database does not give it.
  func read() throws -> Journal {
    switch self {
    case .file(let path): try TranscriptReader.readJournal(path)
    case .database(let address): try read(try DatabaseJournal.content(of: address))
    }
  }

  /// Writes one that is in a database to a new file, which its owner alone can read, with its bodies beside that.
  ///
  /// - Throws: `TranscriptError` or `FileError`; nothing is left at the path then.
  static func export(_ address: DatabaseAddress, to path: String) throws {
    let content = try DatabaseJournal.content(of: address)
    // What cannot be read is not worth a file.
    _ = try Self.database(address).read(content)
    let file = FileJournal(try JournalFile(creating: path, isPrivate: true), at: path)
    do throws(FileError) {
      for (digest, body) in content.bodies {
        try file.keep(body, digest: digest, isPrivate: true)
      }
      try file.append(content.lines)
      try file.reachDisk()
    } catch {
      try? FileSystem.remove(path)
      throw error
    }
  }

  private func read(_ content: DatabaseJournal.Content) throws(TranscriptError) -> Journal {
    try TranscriptReader.readJournal(content.lines, file: text, bodies: content.bodies)
  }
}

/// A journal in a file, whose bodies are in the folder `blobs` beside it.
private final class FileJournal: JournalStore {
  private let file: JournalFile
  private let bodies: BlobFolder
  /// Keeps bodies from being cleared away before a line names them.
  private let lock: FolderLock?

  init(_ file: JournalFile, at path: String) {
    self.file = file
    bodies = BlobFolder(beside: path)
    lock = FolderLock(sharing: Path.folder(of: path))
  }

  func append(_ line: [UInt8], mayWait: Bool) throws(FileError) {
    try file.append(line, mayWait: mayWait)
  }

  func reachDisk() throws(FileError) { try file.reachDisk() }

  func keep(_ body: [UInt8], digest: String, isPrivate: Bool) throws(FileError) {
    try bodies.storeDurably(body, digest: digest, isPrivate: isPrivate)
  }

  func makePrivate() { file.makePrivate() }

  func cut(to length: Int) throws(FileError) { try file.cut(to: length) }

  func release() throws(FileError) { try file.release() }
}
