package import FlowCore
package import FlowTranscript

/// The result of `flow mutate`.
package struct MutationReport: Sendable {
  /// The check that noticed an alteration.
  package enum Notice: String, Sendable {
    /// A failed expectation, assertion or later call.
    case noticed
    /// Only the scenario's outputs, which changed.
    case outputs
    /// Nothing.
    case unnoticed
  }

  /// The result of one alteration.
  package struct Result: Sendable {
    let alteration: Alteration
    let notice: Notice

    /// Creates the result of one trial.
    package init(_ alteration: Alteration, _ notice: Notice) {
      self.alteration = alteration
      self.notice = notice
    }
  }

  /// The ends of the trials, in the order of the alterations.
  let results: [Result]
  /// The number of alterations.
  let count: Int
  let elapsed: Duration
  /// True if its text lists all unnoticed alterations.
  let listsAll: Bool

  /// Creates a report of the results among `count` alterations.
  ///
  /// Unless it lists all, its text has the first of each kind.
  package init(results: [Result], count: Int, elapsed: Duration, listsAll: Bool) {
    self.listsAll = listsAll
    self.results = results
    self.count = count
    self.elapsed = elapsed
  }

  /// The number of noticed alterations.
  var noticed: Int { results.count { $0.notice == .noticed } }

  /// Returns true if at least this percentage was noticed.
  ///
  /// Without alterations it is 100 %.
  package func isAtLeast(_ percent: Decimal) -> Bool {
    // Without a division, so that 2 of 3 is not 66.67 %.
    guard let share = try? percent * Decimal(results.count) else { return false }
    return Decimal(100 * noticed) >= share
  }

  /// The noticed percentage with one digit, rounded down.
  package var score: String {
    let tenths = results.isEmpty ? 1_000 : noticed * 1_000 / results.count
    return "\(tenths / 10).\(tenths % 10)"
  }
}
