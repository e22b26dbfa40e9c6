internal import FlowCore
internal import FlowEngine

/// Two runs of a scenario side by side in a separate page.
///
/// Steps and calls are matched by their addresses, so concurrent ones may have another order.
package struct ComparisonHTML: Sendable {
  /// A run and how the page calls it.
  package struct Run: Sendable {
    let name: String
    let trace: RunTrace

    /// Creates a run with a name, such as the file in which it was stored.
    package init(_ name: String, _ trace: RunTrace) {
      self.name = name
      self.trace = trace
    }
  }

  private static let mostRows = 5_000
  private static let longestValue = 2_000

  /// A span of each run, of which one may be missing.
  private struct Row {
    let left: RunTrace.Span?
    let right: RunTrace.Span?
    let isDifferent: Bool

    init(_ left: RunTrace.Span?, _ right: RunTrace.Span?) {
      self.left = left
      self.right = right
      isDifferent = left?.state != right?.state || left?.parts != right?.parts
    }
  }

  private let left: Run
  private let right: Run
  private let rows: [Row]
  private let different: Int

  /// Creates the page of two runs.
  package init(_ left: Run, _ right: Run) {
    self.left = left
    self.right = right
    rows = Self.rows(left.trace, right.trace)
    different = rows.count { $0.isDifferent }
  }

  /// The number of steps and calls left out of the comparison.
  private var omitted: Int { left.trace.omitted + right.trace.omitted }

  /// The number of differences in words.
  package var title: String {
    if different > 0 { return counted(different, "difference") }
    if omitted == 0 { return "The runs are alike" }
    return "No difference in the first \(rows.count) steps and calls"
  }

  /// The whole page.
  package var page: String { markup.text }

  private var markup: HTML {
    let isAlike = different == 0 && omitted == 0
    var text = PageHTML.opening(title: title, isGood: isAlike)
    text += "<header class=\"\(isAlike ? "p" : "k")\"><p class=\"m\" aria-hidden=\"true\">"
    text += "\(isAlike ? "✓" : different == 0 ? "≈" : "≠")</p><div><h1>\(text: title)</h1><p>"
    text +=
      "\(text: left.name, atMost: 300) and \(text: right.name, atMost: 300)</p></div></header>\n"
    text += "<table class=\"x z\"><thead><tr><th scope=\"col\">where</th>"
    for run in [left, right] { text += "<th scope=\"col\">\(Self.heading(run))</th>" }
    text += "</tr></thead><tbody>\n"
    for row in rows.prefix(Self.mostRows) { text += self.html(row) }
    text += "</tbody></table>\n"
    let rest = max(0, rows.count - Self.mostRows) + omitted
    if rest > 0 { text += "<p class=\"o\">\(text: moreLeftOut(rest)).</p>\n" }
    return text + "</body>\n</html>\n"
  }

  /// Returns the name of a run and its end, if known.
  private static func heading(_ run: Run) -> HTML {
    let name: HTML = "\(text: run.name, atMost: 300)"
    guard let end = run.trace.end else { return name }
    let mark = Mark(end.passed ? ScenarioReport.Verdict.passed : .failed)
    return """
      \(name) <span class="\(mark.style)"><span class="m" aria-hidden="true">\
      \(mark.sign)</span> \(mark.word)</span>
      """
  }

  private func html(_ row: Row) -> HTML {
    let title = (row.left ?? row.right)?.place ?? ""
    let mark: HTML =
      row.isDifferent
      ? "<span class=\"m\" aria-hidden=\"true\">≠</span><span class=\"h\">different </span>" : ""
    return """
      <tr\(row.isDifferent ? " class=\"k\"" : "")>\
      <th scope="row">\(mark)\(text: title, atMost: 300)</th>\
      \(cell(row.left, beside: row.right, row.isDifferent))\
      \(cell(row.right, beside: row.left, row.isDifferent))</tr>

      """
  }

  /// Returns the end of a span, and the different parts of its input and answer.
  private func cell(
    _ span: RunTrace.Span?, beside other: RunTrace.Span?, _ isDifferent: Bool
  ) -> HTML {
    guard let span else { return "<td>not there</td>" }
    let mark = Mark(span.state)
    var text: HTML =
      "<td class=\"\(mark.style)\"><span class=\"m\" aria-hidden=\"true\">\(mark.sign)</span>"
    text += " \(mark.word) <span class=\"q\">\(text: span.elapsed.reportText)</span>"
    for part in isDifferent ? span.parts : [] where other?.parts.contains(part) != true {
      text += "<div>\(text: part, atMost: Self.longestValue)</div>"
    }
    return text + "</td>"
  }

  /// Returns the spans of both runs, matched, in the order of the first run.
  private static func rows(_ left: RunTrace, _ right: RunTrace) -> [Row] {
    let (leftKeys, rightKeys) = (keys(of: left), keys(of: right))
    let known = Set(leftKeys)
    let places = Dictionary(uniqueKeysWithValues: zip(rightKeys, right.spans.indices))
    var rows: [Row] = []
    var next = 0
    func addOthers(before end: Int) {
      for index in next..<max(next, end) where !known.contains(rightKeys[index]) {
        rows.append(Row(nil, right.spans[index]))
      }
      next = max(next, end)
    }
    for (key, span) in zip(leftKeys, left.spans) {
      if let place = places[key] { addOthers(before: place) }
      rows.append(Row(span, places[key].map { right.spans[$0] }))
    }
    addOthers(before: right.spans.count)
    return rows
  }

  /// Returns a distinct key for each span of a run, independent of numbers that differ in the other
  /// run.
  private static func keys(of trace: RunTrace) -> [String] {
    var counts: [String: Int] = [:]
    return trace.spans.map { span in
      let key = "\(span.address) \(span.isStep ? "step" : span.title)"
      counts[key, default: 0] += 1
      return "\(key) \(counts[key, default: 0])"
    }
  }
}

extension RunTrace.Span {
  /// Its address, and its title if different.
  fileprivate var place: String {
    isStep && title == address.path ? "\(address)" : "\(address) \(title)"
  }

  /// The compared parts: the input and the answer, in words.
  ///
  /// As values, 12.5 and 12.50 are equal, and NaN is not equal to itself.
  fileprivate var parts: [String] {
    let texts = [input.map { "input \($0)" }, outcome.map { "answer \($0.text)" }]
    return texts.compactMap { $0 }
  }
}

extension Outcome {
  fileprivate var text: String {
    switch self {
    case .answer(let value): value.description
    case .error(let error): "error \(error)"
    case .cancelled: "none, it was stopped"
    }
  }
}
