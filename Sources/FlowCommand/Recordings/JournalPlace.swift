internal import FlowDatabase
internal import FlowSystem
internal import FlowTranscript

/// The place of a run's journal, in a file or in a database, for creating its store and reading it.
enum JournalPlace: Sendable {
  /// A file, with the bodies next to it.
  case file(String)
  /// A journal in a PostgreSQL database.
  case database(DatabaseAddress)

  /// Reads an argument.
  ///
  /// - Throws: `UsageError` if a database's address is invalid or lacks the name of a journal.
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

  /// Returns the journals below a folder, or in a database, by name, or the one that is named.
  ///
  /// - Throws: `UsageError` for an invalid address, and `FileError` for what cannot be read.
  static func all(in name: String) throws -> [JournalPlace] {
    if let address = try? DatabaseAddress(name), address.name == nil {
      return try JournalDatabase(address).journals().map {
        .database(address.naming($0.name))
      }
    }
    guard FileSystem.isDirectory(name) else { return [try JournalPlace(name)] }
    let folder = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
    var files = JournalFiles(in: folder)
    try files.find()
    return files.paths.map(JournalPlace.file)
  }

  /// The argument for messages, without a password.
  var text: String {
    switch self {
    case .file(let path): path
    case .database(let address): address.description
    }
  }

  /// The path whose folder has the scenarios and bodies.
  ///
  /// For a database it is in the working directory.
  var path: String {
    switch self {
    case .file(let path): path
    case .database: "journal"
    }
  }

  /// True if `take` takes the journal from another process, false if it fails then.
  var isTakenOver: Bool {
    if case .database = self { return true }
    return false
  }

  /// Returns true if a run has started the journal, so that it has a whole line.
  ///
  /// - Throws: `FileError` if a database cannot be read.
  func isBegun() throws(FileError) -> Bool {
    switch self {
    case .file(let path):
      (try? FileSystem.contents(of: path, limit: 1 << 30).contains(0x0A))
        ?? FileSystem.exists(path)
    case .database(let address): try DatabaseJournal.isBegun(address)
    }
  }

  /// Creates the journal.
  ///
  /// - Throws: `FileError` if it exists, or with `mayExist` if it has a line.
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

  /// Locks the journal against other processes, and reads it.
  ///
  /// - Throws: `FileError` if it cannot be locked, `TranscriptError` if it cannot be read.
  func take() throws -> (store: any JournalStore, journal: Journal) {
    switch self {
    case .file(let path):
      // Locked before it is read.
      let file = try JournalFile(opening: path)
      let journal = try TranscriptReader.readJournal(path)
      return (FileJournal(file, at: path), journal)
    case .database(let address):
      let (store, content) = try DatabaseJournal.takeOver(address)
      return (store, try read(content))
    }
  }

  /// Reads the journal, even while other processes add to it.
  ///
  /// - Throws: `TranscriptError`, or `FileError` if a database cannot be read.
  func read() throws -> Journal {
    switch self {
    case .file(let path): try TranscriptReader.readJournal(path)
    case .database(let address): try read(try DatabaseJournal.content(of: address))
    }
  }

  /// Writes a journal in a database to a new file, readable only by its owner, with its bodies next
  /// to it.
  ///
  /// - Throws: `TranscriptError` or `FileError`, after removing everything at the path.
  static func export(_ address: DatabaseAddress, to path: String) throws {
    let content = try DatabaseJournal.content(of: address)
    // An unreadable journal is not written to a file.
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

/// A journal in a file, with its bodies in the folder `blobs` next to it.
private final class FileJournal: JournalStore {
  private let file: JournalFile
  private let bodies: BlobFolder
  /// The lock that keeps bodies from being removed before a line names them.
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
