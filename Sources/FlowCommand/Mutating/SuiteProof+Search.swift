internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowTranscript

extension ComparedSuites {
  /// Runs the changed scenarios on the answers of the earlier version, several at once.
  func proof(_ checks: LostChecks, _ jobs: Jobs) async -> SuiteProof {
    let comparison = checks.comparison
    let gains = Dictionary(grouping: checks.gains(), by: \.scenario)
    var proof = SuiteProof(version: earlier.name)
    await jobs.run(comparison.changedPresent) { _, number in
      let scenario = comparison.present.version.scenarios[number]
      let verdict = await verdict(of: number, in: comparison, gains[scenario.key] ?? [])
      return SuiteProof.Scenario(path: scenario.mutation.plan.file, verdict)
    } receive: { scenario in
      proof.scenarios.append(scenario)
    }
    proof.elapsed = suite.start.duration(to: .now)
    return proof
  }

  private func verdict(
    of number: Int, in comparison: SuiteComparison, _ gains: [SuiteLosses.Gain]
  ) async -> SuiteProof.Verdict {
    let scenario = comparison.present.version.scenarios[number]
    let earlier = EarlierAnswers(
      in: scenario.recording, number: number, from: comparison.earlier.version.recordings,
      comparison.pairs)
    let run = await scenario.mutation.replay(on: earlier.transcript)
    if let failure = run.diagnostics.first { return .proved(failure) }
    if gains.isEmpty { return .unchanged }
    if earlier.unknown.isEmpty { return .nothing(checks: gains) }
    return .undecided(calls: earlier.unknown.map(scenario.recording.title))
  }
}

extension SuiteProof {
  /// An error for each scenario that proves nothing.
  var diagnostics: [Diagnostic] { scenarios.compactMap { $0.diagnostic(at: version) } }

  /// The reports of the scenarios.
  ///
  /// Those that prove nothing have failed.
  var scenarioReports: [ScenarioReport] {
    scenarios.map { scenario in
      var report = ScenarioReport(path: scenario.path, name: "")
      let diagnostic = scenario.diagnostic(at: version)
      report.verdict = diagnostic == nil ? .passed : .failed
      report.findings.diagnostics = diagnostic.map { [$0] } ?? []
      return report
    }
  }
}

extension SuiteProof.Scenario {
  fileprivate func diagnostic(at version: String) -> Diagnostic? {
    guard case .nothing(let checks) = verdict else { return nil }
    let line = checks.first?.noticedBy?.line ?? 1
    let start = Position(line: line, column: 1)
    return Diagnostic(
      .provesNothing,
      "the new checks of '\(path)' pass on the answers recorded at \(version.onOneLine)",
      at: SourceSpan(file: path, start: start, end: start),
      notes: checks.prefix(5).map { "it newly checks \($0.value)" })
  }
}
