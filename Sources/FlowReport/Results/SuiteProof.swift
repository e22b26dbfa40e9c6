package import FlowCore

/// Which changed scenarios of a suite fail on the answers that were recorded before the change.
package struct SuiteProof: Sendable {
  /// What a scenario says about the change.
  package enum Verdict: Sendable {
    /// It fails on the earlier answers, for this reason.
    case proved(Diagnostic)
    /// It checks something new, and passes on the earlier answers.
    case nothing(checks: [SuiteLosses.Gain])
    /// It checks something new, and passes, but some of its calls were not recorded before.
    case undecided(calls: [String])
    /// It checks what it checked before.
    case unchanged

    /// The name in JSON.
    var name: String {
      switch self {
      case .proved: "proved"
      case .nothing: "nothing"
      case .undecided: "undecided"
      case .unchanged: "unchanged"
      }
    }
  }

  /// A changed scenario.
  package struct Scenario: Sendable {
    /// The path as it is shown.
    package let path: String
    /// What it says.
    package let verdict: Verdict

    /// Creates a scenario.
    package init(path: String, _ verdict: Verdict) {
      (self.path, self.verdict) = (path, verdict)
    }

    /// True if it says nothing about the change.
    package var provesNothing: Bool {
      if case .nothing = verdict { true } else { false }
    }
  }

  /// The name of the earlier version.
  package let version: String
  /// The changed scenarios, in the order of their paths.
  package var scenarios: [Scenario] = []
  /// The duration.
  package var elapsed = Duration.zero

  /// Creates the proof of no scenario.
  package init(version: String) { self.version = version }
}
