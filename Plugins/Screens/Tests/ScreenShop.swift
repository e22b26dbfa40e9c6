import BalancePlugin
import CatalogPlugin
import FlowCore
import FlowTesting
import ImagesPlugin
import TestKit

/// A balance, a catalog and pictures that take their time and sometimes fail, for screens in virtual time.
///
/// A call is named by what it asks and its number: `load#1`, `subtract#2`, `page 20#1`, `picture 3#1`; the report of a
/// change is `report#1`.
struct ScreenShop: Sendable {
  /// How long a call takes: it is carried out at once, and its answer travels as long as this.
  var delay: @Sendable (_ call: String) -> Duration = { _ in .zero }
  /// The calls without an answer.
  var failing: Set<String> = []
  /// How many rows the catalog has.
  var rows = 30
  private let till = Till()

  /// Everything but the component under test.
  private static let components = """
      balance: {plugin: balance}
      catalog: {plugin: catalog}
      images: {plugin: images}

    """

  /// Runs steps with a component `screens` of some plugin and settings.
  func run(
    _ steps: String, _ screens: String = "plugin: screens, with: {page: 6, height: 60}",
    on registry: Registry, seed: UInt64 = 0
  ) async throws -> ScenarioRun {
    let folder = try TemporaryFolder()
    try folder.write(
      "flow: 1\ncomponents:\n" + Self.components
        + "  screens: {\(screens), using: {balance: balance, catalog: catalog, images: images}}\n"
        + "steps:\n" + steps, to: "s.yaml")
    let options = LiveOptions(isVirtualTime: true, seed: seed)
    return try await ScenarioFile(folder.path("s.yaml")).attempt(
      registry, with: try standIns.map { .standIn($0) }, options: options)
  }

  private var standIns: [StandIn] {
    get throws {
      [
        try StandIn(
          for: Balance.self,
          [
            "load": .body { _, context in
              let balance = await till.balance
              try await answer("load", context)
              return ["balance": balance]
            },
            "subtract": .body { input, context in
              try await change(input, context) { try await till.subtract($0) }
            },
            "add": .body { input, context in
              try await change(input, context, "add") { try await till.add($0) }
            },
          ]),
        try StandIn(for: Catalog.self, ["page": .body { try await page($0, $1) }]),
        try StandIn(for: Images.self, ["fetch": .body { try await picture($0, $1) }]),
      ]
    }
  }

  /// Counts a call, and lets its answer travel.
  private func answer(_ call: String, _ context: Context) async throws {
    let call = await till.next(call)
    try await context.sleep(for: delay(call))
    if failing.contains(call) {
      throw ComponentError(ErrorCode("unavailable", ""), "no answer")
    }
  }

  private func change(
    _ input: RecordValue, _ context: Context, _ name: String = "subtract",
    _ change: (Decimal) async throws -> Decimal
  ) async throws -> [String: any FieldValue] {
    guard case .decimal(let amount)? = input["amount"] else { return [:] }
    let balance = try await change(amount)
    let changed = EventKind("changed", "", Record<Decimal>("balance", ""))
    let wait = delay(await till.next("report"))
    if wait == .zero {
      context.emit(changed, balance)
    } else {
      context.spawn("report") { context in
        try await context.sleep(for: wait)
        context.emit(changed, balance)
      }
    }
    try await answer(name, context)
    return ["balance": balance]
  }

  private func page(
    _ input: RecordValue, _ context: Context
  ) async throws -> [String: any FieldValue] {
    guard case .int(let start)? = input["start"], case .int(let length)? = input["length"] else {
      return [:]
    }
    try await answer("page \(start)", context)
    let items = (start..<max(start, min(start + length, rows))).map { row in
      Value.map(
        ValueMap([
          ("title", .string("Row \(row)")), ("city", .string("C")), ("state", .string("S")),
          ("image", .string("\(row)")),
        ]))
    }
    return ["items": items, "total": rows, "end": start + length >= rows]
  }

  /// A picture that is as wide as its row's number.
  private func picture(
    _ input: RecordValue, _ context: Context
  ) async throws -> [String: any FieldValue] {
    guard case .string(let path)? = input["path"], let row = Int(path) else { return [:] }
    try await answer("picture \(path)", context)
    return [
      "path": path, "format": "png", "width": row, "height": 1, "bytes": 1, "sha256": "",
      "cached": false, "hits": 0, "misses": 0,
    ]
  }
}

/// Money that is changed at once, however long the answer takes.
private actor Till {
  private(set) var balance = Decimal(100)
  private var counts: [String: Int] = [:]

  func add(_ amount: Decimal) throws -> Decimal {
    balance = try balance + amount
    return balance
  }

  func subtract(_ amount: Decimal) throws -> Decimal {
    guard balance >= amount else {
      throw ComponentError(ErrorCode("insufficient", ""), "\(amount) is more than \(balance)")
    }
    balance = try balance - amount
    return balance
  }

  func next(_ call: String) -> String {
    counts[call, default: 0] += 1
    return "\(call)#\(counts[call] ?? 0)"
  }
}
