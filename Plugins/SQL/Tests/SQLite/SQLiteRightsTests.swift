import CSQLite
import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

@Suite struct SQLiteRightsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("SELECT FTS3_Tokenizer('porter')", "the function 'fts3_tokenizer' is not allowed"),
    (
      "SELECT 1 FROM t WHERE \"fts3_tokenizer\"('mine', x'0102030405060708') IS NULL",
      "the function 'fts3_tokenizer' is not allowed"
    ),
    ("SELECT load_extension('x.so')", "the function 'load_extension' is not allowed"),
    ("SELECT rtreenode(2, x'ff')", "the function 'rtreenode' is not allowed"),
    ("SELECT sqlite_log(1, 'x')", "the function 'sqlite_log' is not allowed"),
    ("SELECT fts5(NULL)", "the function 'fts5' is not allowed"),
    ("PRAGMA mmap_size = 1000000", "the pragma 'mmap_size' is not allowed"),
    ("PRAGMA Temp_Store_Directory = '/tmp'", "the pragma 'temp_store_directory' is not allowed"),
    ("PRAGMA hard_heap_limit = 1", "the pragma 'hard_heap_limit' is not allowed"),
    ("PRAGMA busy_timeout = 1", "the pragma 'busy_timeout' is not allowed"),
    ("PRAGMA trusted_schema = ON", "the pragma 'trusted_schema' is not allowed"),
    ("PRAGMA writable_schema = ON", "the pragma 'writable_schema' is not allowed"),
    ("PRAGMA no_such_pragma = 1", "the pragma 'no_such_pragma' is not allowed"),
    ("ATTACH 'file:x.db?mode=rwc' AS o", "ATTACH and VACUUM INTO are not allowed"),
    ("ATTACH 'file::memory:?cache=shared' AS o", "ATTACH and VACUUM INTO are not allowed"),
    ("ATTACH '/tmp/' || 'x.db' AS o", "ATTACH and VACUUM INTO are not allowed"),
    (
      "CREATE VIRTUAL TABLE v USING CSV(filename='/etc/passwd')", "the module 'csv' is not allowed"
    ),
    (
      "CREATE VIRTUAL TABLE v USING fts3tokenize('simple')",
      "the module 'fts3tokenize' is not allowed"
    ),
    ("VACUUM main INTO '/tmp/x.db'", "ATTACH and VACUUM INTO are not allowed"),
    ("CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT load_extension('x'); END", nil),
  ])
  func `what reaches memory, files or the process is refused`(
    _ sql: String, _ reason: String?
  ) async throws {
    try await SQL.with(["file": ":memory:"]) { database in
      #expect(await database.changes("CREATE TABLE t (v)") == "0")
      let answer = await database.changes(sql)

      guard let reason else {
        #expect(answer == "0")
        let error = await database.changes("INSERT INTO t VALUES (1)")
        return #expect(error == "forbidden: the function 'load_extension' is not allowed")
      }
      #expect(answer == "forbidden: \(reason)" || answer.hasSuffix(": \(reason)"), "\(answer)")
      #expect(answer.hasPrefix("forbidden: "))
    }
  }

  @Test(arguments: [
    ("SELECT * FROM sqlite_dbpage", "no such table: sqlite_dbpage"),
    ("SELECT * FROM sqlite_stmt", "no such table: sqlite_stmt"),
    ("SELECT * FROM fts3tokenize('simple')", "no such table: fts3tokenize"),
    ("SELECT * FROM fsdir('/')", "no such table: fsdir"),
    ("CREATE VIRTUAL TABLE v USING fts3(a, tokenize=mine)", "unknown tokenizer: mine"),
    ("SELECT readfile('/etc/passwd')", "no such function: readfile"),
    ("DELETE FROM sqlite_master", "table sqlite_master may not be modified"),
  ])
  func `what is not part of the database is not there`(_ sql: String, _ reason: String) async throws
  {
    let answer = try await SQL.with(["file": ":memory:"]) { await $0.changes(sql) }

    #expect(answer.hasPrefix("syntax: ") && answer.hasSuffix(reason), "\(answer)")
  }

  @Test func `what databases are made with is allowed`() async throws {
    try await SQL.with(["file": "all.db"], in: folder.directory.path) { database in
      for sql in Self.ordinary {
        let answer = await database.text("execute", ["sql": sql])
        #expect(answer.hasPrefix("{changes: "), "\(sql): \(answer)")
      }
      #expect(
        await database.rows("SELECT a FROM words WHERE words MATCH 'barn'") == "[{a: \"red barn\"}]"
      )
      #expect(await database.rows("SELECT id FROM box WHERE x0 > 1") == "[{id: 1}]")
      #expect(await database.rows("SELECT name FROM pragma_table_info('u')") == "[{name: \"w\"}]")
      #expect(
        await database.rows("SELECT value ->> '$.a' AS a FROM json_each('[{\"a\": 7}]')")
          == "[{a: 7}]")
    }
  }

  private static let ordinary = [
    "PRAGMA foreign_keys = ON", "PRAGMA journal_mode = WAL", "PRAGMA user_version = 3",
    "CREATE TABLE t (v, w)", "INSERT INTO t VALUES (1, upper('a')), (2, hex(randomblob(4)))",
    "CREATE INDEX i ON t (v)", "ALTER TABLE t RENAME COLUMN v TO x", "ALTER TABLE t DROP COLUMN w",
    "ALTER TABLE t RENAME TO u", "ALTER TABLE u RENAME COLUMN x TO w", "ANALYZE", "REINDEX",
    "CREATE VIRTUAL TABLE words USING fts5(a)", "INSERT INTO words VALUES ('red barn')",
    "CREATE VIRTUAL TABLE old USING fts4(a, tokenize=porter)", "INSERT INTO old VALUES ('barns')",
    "CREATE VIRTUAL TABLE box USING rtree(id, x0, x1)", "INSERT INTO box VALUES (1, 2, 3)",
    "CREATE TRIGGER r AFTER INSERT ON u BEGIN DELETE FROM u WHERE w IS NULL; END",
    "INSERT INTO u VALUES ('blue')", "INSERT INTO words(words) VALUES ('optimize')",
    "ATTACH ':memory:' AS side", "DETACH side", "VACUUM", "PRAGMA integrity_check",
    "SELECT total(w), group_concat(w), row_number() OVER (), round(sqrt(2), 3) FROM u",
    "SELECT date('now'), strftime('%Y', 'now'), json_object('a', 1), CURRENT_TIMESTAMP",
    "SELECT * FROM u WHERE w LIKE 'b%' OR w GLOB 'b*'", "DROP TABLE old",
  ]

  @Test func `a journal that names another file is not followed`() async throws {
    try await SQL.with(["file": "x.db"], in: folder.directory.path) {
      #expect(await $0.changes("CREATE TABLE t (v)") == "0")
    }
    try folder.write("precious", to: "outside.txt")
    try folder.write(Journal(naming: folder.path("outside.txt")).bytes, to: "x.db-journal")

    let answer = try await SQL.with(["file": "x.db"], in: folder.directory.path) {
      await $0.rows("SELECT count(*) AS n FROM t")
    }

    #expect(answer == "unavailable: unable to open database file")
    #expect(try folder.text("outside.txt") == "precious")
  }

  @Test(arguments: [
    ("SELECT hex(zeroblob(40000000)) AS a", "a value has more than 2000000 bytes"),
    ("SELECT replace(hex(zeroblob(900000)), '0', 'aaaa') AS a", "a value has more than"),
    ("SELECT randomblob(2147483647) AS a", "a value has more than 2000000 bytes"),
    (
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50)
      SELECT group_concat(hex(zeroblob(90000))) AS a FROM n
      """,
      "a value has more than 2000000 bytes"
    ),
    ("SELECT \(Self.long(300))", "the result has more than 2000000 bytes"),
  ])
  func `one value is bounded by the bytes of an answer`(_ sql: String, _ reason: String)
    async throws
  {
    let answer = try await SQL.with(["file": ":memory:", "max_bytes": 2_000_000]) {
      await $0.rows(sql)
    }

    #expect(answer.hasPrefix("too_large: \(reason)"), "\(answer)")
  }

  @Test func `a parameter that is longer than a value may be is refused`() async throws {
    try await SQL.with(["file": ":memory:", "max_bytes": 2_000_000]) { database in
      let long = Value.string(String(repeating: "a", count: 2_000_001))
      #expect(
        await database.rows("SELECT length(?) AS n", long)
          == "too_large: a value has more than 2000000 bytes; 'max_bytes' is the limit")
      let fits = Value.bytes(Bytes([UInt8](repeating: 1, count: 1_999_000)))
      #expect(await database.rows("SELECT length(?) AS n", fits) == "[{n: 1999000}]")
    }
  }

  @Test(arguments: [
    "SELECT " + String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000),
    "SELECT " + [String](repeating: "1", count: 3000).joined(separator: " + "),
    "SELECT " + [String](repeating: "1", count: 3000).joined(separator: " UNION ALL SELECT "),
    "SELECT ?250000", "SELECT 'a' LIKE '\(String(repeating: "%a", count: 20_000))'",
  ])
  func `a statement that asks for too much has an error`(_ sql: String) async throws {
    let answer = try await SQL.with(["file": ":memory:"]) { await $0.rows(sql) }

    #expect(
      ["syntax: ", "data: ", "too_large: "].contains(where: answer.hasPrefix)
        || answer.hasSuffix("[{a: 1}]"), "\(answer.prefix(200))")
  }

  /// Columns that are all alive at once, each of a million bytes.
  private static func long(_ count: Int) -> String {
    (0..<count).map { "zeroblob(1000000) AS c\($0)" }.joined(separator: ", ")
  }
}

/// A rollback journal without pages, which says that another file belongs to it: https://www.sqlite.org/fileformat2.html#rollbackjournal.
private struct Journal {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  let bytes: [UInt8]

  init(naming path: String) {
    let name = Array(path.utf8)
    var bytes = Self.magic
    for number in [0, 1, 2, 512, 4096] { bytes += Self.word(number) }
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    bytes += Self.word(0x4000_0000 / 4096 + 1) + name + Self.word(name.count)
    self.bytes = bytes + Self.word(name.reduce(0) { $0 + Int($1) }) + Self.magic
  }

  private static func word(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
