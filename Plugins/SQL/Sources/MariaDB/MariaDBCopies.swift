internal import FlowCore

/// The snapshots of a database of MySQL or MariaDB: its rows, and the statements that create its
/// tables and triggers, in a database beside it.
///
/// Views, procedures, functions and events have no rows, and are left alone.
struct MariaDBCopies {
  private let database: String
  private let session: MariaDBSession
  private let stop: Stop

  /// Creates the copies of a database, made by a connection of their own.
  init(of database: String, by session: MariaDBSession, _ stop: Stop) {
    (self.database, self.session, self.stop) = (database, session, stop)
  }

  /// The table of a snapshot with the statements.
  ///
  /// It is written last.
  private static let list = "flow snapshot"

  private func copy(_ name: SnapshotName) -> String { "\(database)__\(name.text)" }

  // MARK: - Taking

  /// Makes a snapshot, in place of an earlier one of the name.
  func take(_ name: SnapshotName) throws(SQLError) {
    let copy = copy(name)
    guard copy.utf8.count <= 64 else { throw .uncopied(database, "its name is too long") }
    try prepare()
    try run("DROP DATABASE IF EXISTS \(quoted(copy))")
    try run("CREATE DATABASE \(quoted(copy))")
    var statements: [Creation] = []
    for table in try tables() {
      statements.append(try creation("TABLE", table, "Create Table"))
      try run("CREATE TABLE \(quoted(copy, table)) LIKE \(quoted(database, table))")
      try copyRows(of: table, from: database, to: copy)
    }
    for trigger in try triggers() {
      statements.append(try creation("TRIGGER", trigger.name, "SQL Original Statement"))
    }
    let list = quoted(copy, Self.list)
    try run(
      "CREATE TABLE \(list) (number INT, kind VARCHAR(10), name VARCHAR(64), text LONGTEXT) "
        + "CHARACTER SET utf8mb4")
    for (number, one) in statements.enumerated() {
      _ = try session.execute(
        Statement(
          sql: "INSERT INTO \(list) VALUES (?, ?, ?, ?)",
          parameters: [.int(number), .string(one.kind), .string(one.name), .string(one.text)]),
        stop)
    }
    // A list without an end is that of a snapshot that was not finished.
    try run("INSERT INTO \(list) VALUES (-1, 'end', '', '')")
  }

  // MARK: - Restoring

  /// Makes the tables, their rows and triggers what they were at a snapshot.
  func putBack(_ name: SnapshotName) throws(SQLError) {
    let copy = copy(name)
    let statements = try statements(in: copy, name)
    try prepare()
    let saved = statements.filter { $0.kind == "TABLE" }
    try makeTables(saved)
    try run("START TRANSACTION")
    for table in saved {
      try run("DELETE FROM \(quoted(database, table.name))")
      try copyRows(of: table.name, from: copy, to: database)
    }
    try run("COMMIT")
    for table in saved { try setCounter(of: table) }
    for trigger in statements where trigger.kind == "TRIGGER" {
      _ = try session.run(script: trigger.text, stop)
    }
  }

  /// Drops all tables and views.
  func clear() throws(SQLError) {
    try prepare()
    for view in try names(
      "SELECT table_name AS name FROM information_schema.views WHERE table_schema = ?")
    {
      try run("DROP VIEW \(quoted(database, view))")
    }
    for table in try tables() { try run("DROP TABLE \(quoted(database, table))") }
  }

  /// Drops the tables that differ from a snapshot, and creates the missing ones.
  ///
  /// A table with triggers is created anew, since they would take part in the copying of rows.
  private func makeTables(_ saved: [Creation]) throws(SQLError) {
    let triggered = Set(try triggers().map(\.table))
    var kept: Set<String> = []
    for table in try tables() {
      let now = try creation("TABLE", table, "Create Table")
      let isSame = saved.contains {
        $0.name == table && $0.withoutCounter == now.withoutCounter
      }
      if isSame, !triggered.contains(table) {
        kept.insert(table)
      } else {
        try run("DROP TABLE \(quoted(database, table))")
      }
    }
    for table in saved where !kept.contains(table.name) {
      _ = try session.run(script: table.text, stop)
    }
  }

  /// Sets the number of a table's next row.
  private func setCounter(of table: Creation) throws(SQLError) {
    guard try creation("TABLE", table.name, "Create Table").text != table.text else { return }
    try run("ALTER TABLE \(quoted(database, table.name)) AUTO_INCREMENT = \(table.counter ?? "1")")
  }

  private func statements(
    in copy: String, _ name: SnapshotName
  ) throws(SQLError) -> [Creation] {
    let lists = try session.execute(
      Statement(
        sql: "SELECT table_name AS name FROM information_schema.tables "
          + "WHERE table_schema = ? AND table_name = ?",
        parameters: [.string(copy), .string(Self.list)]), stop)
    guard !lists.result.rows.isEmpty else { throw .noSnapshot(name) }
    let rows = try session.execute(
      Statement(
        sql: "SELECT kind, name, text FROM \(quoted(copy, Self.list)) ORDER BY number"), stop
    ).result
    guard rows.texts("kind").first == "end" else { throw .noSnapshot(name) }
    return zip(rows.texts("kind"), zip(rows.texts("name"), rows.texts("text"))).dropFirst().map {
      Creation(kind: $0, name: $1.0, text: $1.1)
    }
  }

  // MARK: - The database

  /// Sets up the connection: rows are copied in any order and as they are, and no lock is awaited
  /// for long.
  private func prepare() throws(SQLError) {
    try run(
      """
      SET SESSION foreign_key_checks = 0, unique_checks = 0, lock_wait_timeout = 10,
        innodb_lock_wait_timeout = 10, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'
      """)
  }

  private func tables() throws(SQLError) -> [String] {
    try names(
      """
      SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = ? AND table_type = 'BASE TABLE' ORDER BY table_name
      """)
  }

  private func triggers() throws(SQLError) -> [(name: String, table: String)] {
    let rows = try session.execute(
      Statement(
        sql: """
          SELECT trigger_name AS name, event_object_table AS owner
          FROM information_schema.triggers WHERE trigger_schema = ?
          ORDER BY event_object_table, action_timing, event_manipulation, action_order
          """, parameters: [.string(database)]), stop
    ).result
    return Array(zip(rows.texts("name"), rows.texts("owner")))
  }

  /// Returns the names that a statement finds for the database.
  private func names(_ sql: String) throws(SQLError) -> [String] {
    try session.execute(Statement(sql: sql, parameters: [.string(database)]), stop)
      .result.texts("name")
  }

  private func creation(
    _ kind: String, _ name: String, _ column: String
  ) throws(SQLError) -> Creation {
    let shown = try session.execute(
      Statement(sql: "SHOW CREATE \(kind) \(quoted(database, name))"), stop)
    return Creation(kind: kind, name: name, text: try shown.result.text(column))
  }

  /// Copies all rows of a table, without the columns that are computed of others.
  private func copyRows(
    of table: String, from source: String, to target: String
  ) throws(SQLError) {
    let columns = try session.execute(
      Statement(
        sql: """
          SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = ? AND table_name = ? AND COALESCE(generation_expression, '') = ''
          ORDER BY ordinal_position
          """, parameters: [.string(source), .string(table)]), stop
    ).result.texts("name").map { quoted($0) }.joined(separator: ", ")
    try run(
      "INSERT INTO \(quoted(target, table)) (\(columns)) "
        + "SELECT \(columns) FROM \(quoted(source, table))")
  }

  private func run(_ sql: String) throws(SQLError) { _ = try session.run(script: sql, stop) }

  private func quoted(_ names: String...) -> String {
    names.map { "`\($0.doubling("`"))`" }.joined(separator: ".")
  }
}

/// A statement that creates a table or a trigger.
private struct Creation {
  let kind: String
  let name: String
  let text: String

  private static let mark = Array(" AUTO_INCREMENT=".utf8)

  /// The number of the next row in the statement of a table, or nil without one.
  var counter: String? { parts?.counter }

  /// The text without the number of the next row.
  var withoutCounter: String { parts.map { $0.before + $0.after } ?? text }

  private var parts: (before: String, counter: String, after: String)? {
    let bytes = Array(text.utf8)
    // After all columns, so the last one.
    let start = bytes.indices.last { bytes[$0...].starts(with: Self.mark) }
    guard let start else { return nil }
    let rest = bytes[(start + Self.mark.count)...]
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return (
      String(decoding: bytes[..<start], as: UTF8.self), String(decoding: digits, as: UTF8.self),
      String(decoding: rest[digits.endIndex...], as: UTF8.self)
    )
  }
}
