import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import SQLPlugin

@Suite(.enabled(if: TestServer.isHere, TestServer.absence)) struct SQLStateTests {
  @Test(arguments: [
    ("P0001", "constraint: sold out: pen; hint: ask"),
    ("P0042", "constraint: sold out (SQLSTATE P0042): pen; hint: ask"),
    ("U0001", "constraint: sold out (SQLSTATE U0001): pen; hint: ask"),
    ("S0007", "constraint: sold out (SQLSTATE S0007): pen; hint: ask"),
    ("45000", "constraint: sold out (SQLSTATE 45000): pen; hint: ask"),
    ("99001", "constraint: sold out (SQLSTATE 99001): pen; hint: ask"),
    ("KZ9AB", "constraint: sold out (SQLSTATE KZ9AB): pen; hint: ask"),
    ("P0002", "data: sold out; hint: ask"), ("P0004", "constraint: sold out; hint: ask"),
    ("23514", "constraint: sold out; hint: ask"), ("44000", "constraint: sold out; hint: ask"),
    ("27000", "constraint: sold out; hint: ask"), ("09000", "constraint: sold out; hint: ask"),
    ("22012", "data: sold out; hint: ask"), ("20000", "data: sold out; hint: ask"),
    ("0A000", "syntax: sold out; hint: ask"), ("42P99", "syntax: sold out; hint: ask"),
    ("40001", "busy: sold out; hint: ask"), ("40003", "busy: sold out; hint: ask"),
    ("55P03", "busy: sold out; hint: ask"), ("42501", "forbidden: sold out; hint: ask"),
    ("0P000", "forbidden: sold out; hint: ask"), ("57014", "timeout: sold out; hint: ask"),
    ("54001", "too_large: sold out; hint: ask"), ("53300", "unavailable: sold out; hint: ask"),
    ("08006", "unavailable: sold out; hint: ask"), ("XX000", "unavailable: sold out; hint: ask"),
    ("HV000", "unavailable: sold out; hint: ask"),
  ])
  func `what is raised has the class of its state`(_ state: String, _ error: String) async throws {
    let answer = try await SQL.onServer {
      await $0.changes(
        """
        DO $$ BEGIN RAISE EXCEPTION 'sold out'
          USING ERRCODE = '\(state)', DETAIL = 'pen', HINT = 'ask'; END $$
        """)
    }

    #expect(answer == error)
  }

  @Test func `a mistake in a transaction has the statement and the place`() async throws {
    let answer = try await SQL.onServer {
      await $0.transaction(["SELECT 1", "SELECT 1,\n       2 +"])
    }

    #expect(
      answer == "syntax: statement 2: line 2, column 11: syntax error at end of input")
  }

  @Test func `a place of one statement is not that of the next`() async throws {
    try await SQL.onServer { database in
      #expect(await database.rows("SELECT\nq").hasPrefix("syntax: line 2, column 1: "))
      #expect(await database.rows("SELECT 1 / 0") == "data: division by zero")
      #expect(
        await database.rows("SELECT $1::text", .string("a\0b"))
          == "data: parameter 1 contains a zero byte, which PostgreSQL cannot store")
    }
  }

  @Test func `a list that JSON cannot hold is no parameter`() async throws {
    try await SQL.onServer { database in
      let list = Value.list([.double(.nan)])
      #expect(
        await database.rows("SELECT $1::jsonb AS v", list)
          == "data: parameter 1 cannot be written as JSON: '[0]' is nan, which JSON cannot hold")
      #expect(await database.rows("SELECT $1::float8[] AS v", list) == "[{v: [nan]}]")
    }
  }
}
