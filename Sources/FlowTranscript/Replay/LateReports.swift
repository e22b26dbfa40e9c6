internal import FlowCore
internal import FlowEngine
internal import FlowSystem
private import Synchronization

/// Delivers reports of absent components to live ones that follow them, at their recorded time.
///
/// A report before a call's answer comes with the call. A later report, for example of a task that
/// the call had started, comes when the step's call before it starts, or has its answer.
final class LateReports: Sendable {
  /// A report to deliver: its event and its payload.
  typealias Report = (key: EventQueue.Key, payload: Value)

  /// A report with the requests from outside before it.
  private typealias Placed = (report: Report, after: RequestCount)

  /// A line before a report.
  private struct Moment: Hashable {
    let call: Int
    /// True for the line of the call's answer.
    let isAnswer: Bool
  }

  private struct State {
    /// The late reports of served calls, by the line before them.
    var waiting: [Moment: [Placed]] = [:]
    var reached: Set<Moment> = []
    /// The requests from outside so far.
    var requests = RequestCount()
    /// The reports that are due after more of them.
    var held: [Placed] = []

    /// Returns the reports that are due now, and holds the others.
    mutating func takeDue(_ reports: [Placed]) -> [Report] {
      let all = held + reports
      held = all.filter { !requests.reaches($0.after) }
      return all.filter { requests.reaches($0.after) }.map(\.report)
    }
  }

  private let streams: ReportStreams
  /// The lines before reports, in order.
  private let moments: [(line: Int, moment: Moment)]
  private let calls: CallList
  private let state = Mutex(State())

  /// Creates the reports of a transcript's calls, none of them delivered.
  init(_ calls: CallList, _ streams: ReportStreams) {
    self.calls = calls
    self.streams = streams
    // Calls that components make are written at the end of the step's call, whenever they were made.
    let steps = calls.indices.filter { !calls.isOfComponent($0) }
    moments =
      (steps.map { (calls.beginning(of: $0), Moment(call: $0, isAnswer: false)) }
      + steps.compactMap { call in
        calls.answer(of: call).map { ($0, Moment(call: call, isAnswer: true)) }
      }).sorted { $0.0 < $1.0 }
  }

  /// Delivers the reports of a served call that are due.
  func serve(_ reports: [Report], of call: Int) {
    for (report, line) in zip(reports, calls.eventLines(of: call)) {
      let followed = followed(line, by: call)
      let placed: Placed = (report, calls.lines.all[line].after)
      let due = state.withLock { state in
        guard let followed, !state.reached.contains(followed) else {
          return state.takeDue([placed])
        }
        state.waiting[followed, default: []].append(placed)
        return []
      }
      publish(due)
    }
  }

  /// Delivers the reports that follow the start of a call.
  func begin(_ call: Int) { reach(Moment(call: call, isAnswer: false)) }

  /// Delivers the reports that follow the answer of a call.
  ///
  /// Returns false without a reader.
  func answer(_ call: Int) -> Bool { reach(Moment(call: call, isAnswer: true)) }

  /// Notes the arrival of a request from outside, and delivers the reports that follow it.
  func beginRequest() { note { $0.begin() } }

  /// Notes the answer to a request from outside, and delivers the reports that follow it.
  func endRequest() { note { $0.end() } }

  private func note(_ change: (inout RequestCount) -> Void) {
    publish(
      state.withLock { state in
        change(&state.requests)
        return state.takeDue([])
      })
  }

  @discardableResult private func publish(_ reports: [Report]) -> Bool {
    reports.reduce(false) { streams.publish($1.key, $1.payload) || $0 }
  }

  @discardableResult private func reach(_ moment: Moment) -> Bool {
    let due = state.withLock { state in
      state.reached.insert(moment)
      return state.takeDue(state.waiting.removeValue(forKey: moment) ?? [])
    }
    return publish(due)
  }

  /// The line before an event, or nil for an event during its own call.
  private func followed(_ line: Int, by call: Int) -> Moment? {
    guard let own = calls.answer(of: call), own < line else { return nil }
    let end = moments.partitioningIndex { $0.line > line }
    return end > 0 ? moments[end - 1].moment : nil
  }
}

extension TranscriptLine {
  /// The requests from outside before its event.
  fileprivate var after: RequestCount {
    if case .emit(_, let after) = kind { after } else { RequestCount() }
  }
}
