internal import FlowCore
internal import FlowScenario

extension [SuiteScenario] {
  /// The same scenarios, of which those that share a transcript with another one cannot be run.
  ///
  /// One would replay, or write over, what the other one recorded.
  func refusingSharedTranscripts() -> [SuiteScenario] {
    let groups = Dictionary(grouping: self) { $0.place }
    return map { scenario in
      guard let sharing = groups[scenario.place], sharing.count > 1 else { return scenario }
      let names = sharing.map { "'\(Value.escaped($0.path))'" }.sorted().joined(separator: " and ")
      let message =
        "\(names) share the transcript '\(Value.escaped(scenario.transcript))'; rename one"
      return scenario.refused([Diagnostic("F3119", message, at: nil)])
    }
  }
}

extension SuiteScenario {
  /// The transcript's path as the system compares it, by bytes.
  fileprivate var place: [UInt8] { Array(Path.transcript(of: key).utf8) }
}
