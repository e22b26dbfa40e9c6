public import FlowCore
public import FlowPlan
package import FlowRedaction

/// An event of a run.
///
/// The engine's only output: reports and transcripts are made of events.
public enum Event: Sendable {
  /// The first event of a run.
  case runStarted(RunDescription)
  /// A component is about to be opened or called. `completed` follows with the same address.
  case invoked(Invocation)
  /// A component reported an event. `event` is `component.name`.
  case emitted(Address, event: String, payload: Value)
  /// A component answered.
  case completed(Invocation, Outcome)
  /// A branch starts, or waits for the branches that it needs.
  ///
  /// Its events follow, and may interleave with those of its siblings. Branches start in the order
  /// of the scenario.
  case branchStarted(Branch)
  /// A branch has ended. None of its events follows.
  case branchEnded(Branch)
  /// A step starts. `stepEnded` follows, after everything that the step does.
  case stepStarted(Address, PlannedStep)
  /// The scenario computed a value at a step, or at an output.
  ///
  /// Before the start of a step for its name and its condition. Sent only to sinks that hear values.
  case computed(Address, ComputedValue)
  /// A step came to its end. A step that is not run, or cannot tell whether it should, ends without having started.
  case stepEnded(Address, PlannedStep, StepState, elapsed: Duration)
  /// An iteration of a loop with `cases` starts. `caseEnded` follows.
  case caseStarted(LoopCase)
  /// Such an iteration has ended, or does not start at all.
  case caseEnded(LoopCase, RunReport.Case.State, elapsed: Duration)
  /// The last event of a run.
  case runEnded(RunReport)
}

/// The description of a run before its start.
public struct RunDescription: Sendable {
  /// The scenario.
  public let plan: Plan
  /// The values of the inputs, in the plan's order.
  public internal(set) var inputs: [Value]
  /// The seed of all chance.
  public let seed: UInt64
  /// The schedule and faults of an explored run, or nil.
  package var schedule: Schedule?
  /// The time since the session was created, by the run's own clock.
  package let elapsed: @Sendable () -> Duration
  /// The redactor of the run, which learns further secrets during it.
  package let redactor: Redactor
  /// True for virtual time, which passes only when nothing is left to do.
  package let isTimeVirtual: Bool
}

/// The end of a step.
public enum StepState: Sendable {
  /// The step succeeded.
  case passed
  /// The step failed.
  indirect case failed(StepFailure)
  /// The step was left out: its `if` was false, or an earlier step failed. Never counted as passed.
  case notRun(Reason)

  /// The reason for leaving out a step.
  public enum Reason: Sendable, Hashable {
    /// Its own condition was false.
    case condition
    /// A step before it failed, or the run was cancelled.
    case earlierFailure
  }
}

/// A receiver of a run's events, in their order.
///
/// Events of parallel steps may interleave.
public protocol EventSink: Sendable {
  /// Takes one event. Called on the run's tasks, so it must be quick and must not block.
  func receive(_ event: Event)
  /// True to receive `Event.computed` as well, false unless a sink says otherwise.
  ///
  /// Asked once before the run. Without such a sink, no value is described.
  var hearsValues: Bool { get }
}

extension EventSink {
  /// False, since most sinks are about calls and steps.
  public var hearsValues: Bool { false }
}

/// All sinks of a run, and the redactor for them.
public struct EventSinks: Sendable {
  private let sinks: [any EventSink]
  /// The redactor for all content of the sinks and the run's report.
  package let redactor: Redactor
  /// True if one of them hears computed values.
  let hearsValues: Bool

  /// Creates the group.
  ///
  /// Each sink receives every redacted event, in the order given here.
  package init(_ sinks: [any EventSink], redactor: Redactor) {
    self.sinks = sinks
    self.redactor = redactor
    hearsValues = sinks.contains(where: \.hearsValues)
  }

  /// Hands an event to every sink.
  public func receive(_ event: @autoclosure () -> Event) {
    // Without sinks the event is not even created.
    if sinks.isEmpty { return }
    // Events are large, so the usual one is not moved through a variable that could hold either.
    if redactor.isActive { return tell(event().redacted(by: redactor)) }
    tell(event())
  }

  /// Hands a computed value to the sinks that hear values.
  func receive(_ value: ComputedValue, at address: Address) {
    let event = Event.computed(address, redactor.isActive ? value.redacted(by: redactor) : value)
    for sink in sinks where sink.hearsValues { sink.receive(event) }
  }

  private func tell(_ event: Event) {
    for sink in sinks { sink.receive(event) }
  }
}
