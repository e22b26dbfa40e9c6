package import FlowSystem

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
