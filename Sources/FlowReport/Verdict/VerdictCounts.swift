package import FlowCore
package import FlowEngine
internal import FlowExplore
internal import FlowSystem
internal import FlowTranscript

// The numbers of each report in a verdict.

extension CheckReport {
  /// The numbers of its scenarios and problems.
  package func counts(of scenarios: Int) -> [(name: String, count: Int)] {
    let errors = diagnostics.count { $0.severity == .error }
    return [
      ("scenarios", scenarios), ("errors", errors), ("warnings", diagnostics.count - errors),
    ]
  }
}

extension SuiteReport {
  /// The numbers of scenarios by their verdict.
  package var verdictCounts: [(name: String, count: Int)] {
    [("scenarios", total)]
      + ScenarioReport.Verdict.allCases.map { verdict in
        (verdict.rawValue.replacing(" ", with: "_"), counts[verdict] ?? 0)
      }
  }
}

extension MutationReport {
  /// The numbers of alterations.
  package var verdictCounts: [(name: String, count: Int)] {
    [
      ("alterations", count), ("tried", results.count), ("noticed", noticed),
      ("unnoticed", results.count - noticed),
    ]
  }

  /// A warning for each kind of unnoticed alterations, with its first ones.
  package func warnings(in transcript: String) -> [Diagnostic] {
    kinds.map { kind in
      var facts = DiagnosticFacts()
      facts.address = kind.results.first.map { "\($0.alteration.address)" }
      facts.differences = kind.results.map(\.difference)
      let place = kind.results.first.map { result in
        let start = Position(line: result.alteration.line, column: 1)
        return SourceSpan(file: transcript, start: start, end: start)
      }
      var warning = Diagnostic(
        .unnoticedAlteration,
        "\(kind.title): \(kind.results.count) of \(kind.count) alterations not noticed",
        at: place, severity: .warning)
      warning.showsLine = false
      return warning.stating(facts)
    }
  }
}

extension MutationReport.Result {
  fileprivate var difference: DiagnosticFacts.Difference {
    DiagnosticFacts.Difference(
      path: "\(alteration.path)", expected: alteration.recordedText, got: alteration.alteredText)
  }
}

extension ExplorationReport {
  /// The numbers of tried orders.
  package var verdictCounts: [(name: String, count: Int)] {
    [
      ("schedules", exploration.tried), ("outcomes", exploration.outcomeCount),
      ("inconclusive", exploration.inconclusive),
    ]
  }

  /// The command that runs the failing order again, or nil.
  package var again: String? { recording?.command }
}

extension RunReport.Counts {
  /// The numbers of steps.
  package var verdictCounts: [(name: String, count: Int)] {
    [("steps_passed", passed), ("steps_failed", failed), ("steps_not_run", notRun)]
  }
}
