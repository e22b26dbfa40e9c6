package import FlowExplore

extension Exploration.Progress {
  /// `1200 schedules, 8400 a second, 3 outcomes: 2 delays`.
  package var text: String {
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
