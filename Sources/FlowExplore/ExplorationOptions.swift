package import FlowCore
package import FlowRedaction
package import FlowTranscript

/// The scope of an exploration, and the environment of its runs.
package struct ExplorationOptions: Sendable {
  /// The most schedules to try.
  ///
  /// Shrinking a failing one is extra.
  package var budget = 10_000
  /// The most schedules to try if components outside the process are really called each time.
  package var outsideBudget = 100
  /// Up to how many delays are tried everywhere.
  package var maxDelays = 2
  /// The seed of all randomness, in the runs and in the search.
  package var seed: UInt64 = 0
  /// The names of components and operations whose declared errors are tried, or nil for all.
  package var faults: Set<String>? = []
  /// The names of components and operations whose calls are also left without an answer, or nil for
  /// all.
  package var silence: Set<String>? = []
  /// The names of components and events whose reports are also delivered twice, or nil for all.
  package var duplicates: Set<String>? = []
  /// True if the run is also ended after each line of its journal, and resumed.
  package var crashes = false
  /// The recording that answers for all components except those in `live`, or nil if all are
  /// called.
  package var recorded: Transcript?
  /// True if the scenario, replayed without components, asks what is in the recording.
  ///
  /// Then other calls of its steps follow from live answers, such as another number of attempts.
  package var asksTheSame = false
  /// The date at the start of the runs.
  package var date = Timestamp.epoch
  /// The names of the components that are called while others are served from the recording.
  package var live: Set<String> = []
  /// The number of sleeps after which a run counts as endless and is cancelled.
  package var mostSleeps = 100_000
  /// Finds the secrets that components ask for by name.
  package var secret: @Sendable (String) -> String? = { _ in nil }
  /// The number of runs at once, if components keep no state outside the process.
  package var jobs = 1
  /// Restores what the runs start from before each of them, and returns the problems if it cannot.
  package var restore: (@Sendable () async -> [Diagnostic])?
  /// Receives the progress of the search, at most ten times a second.
  package var progress: (@Sendable (SearchProgress) -> Void)?
  /// Hides the secrets of one run.
  package var redactor: @Sendable () -> Redactor = { Redactor() }

  /// The defaults.
  package init() {}
}
