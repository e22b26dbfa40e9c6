import FlowCore
import FlowTesting
import SQLPlugin
import TestKit
import Testing

@testable import DatabaseProxyPlugin

/// A proxy before the tests' own server of PostgreSQL.
@Suite(
  .enabled(if: DatabaseServer.isHere, Comment(rawValue: DatabaseServer.absence)), .serialized)
struct DatabaseProxyTests {
  /// Runs work with a proxy, and a database that is accessed by it.
  private func watched<Success>(
    _ work: (OpenComponent, OpenComponent) async throws -> Success
  ) async throws -> Success {
    let server = try await DatabaseServer.shared()
    let proxy = try await OpenComponent(DatabaseProxy.self, with: ["url": server.url()])
    guard case .record(let address) = try await proxy.call("address", [:]),
      case .string(let url)? = address["url"]
    else { throw ComponentError(.unknown, "there is no address") }
    let database = try await OpenComponent(SQL.self, with: ["url": url])
    let result = try await work(proxy, database)
    await database.close()
    await proxy.close()
    return result
  }

  @Test func `statements of a program are noted with their rows and transactions`() async throws {
    try await watched { proxy, database in
      _ = await database.text("query", ["sql": "SELECT 1 AS one"])
      _ = await proxy.text("reset", [:])
      let answer = await database.text("query", ["sql": "SELECT generate_series(1, 3) AS v"])

      #expect(answer.hasPrefix("{rows: [{v: 1}, {v: 2}, {v: 3}]"))
      #expect(
        await proxy.text("statements", ["kind": "select"])
          == #"{count: 1, statements: [{text: "SELECT generate_series (?, ?) AS v", "#
          + #"kind: "SELECT", rows: 3, transaction: 1, error: null, limited: false}], "#
          + #"texts: [{text: "SELECT generate_series (?, ?) AS v", count: 1, rows: 3}]}"#)
    }
  }

  @Test func `errors pass, and are noted`() async throws {
    try await watched { proxy, database in
      _ = await database.text("execute", ["sql": "SELECT 1 / 0"])

      #expect(
        await proxy.text("statements", ["text": "/"]).contains(
          #"{text: "SELECT ? / ?", kind: "SELECT", rows: 0, transaction: 1, error: "22012", limited: false}"#
        ))
    }
  }

  @Test func `a long value passes unchanged`() async throws {
    try await watched { _, database in
      let rows = await database.text(
        "query", ["sql": "SELECT length(repeat('ü', 3000000)) AS n, md5(repeat('a', 999999)) AS m"])

      #expect(rows.contains("n: 3000000"))
      #expect(
        await database.text("query", ["sql": "SELECT repeat('a', 3000000) AS v"]).utf8.count
          > 3_000_000)
    }
  }

  @Test func `a closed proxy ends the connections`() async throws {
    try await watched { proxy, database in
      _ = await database.text("query", ["sql": "SELECT 1 AS one"])

      await proxy.close()

      #expect(await database.text("query", ["sql": "SELECT 1"]).hasPrefix("unavailable: "))
    }
  }

  @Test(arguments: [
    (
      "postgres://h/d?sslmode=require",
      "settings: 'url' has 'sslmode=require', but the proxy reads along and refuses TLS; "
        + "use 'prefer' or 'disable'"
    ),
    (
      "postgres://a,b/d",
      "settings: 'url' must be like postgres://user:password@host:5432/database, "
        + "or mysql://user:password@host:3306/database"
    ),
    ("mysql://h/d", "settings: 'url' must have a user"),
    (
      "mysql://u@h/d?tls=verified",
      "settings: 'url' has 'tls=verified', but the proxy reads along and refuses TLS; use 'none'"
    ),
  ])
  func `a URL that cannot be followed is refused`(_ url: String, _ problem: String) async throws {
    await #expect { _ = try await OpenComponent(DatabaseProxy.self, with: ["url": url]) } throws: {
      "\($0)".contains(problem.dropFirst("settings: ".count))
    }
  }

  @Test func `the address has the login and the parameters`() throws {
    let place = try ServerPlace(
      "postgres://me:a%40b@[::1]:77/d?application_name=x", allowedBy: .unlimited)

    #expect(place.host == "::1")
    #expect(place.port == 77)
    #expect(place.url(at: 9) == "postgres://me:a%40b@127.0.0.1:9/d?application_name=x")

    let other = try ServerPlace(
      "mariadb://me:a%40b@localhost/d?socket=%2Ftmp%2Fs", allowedBy: .unlimited)

    #expect(other.socket == "/tmp/s")
    #expect(other.url(at: 9) == "mariadb://me:a%40b@127.0.0.1:9/d")
  }

  @Test(arguments: ComponentCheck.allCases)
  func `the proxy passes the checks of components`(_ check: ComponentCheck) async throws {
    let server = try await DatabaseServer.shared()
    var options = ComponentChecks<DatabaseProxy>.Options()
    options.secrets["url"] = ["first", "second"].map { server.url(password: $0) }
    let sample = try ScenarioFile("../Scenarios/watched.yaml")

    try await ComponentChecks(DatabaseProxy.self, sample: sample, options: options).verify(check)
  }

  @Test func `the recorded scenario replays without a database`() async throws {
    for scenario in try Scenarios.all(in: "../Scenarios") {
      try await scenario.replay(try Registry([DatabaseProxy.self]))
    }
  }
}
