internal import FlowCore
private import FlowPlan
internal import FlowSystem

/// Chrome's trace event format, which Perfetto shows: a process for each run, a thread for each component and for each
/// branch of steps.
///
///     {"displayTimeUnit":"ms","metadata":{"tool":"flow"},"traceEvents":[
///     {"name":"flow","ph":"I","s":"g","ts":0,"pid":0,"tid":0},
///     {"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"good.yaml"}},
///     {"name":"thread_name","ph":"M","pid":1,"tid":0,"args":{"name":"balance"}},
///     {"name":"balance","cat":"call","pid":1,"tid":0,"ts":128.912,"ph":"X","dur":151.034,"args":{"address":"components/balance#1","state":"passed"}},
///     …
///     ]}
extension ReportFormat<SuiteReport> {
  static var trace: ReportFormat {
    var format = ReportFormat("trace", file: "flow-trace.json") { scenario, number, _ in
      let runs = scenario.attempts.enumerated().map { index, attempt in
        ChromeTrace(attempt.trace, of: scenario, number, run: index).text
      }
      return ReportEntry(runs.joined())
    } frame: { _ in
      // Each event starts with a comma, so that any may be the last. The first one is about the
      // file.
      (
        head: """
        {"displayTimeUnit":"ms","metadata":{"tool":"flow"},"traceEvents":[
        {"name":"flow","ph":"I","s":"g","ts":0,"pid":0,"tid":0}
        """,
        foot: "\n]}\n"
      )
    }
    format.stored = StoredForm(entry: format.entry) { text, _, number in
      ChromeTrace.rewritten(text, number).map { ReportEntry($0) }
    }
    return format
  }
}

/// The events of one run.
private struct ChromeTrace {
  /// The process numbers of further runs follow the numbers of the first ones.
  private static let processesPerRun = 1_000_000

  private let trace: RunTrace
  private let process: Int
  private let title: String

  init(_ trace: RunTrace, of scenario: ScenarioReport, _ number: Int, run: Int) {
    self.trace = trace
    process = number + run * Self.processesPerRun
    title = run == 0 ? scenario.title : "\(scenario.title) (run \(run + 1))"
  }

  var text: String {
    var (threads, events) = (Threads(), JSONWriter())
    // By their places, since a copy of a span is much work.
    for index in trace.spans.indices {
      let end = end(of: index)
      let thread = threads.place(index, of: trace.spans, endingAt: end)
      events.endElement()
      write(index, on: thread, endingAt: end, to: &events)
    }
    var writer = JSONWriter()
    name("process_name", thread: 0, "name", title, to: &writer)
    let labels =
      (trace.isTimeVirtual ? ["virtual time"] : [])
      + (trace.omitted > 0 ? [furtherLeftOut(trace.omitted)] : [])
    if !labels.isEmpty {
      name("process_labels", thread: 0, "labels", labels.joined(separator: ", "), to: &writer)
    }
    for (index, thread) in threads.names.enumerated() {
      name("thread_name", thread: index, "name", thread, to: &writer)
    }
    return (writer.text + events.text).shownJSON
  }

  /// Rewrites the events of a scenario written by another process.
  ///
  /// Nil for events that this process would not write.
  static func rewritten(_ text: String, _ number: Int) -> String? {
    guard text.utf8.first == UInt8(ascii: ","),
      case .array(let events)? = try? JSONParser.parse(
        (Array("[".utf8) + text.utf8.dropFirst() + Array("]".utf8))[...])
    else { return text.isEmpty ? "" : nil }
    var writer = JSONWriter()
    for event in events {
      guard let process = event["pid"]?.count, process % processesPerRun == number,
        event["name"]?.string != nil, ["M", "X", "i"].contains(event["ph"]?.string ?? "")
      else { return nil }
      writer.endElement()
      writer.value(event)
    }
    return writer.text.shownJSON
  }

  /// Returns the end of a span.
  ///
  /// A running span ends with the last one.
  private func end(of index: Int) -> Duration {
    let (start, elapsed) = (trace.spans[index].start, trace.spans[index].elapsed)
    guard trace.spans[index].state == .running else { return start + elapsed }
    return trace.spans.map { $0.start + $0.elapsed }.max() ?? start
  }

  /// Writes the name of a process or a thread.
  private func name(
    _ event: String, thread: Int, _ key: StaticString, _ text: String, to writer: inout JSONWriter
  ) {
    writer.endElement()
    writer.beginObject()
    writer.member("name", string: event)
    writer.member("ph", string: "M")
    writer.member("pid", number: process)
    writer.member("tid", number: thread)
    writer.name(plain: "args")
    writer.beginObject()
    writer.member(key, string: text.cut(toBytes: JSON.longestText))
    writer.endObject()
    writer.endObject()
  }

  private func write(
    _ index: Int, on thread: Int, endingAt end: Duration, to writer: inout JSONWriter
  ) {
    let (kind, start) = (trace.spans[index].kind, trace.spans[index].start)
    writer.beginObject()
    writer.member("name", string: trace.spans[index].title.line(200))
    writer.member("cat", string: kind.reportName)
    writer.member("pid", number: process)
    writer.member("tid", number: thread)
    writer.member("ts", start.microsecondParts)
    if case .report = kind {
      writer.member("ph", string: "i")
      writer.member("s", string: "t")
    } else {
      writer.member("ph", string: "X")
      writer.member("dur", (end - start).microsecondParts)
    }
    writer.name(plain: "args")
    writer.beginObject()
    writer.member("address", string: trace.spans[index].address.description.line(1_000))
    writer.member("state", string: trace.spans[index].state.rawValue)
    writer.endObject()
    writer.endObject()
  }
}

/// The assignment of spans to threads, on which a span overlaps only with the spans around it.
private struct Threads {
  private(set) var names: [String] = []
  /// The open spans of each thread, the outermost first.
  private var open: [[(index: Int, end: Duration)]] = []
  /// The few threads of each name, in their order.
  private var groups: [(name: String, threads: [Int])] = []
  private var threadOfSpan: [Int] = []

  /// Returns the thread of a span, named after a component or `steps`.
  mutating func place(_ index: Int, of spans: [RunTrace.Span], endingAt end: Duration) -> Int {
    let group = group(of: spans[index].kind.threadName)
    let (parent, start) = (spans[index].parent, spans[index].start)
    // On its parent's thread if possible, so that a branch stays together.
    let besideParent = parent.map { threadOfSpan[$0] }
    let own = groups[group].threads
    let thread =
      besideParent.flatMap { own.contains($0) && fits(in: parent, start, end, on: $0) ? $0 : nil }
      ?? own.first { fits(in: parent, start, end, on: $0) } ?? add(group)
    open[thread].append((index, end))
    threadOfSpan.append(thread)
    return thread
  }

  /// Returns true if a child of a span would overlap with nothing else on a thread.
  private mutating func fits(
    in parent: Int?, _ start: Duration, _ end: Duration, on thread: Int
  ) -> Bool {
    while let last = open[thread].last, last.end <= start, last.index != parent {
      open[thread].removeLast()
    }
    guard let last = open[thread].last else { return true }
    return last.index == parent && last.end >= end
  }

  private mutating func group(of name: String) -> Int {
    if let known = groups.firstIndex(where: { $0.name == name }) { return known }
    groups.append((name, []))
    return groups.count - 1
  }

  private mutating func add(_ group: Int) -> Int {
    let (name, threads) = groups[group]
    names.append(threads.isEmpty ? name : "\(name) \(threads.count + 1)")
    open.append([])
    groups[group].threads.append(names.count - 1)
    return names.count - 1
  }
}

extension RunTrace.Span.Kind {
  fileprivate var threadName: String {
    switch self {
    case .step, .iteration: "steps"
    case .call(let component, _): component
    // `component.event`
    case .wait(let event), .report(let event): event.componentName
    }
  }
}
