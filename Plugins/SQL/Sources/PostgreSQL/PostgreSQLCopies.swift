internal import FlowCore

/// The copies of a database of PostgreSQL, which are databases beside it.
///
/// The connection is to another database of the server. A copy is made by `CREATE DATABASE …
/// TEMPLATE`, for which the original has no connection.
struct PostgreSQLCopies {
  private let database: String
  private let server: PostgreSQLSession
  private let stop: Stop

  /// Creates the copies of a database, made by a connection to another one.
  init(of database: String, by server: PostgreSQLSession, _ stop: Stop) {
    (self.database, self.server, self.stop) = (database, server, stop)
  }

  /// Refuses the databases of the server itself, and names that leave no room for those of copies.
  static func check(_ database: String) throws(SQLError) {
    if ["postgres", "template0", "template1"].contains(database) {
      throw .uncopied(database, "it is the server's own database")
    }
    let longest = 63 - separator.utf8.count - SnapshotName.greatestLength
    guard database.utf8.count <= longest else {
      throw .uncopied(database, "its name is longer than \(longest) bytes")
    }
  }

  private static let separator = "__"
  /// The database that will take the place of the original.
  ///
  /// No snapshot has such a name.
  private var next: String { database + Self.separator + "-next" }
  /// The database that was the original.
  private var former: String { database + Self.separator + "-former" }

  private func copy(_ name: SnapshotName) -> String { database + Self.separator + name.text }

  /// Makes a copy, in place of an earlier one of the name.
  func take(_ name: SnapshotName) throws(SQLError) {
    try lock()
    try drop(copy(name))
    try retrying { () throws(SQLError) in
      try endConnections(to: database)
      try run("CREATE DATABASE \(quoted(copy(name))) TEMPLATE \(quoted(database))")
    }
  }

  /// Puts a copy of a snapshot, or an empty database, in the place of the database.
  ///
  /// The original has its name until the last moment, so nothing is lost if this ends early.
  func putBack(_ name: SnapshotName?) throws(SQLError) {
    try lock()
    if let name, try !exists(copy(name)) { throw .noSnapshot(name) }
    try drop(next)
    try drop(former)
    try run("CREATE DATABASE \(quoted(next)) \(try options(name))")
    for setting in try settings() { try run("ALTER DATABASE \(quoted(next)) SET \(setting)") }
    try retrying { () throws(SQLError) in
      try endConnections(to: database)
      try server.begin(stop)
      try run("ALTER DATABASE \(quoted(database)) RENAME TO \(quoted(former))")
      try run("ALTER DATABASE \(quoted(next)) RENAME TO \(quoted(database))")
      try server.commit(stop)
    }
    try drop(former)
  }

  /// Waits for other copies of the same database, until the end of the connection.
  private func lock() throws(SQLError) {
    // The text of the key keeps it apart from a program's own locks.
    _ = try server.execute(
      Statement(
        sql: "SELECT pg_advisory_lock(hashtext('flow ' || $1)) IS NULL AS locked",
        parameters: [.string(database)]), stop)
  }

  /// Does work that meets new connections a few times.
  ///
  /// A program with a pool connects again as soon as its connections are ended. The server itself
  /// waits five seconds each time.
  private func retrying(_ work: () throws(SQLError) -> Void) throws(SQLError) {
    for left in [2, 1, 0] {
      do throws(SQLError) { return try work() } catch {
        if server.isInTransaction { server.rollback() }
        guard left > 0, error.code == .busy, !server.isLost else { throw error }
      }
    }
  }

  /// Ends all connections to a database, and waits up to a second until they are gone.
  private func endConnections(to database: String) throws(SQLError) {
    for _ in 0..<200 {
      let left = try server.execute(
        Statement(
          sql: """
            SELECT pg_terminate_backend(pid)::text AS done FROM pg_stat_activity
            WHERE datname = $1 AND pid <> pg_backend_pid()
            """, parameters: [.string(database)]), stop)
      if left.result.rows.isEmpty { return }
      // The server says nothing when a connection is gone.
      _ = try server.execute(Statement(sql: "SELECT pg_sleep(0.005) IS NULL AS slept"), stop)
    }
  }

  private func exists(_ name: String) throws(SQLError) -> Bool {
    let found = try server.execute(
      Statement(
        sql: "SELECT datname::text AS name FROM pg_database WHERE datname = $1",
        parameters: [.string(name)]), stop)
    return !found.result.rows.isEmpty
  }

  private func drop(_ name: String) throws(SQLError) {
    guard try exists(name) else { return }
    try endConnections(to: name)
    try run("DROP DATABASE IF EXISTS \(quoted(name))")
  }

  /// The owner and the template of a new database.
  ///
  /// An empty one is made of `template0`, with the letters of the original.
  private func options(_ name: SnapshotName?) throws(SQLError) -> String {
    let rows = try server.execute(
      Statement(
        sql: """
          SELECT pg_get_userbyid(datdba)::text AS owner, pg_encoding_to_char(encoding)::text
            AS encoding, datcollate::text AS collation, datctype::text AS ctype
          FROM pg_database WHERE datname = $1
          """, parameters: [.string(database)]), stop
    ).result
    let owner = "OWNER \(quoted(try rows.text("owner")))"
    if let name { return "\(owner) TEMPLATE \(quoted(copy(name)))" }
    return """
      \(owner) TEMPLATE template0 ENCODING \(literal(try rows.text("encoding"))) \
      LC_COLLATE \(literal(try rows.text("collation"))) LC_CTYPE \(literal(try rows.text("ctype")))
      """
  }

  /// The settings of the database for all roles, as `ALTER DATABASE … SET` reads them.
  private func settings() throws(SQLError) -> [String] {
    let rows = try server.execute(
      Statement(
        sql: """
          SELECT split_part(setting, '=', 1) AS name, substr(setting, strpos(setting, '=') + 1)
            AS value
          FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase,
            unnest(setconfig) AS setting
          WHERE datname = $1 AND setrole = 0
          """, parameters: [.string(database)]), stop
    ).result
    return zip(rows.texts("name"), rows.texts("value")).map { name, value in
      // The server keeps lists of names with their own quotes.
      "\(quoted(name)) TO \(Self.lists.contains(name) && !value.isEmpty ? value : literal(value))"
    }
  }

  // The lists among the parameters that `pg_dump` writes as they are (GUC_LIST_QUOTE).
  private static let lists: Set = [
    "local_preload_libraries", "search_path", "session_preload_libraries", "temp_tablespaces",
  ]

  private func run(_ sql: String) throws(SQLError) {
    _ = try server.execute(Statement(sql: sql), stop)
  }

  private func quoted(_ name: String) -> String { "\"\(name.doubling("\""))\"" }
  private func literal(_ text: String) -> String { "'\(text.doubling("'"))'" }
}

extension String {
  /// Returns the text with each of a sign twice.
  func doubling(_ sign: Character) -> String {
    split(separator: sign, omittingEmptySubsequences: false).joined(separator: "\(sign)\(sign)")
  }
}
