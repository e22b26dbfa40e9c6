package import FlowCore
package import FlowEngine

/// The findings of generated scenarios.
package struct Generation: Sendable {
  /// A failing scenario.
  package struct Found: Sendable {
    /// Its text.
    package let text: String
    /// Its generated calls, in words.
    package let calls: [String]
    /// Its run, or nil if the failure did not happen again.
    package let run: ScheduledRun?
  }

  /// The failures of the scenario without a generated call.
  ///
  /// Nothing was tried then.
  package internal(set) var problems: [Diagnostic] = []
  /// The reason why the scenario does not end by itself, without a generated call.
  package internal(set) var standstill: Standstill?
  /// The callable operations, and the components left out.
  package internal(set) var callable = CallableOperations()
  /// The number of scenarios tried.
  package private(set) var tried = 0
  /// The number of additional runs for shrinking.
  package internal(set) var shrinkingTries = 0
  /// The number of calls made.
  package private(set) var calls = 0
  /// The called operations, their errors, and the events of their components.
  package private(set) var covered: Set<String> = []
  /// The failing scenario, or nil.
  package internal(set) var found: Found?
  /// True if it was interrupted.
  package internal(set) var isStopped = false
  /// The duration, in real time.
  package internal(set) var elapsed = Duration.zero

  mutating func note(_ trial: GenerationTrial) {
    tried += 1
    calls += trial.calls.count
    covered.formUnion(trial.covered)
  }
}

/// The progress of generating scenarios.
package struct GenerationProgress: Sendable {
  /// The number of scenarios tried, including those of shrinking.
  package let tried: Int
  /// The number of operations called.
  package let called: Int
  /// The number of callable operations.
  package let callable: Int
  /// True while a failing scenario is being shrunk.
  package let isShrinking: Bool
  /// The time taken so far, in real time.
  package let elapsed: Duration

  init(_ generation: Generation, shrinkingTries: Int? = nil, elapsed: Duration) {
    tried = generation.tried + (shrinkingTries ?? 0)
    let names = generation.callable.names
    called = names.count { generation.covered.contains("operation \($0)") }
    callable = names.count
    isShrinking = shrinkingTries != nil
    self.elapsed = elapsed
  }
}
