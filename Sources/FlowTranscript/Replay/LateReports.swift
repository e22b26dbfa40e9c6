internal import FlowCore
internal import FlowEngine
private import Synchronization

/// Brings what absent components report to live ones that follow them, at the time at which it was recorded.
///
/// What was reported before a call's answer comes with the call. What was reported later, as by a task that the call had
/// started, comes after the call whose answer it followed.
final class LateReports: Sendable {
  /// A report as it is brought: what it is, and its payload.
  typealias Report = (key: EventQueue.Key, payload: Value)

  private struct State {
    /// The late reports of calls that were served, by the numbers of the calls that they follow.
    var waiting: [Int: [Report]] = [:]
    var answered: Set<Int> = []
  }

  private let streams: ReportStreams
  /// The calls that have answers, in the order of those.
  private let answers: [(offset: UInt32, call: Int)]
  private let calls: CallList
  private let state = Mutex(State())

  /// The reports of a transcript's calls, which nothing has brought yet.
  init(_ calls: CallList, _ streams: ReportStreams) {
    self.calls = calls
    self.streams = streams
    answers = calls.answerOffsets
  }

  /// Brings the reports of a call that is served, as far as their time has come.
  func serve(_ reports: [Report], of call: Int) {
    let followed = calls.eventOffsets(of: call).map { self.followed($0, by: call) }
    for (report, followed) in zip(reports, followed) {
      let isDue = state.withLock { state in
        guard let followed, !state.answered.contains(followed) else { return true }
        state.waiting[followed, default: []].append(report)
        return false
      }
      if isDue { streams.publish(report.key, report.payload) }
    }
  }

  /// Brings what followed the answer of a call; false where nothing did that is read.
  func answer(_ call: Int) -> Bool {
    let due = state.withLock { state in
      state.answered.insert(call)
      return state.waiting.removeValue(forKey: call) ?? []
    }
    return due.reduce(false) { streams.publish($1.key, $1.payload) || $0 }
  }

  /// The call whose answer an event followed; nil for one that came during its own call.
  private func followed(_ offset: UInt32, by call: Int) -> Int? {
    guard let own = calls.answerOffset(of: call), own < offset else { return nil }
    let end = answers.partitioningIndex { $0.offset > offset }
    return end > 0 ? answers[end - 1].call : nil
  }
}

extension Array {
  /// The index of the first element for which a condition holds that holds for all that follow.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
