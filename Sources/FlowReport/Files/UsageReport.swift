internal import FlowCore
internal import FlowSystem

/// The quantities of calls, such as tokens and money, by scenario and step.
extension ReportFormat<SuiteReport> {
  /// A table for people.
  static var usage: ReportFormat {
    var format = ReportFormat("usage", file: "flow-usage.txt") { suite, _ in
      .text(UsageTable(suite.usage).text)
    }
    format.traits.showsMeasures = true
    return format
  }

  /// One JSON object, which `Docs/schemas/usage.schema.json` describes.
  ///
  ///     {"version":1,"scenarios":[{"path":"agent.yaml","steps":[{"step":"ask","answers":"live","calls":3,
  ///     "sums":[{"name":"usage.total","unit":"tokens","amount":1240}],"unknown":[]}]}],"totals":[…]}
  static var usageJSON: ReportFormat {
    var format = ReportFormat("usage-json", file: "flow-usage.json") { suite, _ in
      .json(
        .object([
          .init("version", .number(1)),
          .init(
            "scenarios",
            .array(
              suite.usage.sorted.map {
                .object([.init("path", .string($0.path)), .init("steps", $0.usage.json)])
              })), .init("totals", .array(suite.usage.totals.map(\.json))),
        ]))
    }
    format.traits.showsMeasures = true
    return format
  }
}

/// The lines of a usage with aligned columns.
private struct UsageTable {
  private let usage: SuiteUsage
  /// The names of the quantities, in the order of their first amounts.
  private let names: [String]

  init(_ usage: SuiteUsage) {
    self.usage = usage
    let rows = usage.scenarios.flatMap(\.usage.rows)
    names = rows.flatMap { $0.sums.map(\.name) + $0.unknown.map(\.name) }.unique
  }

  var text: String {
    if usage.scenarios.isEmpty { return "no call has a quantity\n" }
    var lines = [["step", "answers", "calls"] + names]
    var titles: [Int: String] = [:]
    for (path, usage) in usage.sorted {
      titles[lines.count] = path.onOneLine
      lines += usage.rows.map { line($0, $0.step) }
      if usage.rows.count > 1 { lines += usage.totals.map { line($0, "all steps") } }
    }
    if usage.scenarios.count > 1 {
      titles[lines.count] = "all scenarios"
      lines += usage.totals.map { line($0, "") }
    }
    return aligned(lines, titles) + notes
  }

  private func line(_ row: RunUsage.Row, _ step: String) -> [String] {
    [step.onOneLine, row.isLive ? "live" : "recorded", "\(row.calls)"]
      + names.map { name in
        let sums = row.sums.filter { $0.name == name }.map { "\($0.amount.normalized) \($0.unit)" }
        let isUnknown = row.unknown.contains { $0.name == name }
        return (sums + (isUnknown ? ["?"] : [])).joined(separator: " + ").onOneLine
      }
  }

  private func aligned(_ lines: [[String]], _ titles: [Int: String]) -> String {
    let widths = lines[0].indices.map { column in
      lines.map { $0[column].unicodeScalars.count }.max() ?? 0
    }
    var text = ""
    for (number, line) in lines.enumerated() {
      if let title = titles[number] { text += "\n\(title)\n" }
      let cells = zip(line, widths).enumerated().map { column, cell in
        let room = String(repeating: " ", count: cell.1 - cell.0.unicodeScalars.count)
        // Words to the left, numbers to the right.
        return column < 2 ? cell.0 + room : room + cell.0
      }
      text += cells.joined(separator: "  ").trimmingEnd + "\n"
    }
    return text
  }

  /// The reasons of unknown amounts.
  private var notes: String {
    let all = usage.totals.flatMap(\.unknown)
    if all.isEmpty { return "" }
    var lines: [String] = []
    for unknown in all {
      let calls = unknown.count == 1 ? "1 call" : "\(unknown.count) calls"
      lines.append("\(unknown.name) of \(calls) is not known: \(unknown.reason)".onOneLine)
    }
    return "\n" + lines.unique.joined(separator: "\n") + "\n"
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
