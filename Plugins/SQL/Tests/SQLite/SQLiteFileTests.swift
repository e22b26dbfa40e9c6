import CSQLite
import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

@Suite struct SQLiteFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func with<Success>(
    _ settings: [String: any FieldValue] = [:], _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    try await SQL.with(
      ["file": "notes.db"].merging(settings) { $1 }, in: folder.directory.path, work)
  }

  @Test func `a file keeps what was written, and is made by the first write`() async throws {
    try await with { database in
      #expect(database.state == .external)
      #expect(!folder.directory.contains("notes.db"))
      #expect(
        await database.transaction(["CREATE TABLE t (v)", "INSERT INTO t VALUES (1)"]) == "[0, 1]")
    }
    try await with { #expect(await $0.rows("SELECT v FROM t") == "[{v: 1}]") }
    #expect(try folder.names == ["notes.db"])
  }

  @Test func `a database in memory is gone with its component`() async throws {
    for _ in 0..<2 {
      try await with(["file": ":memory:"]) { database in
        #expect(database.state == .memory)
        #expect(await database.changes("CREATE TABLE t (v)") == "0")
      }
    }
    #expect(try folder.names == [])
  }

  @Test(
    arguments: [
      ([:], "settings: give exactly one of 'file' and 'url'"),
      (["file": "a", "url": "postgres://h/d"], "settings: give exactly one of 'file' and 'url'"),
      (["file": "a", "max_rows": 0], "settings: 'max_rows' is 0; it must be above 0"),
      (["file": "a", "max_bytes": 0], "settings: 'max_bytes' is 0; it must be above 0"),
      (
        ["file": "a", "busy_timeout": Duration.seconds(-1)],
        "settings: 'busy_timeout' is -1s; it must be 0s or more"
      ),
      (
        ["file": "a", "connect_timeout": Duration.zero],
        "settings: 'connect_timeout' is 0s; it must be above 0s"
      ),
      (["file": "../a"], "cannot read '../a': the path is outside the scenario's folder"),
      (["file": "outside"], "cannot read 'outside': the path is outside the scenario's folder"),
      (["file": "none/a"], "cannot write 'none/a': there is no folder 'none'"),
      (["file": "folder"], "cannot read 'folder': not a file"),
    ] as [([String: any FieldValue & Sendable], String)])
  func `a setting without a meaning fails the start`(
    _ settings: [String: any FieldValue & Sendable], _ error: String
  ) async throws {
    try folder.write("", to: "folder/file")
    try folder.link("outside", to: folder.directory.path + "-outside.db")

    let failure = await #expect(throws: (any Error).self) {
      try await OpenComponent(SQL.self, with: settings, in: folder.directory.path)
    }

    #expect(failure.map { "\($0)" } == error)
  }

  @Test func `a lock of another connection is waited for, and then an error`() async throws {
    try await with(["busy_timeout": Duration.milliseconds(20)]) { database in
      #expect(await database.changes("CREATE TABLE t (v)") == "0")
      let other = try OtherConnection(folder.path("notes.db"))
      #expect(other.run("BEGIN IMMEDIATE") == SQLITE_OK)

      #expect(await database.changes("INSERT INTO t VALUES (1)") == "busy: database is locked")
      #expect(await database.transaction(["SELECT 1"]) == "busy: database is locked")
      #expect(await database.rows("SELECT v FROM t") == "[]")
      #expect(other.run("COMMIT") == SQLITE_OK)
      #expect(await database.changes("INSERT INTO t VALUES (1)") == "1")
    }
  }

  @Test func `a full disk is an error, and the connection goes on`() async throws {
    try await with { database in
      #expect(await database.changes("CREATE TABLE t (v)") == "0")
      #expect(
        await database.field("rows", "execute", ["sql": "PRAGMA max_page_count = 4"])
          == "[{max_page_count: 4}]")

      #expect(
        await database.changes("INSERT INTO t VALUES (zeroblob(100000))")
          == "unavailable: database or disk is full")
      #expect(
        await database.transaction([
          "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (zeroblob(100000))",
        ])
          == "unavailable: statement 2: database or disk is full")
      #expect(await database.rows("SELECT count(*) AS n FROM t") == "[{n: 0}]")
    }
  }

  @Test func `a file that is not a database, or no longer a whole one, is an error`() async throws {
    try folder.write(String(repeating: "no database ", count: 100), to: "text.db")
    try await with(["file": "text.db"]) {
      #expect(await $0.rows("SELECT 1 FROM t") == "unavailable: file is not a database")
    }
    try await with { database in
      #expect(
        await database.transaction(["CREATE TABLE t (v)", "INSERT INTO t VALUES (zeroblob(9000))"])
          == "[0, 1]")
    }
    var bytes = try folder.directory.read("notes.db")
    for index in 4096..<bytes.count { bytes[index] = 0xff }
    try folder.write(bytes, to: "notes.db")
    try await with {
      #expect(
        await $0.rows("SELECT v FROM t") == "unavailable: database disk image is malformed")
    }
  }

  @Test func `nothing is written to a file that no setting names`() async throws {
    try await with { database in
      #expect(await database.changes("VACUUM") == "0")
      #expect(
        await database.changes("VACUUM INTO 'other.db'")
          == "forbidden: ATTACH and VACUUM INTO are not allowed")
      #expect(
        await database.changes("ATTACH ? AS o", .string("other.db"))
          == "forbidden: ATTACH and VACUUM INTO are not allowed")
    }
    #expect(try folder.names == ["notes.db"])
  }

  @Test func `a cancelled call ends its statement, and its transaction is undone`() async throws {
    try await with { database in
      #expect(await database.changes("CREATE TABLE t (v)") == "0")
      let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT max(i) FROM n"
      let call = Task { await database.transaction(["INSERT INTO t VALUES (1)", endless]) }
      let other = try OtherConnection(folder.path("notes.db"))
      // The lock shows that the transaction has begun.
      while other.run("BEGIN IMMEDIATE") == SQLITE_OK, other.run("ROLLBACK") == SQLITE_OK {
        await Task.yield()
      }

      call.cancel()

      #expect(await call.value == "CancellationError()")
      #expect(await database.rows("SELECT count(*) AS n FROM t") == "[{n: 0}]")
    }
  }

  @Test func `a cancelled call does not wait for a lock any longer`() async throws {
    let database = try SQLiteDatabase(
      "notes.db", in: folder.directory, busyTimeout: .seconds(3600),
      limits: ResultLimits(rows: 1, bytes: 1))
    let other = try OtherConnection(folder.path("notes.db"))
    #expect(other.run("BEGIN IMMEDIATE") == SQLITE_OK)
    let stop = Stop()
    stop.request()
    let session = try database.connect(stop)
    defer { session.close() }

    let error = #expect(throws: SQLError.self) { try session.begin(stop) }

    #expect(error.map { "\($0)" } == "database is locked")
  }

  @Test func `a call that is cancelled before its turn is not made`() async throws {
    try await with { database in
      #expect(await database.changes("CREATE TABLE t (v)") == "0")
      let (starts, start) = AsyncStream<Void>.makeStream()
      let call = Task {
        for await _ in starts { break }
        return await database.changes("INSERT INTO t VALUES (1)")
      }

      call.cancel()
      start.yield()

      #expect(await call.value == "CancellationError()")
      #expect(await database.rows("SELECT count(*) AS n FROM t") == "[{n: 0}]")
    }
  }
}

/// A connection that the component knows nothing of.
@safe private final class OtherConnection {
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    try #require(unsafe sqlite3_open(path, &handle) == SQLITE_OK)
  }

  deinit {
    unsafe sqlite3_close(handle)
  }

  func run(_ sql: String) -> Int32 { unsafe sqlite3_exec(handle, sql, nil, nil, nil) }
}
