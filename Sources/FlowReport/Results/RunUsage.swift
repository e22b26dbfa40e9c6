package import FlowCore
internal import FlowSystem

/// The quantities of the calls of a scenario, such as tokens and money, by step.
package struct RunUsage: Sendable, Equatable {
  /// The calls of one step that the components answered, or those that a recording answered.
  struct Row: Sendable, Equatable {
    /// The path of the step: `browse/page`, empty for all steps.
    let step: String
    let isLive: Bool
    var calls = 0
    /// The sums, in the order of their first amounts.
    var sums: [Sum] = []
    /// The amounts that are not known, in the order of the first ones.
    var unknown: [Unknown] = []
  }

  /// The sum of one quantity.
  struct Sum: Sendable, Equatable {
    let name: String
    let unit: String
    var amount: Decimal
  }

  /// Amounts of one quantity that are not known for one reason.
  struct Unknown: Sendable, Equatable {
    let name: String
    let unit: String
    let reason: String
    var count: Int
  }

  /// The rows in the order of their first calls.
  private(set) var rows: [Row] = []
  var isEmpty: Bool { rows.isEmpty }

  /// No calls.
  package init() {}

  /// Creates the usage of rows that were kept.
  init(_ rows: [Row]) { self.rows = rows }

  /// Adds the quantities of a call, which counts as a call itself unless it goes on with another one.
  package mutating func add(
    _ quantities: [Quantity], calls: Int, of step: String, isLive: Bool
  ) {
    var row = Row(step: step, isLive: isLive, calls: calls)
    for quantity in quantities { row.add(quantity) }
    add(row)
  }

  /// Adds the calls of another run.
  package mutating func add(_ other: RunUsage) {
    for row in other.rows { add(row) }
  }

  private mutating func add(_ row: Row) {
    guard let index = rows.firstIndex(where: { $0.step == row.step && $0.isLive == row.isLive })
    else { return rows.append(row) }
    rows[index].add(row)
  }

  /// The usage without the steps of which no amount is told.
  var measured: RunUsage {
    RunUsage(rows.filter { !$0.sums.isEmpty || !$0.unknown.isEmpty })
  }

  /// The sums of all steps, live ones first, with no row for a source without calls.
  var totals: [Row] {
    [true, false].compactMap { isLive in
      let own = rows.filter { $0.isLive == isLive }
      if own.isEmpty { return nil }
      var total = Row(step: "", isLive: isLive)
      for row in own { total.add(row) }
      return total
    }
  }
}

extension RunUsage.Row {
  fileprivate mutating func add(_ quantity: Quantity) {
    guard let amount = quantity.amount else {
      return add(
        RunUsage.Unknown(
          name: quantity.name, unit: quantity.unit, reason: quantity.reason ?? "", count: 1))
    }
    add(RunUsage.Sum(name: quantity.name, unit: quantity.unit, amount: amount))
  }

  fileprivate mutating func add(_ other: RunUsage.Row) {
    calls += other.calls
    for sum in other.sums { add(sum) }
    for unknown in other.unknown { add(unknown) }
  }

  private mutating func add(_ other: RunUsage.Sum) {
    guard let index = sums.firstIndex(where: { $0.name == other.name && $0.unit == other.unit })
    else { return sums.append(other) }
    guard let amount = try? sums[index].amount + other.amount else {
      return add(
        RunUsage.Unknown(
          name: other.name, unit: other.unit, reason: "the sum has too many digits", count: 1))
    }
    sums[index].amount = amount
  }

  private mutating func add(_ other: RunUsage.Unknown) {
    let index = unknown.firstIndex {
      $0.name == other.name && $0.unit == other.unit && $0.reason == other.reason
    }
    if let index { unknown[index].count += other.count } else { unknown.append(other) }
  }
}

/// The quantities of the calls of a suite, by scenario.
package struct SuiteUsage: Sendable, Equatable {
  /// The usage of the scenarios with quantities, by their paths, in the order of their ends.
  private(set) var scenarios: [(path: String, usage: RunUsage)] = []

  package static func == (left: SuiteUsage, right: SuiteUsage) -> Bool {
    left.scenarios.elementsEqual(right.scenarios, by: ==)
  }

  mutating func add(_ usage: RunUsage, of path: String) {
    if !usage.isEmpty { scenarios.append((path, usage)) }
  }

  /// The scenarios in the order of their paths.
  var sorted: [(path: String, usage: RunUsage)] {
    scenarios.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// The sums of all scenarios.
  var totals: [RunUsage.Row] {
    var all = RunUsage()
    for scenario in scenarios { all.add(scenario.usage) }
    return all.totals
  }
}

// MARK: - JSON

extension RunUsage {
  /// The most rows, sums and unknown amounts that are read.
  private static let most = 100_000

  /// The rows as reports and the results of a part of a suite have them.
  var json: JSON { .array(rows.map(\.json)) }

  /// Creates a usage from JSON.
  ///
  /// Nil if something is missing or impossible.
  init?(_ json: JSON) {
    guard case .array(let list) = json, list.count <= Self.most else { return nil }
    let rows = list.compactMap(Row.init)
    guard rows.count == list.count else { return nil }
    self.init(rows)
  }
}

extension RunUsage.Row {
  var json: JSON {
    .object(
      (step.isEmpty ? [] : [.init("step", .string(step))]) + [
        .init("answers", .string(isLive ? "live" : "recorded")), .init("calls", .number(calls)),
        .init(
          "sums",
          .array(
            sums.map {
              .object([
                .init("name", .string($0.name)), .init("unit", .string($0.unit)),
                .init("amount", .number("\($0.amount.normalized)")),
              ])
            })),
        .init(
          "unknown",
          .array(
            unknown.map {
              .object([
                .init("name", .string($0.name)), .init("unit", .string($0.unit)),
                .init("reason", .string($0.reason)), .init("count", .number($0.count)),
              ])
            })),
      ])
  }

  fileprivate init?(_ json: JSON) {
    guard let step = json["step"]?.string, let answers = json["answers"]?.string,
      ["live", "recorded"].contains(answers), let calls = json["calls"]?.count,
      let sums = json["sums"]?.all(RunUsage.Sum.init),
      let unknown = json["unknown"]?.all(RunUsage.Unknown.init)
    else { return nil }
    self.init(step: step, isLive: answers == "live", calls: calls, sums: sums, unknown: unknown)
  }
}

extension RunUsage.Sum {
  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.string, let unit = json["unit"]?.string,
      case .number(let text)? = json["amount"], let amount = Decimal(text)
    else { return nil }
    self.init(name: name, unit: unit, amount: amount)
  }
}

extension RunUsage.Unknown {
  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.string, let unit = json["unit"]?.string,
      let reason = json["reason"]?.string, let count = json["count"]?.count
    else { return nil }
    self.init(name: name, unit: unit, reason: reason, count: count)
  }
}
