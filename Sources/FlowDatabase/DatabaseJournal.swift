private import Dispatch
package import FlowSystem
private import Synchronization

/// A journal in a PostgreSQL database, written by one process: the latest one.
///
/// Each process that starts or resumes a run assigns its own epoch to it, a random number that does
/// not recur, and each statement writes only while the epoch is still the same. So a process that
/// was stopped, or whose machine was presumed lost, writes nothing when it wakes up. It does
/// nothing outside either, since its line has to be written before.
///
/// Lines are gathered and sent together after a short delay at most, with one commit for all
/// waiting threads.
package final class DatabaseJournal: Sendable {
  /// The largest journal to read, and all bodies of one, in bytes.
  private static let largest = 1 << 30
  /// The most bytes of gathered lines.
  private static let most = 256 << 10
  /// The longest time to gather lines, unless a thread waits for them.
  private static let delay = DispatchTimeInterval.milliseconds(2)
  /// The pauses in seconds before attempts to connect again, within the usual patience.
  private static let pauses: [Double] = [0, 1, 2, 4, 8]

  private struct Gathered {
    /// Whole lines, the last one with its end.
    var lines: [UInt8] = []
    var count = 0
    /// The number of lines gathered before.
    var before = 0
    var isSendingLater = false
  }

  private struct Link {
    var connection: DatabaseConnection?
    /// The number of lines in the database, or the reason that there will be no more.
    var written: Result<Int, FileError>
    var isReleased = false
  }

  private let address: DatabaseAddress
  private let name: String
  private let epoch: String
  private let gathered = Mutex(Gathered())
  private let link: Mutex<Link>
  private let queue = DispatchQueue(label: "journal")

  private init(
    _ address: DatabaseAddress, _ connection: DatabaseConnection, epoch: String, count: Int
  ) {
    self.address = address
    self.epoch = epoch
    name = address.name ?? ""
    gathered.withLock { $0.before = count }
    link = Mutex(Link(connection: connection, written: .success(count)))
  }

  // MARK: - Beginning

  /// Begins a journal.
  ///
  /// With `mayExist` one of this name is taken over in which no line is yet.
  ///
  /// - Throws: `FileError` when there is one, when the server is not there or refuses.
  package static func begin(
    at address: DatabaseAddress, mayExist: Bool
  ) throws(FileError) -> DatabaseJournal {
    try address.saying(isWriting: true) { () throws(DatabaseFailure) in
      let connection = try Tables.connection(to: address)
      let (name, epoch) = (address.name ?? "", newEpoch())
      if mayExist {
        try takeUnwritten(name, epoch, connection)
      } else {
        let rows = try connection.rows(
          """
          insert into flow_journals (name, epoch) values ($1, $2::bigint) on conflict do nothing returning 1
          """, [.text(name), .text(epoch)])
        if rows.isEmpty { throw DatabaseFailure.exists }
      }
      return DatabaseJournal(address, connection, epoch: epoch, count: 0)
    }
  }

  /// Creates a journal, or takes one without any lines.
  private static func takeUnwritten(
    _ name: String, _ epoch: String, _ connection: DatabaseConnection
  ) throws(DatabaseFailure) {
    _ = try connection.rows("begin")
    // A line being written holds this up, and is then visible to the next statement.
    _ = try connection.rows(
      """
      insert into flow_journals (name, epoch) values ($1, $2::bigint)
      on conflict (name) do update set epoch = excluded.epoch, taken = now()
      """, [.text(name), .text(epoch)])
    let isBegun = try connection.count(of: name) > 0
    // A process that has written a line keeps its journal.
    _ = try connection.rows(isBegun ? "rollback" : "commit")
    if isBegun { throw .begun }
  }

  private static func newEpoch() -> String { "\(Int64.random(in: 1 ... .max))" }

  /// Returns true if a run has started with a journal, which then has a line.
  ///
  /// - Throws: `FileError` when the server is unreachable or refuses.
  package static func isBegun(_ address: DatabaseAddress) throws(FileError) -> Bool {
    try address.saying(isWriting: false) { () throws(DatabaseFailure) in
      let connection = try Tables.connection(to: address, makes: false)
      return try connection?.count(of: address.name ?? "") ?? 0 > 0
    }
  }

  /// Takes a journal over from its present process, and returns its content.
  ///
  /// - Throws: `FileError` when there is none, when it is damaged, when the server is unreachable
  ///   or refuses.
  package static func takeOver(
    _ address: DatabaseAddress
  ) throws(FileError) -> (journal: DatabaseJournal, content: Content) {
    try address.saying(isWriting: true) { () throws(DatabaseFailure) in
      guard let connection = try Tables.connection(to: address, makes: false) else {
        throw DatabaseFailure.missing
      }
      let epoch = newEpoch()
      let rows = try connection.rows(
        "update flow_journals set epoch = $2::bigint, taken = now() where name = $1 returning 1",
        [.text(address.name ?? ""), .text(epoch)])
      if rows.isEmpty { throw DatabaseFailure.missing }
      // From here on no other process adds to it.
      let content = try connection.content(of: address.name ?? "", most: largest)
      let journal = DatabaseJournal(
        address, connection, epoch: epoch, count: content.lineCount)
      return (journal, content)
    }
  }

  /// Returns the content of a journal, to which others may add.
  ///
  /// - Throws: `FileError` when there is none, when it is damaged, when the server is unreachable
  ///   or refuses.
  package static func content(of address: DatabaseAddress) throws(FileError) -> Content {
    try address.saying(isWriting: false) { () throws(DatabaseFailure) in
      let name = address.name ?? ""
      guard let connection = try Tables.connection(to: address, makes: false),
        try !connection.rows("select from flow_journals where name = $1", [.text(name)]).isEmpty
      else { throw DatabaseFailure.missing }
      return try connection.content(of: name, most: largest)
    }
  }

  /// The lines of a journal, and the bodies named in them.
  package struct Content: Sendable {
    /// The lines with their ends.
    package internal(set) var lines: [UInt8] = []
    package internal(set) var lineCount = 0
    /// By their digests.
    package internal(set) var bodies: [String: [UInt8]] = [:]
  }
}

// MARK: - Writing

extension DatabaseJournal: JournalStore {
  /// Gathers a line, to be sent after a short delay.
  package func append(_ line: [UInt8], mayWait: Bool) throws(FileError) {
    let (isFull, isFirst) = gathered.withLock { gathered in
      gathered.lines += line
      gathered.count += 1
      let isFirst = !gathered.isSendingLater
      gathered.isSendingLater = true
      return (gathered.lines.count > Self.most, isFirst)
    }
    if isFull { return try reachDisk() }
    // Otherwise an answer would be lost with the process if nothing waits for it.
    if isFirst {
      queue.asyncAfter(deadline: .now() + Self.delay) { try? self.reachDisk() }
    }
  }

  /// Returns when all earlier lines are in the database.
  ///
  /// Several waiting threads share one statement as far as possible.
  package func reachDisk() throws(FileError) {
    let needed = gathered.withLock { $0.before + $0.count }
    try link.withLock { link throws(FileError) in
      if try link.written.get() >= needed { return }
      let (lines, first, count) = gathered.withLock { gathered in
        defer { gathered = Gathered(before: gathered.before + gathered.count) }
        return (gathered.lines, gathered.before, gathered.count)
      }
      do throws(FileError) {
        // Without the last end: each end stands between two lines.
        let text = String(decoding: lines.dropLast(), as: UTF8.self)
        let place: [DatabaseConnection.Parameter] = [.text("\(first)"), .text(text)]
        let isNew = try insert(
          """
          into flow_journal_lines (journal, number, line) select $1, $3::bigint + ordinality, line
          from held, unnest(string_to_array($4, chr(10))) with ordinality as lines (line, ordinality)
          """, place, &link)
        if !isNew { try compare(count, place, &link) }
        link.written = .success(first + count)
      } catch {
        link.written = .failure(error)
        throw error
      }
    }
  }

  /// Keeps a body before the line that names it.
  package func keep(
    _ body: [UInt8], digest: String, isPrivate: Bool
  ) throws(FileError) {
    try link.withLock { link throws(FileError) in
      _ = try link.written.get()
      do throws(FileError) {
        _ = try insert(
          """
          into flow_journal_bodies (journal, digest, content) select $1, $3, $4::bytea from held
          on conflict do nothing
          """, [.text(digest), .bytes(body)], &link)
      } catch {
        link.written = .failure(error)
        throw error
      }
    }
  }

  /// A line is stored whole, or not at all.
  package func cut(to length: Int) {}

  /// The database controls the read access.
  package func makePrivate() {}

  /// Sends the remaining lines, and closes the connection.
  package func release() throws(FileError) {
    defer {
      link.withLock { link in
        link.connection = nil
        link.isReleased = true
      }
    }
    try reachDisk()
  }

  /// Inserts rows if the epoch is still this process's, in which case `held` is one row.
  ///
  /// Returns false if one of them existed already, and inserts none.
  private func insert(
    _ rows: String, _ parameters: [DatabaseConnection.Parameter], _ link: inout Link
  ) throws(FileError) -> Bool {
    let held = try run(
      """
      with held as (select from flow_journals where name = $1 and epoch = $2::bigint for share),
      inserted as (insert \(rows))
      select count(*) from held
      """, [.text(name), .text(epoch)] + parameters, &link)
    guard let held else { return false }
    if held.first?[0] == "1" { return true }
    let known = try run("select from flow_journals where name = $1", [.text(name)], &link)
    guard known?.isEmpty == true else { throw fenced }
    throw failure("it was removed from the database during the run")
  }

  /// Checks that existing lines equal the ones that were sent, as after a connection was lost.
  private func compare(
    _ count: Int, _ parameters: [DatabaseConnection.Parameter], _ link: inout Link
  ) throws(FileError) {
    let rows = try run(
      """
      select count(*) from flow_journal_lines as there
      join unnest(string_to_array($3, chr(10))) with ordinality as sent (line, ordinality)
        on there.number = $2::bigint + sent.ordinality and there.line = sent.line
      where there.journal = $1
      """, [.text(name)] + parameters, &link)
    guard rows?.first?[0] != "\(count)" else { return }
    throw failure("another process has written this line")
  }

  private func failure(_ reason: String) -> FileError {
    FileError(.unreadable, path: address.description, reason: reason, isWriting: true)
  }

  private var fenced: FileError {
    .held(address.description, "another process has taken over the run and continues it")
  }

  /// Runs a repeatable statement, over a new connection if one is lost, or returns nil if a row
  /// existed already.
  private func run(
    _ sql: String, _ parameters: [DatabaseConnection.Parameter], _ link: inout Link
  ) throws(FileError) -> [DatabaseConnection.Row]? {
    var last = DatabaseError("the journal was closed", isLost: true)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(DatabaseConnection.usualPatience)
    for pause in Self.pauses where !link.isReleased {
      // A silent server has used up its time.
      if clock.now >= end { break }
      if pause > 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + pause) }
      do throws(DatabaseError) {
        if link.connection == nil { link.connection = try DatabaseConnection(address.url) }
        guard let connection = link.connection else { break }
        return try connection.run(sql, parameters)
      } catch {
        if error.isDuplicate { return nil }
        link.connection = nil
        last = error
        if !error.isLost { break }
      }
    }
    throw failure(last.description)
  }
}

/// A reason that a journal cannot be written or read, in addition to errors of the server.
enum DatabaseFailure: Error {
  case exists, begun, missing, tooLarge
  case damaged(String)
  case server(DatabaseError)
}

extension DatabaseAddress {
  /// Performs work with the database, and throws its failures as those of a file.
  func saying<Result>(
    isWriting: Bool, _ work: () throws(DatabaseFailure) -> Result
  ) throws(FileError) -> Result {
    do throws(DatabaseFailure) { return try work() } catch {
      let unreadable = { (reason: String) in
        FileError(.unreadable, path: description, reason: reason, isWriting: isWriting)
      }
      switch error {
      case .exists: throw unreadable("it already exists; resume it or remove it")
      case .begun: throw .held(description, "another process has started to write it")
      case .missing:
        throw FileError(.unreadable, path: description, reason: "there is no such journal")
      case .tooLarge: throw FileError(.tooLarge, path: description)
      case .damaged(let what): throw FileError(.unreadable, path: description, reason: what)
      case .server(let error) where error.isLost && !isWriting:
        throw .temporary(description, error.description)
      case .server(let error): throw unreadable(error.description)
      }
    }
  }
}

/// The tables, created for the first journal of a database.
enum Tables {
  private static let script = [
    // Two first ones at a time would both make them.
    "select pg_advisory_xact_lock(7093461)",
    """
    create table if not exists flow_journals (
      name text primary key,
      epoch bigint not null,
      begun timestamptz not null default now(),
      taken timestamptz not null default now())
    """,
    """
    create table if not exists flow_journal_lines (
      journal text not null references flow_journals on delete cascade,
      number bigint not null,
      line text not null,
      written timestamptz not null default now(),
      primary key (journal, number))
    """,
    """
    create table if not exists flow_journal_bodies (
      journal text not null references flow_journals on delete cascade,
      digest text not null,
      content bytea not null,
      primary key (journal, digest))
    """,
  ]

  /// Connects to a database, and creates missing tables.
  static func connection(
    to address: DatabaseAddress
  ) throws(DatabaseFailure) -> DatabaseConnection {
    guard let connection = try connection(to: address, makes: true) else {
      throw DatabaseFailure.missing
    }
    return connection
  }

  /// Connects to a database, or returns nil if the tables are missing and must not be created, as
  /// for a reader.
  static func connection(
    to address: DatabaseAddress, makes: Bool
  ) throws(DatabaseFailure) -> DatabaseConnection? {
    do throws(DatabaseError) {
      let connection = try DatabaseConnection(address.url)
      let state = try connection.run(
        "select to_regclass('flow_journal_bodies'), current_setting('server_encoding')")
      guard state.first?[1] == "UTF8" else {
        throw DatabaseError("the encoding of the database is not UTF8", isLost: false)
      }
      // Only if missing: a user without the right to create tables may use existing ones.
      if state.first?[0] == nil {
        if !makes { return nil }
        for statement in ["begin"] + script + ["commit"] { try connection.run(statement) }
      }
      return connection
    } catch {
      throw .server(error)
    }
  }
}

/// A journal, as a list shows it.
package struct StoredJournal: Sendable {
  /// Its name.
  package let name: String
  /// The start of its first line, the header, or empty without one.
  package let header: [UInt8]
  /// The start of its last line, or empty without one.
  package let last: [UInt8]
  /// The number of its lines.
  package let lineCount: Int
  /// The times of its start and of its last line, in UTC.
  package let begun: String, written: String
  /// The age of the last line in seconds.
  package let age: Int
  fileprivate let epoch: String
}

/// The journals of a database.
package struct JournalDatabase {
  /// The most journals to list.
  private static let most = 100_000
  /// The most characters of a line to list.
  private static let longest = 1 << 16

  private let address: DatabaseAddress
  /// The connection, or nil if there are no tables yet.
  private let connection: DatabaseConnection?

  /// Opens the journals of an address's database.
  ///
  /// - Throws: `FileError` when the server is unreachable or refuses.
  package init(_ address: DatabaseAddress) throws(FileError) {
    self.address = address
    connection = try address.saying(isWriting: false) { () throws(DatabaseFailure) in
      try Tables.connection(to: address, makes: false)
    }
  }

  /// Returns all journals by name.
  ///
  /// - Throws: `FileError` when the server is no longer reachable or refuses.
  package func journals() throws(FileError) -> [StoredJournal] {
    let time = { (column: String) in
      "to_char(\(column) at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
    }
    let line = { (number: String) in
      """
      (select left(line, \(Self.longest)) from flow_journal_lines
        where journal = name and number = \(number))
      """
    }
    return try address.saying(isWriting: false) { () throws(DatabaseFailure) in
      guard let connection else { return [] }
      return try connection.rows(
        """
        select name, epoch, \(time("begun")), \(time("coalesce(written, begun)")),
          extract(epoch from now() - coalesce(written, begun))::bigint, count,
          \(line("1")), \(line("count"))
        from flow_journals,
          lateral (select count(*) as count, max(written) as written
            from flow_journal_lines where journal = name) as lines
        order by name limit \(Self.most)
        """
      ).compactMap(StoredJournal.init)
    }
  }

  /// Removes a journal with its lines and bodies.
  ///
  /// Returns false if another process has taken it over since it was listed.
  ///
  /// - Throws: `FileError` when the server is no longer reachable or refuses.
  package func remove(_ journal: StoredJournal) throws(FileError) -> Bool {
    try address.saying(isWriting: true) { () throws(DatabaseFailure) in
      try connection?.rows(
        "delete from flow_journals where name = $1 and epoch = $2::bigint returning 1",
        [.text(journal.name), .text(journal.epoch)]
      ).isEmpty == false
    }
  }
}

extension StoredJournal {
  fileprivate init?(_ row: DatabaseConnection.Row) {
    guard let name = row[0], let epoch = row[1], let begun = row[2], let written = row[3],
      let age = row[4].flatMap({ Int($0) }), let count = row[5].flatMap({ Int($0) })
    else { return nil }
    self.init(
      name: name, header: row.bytes(of: 6) ?? [], last: row.bytes(of: 7) ?? [], lineCount: count,
      begun: begun, written: written, age: age, epoch: epoch)
  }
}

extension DatabaseConnection {
  /// Returns the number of lines of a journal.
  func count(of journal: String) throws(DatabaseFailure) -> Int {
    let rows = try rows(
      "select count(*) from flow_journal_lines where journal = $1", [.text(journal)])
    return rows.first?[0].flatMap { Int($0) } ?? 0
  }

  func rows(
    _ sql: String, _ parameters: [Parameter] = []
  ) throws(DatabaseFailure) -> [Row] {
    do throws(DatabaseError) { return try run(sql, parameters) } catch { throw .server(error) }
  }

  /// Returns all lines and bodies of a journal, with at most `most` bytes of each.
  func content(
    of journal: String, most: Int
  ) throws(DatabaseFailure) -> DatabaseJournal.Content {
    for table in ["line)) from flow_journal_lines", "content)) from flow_journal_bodies"] {
      let rows = try rows(
        "select sum(octet_length(\(table) where journal = $1", [.text(journal)])
      if let size = rows.first?[0], (Int(size) ?? .max) > most { throw .tooLarge }
    }
    var content = DatabaseJournal.Content()
    while try addLines(of: journal, to: &content, most: most) {}
    var last = String?.none
    while let digest = try addBodies(of: journal, behind: last, to: &content) { last = digest }
    return content
  }

  /// Adds the next lines, or returns false if there are none.
  ///
  /// They are read in pieces, since rows take far more memory than lines.
  private func addLines(
    of journal: String, to content: inout DatabaseJournal.Content, most: Int
  ) throws(DatabaseFailure) -> Bool {
    let lines = try rows(
      """
      select number, line from flow_journal_lines where journal = $1 and number > $2::bigint
      order by number limit 4096
      """, [.text(journal), .text("\(content.lineCount)")])
    for row in lines {
      content.lineCount += 1
      guard row[0] == "\(content.lineCount)", let line = row.bytes(of: 1), !line.isEmpty else {
        throw .damaged("its line \(content.lineCount) is missing")
      }
      content.lines += line + [0x0A]
    }
    if content.lines.count > most + content.lineCount { throw .tooLarge }
    return !lines.isEmpty
  }

  /// Adds the next bodies, and returns the last one's digest, or nil if there are none.
  private func addBodies(
    of journal: String, behind last: String?, to content: inout DatabaseJournal.Content
  ) throws(DatabaseFailure) -> String? {
    let bodies = try rows(
      """
      select digest, encode(content, 'base64') from flow_journal_bodies
      where journal = $1 and digest \(last == nil ? ">=" : ">") $2 order by digest limit 64
      """, [.text(journal), .text(last ?? "")])
    for row in bodies {
      guard let digest = row[0], let text = row[1],
        let body = Base64.decode(text.filter { !$0.isNewline })
      else { throw .damaged("a body cannot be read") }
      // It may become the name of a file.
      guard SHA256(body).hexadecimal == digest, content.bodies[digest] == nil else {
        throw .damaged("a body does not match its name")
      }
      content.bodies[digest] = body
    }
    return bodies.last?[0]
  }
}
