package import FlowCore
package import FlowRedaction
package import FlowTranscript

/// What an exploration tries, and on what.
package struct ExplorationOptions: Sendable {
  /// How many schedules are tried at most; shrinking one that fails comes on top.
  package var budget = 10_000
  /// How many at most where components outside of the process are called, each time for real.
  package var outsideBudget = 100
  /// Up to how many delays are tried everywhere.
  package var maxDelays = 2
  /// What decides everything random, in the runs and in the search.
  package var seed: UInt64 = 0
  /// The components and operations whose declared errors are tried, by name; all for nil.
  package var faults: Set<String>? = []
  /// The components and operations whose calls are also left without an answer, by name; all for nil.
  package var silence: Set<String>? = []
  /// The components and events whose reports are also delivered twice, by name; all for nil.
  package var duplicates: Set<String>? = []
  /// Whether the run is also ended after each line of its journal, and resumed.
  package var crashes = false
  /// Where the answers of all components come from but of those in `live`; nil where all are called.
  package var recorded: Transcript?
  /// The date at which the runs begin.
  package var date = Timestamp.epoch
  /// The names of the components that are called beside recorded ones.
  package var live: Set<String> = []
  /// How often a run may sleep before it counts as endless, and is cancelled.
  package var mostSleeps = 100_000
  /// Finds the secrets that components ask for by name.
  package var secret: @Sendable (String) -> String? = { _ in nil }
  /// How many runs go on at once, where components keep no state outside of the process.
  package var jobs = 1
  /// Told how far the search is, at most ten times a second; nothing for nil.
  package var progress: (@Sendable (SearchProgress) -> Void)?
  /// Hides the secrets of one run.
  package var redactor: @Sendable () -> Redactor = { Redactor() }

  /// The defaults.
  package init() {}
}
