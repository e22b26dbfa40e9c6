internal import FlowCore
internal import FlowEngine

/// Two runs of a scenario side by side, as a page of its own.
///
/// Steps and calls belong together by their addresses, so what runs at the same time may have another order.
package struct ComparisonHTML: Sendable {
  /// A run and how the page calls it.
  package struct Run: Sendable {
    let name: String
    let trace: RunTrace

    /// A run of this name, such as the file that it was stored in.
    package init(_ name: String, _ trace: RunTrace) {
      self.name = name
      self.trace = trace
    }
  }

  private static let mostRows = 5_000
  private static let longestValue = 2_000

  private let left: Run
  private let right: Run
  private let rows: [(left: RunTrace.Span?, right: RunTrace.Span?)]

  /// The page of two runs.
  package init(_ left: Run, _ right: Run) {
    self.left = left
    self.right = right
    rows = Self.pairs(left.trace, right.trace)
  }

  private var different: Int { rows.count { Self.isDifferent($0.left, $0.right) } }

  /// How many differences there are.
  package var title: String {
    let different = different
    return different == 0 ? "The runs are alike" : counted(different, "difference")
  }

  /// The whole page.
  package var page: String {
    let (title, different) = (title, different)
    var text = PageHTML.opening(title: title, isGood: different == 0)
    text += "<header class=\"\(different == 0 ? "p" : "k")\"><p class=\"m\" aria-hidden=\"true\">"
    text += "\(different == 0 ? "✓" : "≠")</p><div><h1>\(title)</h1><p>"
    text +=
      "\(left.name.html(atMost: 300)) and \(right.name.html(atMost: 300))</p></div></header>\n"
    text += "<table class=\"x z\"><thead><tr><th scope=\"col\">where</th>"
    for run in [left, right] { text += "<th scope=\"col\">\(Self.heading(run))</th>" }
    text += "</tr></thead><tbody>\n"
    for row in rows.prefix(Self.mostRows) { text += self.row(row.left, row.right) }
    text += "</tbody></table>\n"
    let omitted = max(0, rows.count - Self.mostRows) + left.trace.omitted + right.trace.omitted
    if omitted > 0 { text += "<p class=\"o\">\(omitted) more are left out.</p>\n" }
    return text + "</body>\n</html>\n"
  }

  /// The name of a run, and how it ended where that is known.
  private static func heading(_ run: Run) -> String {
    let name = run.name.html(atMost: 300)
    guard let end = run.trace.end else { return name }
    let mark = Mark(end.passed ? ScenarioReport.Verdict.passed : .failed)
    return "\(name) <span class=\"\(mark.style)\"><span class=\"m\" aria-hidden=\"true\">"
      + "\(mark.sign)</span> \(mark.word)</span>"
  }

  private func row(_ left: RunTrace.Span?, _ right: RunTrace.Span?) -> String {
    let isDifferent = Self.isDifferent(left, right)
    let title = (left ?? right)?.place ?? ""
    let mark =
      isDifferent
      ? "<span class=\"m\" aria-hidden=\"true\">≠</span><span class=\"h\">different </span>" : ""
    return "<tr\(isDifferent ? " class=\"k\"" : "")>"
      + "<th scope=\"row\">\(mark)\(title.html(atMost: 300))</th>"
      + cell(left, beside: right) + cell(right, beside: left) + "</tr>\n"
  }

  /// How it ended there, and what was asked and answered as far as that is different.
  private func cell(_ span: RunTrace.Span?, beside other: RunTrace.Span?) -> String {
    guard let span else { return "<td>not there</td>" }
    let mark = Mark(span.state)
    var text =
      "<td class=\"\(mark.style)\"><span class=\"m\" aria-hidden=\"true\">\(mark.sign)</span>"
    text += " \(mark.word) <span class=\"q\">\(span.elapsed.reportText)</span>"
    for part in span.parts where other?.parts.contains(part) != true {
      text += "<div>\(part.html(atMost: Self.longestValue))</div>"
    }
    return text + "</td>"
  }

  private static func isDifferent(_ left: RunTrace.Span?, _ right: RunTrace.Span?) -> Bool {
    left?.state != right?.state || left?.parts != right?.parts
  }

  /// The spans of both, each beside the one that belongs to it, in the order of the first run.
  private static func pairs(
    _ left: RunTrace, _ right: RunTrace
  ) -> [(left: RunTrace.Span?, right: RunTrace.Span?)] {
    let (leftKeys, rightKeys) = (keys(of: left), keys(of: right))
    let known = Set(leftKeys)
    let places = Dictionary(uniqueKeysWithValues: zip(rightKeys, right.spans.indices))
    var pairs: [(left: RunTrace.Span?, right: RunTrace.Span?)] = []
    var next = 0
    func addOthers(before end: Int) {
      for index in next..<max(next, end) where !known.contains(rightKeys[index]) {
        pairs.append((nil, right.spans[index]))
      }
      next = max(next, end)
    }
    for (key, span) in zip(leftKeys, left.spans) {
      if let place = places[key] { addOthers(before: place) }
      pairs.append((span, places[key].map { right.spans[$0] }))
    }
    addOthers(before: right.spans.count)
    return pairs
  }

  /// What tells the spans of a run apart, whatever it is that has another number in the other run.
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
  fileprivate var isStep: Bool { if case .step = kind { true } else { false } }

  /// Its address, and what it is called otherwise.
  fileprivate var place: String {
    isStep && title == address.path ? "\(address)" : "\(address) \(title)"
  }

  /// What is compared: what was asked and answered, in words.
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
