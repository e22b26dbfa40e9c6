import FlowCore
import FlowPostgreSQL
import FlowSQL
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

/// Notices and warnings of servers, for the console.
@Suite struct NoticeTests {
  private let limits = ResultLimits(rows: 10, bytes: 10_000)

  private func notices(_ sql: String, of database: any Database) async throws -> [String] {
    let client = DatabaseClient(database)
    let stop = Stop()
    _ = try await client.execute(Statement(sql: sql, parameters: []), stop)
    await client.close()
    return stop.notices
  }

  @Test(.enabled(if: TestServer.isHere, TestServer.absence))
  func `PostgreSQL has notices and warnings with hints`() async throws {
    let address = try PostgreSQLAddress(
      try await TestServer.shared().url(), allowedBy: .unlimited, in: try .system())
    let database = PostgreSQLDatabase(address, connectTimeout: .seconds(10), limits: limits)
    let sql = """
      DO $$ BEGIN
        RAISE WARNING 'careful' USING HINT = 'look twice'; RAISE NOTICE 'n'; RAISE DEBUG 'no';
      END $$
      """

    #expect(
      try await notices(sql, of: database) == ["WARNING: careful; HINT: look twice", "NOTICE: n"])
    #expect(try await notices("SELECT 1", of: database) == [])
  }

  @Test(.enabled(if: MariaDBServer.isHere, MariaDB.absence))
  func `MariaDB has warnings`() async throws {
    let address = try MariaDBAddress(
      try await MariaDBServer.shared().url(), allowedBy: .unlimited)
    let database = MariaDBDatabase(
      address: address, library: try .system(), connectTimeout: .seconds(10), limits: limits)

    #expect(
      try await notices("DROP TABLE IF EXISTS none_here", of: database)
        == ["Note 1051: Unknown table 'flow.none_here'"])
    #expect(try await notices("SELECT 1", of: database) == [])
  }

  @Test func `too many notices are dropped, and long ones shortened`() {
    let stop = Stop()
    for number in 1...200 { stop.note("\(number)" + String(repeating: "-", count: 2_000)) }

    #expect(stop.notices.count == 100)
    #expect(stop.notices.first?.unicodeScalars.count == 1_000)
    #expect(stop.notices.first?.hasSuffix("…") == true)
  }
}
