internal import FlowCore
internal import FlowSystem

/// The part of a page about the covered parts of services' descriptions.
///
///     <section class="j" id="contracts">
///     <h2>Contract shop.yaml</h2>
///     <p class="o">6 calls replayed, 1 live</p>
///     <table>…</table>
struct CoverageHTML {
  private static let mostDescriptions = 100
  private static let mostOperations = 500
  private static let mostParts = 20
  private static let longestName = 300

  private let descriptions: [ContractCoverage.Description]
  private let thresholds: [ContractPart.Kind: Decimal]

  init(_ suite: SuiteReport) {
    descriptions = suite.coverage.descriptions
    thresholds = suite.thresholds
  }

  /// The link from the head of the page, empty without a description.
  var link: HTML {
    if descriptions.isEmpty { return "" }
    let totals = descriptions.compactMap { $0.totals.first }
    let (covered, all) = (totals.map(\.covered).reduce(0, +), totals.map(\.all).reduce(0, +))
    return " · <a href=\"#contracts\">\(covered) of \(all) operations covered</a>"
  }

  /// The section, empty without a description.
  var html: HTML {
    if descriptions.isEmpty { return "" }
    let rest = descriptions.count - Self.mostDescriptions
    let more: HTML = rest > 0 ? "<p class=\"o\">\(text: moreLeftOut(rest)).</p>\n" : ""
    let all = descriptions.prefix(Self.mostDescriptions).map(section).joined()
    return "<section class=\"j\" id=\"contracts\">\n\(all)\(more)</section>\n"
  }

  private func section(_ description: ContractCoverage.Description) -> HTML {
    let (calls, operations) = (counted(description.replayed, "call"), description.operationParts)
    let rest = operations.count - Self.mostOperations
    let rows = operations.prefix(Self.mostOperations).map(row).joined()
    let more: HTML = rest > 0 ? "<p class=\"o\">\(text: moreLeftOut(rest)).</p>\n" : ""
    return """
      <h2>Contract \(text: description.path, atMost: Self.longestName)</h2>
      <p class="o">\(text: calls) replayed, \(description.live) live</p>
      <table><thead><tr><th scope="col">kind</th><th scope="col">covered</th>\
      <th scope="col">percent</th></tr></thead><tbody>
      \(description.totals.filter { $0.all > 0 }.map(row).joined())</tbody></table>
      <table><caption>Operations and their parts</caption><thead><tr><th scope="col">operation</th>\
      <th scope="col">covered</th><th scope="col">not covered</th></tr></thead><tbody>
      \(rows)</tbody></table>
      \(more)
      """
  }

  private func row(_ total: ContractCoverage.Total) -> HTML {
    var percent: HTML = "\(text: total.percent) %"
    if let threshold = total.missed(of: thresholds) {
      percent = "<del>\(percent)</del>, fewer than \(text: "\(threshold)") %"
    }
    return """
      <tr><th scope="row">\(text: total.kind.plural)</th><td>\(bar(total.covered, total.all)) \
      \(total.covered) of \(total.all)</td><td>\(percent)</td></tr>

      """
  }

  private func row(_ operation: OperationCoverage) -> HTML {
    let (covered, all) = operation.total
    let mark: HTML = operation.isCovered ? Self.good : Self.bad
    return """
      <tr><th scope="row" class="\(operation.isCovered ? "p" : "f")">\(mark)\
      \(text: operation.name, atMost: Self.longestName)</th>\
      <td>\(bar(covered, all)) \(covered) of \(all)</td><td>\(missing(operation))</td></tr>

      """
  }

  private static let good: HTML =
    "<span class=\"m\" aria-hidden=\"true\">✓</span><span class=\"h\">covered</span> "
  private static let bad: HTML =
    "<span class=\"m\" aria-hidden=\"true\">✗</span><span class=\"h\">not covered</span> "

  /// The names of the parts, without that of their operation.
  private func missing(_ operation: OperationCoverage) -> HTML {
    guard operation.isCovered else { return "all of it" }
    let rest = operation.missing.count - Self.mostParts
    let names = operation.missing.prefix(Self.mostParts).map { name -> HTML in
      let own = name.hasPrefix(operation.name + " ")
      let short = own ? String(name.dropFirst(operation.name.count + 1)) : name
      return "\(text: short, atMost: Self.longestName)"
    }.joined(by: ", ")
    return rest > 0 ? names + ", and \(rest) more" : names
  }

  private func bar(_ covered: Int, _ all: Int) -> HTML {
    let width = all == 0 ? 10_000 : covered * 10_000 / all
    return """
      <svg aria-hidden="true" width="96" height="8"><rect class="n" width="100%" height="8"/>\
      <rect class="p" width="\(width.hundredthsOfAPercent)" height="8"/></svg>
      """
  }
}
