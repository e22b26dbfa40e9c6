package import FlowCore
package import FlowEngine

/// What generating scenarios has found.
package struct Generation: Sendable {
  /// A scenario that fails.
  package struct Found: Sendable {
    /// Its text.
    package let text: String
    /// Its generated calls, in words.
    package let calls: [String]
    /// Its run; nil when what failed once did not fail again.
    package let run: ScheduledRun?
  }

  /// Why the scenario fails without a generated call; nothing was tried then.
  package internal(set) var problems: [Diagnostic] = []
  /// Why it came to no end by itself, without a generated call.
  package internal(set) var standstill: Standstill?
  /// What could be called, and what was left out.
  package internal(set) var callable = CallableOperations()
  /// How many scenarios were tried.
  package private(set) var tried = 0
  /// How many runs shrinking took besides.
  package internal(set) var shrinkingTries = 0
  /// How many calls there were.
  package private(set) var calls = 0
  /// The operations that were called, the errors that they answered with and the events of their components.
  package private(set) var covered: Set<String> = []
  /// The scenario that fails; nil when none did.
  package internal(set) var found: Found?
  /// Whether it was interrupted.
  package internal(set) var isStopped = false
  /// How long it took, in real time.
  package internal(set) var elapsed = Duration.zero

  mutating func note(_ trial: GenerationTrial) {
    tried += 1
    calls += trial.calls.count
    covered.formUnion(trial.covered)
  }
}

/// How far the generation of scenarios is.
package struct GenerationProgress: Sendable {
  /// How many scenarios were tried, those of shrinking included.
  package let tried: Int
  /// How many of the operations were called.
  package let called: Int
  /// How many operations can be called.
  package let callable: Int
  /// Whether one has failed, and less of it is tried.
  package let isShrinking: Bool
  /// How long it has taken so far, in real time.
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
