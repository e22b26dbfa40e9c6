import FlowCore
import FlowTesting
import Foundation
import SQLPlugin
import TestKit
import Testing

@testable import DatabaseProxyPlugin

/// Programs before the tests' own server of MariaDB.
@Suite(.enabled(if: MariaDBServer.isHere, Comment(rawValue: MariaDBServer.absence)))
struct MariaDBProxyTests {
  /// Runs work with a proxy and its address, and returns what each statement was.
  private func statements(
    _ work: (_ proxy: OpenComponent, _ url: String) async throws -> Void
  ) async throws -> [String] {
    let server = try await MariaDBServer.shared()
    let proxy = try await OpenComponent(DatabaseProxy.self, with: ["url": server.url()])
    guard case .record(let address) = try await proxy.call("address", [:]),
      case .string(let url)? = address["url"]
    else { throw ComponentError(.unknown, "there is no address") }
    try await work(proxy, url)
    let answer = try await proxy.call("statements", [:])
    await proxy.close()
    guard case .record(let fields) = answer, case .list(let list)? = fields["statements"] else {
      return ["\(answer)"]
    }
    return list.map { value in
      guard case .record(let fields) = value, case .string(let text)? = fields["text"] else {
        return "\(value)"
      }
      let rest = ["rows", "transaction", "error"].map { fields[$0]?.description ?? "" }
      return "\(text) | \(rest.joined(separator: " "))"
    }
  }

  @Test func `statements of a program are noted with their rows and transactions`() async throws {
    let found = try await statements { proxy, url in
      let database = try await OpenComponent(SQL.self, with: ["url": url])
      _ = await database.text("execute", ["sql": "CREATE TABLE proxied (i INT PRIMARY KEY)"])
      _ = await proxy.text("reset", [:])
      _ = await database.text("execute", ["sql": "INSERT INTO proxied VALUES (1), (2), (3)"])
      let rows = await database.text("query", ["sql": "SELECT i FROM proxied WHERE i > 1"])
      _ = await database.text("execute", ["sql": "INSERT INTO proxied VALUES (1)"])
      _ = await database.text("execute", ["sql": "DROP TABLE proxied"])
      await database.close()

      #expect(rows.hasPrefix("{rows: [{i: 2}, {i: 3}]"))
    }

    let ofProgram = found.filter { !$0.hasPrefix("SET ") }
    #expect(
      ofProgram == [
        "INSERT INTO proxied VALUES (?), (?), (?) | 3 null null",
        "START TRANSACTION READ ONLY | 0 1 null", "SELECT i FROM proxied WHERE i > ? | 2 1 null",
        "COMMIT | 0 1 null", #"INSERT INTO proxied VALUES (?) | 0 null "23000""#,
        "DROP TABLE proxied | 0 null null",
      ])
  }

  @Test func `the client of MariaDB is followed`() async throws {
    let script = """
      CREATE TEMPORARY TABLE p (i INT, t TEXT);
      START TRANSACTION; INSERT INTO p VALUES (1, 'a'), (2, "b;"); COMMIT;
      SELECT * FROM p; SELECT nothing; SELECT i FROM p WHERE t = 'a' # end
      """
    let found = try await statements { _, url in
      try #require(MariaDBClient.run(script, at: url) == "1\ta\n2\tb;\n1\n")
    }

    #expect(
      found == [
        "CREATE TEMPORARY TABLE p (i INT, t TEXT) | 0 null null", "START TRANSACTION | 0 1 null",
        "INSERT INTO p VALUES (?, ?), (?, ?) | 2 1 null", "COMMIT | 0 1 null",
        "SELECT * FROM p | 2 null null", #"SELECT nothing | 0 null "42S22""#,
        "SELECT i FROM p WHERE t = ? | 1 null null",
      ])
  }

  @Test func `scripts, procedures and files of the program leave the rest in step`() async throws {
    let file = try TemporaryFolder()
    try file.write(String(repeating: "7\n", count: 100_000), to: "rows")
    let script = """
      delimiter //
      CREATE PROCEDURE proxied_results() BEGIN SELECT 1; SELECT 2, 3 UNION SELECT 4, 5; END //
      BEGIN NOT ATOMIC SELECT 6; END //
      SELECT 7; CALL proxied_results(); SELECT 8 //
      delimiter ;
      DROP PROCEDURE proxied_results;
      CREATE TEMPORARY TABLE f (i INT);
      LOAD DATA LOCAL INFILE '\(file.directory.path)/rows' INTO TABLE f;
      SELECT count(*) FROM f;
      """
    let found = try await statements { _, url in
      try #require(
        MariaDBClient.run(script, at: url, ["--local-infile=1"])
          == "6\n7\n1\n2\t3\n4\t5\n8\n100000\n")
    }

    let shortened = found.map { line in
      line.split(separator: " ").prefix(2).joined(separator: " ") + line.drop { $0 != "|" }
    }
    #expect(
      shortened
        == [
          "CREATE PROCEDURE| 0 null null", "BEGIN NOT| 1 null null", "SELECT ?| 1 null null",
          "CALL proxied_results| 3 null null", "SELECT ?| 1 null null",
          "DROP PROCEDURE| 0 null null", "CREATE TEMPORARY| 0 null null",
          "LOAD DATA| 100000 null null", "SELECT count| 1 null null",
        ])
  }

  @Test func `a program that demands TLS is refused, and goes on if it may`() async throws {
    let found = try await statements { _, url in
      try #require(MariaDBClient.run("SELECT 1", at: url, ["--ssl-verify-server-cert"]).isEmpty)
      try #require(MariaDBClient.run("SELECT 2, 3", at: url, ["--ssl", "--compress"]) == "2\t3\n")
    }

    #expect(found == ["SELECT ?, ? | 1 null null"])
  }

  @Test(
    .enabled(if: DatabaseDrivers.python != nil, DatabaseDrivers.absence),
    arguments: ["Cursor", "SSCursor"])
  func `PyMySQL is followed`(_ cursor: String) async throws {
    let program = """
      import sys, pymysql, urllib.parse as u
      url = u.urlparse(sys.argv[1])
      db = pymysql.connect(host=url.hostname, port=url.port, user=url.username, database="flow",
        password=u.unquote(url.password), cursorclass=pymysql.cursors.\(cursor))
      with db.cursor() as c:
        c.execute("CREATE TEMPORARY TABLE y (i INT, t TEXT)")
        c.executemany("INSERT INTO y VALUES (%s, %s)", [(1, "it's"), (2, "\\\\")])
        db.commit()
        c.execute("SELECT * FROM y WHERE t <> %s", ("\\"",))
        print(list(c.fetchall()))
        try: c.execute("SELEC")
        except pymysql.err.ProgrammingError as error: print(error.args[0])
      db.rollback()
      db.ping()
      db.select_db("flow")
      with db.cursor() as c: print(c.execute("SELECT 1 FROM DUAL WHERE FALSE") == 0, c.fetchall())
      """
    let found = try await statements { _, url in
      let output = try DatabaseDrivers.run(program, [url])
      #expect(output.hasPrefix("[(1, \"it's\"), (2, '\\\\')]\n1064\n"), "\(output)")
    }

    #expect(
      found.filter { !$0.hasPrefix("SET ") } == [
        "CREATE TEMPORARY TABLE y (i INT, t TEXT) | 0 null null",
        "INSERT INTO y VALUES (?, ?), (?, ?) | 2 1 null", "COMMIT | 0 1 null",
        "SELECT * FROM y WHERE t <> ? | 2 2 null", #"SELEC | 0 2 "42000""#,
        "ROLLBACK | 0 2 null", "SELECT ? FROM DUAL WHERE FALSE | 0 null null",
      ])
  }
}

/// The program `mariadb`.
enum MariaDBClient {
  /// Runs a script, and returns its output.
  static func run(_ script: String, at url: String, _ arguments: [String] = []) throws -> String {
    let parts = try #require(URLComponents(string: url))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "mariadb", "--no-defaults", "-N", "-B", "--force", "--protocol=tcp", "-h127.0.0.1",
        "-P\(parts.port ?? 0)", "-u\(parts.user ?? "")", "-p\(parts.password ?? "")", "flow",
      ] + arguments
    let (input, output) = (Foundation.Pipe(), Foundation.Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
