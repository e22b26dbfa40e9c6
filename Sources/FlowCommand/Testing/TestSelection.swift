internal import FlowCore
internal import FlowScenario

/// Chooses the scenarios that run, and their order.
struct TestSelection: Sendable {
  let options: TestOptions
  let state: SuiteState

  /// The scenarios that run, in the order in which they do.
  ///
  /// One that cannot be read has no tags that anybody knows, so it is left out by its path alone.
  ///
  /// - Throws: `UsageError` when nothing is left, or a condition has no value.
  func selected(from scenarios: [SuiteScenario]) throws(UsageError) -> [SuiteScenario] {
    var selected: [SuiteScenario] = []
    for scenario in scenarios where try isWanted(scenario) { selected.append(scenario) }
    // Before those that failed are chosen: a part that runs first changes which these are.
    if let shard = options.shard, !selected.isEmpty {
      let count = selected.count
      selected = shard.part(of: selected) { state.entries[$0.key]?.microseconds }
      if selected.isEmpty { throw .emptyShard("\(shard.number)/\(shard.count)", of: count) }
    }
    if options.rerunsFailed {
      if !state.entries.values.contains(where: \.hasFailed) { throw .nothingFailed }
      selected.removeAll { state.entries[$0.key]?.hasFailed != true }
    }
    if selected.isEmpty { throw .nothingSelected(from: scenarios.count, reasons) }
    guard let seed = options.seed else { return selected }
    var random = SeededGenerator(seed: seed, label: "shuffle")
    return selected.shuffled(using: &random)
  }

  private func isWanted(_ scenario: SuiteScenario) throws(UsageError) -> Bool {
    if let text = options.filter, !scenario.path.contains(text), !scenario.name.contains(text) {
      return false
    }
    guard case .success(let plan) = scenario.plan else { return true }
    if let tag = options.tag, try !tag.holds(of: scenario, plan) { return false }
    if let tag = options.skipTag, try tag.holds(of: scenario, plan) { return false }
    return true
  }

  /// What may have left out everything.
  private var reasons: [String] {
    let texts = [
      options.filter.map { "--filter '\($0)'" }, options.tag.map { "--tag '\($0.text)'" },
      options.skipTag.map { "--skip-tag '\($0.text)'" },
    ]
    return (options.rerunsFailed ? ["--rerun-failed"] : []) + texts.compactMap { $0 }
  }
}

extension TagExpression {
  fileprivate func holds(of scenario: SuiteScenario, _ plan: Plan) throws(UsageError) -> Bool {
    try holds(tags: plan.tags, name: scenario.name, path: scenario.path)
  }
}
