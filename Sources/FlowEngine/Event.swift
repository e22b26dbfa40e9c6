public import FlowCore
package import FlowRedaction
public import FlowScenario

/// The only thing the engine says; every report and every transcript is made of these.
public enum Event: Sendable {
  /// The first event of a run.
  case runStarted(RunDescription)
  /// A component is about to be opened or called; `completed` follows with the same address.
  case invoked(Invocation)
  /// A component reported something by itself; `event` is `component.name`.
  case emitted(Address, event: String, payload: Value)
  /// A component answered.
  case completed(Invocation, Outcome)
  /// A part of a step begins that runs beside others, or that waits for them first; its events follow, and
  /// may interleave with theirs. The parts begin in the order of the scenario.
  case branchStarted(Branch)
  /// A part of a step has ended that ran beside others; none of its events follows.
  case branchEnded(Branch)
  /// A step begins; `stepEnded` follows, after everything that the step does.
  case stepStarted(Address, PlannedStep)
  /// A step came to its end. A step that is not run, or cannot tell whether it should, ends without having started.
  case stepEnded(Address, PlannedStep, StepState, elapsed: Duration)
  /// The last event of a run.
  case runEnded(RunReport)
}

/// What a run is about to do.
public struct RunDescription: Sendable {
  /// The scenario.
  public let plan: Plan
  /// The values of the inputs, in the plan's order.
  public internal(set) var inputs: [Value]
  /// The seed of all chance.
  public let seed: UInt64
  /// In what the run differs from one that goes its plain way; nil for nothing.
  package var schedule: Schedule?
  /// The time that has passed since the session was made, by the run's own clock.
  package let elapsed: @Sendable () -> Duration
  /// Whether something is hidden, so that placeholders stand in the events.
  package let isHiding: @Sendable () -> Bool
  /// Whether that is virtual time, which passes only when nothing is left to do.
  package let isTimeVirtual: Bool
}

/// How a step ended.
public enum StepState: Sendable {
  /// It did what it should.
  case passed
  /// It did not.
  indirect case failed(StepFailure)
  /// It was left out: its `if` was false, or an earlier step failed. Never counted as passed.
  case notRun(Reason)

  /// Why a step was left out.
  public enum Reason: Sendable, Hashable {
    /// Its own condition was false.
    case condition
    /// A step before it failed, or the run was cancelled.
    case earlierFailure
  }
}

/// Receives the events of a run in their order; parallel steps may interleave.
public protocol EventSink: Sendable {
  /// Takes one event. Called on the run's tasks, so it must be quick and must not block.
  func receive(_ event: Event)
}

/// All sinks of a run, and who keeps secrets from them.
public struct EventSinks: Sendable {
  private let sinks: [any EventSink]
  /// Who puts placeholders into everything that the sinks, and the run's report, contain.
  package let redactor: Redactor

  /// These sinks, each of which receives every event that the redactor lets it see, in the order given here.
  package init(_ sinks: [any EventSink], redactor: Redactor) {
    self.sinks = sinks
    self.redactor = redactor
  }

  /// Hands an event to every sink.
  public func receive(_ event: @autoclosure () -> Event) {
    // Without sinks not even the event is made.
    if sinks.isEmpty { return }
    // Events are large, so the usual one is not moved through a variable that could hold either.
    if redactor.isActive { return tell(event().redacted(by: redactor)) }
    tell(event())
  }

  private func tell(_ event: Event) {
    for sink in sinks { sink.receive(event) }
  }
}
