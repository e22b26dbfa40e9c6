package import FlowExplore
private import Synchronization

/// How far an exploration is, on one line of a terminal that is written again and again.
package final class ExplorationProgress: Sendable {
  private struct State {
    var isShown = false
    var isOver = false
  }

  // To the beginning of the line, and clear it (ECMA-48, EL).
  private static let clear = "\r\u{1B}[2K"

  private let state = Mutex(State())
  private let write: @Sendable (String) -> Void

  /// A line that is not there yet, written by a function.
  package init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// Writes the line anew; nothing once it is over.
  package func show(_ progress: Exploration.Progress) {
    state.withLock { state in
      if state.isOver { return }
      state.isShown = true
      write(Self.clear + progress.text)
    }
  }

  /// Takes the line away for good.
  package func end() {
    state.withLock { state in
      state.isOver = true
      guard state.isShown else { return }
      state.isShown = false
      write(Self.clear)
    }
  }
}

extension Exploration.Progress {
  /// `1200 schedules, 8400 a second, 3 outcomes: 2 delays`, shorter than a terminal is wide.
  fileprivate var text: String {
    let seconds = elapsed / .seconds(1)
    let rate = seconds > 0 ? Int(Double(tried) / seconds) : 0
    return
      "\(counted(tried, "schedule")), \(rate) a second, \(counted(outcomes, "outcome")): \(stage.text)"
  }
}

extension Exploration.Stage {
  fileprivate var text: String {
    switch self {
    case .plain: "the plain order"
    case .faults: "faults"
    case .crashes: "crashes"
    case .delays(let count): counted(count, "delay")
    case .chance: "by chance"
    case .shrinking: "shrinking what fails"
    }
  }
}
