import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

@Suite(.enabled(if: TestServer.isHere, TestServer.absence)) struct StoppableConnectionTests {
  @Test func `a lost connection is an error, and the next call connects again`() async throws {
    try await SQL.onServer { database in
      let process = try await database.process
      try await SQL.onServer { other in
        #expect(
          await other.rows("SELECT pg_terminate_backend($1) AS ended", process)
            == "[{ended: true}]")
        // The server has closed the socket when it no longer knows the process.
        while await other.isRunning(process) {}
      }

      #expect(
        await database.rows("SELECT 1 AS a")
          == "unavailable: terminating connection due to administrator command")
      #expect(await database.rows("SELECT 1 AS a") == "[{a: 1}]")
    }
  }

  @Test func `a connection that is lost in a transaction leaves nothing of it`() async throws {
    try await SQL.onServer { database in
      #expect(
        await database.transaction([
          "CREATE TABLE lost_in_the_middle (v int4)",
          "SELECT pg_terminate_backend(pg_backend_pid())",
          "INSERT INTO lost_in_the_middle VALUES (1)",
        ]) == "unavailable: statement 2: terminating connection due to administrator command")
      #expect(await database.rows("SELECT to_regclass('lost_in_the_middle') AS t") == "[{t: null}]")
    }
  }

  @Test func `a lock is waited for as long as the server is asked to`() async throws {
    try await SQL.onServer { holder in
      #expect(await holder.rows("SELECT pg_try_advisory_lock(1401) AS held") == "[{held: true}]")
      try await SQL.onServer("options=-c%20lock_timeout%3D50") { database in
        #expect(
          await database.changes("SELECT pg_advisory_lock(1401)")
            == "busy: canceling statement due to lock timeout")
      }
    }
  }

  @Test func `a cancelled call ends its statement on the server, and its transaction is undone`()
    async throws
  {
    try await SQL.onServer { database in
      let process = try await database.process
      #expect(await database.changes("CREATE TEMPORARY TABLE t (v int4)") == "0")
      let call = Task {
        await database.transaction(["INSERT INTO t VALUES (1)", "SELECT pg_sleep(3600)"])
      }
      try await SQL.onServer { other in
        while await other.isSleeping(process) == false {}

        call.cancel()

        #expect(await call.value == "CancellationError()")
        #expect(await other.isSleeping(process) == false)
      }
      #expect(await database.rows("SELECT count(*) AS n FROM t") == "[{n: 0}]")
      #expect(try await database.process == process)
    }
  }

  @Test func `calls at the same time wait for each other`() async throws {
    try await SQL.onServer { database in
      #expect(await database.changes("CREATE TEMPORARY TABLE t (v int4)") == "0")
      await withTaskGroup { group in
        for number in 0..<20 {
          group.addTask { _ = await database.changes("INSERT INTO t VALUES ($1)", .int(number)) }
        }
      }
      #expect(await database.rows("SELECT count(DISTINCT v) AS n FROM t") == "[{n: 20}]")
    }
  }

  @Test func `a long parameter is sent whole`() async throws {
    let text = String(repeating: "0123456789", count: 800_000)
    let rows = try await SQL.onServer {
      await $0.rows(
        "SELECT length($1::text) AS n, md5($1) = md5($2) AS same", .string(text), .string(text))
    }

    #expect(rows == "[{n: 8000000, same: true}]")
  }

  @Test func `a row that is too long is given up while it arrives`() async throws {
    try await SQL.onServer(settings: ["max_bytes": 1_000_000]) { database in
      let process = try await database.process
      for length in [1_000_001, 1_500_000] {
        #expect(
          await database.rows("SELECT repeat('a', $1) AS a", .int(length))
            == "too_large: the result has more than 1000000 bytes")
        #expect(try await database.process == process)
      }
      // What arrives on a Unix socket during a read is not counted, so a busy machine may take a whole row.
      var attempts = 0
      while attempts < 20, try await database.process == process {
        attempts += 1
        #expect(
          await database.rows("SELECT repeat('a', 60000000) AS a")
            == "too_large: the result has more than 1000000 bytes")
      }
      #expect(try await database.process != process)
    }
  }

  @Test func `many short rows and notices are no long row`() async throws {
    try await SQL.onServer(settings: ["max_bytes": 4_000_000, "max_rows": 100_000]) { database in
      let process = try await database.process
      #expect(
        await database.changes(
          """
          DO $$ BEGIN FOR i IN 1..60 LOOP RAISE NOTICE '%', repeat('n', 200000); END LOOP; END $$
          """) == "0")
      #expect(
        await database.rows("SELECT repeat('a', 900) AS a FROM generate_series(1, 90000)")
          == "too_large: the result has more than 4000000 bytes")
      #expect(try await database.process == process)
    }
  }

  @Test func `the socket of a server is a host of this machine`() async throws {
    let url = try await TestServer.shared().url()
    for (hosts, error) in [
      (["localhost"], nil),
      (["example.org"], "forbidden: 'url': 'localhost:5432' is not among the allowed hosts"),
    ] {
      let options = LiveOptions(network: try Network(allowing: hosts))
      do {
        let database = try await OpenComponent(SQL.self, with: ["url": url], options: options)
        #expect(await database.rows("SELECT 1 AS a") == "[{a: 1}]")
        await database.close()
        #expect(error == nil)
      } catch let failure {
        #expect("\(failure)" == error)
      }
    }
  }

  @Test func `a login that the server refuses is an error`() async throws {
    let url = try await TestServer.shared().url().replacing(existing: "flow:none", with: "nobody")
    let rows = try await SQL.with(["url": url]) { await $0.rows("SELECT 1") }

    #expect(rows == "unavailable: cannot connect: role \"nobody\" does not exist")
  }
}

private struct NoProcess: Error {}

extension OpenComponent {
  /// The number of the process that serves this connection.
  fileprivate var process: Value {
    get async throws {
      let answer = try await call("query", ["sql": "SELECT pg_backend_pid() AS process"])
      guard case .record(let record) = answer, case .list(let rows)? = record["rows"],
        case .map(let row)? = rows.first, let process = row["process"]
      else { throw NoProcess() }
      return process
    }
  }

  /// Returns true if the server has a process.
  fileprivate func isRunning(_ process: Value) async -> Bool {
    await rows("SELECT 1 AS a FROM pg_stat_activity WHERE pid = $1", process) == "[{a: 1}]"
  }

  /// Returns true if a process of the server sleeps in a statement.
  fileprivate func isSleeping(_ process: Value) async -> Bool {
    await rows(
      "SELECT 1 AS a FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'", process)
      == "[{a: 1}]"
  }
}
