internal import FlowCore
internal import FlowPlan

/// The starts and durations of a run's spans, as a picture and as a table.
struct Waterfall {
  private static let most = 80
  private static let row = 22

  private struct Row {
    /// The index of its span.
    let index: Int
    /// The number of the call at its address, from 1.
    let attempt: Int
    /// The start and the end of the row, as parts of the picture's length.
    let start: Double
    let end: Double
  }

  /// The spans in the order of their start, read in place, since a copy of a span is much work.
  private let spans: [RunTrace.Span]
  private let rows: [Row]
  private let omitted: Int
  private let length: Duration
  private let isVirtual: Bool

  /// Creates the picture of a run.
  ///
  /// Nil if it would show nothing new.
  init?(_ trace: RunTrace) {
    let spans = trace.spans
    let shown = spans.indices.filter { spans[$0].isShown }
    let first = shown.map { spans[$0].start }.min() ?? .zero
    let last = shown.map { spans[$0].start + spans[$0].elapsed }.max() ?? .zero
    guard last > first, shown.count > 1 else { return nil }
    self.spans = spans
    length = last - first
    let whole = last - first
    var attempts: [Address: Int] = [:]
    rows = shown.prefix(Self.most).map { index in
      let from = (spans[index].start - first) / whole
      attempts[spans[index].address, default: 0] += spans[index].isAttempt ? 1 : 0
      return Row(
        index: index, attempt: attempts[spans[index].address, default: 1], start: from,
        end: from + spans[index].elapsed / whole)
    }
    omitted = shown.count - rows.count
    isVirtual = trace.isTimeVirtual
  }

  /// True if something ran concurrently, waited, was tried again or reported.
  var isTelling: Bool {
    var (end, asked) = (0.0, Set<Address>())
    for row in rows {
      let span = spans[row.index]
      switch span.kind {
      case .wait, .report: return true
      case .step(let step): if step.action.isWait { return true }
      case .call, .iteration: break
      }
      if row.start < end - 1e-9 { return true }
      end = max(end, row.end)
      if span.isAttempt, !asked.insert(span.address).inserted { return true }
    }
    return false
  }

  /// The picture with its table.
  var html: HTML {
    let time: HTML = isVirtual ? " of virtual time" : ""
    return """
      <figure class="g"><figcaption>Timeline, \(text: length.reportText)\(time)</figcaption>\(picture)\
      <details><summary>as a table</summary>\(table)</details></figure>
      """
  }

  private var picture: HTML {
    let height = rows.count * Self.row + 24
    var text: HTML =
      "<svg role=\"img\" aria-label=\"timeline; the table has the same\" width=\"100%\" "
    text += "height=\"\(height)\">"
    for quarter in 0...4 { text += gridline(quarter, height) }
    for (index, row) in rows.enumerated() { text += bar(row, 22 + index * Self.row) }
    return text + "</svg>"
  }

  private func gridline(_ quarter: Int, _ height: Int) -> HTML {
    let anchor: HTML = quarter == 0 ? "start" : quarter == 4 ? "end" : "middle"
    let x: HTML = "\(quarter * 25)%"
    let time = quarter == 0 ? "0" : (length * quarter / 4).reportText
    return """
      <line x1="\(x)" x2="\(x)" y1="16" y2="\(height)"/>\
      <text class="a" x="\(x)" y="11" text-anchor="\(anchor)">\(text: time)</text>
      """
  }

  private func bar(_ row: Row, _ y: Int) -> HTML {
    let span = spans[row.index]
    let style: HTML = "\(span.style) \(Mark(span.state).style)"
    let (x, width) = (Self.percent(row.start), Self.percent(max(0.003, row.end - row.start)))
    let isInside = row.end - row.start > 0.45
    // Beside a short bar, on the side with more room.
    let isBefore = !isInside && 1 - row.end < row.start
    let place = Self.percent(isInside || isBefore ? row.start : row.end)
    let title: HTML = "\(text: span.title(ofAttempt: row.attempt), atMost: 70)"
    return """
      <rect class="\(style)" x="\(x)" y="\(y + 3)" width="\(width)" height="16" rx="3"/>\
      <text\(isInside ? " class=\"in\"" : "") x="\(place)" dx="\(isBefore ? "-6" : "6")" y="\(y + 15)"\
      \(isBefore ? " text-anchor=\"end\"" : "")>\(Mark(span.state).sign) \(title)</text>
      """
  }

  private var table: HTML {
    var text: HTML =
      "<table class=\"x\"><thead><tr><th scope=\"col\">what</th><th scope=\"col\">end</th>"
    text += "<th scope=\"col\">began after</th><th scope=\"col\">took</th></tr></thead><tbody>"
    for row in rows {
      let span = spans[row.index]
      let title = span.title(ofAttempt: row.attempt)
      text += "<tr><th scope=\"row\">\(text: title, atMost: 200)</th>"
      text += "<td>\(Mark(span.state).word)</td>"
      text += "<td>\(text: (length * row.start).reportText)</td>"
      text += "<td>\(text: span.elapsed.reportText)</td></tr>"
    }
    text += "</tbody></table>"
    return omitted > 0 ? text + "<p class=\"o\">\(text: moreLeftOut(omitted)).</p>" : text
  }

  private static func percent(_ part: Double) -> HTML {
    Int((min(1, max(0, part)) * 10_000).rounded()).hundredthsOfAPercent
  }
}

extension RunTrace.Span {
  /// True for a span that takes time itself and is not a group of other shown spans.
  fileprivate var isShown: Bool {
    switch kind {
    case .call(_, let operation): operation != "open"
    case .wait, .report: true
    case .step(let step): step.action.isWait
    case .iteration: false
    }
  }

  /// True if it can be repeated at the same address.
  fileprivate var isAttempt: Bool {
    if case .call = kind { address.calls.isEmpty } else { false }
  }

  fileprivate var style: HTML {
    switch kind {
    case .call: "call"
    case .wait, .step, .iteration: "wait"
    case .report: "report"
    }
  }
}

extension RunTrace.Span {
  fileprivate func title(ofAttempt number: Int) -> String {
    let step = Address(path: address.path, iterations: address.iterations)
    switch kind {
    case .call(let component, let operation):
      let attempt = number > 1 ? ", attempt \(number)" : ""
      let name = "\(component).\(operation)"
      let place = step.path.hasSuffix(name) ? "\(step)" : "\(step) \(name)"
      return place + attempt
    case .wait(let event): return "\(step) waits for \(event)"
    case .report(let event): return "\(event) is reported"
    case .step, .iteration: return title
    }
  }
}

extension PlannedAction {
  /// True if the bar of the step shows passing time.
  ///
  /// Answers and events have their own bars.
  fileprivate var isWait: Bool {
    switch content.waiting {
    case .time: true
    case .nothing, .answer, .event: false
    }
  }
}
