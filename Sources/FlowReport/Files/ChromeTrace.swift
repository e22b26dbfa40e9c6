internal import FlowCore
private import FlowScenario
internal import FlowSystem

/// Chrome's trace event format, which Perfetto shows: a process for each run, a thread for each component and for each
/// branch of steps.
extension ReportFormat {
  static let trace = ReportFormat("trace", file: "flow-trace.json") { scenario, number, _ in
    let runs = scenario.attempts.enumerated().map { index, attempt in
      ChromeTrace(attempt.trace, of: scenario, number, run: index).text
    }
    return Entry(runs.joined())
  } frame: { _ in
    // Each event begins with a comma, so that one may be the last; the first one is about the file.
    (
      head: """
      {"displayTimeUnit":"ms","metadata":{"tool":"flow"},"traceEvents":[
      {"name":"flow","ph":"I","s":"g","ts":0,"pid":0,"tid":0}
      """,
      foot: "\n]}\n"
    )
  }
}

/// The events of one run.
private struct ChromeTrace {
  /// The numbers of processes of further runs begin behind those of the first ones.
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
    for index in trace.spans.indices {
      let span = trace.spans[index]
      let end = end(of: span)
      let thread = threads.place(span, index, endingAt: end)
      events.endElement()
      write(span, on: thread, endingAt: end, to: &events)
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
    return writer.text + events.text
  }

  /// The end of a span; one that goes on ends with the last one.
  private func end(of span: RunTrace.Span) -> Duration {
    guard span.state == .running else { return span.start + span.elapsed }
    return trace.spans.map { $0.start + $0.elapsed }.max() ?? span.start
  }

  /// Says what a process or a thread is called.
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
    _ span: RunTrace.Span, on thread: Int, endingAt end: Duration, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("name", string: span.title.line(200))
    writer.member("cat", string: span.kindName)
    writer.member("pid", number: process)
    writer.member("tid", number: thread)
    writer.member("ts", span.start.microsecondParts)
    if case .report = span.kind {
      writer.member("ph", string: "i")
      writer.member("s", string: "t")
    } else {
      writer.member("ph", string: "X")
      writer.member("dur", (end - span.start).microsecondParts)
    }
    writer.name(plain: "args")
    writer.beginObject()
    writer.member("address", string: span.address.description.line(1_000))
    writer.member("state", string: span.state.reportName)
    writer.endObject()
    writer.endObject()
  }
}

/// Gives each span a thread, on which it overlaps only with what it is inside of.
private struct Threads {
  private(set) var names: [String] = []
  /// The spans of each thread that have not ended, outside in.
  private var open: [[(index: Int, end: Duration)]] = []
  /// The threads of each name, in their order; there are few.
  private var groups: [(name: String, threads: [Int])] = []
  private var threadOfSpan: [Int] = []

  /// The thread of a span; its name is that of a component, or `steps`.
  mutating func place(_ span: RunTrace.Span, _ index: Int, endingAt end: Duration) -> Int {
    let group = group(of: span.threadName)
    // Beside its parent where it can be, so that a branch stays together.
    let parent = span.parent.map { threadOfSpan[$0] }
    let own = groups[group].threads
    let thread =
      parent.flatMap { own.contains($0) && fits(span, on: $0, endingAt: end) ? $0 : nil }
      ?? own.first { fits(span, on: $0, endingAt: end) } ?? add(group)
    open[thread].append((index, end))
    threadOfSpan.append(thread)
    return thread
  }

  private mutating func fits(
    _ span: RunTrace.Span, on thread: Int, endingAt end: Duration
  ) -> Bool {
    while let last = open[thread].last, last.end <= span.start, last.index != span.parent {
      open[thread].removeLast()
    }
    guard let last = open[thread].last else { return true }
    return last.index == span.parent && last.end >= end
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

extension RunTrace.Span {
  fileprivate var threadName: String {
    switch kind {
    case .step: "steps"
    case .call(let component, _): component
    // `component.event`
    case .wait(let event), .report(let event): event.componentName
    }
  }
}
