internal import FlowEngine
internal import FlowScenario

/// How a scenario is run on its components.
struct LiveRun: Sendable {
  /// The seed of all chance.
  let seed: UInt64
  /// The run's name, which idempotency keys begin with.
  let name: String
  /// The secrets that the components may ask for.
  let secrets: GivenSecrets
  /// Whether steps that passed print nothing.
  var isQuiet = false
  /// Whether waiting takes no time.
  var isVirtualTime = false
  /// Whether unknown calls of a resumed run are made again in any case.
  var retriesUnknown = false
  /// Whether a journal goes on with a scenario or plugin that has changed.
  var isForced = false
  /// The golden transcript that is written; nil for none.
  var recording: Recording?
  /// The journal that is written; nil for none.
  var journaling: Journaling?

  /// A new run.
  init(of plan: Plan, seed: UInt64, secrets: GivenSecrets) {
    // A new name for every run, so that no two runs share an idempotency key.
    let name = "\(plan.digest)/\(UInt64.random(in: .min ... .max))"
    self.init(name: name, seed: seed, secrets: secrets)
  }

  /// A run of this name.
  init(name: String, seed: UInt64, secrets: GivenSecrets) {
    self.name = name
    self.secrets = secrets
    self.seed = seed
  }

  /// Who writes what happens.
  var sinks: [any EventSink] {
    // The journal first: it must hold what anybody else is told.
    (journaling.map { [$0.recorder] } ?? []) + (recording.map { [$0.recorder] } ?? [])
  }
}
