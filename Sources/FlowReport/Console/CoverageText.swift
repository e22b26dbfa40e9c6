internal import FlowCore
internal import FlowSystem

extension ContractCoverage {
  /// The lines for people, two for each description.
  ///
  ///     contract shop.yaml: operations 3 of 4, statuses 5 of 9 (6 calls replayed, 1 live)
  ///         not covered: DELETE /orders/{id}, GET /orders/{id} 404
  ///
  /// One line without a description.
  var text: String {
    if isEmpty { return "contract: no component of the scenarios has one\n" }
    return descriptions.map { $0.text.onOneLines }.joined()
  }
}

extension ContractCoverage.Description {
  /// The most names in the second line.
  private static let mostNames = 10

  fileprivate var text: [String] {
    let totals = totals.filter { $0.all > 0 }.map(\.text)
    let first =
      "contract \(path): \(totals.isEmpty ? "empty" : totals.joined(separator: ", "))"
      + " (\(counted(replayed, "call")) replayed, \(live) live)"
    let missing = missing
    if missing.isEmpty { return [first] }
    let more = missing.count - Self.mostNames
    let names = missing.prefix(Self.mostNames).joined(separator: ", ")
    return [first, "    not covered: \(names)\(more > 0 ? " and \(more) more" : "")"]
  }

  /// The names of the parts that are not covered, operations first.
  ///
  /// The parts of an operation that is not covered are left out.
  var missing: [String] {
    let operations = operationParts
    let uncalled = operations.filter { !$0.isCovered }.map(\.name)
    return uncalled + operations.filter(\.isCovered).flatMap(\.missing)
  }
}

extension ContractCoverage.Total {
  /// The number of covered parts: `operations 3 of 4`.
  var text: String { "\(kind.plural) \(covered) of \(all)" }
}

extension [String] {
  fileprivate var onOneLines: String { map { $0.onOneLine + "\n" }.joined() }
}
