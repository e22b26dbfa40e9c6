import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

/// Each database, with databases that belong to one test alone.
struct SnapshotTests {
  /// A kind of database, in which a test makes its own.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case memory = "SQLite in memory"
    case postgreSQL = "PostgreSQL"
    case mariaDB = "MariaDB"

    var testDescription: String { rawValue }

    static var here: [Kind] {
      allCases.filter {
        switch $0 {
        case .sqlite, .memory: true
        case .postgreSQL: TestServer.isHere
        case .mariaDB: MariaDBServer.isHere
        }
      }
    }

    /// Runs work with a component on a new database, or with a second one on the same.
    func with<Success>(
      _ name: String,
      _ work: (OpenComponent, () async throws -> OpenComponent) async throws ->
        Success
    ) async throws -> Success {
      let folder = try TemporaryFolder()
      let settings = try await settings(name)
      return try await SQL.with(settings, in: folder.path(".")) { database in
        try await work(database) {
          try await OpenComponent(SQL.self, with: settings, in: folder.path("."))
        }
      }
    }

    private func settings(_ name: String) async throws -> [String: any FieldValue] {
      switch self {
      case .sqlite: return ["file": "notes.db"]
      case .memory: return ["file": ":memory:"]
      case .postgreSQL:
        let url = try await TestServer.shared().url()
        #expect(await SQL.make(name, at: url) == "0")
        return ["url": url.replacing("/postgres", with: "/\(name)")]
      case .mariaDB:
        let url = try await MariaDBServer.shared().url()
        #expect(await SQL.make(name, at: url) == "0")
        return ["url": url.replacing("/flow?", with: "/\(name)?")]
      }
    }
  }

  @Test(arguments: Kind.here)
  func `a database is what it was at a snapshot`(_ kind: Kind) async throws {
    try await kind.with("flow_was") { database, _ in
      _ = await database.changes("CREATE TABLE note (id int primary key, title varchar(20))")
      _ = await database.changes("INSERT INTO note VALUES (1, 'Barn'), (2, 'Mill')")
      #expect(await database.text("snapshot", [:]) == "{}")
      _ = await database.changes("DELETE FROM note WHERE id = 1")
      _ = await database.changes("UPDATE note SET title = 'Tower'")
      _ = await database.changes("CREATE TABLE other (id int)")

      #expect(await database.text("restore", [:]) == "{}")

      #expect(
        await database.rows("SELECT id, title FROM note ORDER BY id")
          == #"[{id: 1, title: "Barn"}, {id: 2, title: "Mill"}]"#)
      #expect(await database.rows("SELECT id FROM other").hasPrefix("syntax: "))
    }
  }

  @Test(arguments: Kind.here)
  func `snapshots have names, and a later one replaces an earlier one`(_ kind: Kind) async throws {
    try await kind.with("flow_named") { database, _ in
      _ = await database.changes("CREATE TABLE note (id int)")
      for (name, id) in [("one", 1), ("two", 2), ("one", 3)] {
        _ = await database.changes("DELETE FROM note")
        _ = await database.changes("INSERT INTO note VALUES (\(id))")
        #expect(await database.text("snapshot", ["name": name]) == "{}")
      }

      _ = await database.text("restore", ["name": "two"])
      #expect(await database.rows("SELECT id FROM note") == "[{id: 2}]")
      _ = await database.text("restore", ["name": "one"])
      #expect(await database.rows("SELECT id FROM note") == "[{id: 3}]")
    }
  }

  @Test(arguments: Kind.here)
  func `an unknown snapshot changes nothing`(_ kind: Kind) async throws {
    try await kind.with("flow_unknown") { database, _ in
      _ = await database.changes("CREATE TABLE note (id int)")

      #expect(
        await database.text("restore", ["name": "other"])
          == "missing: there is no snapshot 'other'")
      #expect(
        await database.text("snapshot", ["name": "a/b"])
          == "data: 'a/b' is no name of a snapshot: use up to 30 letters, digits and underscores")
      #expect(await database.rows("SELECT id FROM note") == "[]")
    }
  }

  @Test(arguments: Kind.here)
  func `a cleared database has no table`(_ kind: Kind) async throws {
    try await kind.with("flow_cleared") { database, _ in
      _ = await database.changes("CREATE TABLE note (id int primary key)")
      _ = await database.changes("CREATE VIEW notes AS SELECT id FROM note")

      #expect(await database.text("clear", [:]) == "{}")
      #expect(await database.text("clear", [:]) == "{}")

      #expect(await database.rows("SELECT id FROM notes").hasPrefix("syntax: "))
      #expect(await database.changes("CREATE TABLE note (id int)") == "0")
    }
  }

  /// The connection of a program is kept by SQLite and MariaDB, and ended by PostgreSQL.
  @Test(arguments: Kind.here.filter { $0 != .memory })
  func `another connection sees the restored database`(_ kind: Kind) async throws {
    try await kind.with("flow_other") { database, another in
      _ = await database.changes("CREATE TABLE note (id int)")
      _ = await database.text("snapshot", [:])
      let other = try await another()
      _ = await other.changes("INSERT INTO note VALUES (1)")

      #expect(await database.text("restore", [:]) == "{}")

      let first = await other.rows("SELECT id FROM note")
      if kind == .postgreSQL {
        #expect(first.hasPrefix("unavailable: "))
        #expect(await other.rows("SELECT id FROM note") == "[]")
      } else {
        #expect(first == "[]")
      }
      await other.close()
    }
  }

  /// As after the end of the process at this moment.
  @Test(.enabled(if: TestServer.isHere, TestServer.absence))
  func `what an interrupted restore has left is no obstacle`() async throws {
    try await Kind.postgreSQL.with("flow_left") { database, _ in
      _ = await database.changes("CREATE TABLE note (id int)")
      _ = await database.text("snapshot", [:])
      for name in ["flow_left__-next", "flow_left__-former"] {
        #expect(await database.changes("CREATE DATABASE \"\(name)\"") == "0")
      }

      #expect(await database.text("restore", [:]) == "{}")

      #expect(
        await database.rows(
          "SELECT datname::text AS name FROM pg_database WHERE datname LIKE 'flow_left%' "
            + "ORDER BY name")
          == #"[{name: "flow_left"}, {name: "flow_left__start"}]"#)
    }
  }

  @Test(.enabled(if: TestServer.isHere, TestServer.absence))
  func `the settings of a database stay`() async throws {
    let settings = [
      "search_path TO one, \"Two\"", "application_name TO 'O''Brien'", "work_mem TO '8MB'",
    ]
    let question =
      "SELECT unnest(setconfig) AS v FROM pg_db_role_setting JOIN pg_database ON setdatabase = "
      + "pg_database.oid WHERE datname = 'flow_set' ORDER BY v"

    try await Kind.postgreSQL.with("flow_set") { database, _ in
      for setting in settings {
        #expect(await database.changes("ALTER DATABASE flow_set SET \(setting)") == "0")
      }
      let before = await database.rows(question)
      #expect(before.contains("O'Brien"))

      #expect(await database.text("clear", [:]) == "{}")
      #expect(await database.rows(question) == before)
    }
  }

  @Test(.enabled(if: TestServer.isHere, TestServer.absence))
  func `the server's own database is not copied`() async throws {
    let answer = try await SQL.onServer { await $0.text("clear", [:]) }

    #expect(answer == "forbidden: 'postgres' is not copied: it is the server's own database")
  }

  @Test(.enabled(if: MariaDBServer.isHere, MariaDB.absence))
  func `counters, references, computed columns and triggers are restored`() async throws {
    try await Kind.mariaDB.with("flow_rich") { database, _ in
      for statement in [
        "CREATE TABLE parent (id INT PRIMARY KEY AUTO_INCREMENT, title TEXT, "
          + "size INT AS (LENGTH(title)) STORED)",
        "CREATE TABLE child (parent INT, FOREIGN KEY (parent) REFERENCES parent (id))",
        "CREATE TABLE log (title TEXT)",
        "CREATE TRIGGER logs AFTER INSERT ON parent FOR EACH ROW INSERT INTO log "
          + "VALUES (NEW.title)",
        "INSERT INTO parent (title) VALUES ('Barn'), ('Mill')",
        "INSERT INTO child VALUES (1)",
      ] {
        #expect(!(await database.changes(statement)).contains(":"))
      }
      _ = await database.text("snapshot", [:])
      _ = await database.changes("DELETE FROM child")
      _ = await database.changes("DELETE FROM parent")
      _ = await database.changes("INSERT INTO parent (title) VALUES ('Tower')")

      #expect(await database.text("restore", [:]) == "{}")

      _ = await database.changes("INSERT INTO parent (title) VALUES ('Gate')")
      #expect(
        await database.rows("SELECT id, title, size FROM parent ORDER BY id")
          == #"[{id: 1, title: "Barn", size: 4}, {id: 2, title: "Mill", size: 4}, "#
          + #"{id: 3, title: "Gate", size: 4}]"#)
      #expect(await database.rows("SELECT parent FROM child") == "[{parent: 1}]")
      #expect(
        await database.rows("SELECT title FROM log")
          == #"[{title: "Barn"}, {title: "Mill"}, {title: "Gate"}]"#)
    }
  }
}
