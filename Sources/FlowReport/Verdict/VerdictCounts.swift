package import FlowCore
package import FlowEngine
package import FlowExplore
internal import FlowScenario
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

extension ContractGeneration {
  /// The numbers of requests, operations and findings.
  package var verdictCounts: [(name: String, count: Int)] {
    [
      ("requests", requests + shrinkingRequests), ("operations", operations.count),
      ("accepted", accepted.count), ("findings", repeatedCount), ("left_out", more),
    ]
  }
}

extension MutationReport {
  private static let mostNamed = 5

  /// The numbers of alterations.
  package var verdictCounts: [(name: String, count: Int)] { score.verdictCounts(of: count) }

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

  /// A warning for each step with unnoticed alterations, with the first lines that would notice
  /// them.
  package var warningsAtSteps: [Diagnostic] {
    var steps: [(path: String, results: [Result])] = []
    for result in results where result.notice != .noticed {
      let path = result.alteration.address.path
      if let index = steps.firstIndex(where: { $0.path == path }) {
        steps[index].results.append(result)
      } else {
        steps.append((path, [result]))
      }
    }
    return steps.map { path, results in
      Diagnostic(
        .unnoticedAlteration,
        "\(counted(results.count, "alteration")) of the answer of '\(path)' not noticed: "
          + Self.first(of: results.map { $0.alteration.path.kindText }).joined(separator: ", "),
        at: results[0].step, severity: .warning,
        notes: whole(of: results) ?? Self.first(of: results.compactMap(\.proposal)))
    }
  }

  /// Returns the line for all that lines notice in a step, or nil without one.
  private func whole(of results: [Result]) -> [String]? {
    wholeSteps.first { $0.step == results[0].step }.map { [$0.text] }
  }

  /// Returns the first different texts, and the number of the others.
  private static func first(of texts: [String]) -> [String] {
    var different: [String] = []
    for text in texts where !different.contains(text) { different.append(text) }
    let rest = different.count - mostNamed
    return different.prefix(mostNamed) + (rest > 0 ? ["and \(rest) more"] : [])
  }
}

extension MutationSuite {
  /// The numbers of alterations.
  package var verdictCounts: [(name: String, count: Int)] { score.verdictCounts(of: count) }
}

extension MutationScore {
  fileprivate func verdictCounts(of count: Int) -> [(name: String, count: Int)] {
    [
      ("alterations", count), ("tried", tried), ("noticed", noticed),
      ("unnoticed", tried - noticed),
    ]
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
