package import FlowScenario

extension TranscriptHeader {
  /// What is not as it was when the run was recorded, a sentence each.
  package func changes(in plan: Plan) -> [String] {
    let scenario = plan.digest == digest ? [] : ["'\(plan.file)' has changed since it was recorded"]
    return scenario
      + Self.plugins(of: plan).compactMap { plugin in
        let recorded = plugins.first { $0.name == plugin.name }?.version
        if recorded == plugin.version { return nil }
        let version = recorded.map { "version \($0)" } ?? "not in use"
        return "the plugin '\(plugin.name)' is \(plugin.version), and was \(version) when recorded"
      }
  }
}
