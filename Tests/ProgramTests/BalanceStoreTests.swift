import BalancePlugin
import FlowCore
import FlowTesting
import HTTPPlugin
import SQLPlugin
import Synchronization
import TestKit
import Testing

/// Properties of a balance with any store.
@Suite struct BalanceStoreTests {
  enum Store: String, CaseIterable {
    case memory, file, server, database

    /// The components, with a balance of 100.00.
    func components(_ server: ShopServer?) -> String {
      switch self {
      case .memory: "balance: {plugin: balance, with: {opening: 100.00}}"
      case .file: "balance: {plugin: balance, with: {opening: 100.00, file: balance.txt}}"
      case .server:
        """
        api: {plugin: http, with: {base: "\(server?.url ?? "")"}}
          balance: {plugin: balance, using: {server: api}}
        """
      case .database:
        """
        data: {plugin: sql, with: {file: "balance.db"}}
          balance: {plugin: balance, with: {opening: 100.00}, using: {database: data}}
        """
      }
    }
  }

  private static let steps = """
    steps:
      - {uses: balance.load, expect: {balance: 100.00}}
      - {uses: balance.subtract, with: {amount: 12.50}, expect: {balance: 87.50}}
      - {uses: balance.subtract, with: {amount: 87.51}, expect: {error: insufficient}}
      - {uses: balance.subtract, with: {amount: -1}, expect: {error: illegal}}
      - {uses: balance.add, with: {amount: -1}, expect: {error: illegal}}
      - {uses: balance.add, with: {amount: 12.50}, expect: {balance: 100.00}}
      - {uses: balance.load, expect: {balance: 100.00}}
    """

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sample(_ store: Store, _ server: ShopServer?) throws -> ScenarioFile {
    let text = "flow: 1\ncomponents:\n  \(store.components(server))\n\(Self.steps)\n"
    try folder.write(text, to: "spend.yaml")
    return try ScenarioFile(folder.path("spend.yaml"))
  }

  @Test(arguments: ComponentCheck.allCases, Store.allCases)
  func `it passes the checks`(_ check: ComponentCheck, _ store: Store) async throws {
    let first = store == .server ? try ShopServer(in: folder) : nil
    let server = Mutex(first)
    var options = ComponentChecks<Balance>.Options()
    options.prepare = { [folder] in
      for name in ["balance.txt", "balance.db"] { try? folder.remove(name) }
      guard let first else { return }
      server.withLock { server in
        server?.kill()
        do {
          try folder.remove("shop.sqlite")
          server = try ShopServer(in: folder, port: first.port)
        } catch { Issue.record(error) }
      }
    }

    options.world = { [folder] in
      // Without the keys after the amounts, which contain the run's name.
      let lines = (try? folder.text("balance.txt"))?.split(separator: "\n") ?? []
      return lines.map { $0.prefix { $0 != " " } }.joined(separator: " ")
    }

    try await ComponentChecks(
      Balance.self, sample: sample(store, first), using: Registry([HTTP.self, SQL.self]),
      options: options
    ).verify(check)
  }

  @Test(arguments: [Store.file, .database])
  func `nothing is taken twice when flow is killed and goes on`(_ store: Store) async throws {
    try folder.write(
      """
      flow: 1
      components:
        \(store.components(nil))
      steps:
        - for: x
          in: ${{ lists.range(300) }}
          do: [{uses: balance.subtract, with: {amount: 0.10}}]
        - {uses: balance.load, expect: {balance: 70.00}}

      """, to: "spend.yaml")

    // Far fewer than the run writes: it must not be done before a busy machine has counted them.
    var arguments = ["run", "spend.yaml", "--journal", "journal"]
    for lines in [25, 45] {
      let run = try await BuiltProgram.run(
        "flow", arguments + ["--quiet"], in: folder, killedAt: lines)
      #expect(run.wasKilled, "\(run.errors)")
      arguments = ["resume", "journal", "--retry-unknown"]
    }
    let last = try await BuiltProgram.run("flow", arguments + ["--quiet"], in: folder)

    #expect(last.code == 0, "\(last.errors)")
  }

  @Test func `two that share a database both count`() async throws {
    try folder.write(
      """
      flow: 1
      components:
        a: {plugin: sql, with: {file: balance.db}}
        b: {plugin: sql, with: {file: balance.db}}
        one: {plugin: balance, with: {opening: 100.00}, using: {database: a}}
        other: {plugin: balance, with: {opening: 7.00}, using: {database: b}}
      steps:
        - parallel:
            one:
              - for: x
                in: ${{ lists.range(20) }}
                do: [{uses: one.subtract, with: {amount: 1.00}}]
            other:
              - for: x
                in: ${{ lists.range(20) }}
                do: [{uses: other.subtract, with: {amount: 1.00}}]
        - {uses: one.load, expect: {balance: 60.00}}
        - {uses: other.load, expect: {balance: 60.00}}

      """, to: "spend.yaml")

    let run = try await BuiltProgram.run("flow", ["run", "spend.yaml", "--quiet"], in: folder)

    #expect(run.code == 0, "\(run.errors)")
  }

  @Test(arguments: [
    ("DELETE FROM balance_change", "the table 'balance_change' is empty"),
    (
      "UPDATE balance_change SET balance = '-1'",
      "the newest row of 'balance_change' is not a valid balance"
    ),
    ("DROP TABLE balance_change", "syntax: no such table: balance_change"),
  ])
  func `a table without a balance is unavailable`(_ change: String, _ reason: String) async throws {
    let data = try await OpenComponent(SQL.self, with: ["file": ":memory:"])
    let balance = try await OpenComponent(
      Balance.self, with: ["opening": 5], using: ["database": data])
    _ = try await data.call("execute", ["sql": change])

    #expect(await balance.text("load") == "unavailable: \(reason)")
    #expect(await balance.text("add", ["amount": 1]) == "unavailable: \(reason)")
  }

  @Test func `a table that refuses the row for a reason of its own is unavailable at once`()
    async throws
  {
    let data = try await OpenComponent(SQL.self, with: ["file": ":memory:"])
    let balance = try await OpenComponent(
      Balance.self, with: ["opening": 5], using: ["database": data])
    let trigger = """
      CREATE TRIGGER closed BEFORE INSERT ON balance_change BEGIN SELECT RAISE(ABORT, 'closed'); END
      """
    _ = try await data.call("execute", ["sql": trigger])

    #expect(await balance.text("add", ["amount": 1]) == "unavailable: constraint: closed")
    #expect(await balance.text("load") == "{balance: 5.00}")
  }

  @Test func `a change that came first is counted`() async throws {
    let ledger = Ledger()
    let data = try StandIn(
      for: SQL.self,
      [
        "query": .body { input, _ in await ledger.query(input) },
        "execute": .body { input, _ in try await ledger.execute(input) },
      ])
    let balance = try await OpenComponent(
      Balance.self, with: ["opening": 5], using: ["database": OpenComponent(data)])
    await ledger.rush()

    #expect(await balance.text("add", ["amount": 1]) == "{balance: 106.00}")
  }
}

/// A table of changes, into which another one writes first.
private actor Ledger {
  private var rows: [(number: Int, balance: String)] = []
  private var isRushed = false

  /// Lets another change come before the next one.
  func rush() { isRushed = true }

  func query(_ input: RecordValue) -> [String: any FieldValue] {
    let isByKey = input["sql"].map { "\($0)".contains("change_key =") } ?? false
    let last = isByKey ? nil : rows.last
    let found = last.map { row in
      Value.map(ValueMap([("number", .int(row.number)), ("balance", .string(row.balance))]))
    }
    return ["rows": found.map { [$0] } ?? [], "columns": [Value]()]
  }

  func execute(_ input: RecordValue) throws -> [String: any FieldValue] {
    if case .list(let values)? = input["parameters"], case .int(let number)? = values.first,
      case .string(let balance)? = values.last
    {
      if isRushed {
        isRushed = false
        rows.append((number, "105.00"))
      }
      if rows.contains(where: { $0.number == number }) {
        throw ComponentError(ErrorCode("constraint", ""), "UNIQUE constraint failed")
      }
      rows.append((number, balance))
    }
    return ["changes": 1, "last_id": Int?.none, "rows": [Value]()]
  }
}
