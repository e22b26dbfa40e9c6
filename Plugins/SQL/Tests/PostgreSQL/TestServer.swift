import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import SQLPlugin

/// The tests' own server of PostgreSQL.
struct TestServer {
  private let server: DatabaseServer

  static let isHere = DatabaseServer.isHere
  static let absence = Comment(rawValue: DatabaseServer.absence)

  static func shared() async throws -> TestServer {
    TestServer(server: try await DatabaseServer.shared())
  }

  /// The folder of the socket.
  var folder: String { server.folder }

  /// The URL of a database, with parameters such as `options=-c%20lock_timeout%3D1`.
  func url(password: String = "none", _ parameters: String = "") -> String {
    server.url(password: password, parameters)
  }
}

extension SQL {
  /// A component that is closed after the work.
  static func with<Success>(
    _ settings: [String: any FieldValue], in folder: String = ".",
    _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    let database = try await OpenComponent(SQL.self, with: settings, in: folder)
    do {
      let result = try await work(database)
      await database.close()
      return result
    } catch {
      await database.close()
      throw error
    }
  }

  /// Makes a database for one test, and returns the error of one that exists.
  static func make(_ database: String, at url: String) async -> String {
    do {
      return try await with(["url": url]) { await $0.changes("CREATE DATABASE \(database)") }
    } catch {
      return "\(error)"
    }
  }

  /// A component on the tests' server.
  static func onServer<Success>(
    _ parameters: String = "", settings: [String: any FieldValue] = [:], in folder: String = ".",
    _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    let url = try await TestServer.shared().url(parameters)
    return try await with(
      settings.merging(["url": url]) { given, _ in given }, in: folder, work)
  }
}

extension OpenComponent {
  /// The rows of a query, `[{a: 1}]`; or the error.
  func rows(_ sql: String, _ parameters: Value...) async -> String {
    await field("rows", "query", ["sql": sql, "parameters": parameters])
  }

  /// Returns the number of rows changed by a statement, or the error.
  func changes(_ sql: String, _ parameters: Value...) async -> String {
    await field("changes", "execute", ["sql": sql, "parameters": parameters])
  }

  /// Returns the number of rows changed by each statement of a transaction, or the error.
  func transaction(_ statements: [String]) async -> String {
    let statements = statements.map { Statement(sql: $0, parameters: []) }
    return await field("changes", "transaction", ["statements": statements])
  }

  /// One field of an answer; or the error.
  func field(
    _ name: String, _ operation: String, _ input: [String: any FieldValue]
  ) async -> String {
    do {
      guard case .record(let answer) = try await call(operation, input) else { return "no record" }
      return answer[name]?.description ?? "no field"
    } catch {
      return "\(error)"
    }
  }
}
