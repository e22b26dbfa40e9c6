internal import FlowCore
internal import FlowPlan

/// The starts and durations of a run's spans, as a picture and as a table.
struct Timeline: Sendable {
  /// The time of a span.
  struct Bar: Sendable {
    /// The kind of its span.
    enum Kind: String, Sendable {
      case call, wait, report
    }

    let title: String
    let kind: Kind
    let state: RunTrace.Span.State
    /// The start and the end, in hundredths of a percent of the picture's length.
    let place: ClosedRange<Int>
    /// The time before it, and its duration, in words.
    let (began, took): (String, String)
  }

  /// The times at a quarter, a half, three quarters and all of the length, in words.
  let times: [String]
  let isVirtual: Bool
  let bars: [Bar]
  /// The number of further bars left out.
  let omitted: Int
}

extension Timeline {
  private static let most = 80

  /// Creates the timeline of a run.
  ///
  /// Nil if it would show nothing new. Unless it `isOfFailure`, that is also a run in which nothing
  /// ran concurrently, waited, was tried again or reported.
  init?(_ trace: RunTrace, isOfFailure: Bool) {
    let spans = trace.spans
    let shown = spans.indices.filter { spans[$0].isShown }
    let first = shown.map { spans[$0].start }.min() ?? .zero
    let length = (shown.map { spans[$0].start + spans[$0].elapsed }.max() ?? .zero) - first
    guard length > .zero, shown.count > 1 else { return nil }
    var (attempts, end, isTelling) = ([Address: Int](), Duration.zero, isOfFailure)
    bars = shown.prefix(Self.most).map { index in
      let span = spans[index]
      let start = span.start - first
      let attempt = attempts[span.address, default: 0] + (span.isAttempt ? 1 : 0)
      attempts[span.address] = attempt
      isTelling = isTelling || span.isTelling || start < end || span.isAttempt && attempt > 1
      end = max(end, start + span.elapsed)
      return Bar(
        title: span.title(ofAttempt: attempt).onOneLine(atMost: 200), kind: span.barKind,
        state: span.state,
        place: Self.place(start / length)...Self.place((start + span.elapsed) / length),
        began: start.reportText, took: span.elapsed.reportText)
    }
    guard isTelling else { return nil }
    times = (1...4).map { (length * $0 / 4).reportText }
    isVirtual = trace.isTimeVirtual
    omitted = shown.count - bars.count
  }

  private static func place(_ part: Double) -> Int {
    Int((min(1, max(0, part)) * 10_000).rounded())
  }
}

extension Timeline {
  private static let row = 22
  /// The narrowest bar, in hundredths of a percent.
  private static let narrowest = 30

  /// The picture with its table.
  var html: HTML {
    let time: HTML = isVirtual ? " of virtual time" : ""
    return """
      <figure class="g"><figcaption>Timeline, \(text: times[3])\(time)</figcaption>\(picture)\
      <details><summary>as a table</summary>\(table)</details></figure>
      """
  }

  private var picture: HTML {
    let height = bars.count * Self.row + 24
    var text: HTML =
      "<svg role=\"img\" aria-label=\"timeline; the table has the same\" width=\"100%\" "
    text += "height=\"\(height)\">"
    for quarter in 0...4 { text += gridline(quarter, height) }
    for (index, bar) in bars.enumerated() { text += html(bar, 22 + index * Self.row) }
    return text + "</svg>"
  }

  private func gridline(_ quarter: Int, _ height: Int) -> HTML {
    let anchor: HTML = quarter == 0 ? "start" : quarter == 4 ? "end" : "middle"
    let x: HTML = "\(quarter * 25)%"
    let time = quarter == 0 ? "0" : times[quarter - 1]
    return """
      <line x1="\(x)" x2="\(x)" y1="16" y2="\(height)"/>\
      <text class="a" x="\(x)" y="11" text-anchor="\(anchor)">\(text: time)</text>
      """
  }

  private func html(_ bar: Bar, _ y: Int) -> HTML {
    let kind: HTML =
      switch bar.kind {
      case .call: "call"
      case .wait: "wait"
      case .report: "report"
      }
    let (start, end) = (bar.place.lowerBound, bar.place.upperBound)
    let width = max(Self.narrowest, end - start)
    let isInside = end - start > 4_500
    // Beside a short bar, on the side with more room.
    let isBefore = !isInside && 10_000 - end < start
    let place = isInside || isBefore ? start : end
    let style: HTML = "\(kind) \(Mark(bar.state).style)"
    return """
      <rect class="\(style)" x="\(start.hundredthsOfAPercent)" y="\(y + 3)" \
      width="\(width.hundredthsOfAPercent)" height="16" rx="3"/>\
      <text\(isInside ? " class=\"in\"" : "") x="\(place.hundredthsOfAPercent)" \
      dx="\(isBefore ? "-6" : "6")" y="\(y + 15)"\(isBefore ? " text-anchor=\"end\"" : "")>\
      \(Mark(bar.state).sign) \(text: bar.title, atMost: 70)</text>
      """
  }

  private var table: HTML {
    var text: HTML =
      "<table class=\"x\"><thead><tr><th scope=\"col\">what</th><th scope=\"col\">end</th>"
    text += "<th scope=\"col\">began after</th><th scope=\"col\">took</th></tr></thead><tbody>"
    for bar in bars {
      text += "<tr><th scope=\"row\">\(text: bar.title)</th><td>\(Mark(bar.state).word)</td>"
      text += "<td>\(text: bar.began)</td><td>\(text: bar.took)</td></tr>"
    }
    text += "</tbody></table>"
    return omitted > 0 ? text + "<p class=\"o\">\(text: moreLeftOut(omitted)).</p>" : text
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

  /// True for a wait and a report, which a list of steps shows less well.
  fileprivate var isTelling: Bool {
    switch kind {
    case .wait, .report: true
    case .step(let step): step.action.isWait
    case .call, .iteration: false
    }
  }

  /// True if it can be repeated at the same address.
  fileprivate var isAttempt: Bool {
    if case .call = kind { address.calls.isEmpty } else { false }
  }

  fileprivate var barKind: Timeline.Bar.Kind {
    switch kind {
    case .call: .call
    case .wait, .step, .iteration: .wait
    case .report: .report
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
