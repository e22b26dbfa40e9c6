internal import FlowCore
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

extension SuiteLosses {
  /// Marks the losses that the present version accepts, and the earlier one did not.
  ///
  /// An entry that has been there before belongs to an earlier change.
  ///
  /// - Returns: The entries of the present version that name no loss.
  mutating func accept(
    _ present: AcceptedLosses, besides earlier: AcceptedLosses
  ) -> [AcceptedLosses.Loss] {
    let known = Set(earlier.losses)
    var unused: [AcceptedLosses.Loss] = []
    for entry in present.losses where !known.contains(entry) {
      let meant = losses.indices.filter {
        losses[$0].value == entry.value && losses[$0].scenario == entry.scenario
      }
      for index in meant { losses[index].accepted = entry.reason }
      if meant.isEmpty { unused.append(entry) }
    }
    return unused
  }

  /// An error for each loss that nobody has accepted, at the change behind it.
  func diagnostics(_ redactor: Redactor) -> [Diagnostic] {
    unaccepted.map { $0.diagnostic(at: version, redactor) }
  }

  /// Returns a report for each unaccepted loss, which has failed, and one for each changed scenario
  /// without any.
  func scenarioReports(of keys: [String], _ redactor: Redactor) -> [ScenarioReport] {
    let lost = Dictionary(grouping: unaccepted, by: \.scenario)
    return keys.flatMap { key -> [ScenarioReport] in
      guard let losses = lost[key] else { return [ScenarioReport(path: key, name: "")] }
      return losses.map { loss in
        var report = ScenarioReport(path: key, name: redactor.redacted(loss.value))
        report.verdict = .failed
        report.findings.diagnostics = [loss.diagnostic(at: version, redactor)]
        return report
      }
    }
  }
}

extension SuiteLosses.Loss {
  fileprivate func diagnostic(at version: String, _ redactor: Redactor) -> Diagnostic {
    let place = change.map { change in
      let start = Position(line: change.place.line, column: 1)
      return SourceSpan(file: change.place.file, start: start, end: start)
    }
    let line = noticedBy.map { "noticed at \(version.onOneLine) by \($0.shown)" }
    let first = example.map { "for example \($0)" }
    return Diagnostic(
      .lostCheck,
      "\(counted(alterations.count, "alteration")) not noticed any more: "
        + redactor.redacted(title),
      at: place,
      notes: [line, reason == .notCalled ? nil : first].compactMap { $0.map(redactor.redacted) })
  }
}
