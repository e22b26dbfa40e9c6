internal import FlowCore
internal import FlowSystem

/// The coverage of services' descriptions, one JSON object that `Docs/schemas/contract.schema.json` describes.
///
///     {"version":1,"passed":false,"contracts":[{"path":"shop.yaml","calls":{"replayed":6,"live":1},
///     "totals":{"operation":{"covered":3,"total":4,"percent":75.0,"threshold":100},…},
///     "uncovered":[{"kind":"operation","name":"DELETE /orders/{id}"}],
///     "covered":[{"kind":"operation","name":"GET /orders","count":2,"scenarios":["list.yaml","pay.yaml"]}]}]}
extension ReportFormat<SuiteReport> {
  /// The name of the coverage in `--report`.
  package static var contractName: String { "contract" }

  static var contract: ReportFormat {
    var format = ReportFormat(contractName, file: "flow-contract.json") { suite, _ in
      .json(
        .object([
          .init("version", .number(1)), .init("passed", .bool(suite.shortfalls.isEmpty)),
          .init(
            "contracts",
            .array(suite.coverage.descriptions.map { $0.json(suite.thresholds) })),
        ]))
    }
    format.traits.showsMeasures = true
    return format
  }
}

extension ContractCoverage.Description {
  /// The most parts of each list.
  private static let mostParts = 20_000

  fileprivate func json(_ thresholds: [ContractPart.Kind: Decimal]) -> JSON {
    let uncovered = parts.filter { coverers[$0.name] == nil }
    let covered = parts.filter { coverers[$0.name] != nil }
    let omitted = [uncovered, covered].map { max(0, $0.count - Self.mostParts) }.reduce(0, +)
    return .object(
      [
        .init("path", .string(path)),
        .init(
          "calls", .object([.init("replayed", .number(replayed)), .init("live", .number(live))])),
        .init(
          "totals",
          .object(totals.map { .init($0.kind.rawValue, $0.json(thresholds[$0.kind])) })),
        .init("uncovered", .array(uncovered.prefix(Self.mostParts).map { .object($0.members) })),
        .init("covered", .array(covered.prefix(Self.mostParts).map(json))),
      ] + (omitted > 0 ? [.init("omitted", .number(omitted))] : []))
  }

  private func json(_ part: ContractPart) -> JSON {
    let coverers = coverers[part.name]
    return .object(
      part.members + [
        .init("count", .number(coverers?.count ?? 0)),
        .init("scenarios", .list((coverers?.paths ?? []).sorted())),
      ])
  }
}

extension ContractPart {
  fileprivate var members: [JSON.Member] {
    [.init("kind", .string(kind.rawValue)), .init("name", .text(name))]
  }
}

extension ContractCoverage.Total {
  fileprivate func json(_ threshold: Decimal?) -> JSON {
    .object(
      [
        .init("covered", .number(covered)), .init("total", .number(all)),
        .init("percent", .number(percent)),
      ] + (threshold.map { [.init("threshold", .number("\($0)"))] } ?? []))
  }
}

extension SuiteReport {
  /// The unmet thresholds, a sentence each, ordered by description and kind.
  package var shortfalls: [String] {
    if thresholds.isEmpty { return [] }
    if coverage.isEmpty {
      return ["no component of the scenarios has a contract, so no threshold is met"]
    }
    return coverage.descriptions.flatMap { description in
      description.totals.compactMap { total in
        guard let threshold = total.missed(of: thresholds) else { return nil }
        return "contract '\(description.path.escaped)': \(total.text) covered, "
          + "\(total.percent) %, fewer than \(threshold) %"
      }
    }
  }
}
