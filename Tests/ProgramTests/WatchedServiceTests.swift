import FlowCore
import Foundation
import TestKit
import Testing

private enum ServicePython {
  static let path = Python.having("psycopg, pymysql, sqlalchemy", in: "database_drivers")
}

/// Services in Python whose statements are watched, with planted faults and without.
@Suite(
  .enabled(
    if: ServicePython.path != nil,
    "not run: no python3 with psycopg, pymysql and sqlalchemy (Scripts/prepare --tests)"),
  .enabled(if: DatabaseServer.isHere, Comment(rawValue: DatabaseServer.absence)),
  .enabled(if: MariaDBServer.isHere, Comment(rawValue: MariaDBServer.absence)), .serialized)
struct WatchedServiceTests {
  /// A service with its database.
  enum Service: String, Sendable, CaseIterable {
    case shop = "psycopg"
    case library = "SQLAlchemy on MariaDB"
    case libraryOnPostgreSQL = "SQLAlchemy on PostgreSQL"

    var program: String { self == .shop ? "shop.py" : "library.py" }

    /// The requests, of which each is a step.
    fileprivate var requests: [(method: String, path: String)] {
      self == .shop
        ? [
          ("get", "orders"), ("get", "orders/1"), ("post", "orders"), ("post", "orders/1/pay"),
          ("get", "report"),
        ]
        : [
          ("get", "authors"), ("get", "books"), ("post", "authors"), ("post", "books/3/move"),
          ("get", "report"),
        ]
    }

    fileprivate func url() async throws -> String {
      self == .library
        ? try await MariaDBServer.shared().url() : try await DatabaseServer.shared().url()
    }
  }

  /// A planted fault, with the request and the rule by which it is found.
  struct Fault: Sendable, CustomTestStringConvertible {
    let service: Service
    let name: String
    let request: String
    let rule: String
    var testDescription: String { "\(service.rawValue): \(name)" }

    init(_ service: Service, _ name: String, _ request: String, _ rule: String) {
      (self.service, self.name, self.request, self.rule) = (service, name, request, rule)
    }
  }

  private static let eachRow = "No statement for each row"
  private static let transaction = "All changes are in a transaction"
  private static let oneTransaction = "The changes of a step are in one transaction"
  private static let limit = "No query without a limit"

  @Test(arguments: [
    Fault(.shop, "items of each order", "get orders", eachRow),
    Fault(.shop, "product of each item", "get orders/1", eachRow),
    Fault(.shop, "unlimited list", "get orders", limit),
    Fault(.shop, "no transaction", "post orders", transaction),
    Fault(.shop, "two transactions", "post orders/1/pay", oneTransaction),
    Fault(.library, "books of each author", "get authors", eachRow),
    Fault(.library, "author of each book", "get books", eachRow),
    Fault(.library, "unlimited list", "get books", limit),
    Fault(.library, "no transaction", "post authors", transaction),
    Fault(.library, "two transactions", "post books/3/move", oneTransaction),
  ])
  func `a fault is found by an invariant`(_ fault: Fault) async throws {
    let run = try await Self.run(fault.service, fault.name)

    #expect(run.code == 1, "\(run.output)\(run.errors)")
    // The invariants follow the step of the request.
    let lines = run.output.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.hasPrefix("  failed \(fault.rule)  (") })
    #expect(lines[place - 1].hasPrefix("  passed \(fault.request)  ("), "\(run.output)")
  }

  @Test(arguments: Service.allCases)
  func `a service without faults gives no alarm`(_ service: Service) async throws {
    for _ in 0..<Stress.count(2, full: 100) {
      let run = try await Self.run(service, "sound")
      #expect(run.code == 0, "\(run.output)\(run.errors)")
    }
  }

  @Test(arguments: [
    (rule: "steps.reads.count <= 3", queries: "['SELECT 1 LIMIT 1'] * 3", code: 0 as Int32),
    (rule: "steps.reads.count <= 3", queries: "['SELECT 1 LIMIT 1'] * 4", code: 1),
    (
      rule: "steps.reads.statements.all(s, s.limited)",
      queries: "['SELECT 1 LIMIT 1', 'SELECT count(*) FROM pg_class']", code: 0
    ),
    (
      rule: "steps.reads.statements.all(s, s.limited)",
      queries: "['SELECT 1 LIMIT 1', 'SELECT oid FROM pg_class']", code: 1
    ),
  ])
  func `the strictest rules hold or fail`(
    _ rule: String, _ queries: String, _ code: Int32
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      import os
      import psycopg

      with psycopg.connect(os.environ["DATABASE_URL"]) as db:
          for query in \(queries):
              db.execute(query)

      """, to: "asks.py")
    try folder.write(
      """
      flow: 1
      inputs:
        url: {type: string, secret: true}
        python: {type: string}
      components:
        watched: {plugin: database-proxy, with: {url: "${{ inputs.url }}"}}
        programs: {plugin: process}
      invariants:
        - {id: reads, uses: watched.statements, with: {kind: SELECT}}
        - {name: Strict, assert: ["${{ \(rule) }}"]}
      steps:
        - {id: database, uses: watched.address}
        - uses: programs.run
          with:
            argv: ["${{ inputs.python }}", asks.py]
            env: {DATABASE_URL: "${{ steps.database.url }}"}
          expect: {status: 0, stderr: ""}

      """, to: "s.yaml")
    let run = try await Self.flow(["run", "s.yaml"], in: folder)
    #expect(run.code == code, "\(run.output)\(run.errors)")
    #expect(run.output.contains("failed Strict") == (code == 1), "\(run.output)")
  }

  @Test func `two versions are compared by what they ask`() async throws {
    let folder = try TemporaryFolder()
    let old = """
      import os, sys, threading
      import psycopg

      def numbers(part):
          with psycopg.connect(os.environ["DATABASE_URL"]) as db:
              db.execute("SELECT n FROM generate_series(1, 9) n WHERE mod(n, 3) = %s LIMIT 9", (part,))

      threads = [threading.Thread(target=numbers, args=(part,)) for part in range(3)]
      for thread in threads: thread.start()
      for thread in threads: thread.join()
      with psycopg.connect(os.environ["DATABASE_URL"]) as db:
          db.execute("SELECT 1")

      """
    try folder.write(old, to: "asks.py")
    try folder.write(
      """
      flow: 1
      inputs:
        url: {type: string, secret: true}
        python: {type: string}
      components:
        watched: {plugin: database-proxy, with: {url: "${{ inputs.url }}"}}
        programs: {plugin: process}
      steps:
        - {id: database, uses: watched.address}
        - uses: programs.run
          with:
            argv: ["${{ inputs.python }}", asks.py]
            env: {DATABASE_URL: "${{ steps.database.url }}"}
          expect: {status: 0, stderr: ""}
        - {uses: watched.statements, volatile: [statements]}

      """, to: "s.yaml")
    let record = try await Self.flow(["run", "s.yaml", "--record"], in: folder)
    #expect(record.code == 0, "\(record.output)\(record.errors)")

    let same = try await Self.flow(["test", "--live", "--repeat", "5", "s.yaml"], in: folder)
    #expect(same.code == 0, "\(same.output)\(same.errors)")

    let new = old.replacing("range(3)", with: "range(4)")
    try folder.write(new.replacing("SELECT 1", with: "SELECT now()"), to: "asks.py")
    let changed = try await Self.flow(["test", "--live", "s.yaml"], in: folder)
    #expect(changed.code == 1)
    let report = changed.output + changed.errors
    for part in ["F3009", "texts[0].count", "SELECT now ()"] {
      #expect(report.contains(part), "\(report)")
    }
  }

  /// Runs `flow` with the Python and the server of PostgreSQL.
  private static func flow(
    _ arguments: [String], in folder: TemporaryFolder
  ) async throws -> BuiltProgram {
    try await BuiltProgram.run(
      "flow", arguments + ["--input", "python=\(try #require(ServicePython.path))"], in: folder,
      environment: ["FLOW_SECRET_URL": try await DatabaseServer.shared().url()])
  }

  /// Runs a service with all of its requests.
  private static func run(_ service: Service, _ fault: String) async throws -> BuiltProgram {
    let folder = try TemporaryFolder()
    let program = ProjectFiles.root + "/Tests/ProgramTests/WatchedServices/\(service.program)"
    let requests = service.requests.map { method, path in
      """
        - {name: \(method) \(path), uses: api.\(method), with: {path: \(path)}, expect: {status: 200}}

      """
    }
    try folder.write(scenario + requests.joined(), to: "s.yaml")
    let inputs = [
      "python": try #require(ServicePython.path), "program": program, "port": "\(try freePort())",
      "fault": fault,
    ]
    let arguments = inputs.flatMap { ["--input", "\($0)=\($1)"] }
    return try await BuiltProgram.run(
      "flow", ["run", "s.yaml"] + arguments, in: folder,
      environment: ["FLOW_SECRET_URL": try await service.url()])
  }

  private static let scenario = #"""
    flow: 1
    inputs:
      url: {type: string, secret: true}
      python: {type: string}
      program: {type: string}
      port: {type: int}
      fault: {type: string}
    components:
      watched: {plugin: database-proxy, with: {url: "${{ inputs.url }}"}}
      programs: {plugin: process}
      api: {plugin: http, with: {base: "http://127.0.0.1:${{ inputs.port }}"}}
    invariants:
      - {id: reads, uses: watched.statements, with: {kind: SELECT}}
      - {id: all, uses: watched.statements}
      - uses: watched.reset
      - name: No statement for each row
        assert: ["${{ steps.reads.texts.all(text, text.count <= 3) }}"]
      - name: All changes are in a transaction
        assert:
          - >-
            ${{ steps.all.statements.all(s,
            !(s.kind in ['INSERT', 'UPDATE', 'DELETE']) || s.transaction != null) }}
      - name: The changes of a step are in one transaction
        assert:
          - >-
            ${{ steps.all.statements.filter(s, s.kind in ['INSERT', 'UPDATE', 'DELETE'])
            .map(s, s.transaction).distinct().size() <= 1 }}
      - name: No query without a limit
        assert: ["${{ steps.reads.statements.all(s, s.limited || s.rows <= 50) }}"]
    steps:
      - {id: database, uses: watched.address}
      - uses: programs.start
        with:
          name: service
          argv:
            - ${{ inputs.python }}
            - ${{ inputs.program }}
            - ${{ string(inputs.port) }}
            - ${{ inputs.fault }}
          env: {DATABASE_URL: "${{ steps.database.url }}"}
      - {uses: programs.wait_for, with: {name: service, line: listening}, timeout: 60s}

    """#
}
