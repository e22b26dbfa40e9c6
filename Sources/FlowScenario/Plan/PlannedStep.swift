internal import FlowCore
public import FlowExpression
internal import FlowYAML

/// One step, ready to run.
public final class PlannedStep: Sendable {
  /// The structural path: the ids around it and its own, joined by `/`.
  public let path: String
  /// The step's first character and what follows.
  public let place: Place
  /// Where its outputs go; nil when it has no id.
  public let slot: Slot?
  /// What it does.
  public let action: PlannedAction
  /// What few steps have; nil for a step without any of it.
  public let options: StepOptions?

  init(_ step: Step, path: String, slot: Slot?, action: PlannedAction, options: StepOptions?) {
    self.path = path
    place = Place(step.node.span)
    self.slot = slot
    self.action = action
    self.options = options
  }

  /// How reports call it: the `name:`, or the path.
  public var label: String { options?.name ?? path }
}

/// What few steps have; kept apart so that the many others stay small.
public final class StepOptions: Sendable {
  /// The `name:`, or nil.
  public let name: String?
  /// Runs the step only when true; nil means always.
  public let condition: PlannedExpression?
  /// How long the step may take, each attempt of a call for itself; nil means without end.
  public let timeout: Duration?
  /// How a call that failed is tried again; nil means not at all.
  public let retry: RetryPolicy?
  /// Whether the scenario goes on, and passes, when the step fails.
  public let continuesOnError: Bool
  /// The steps that run when the step has ended in whatever way; empty for none.
  public let finally: [PlannedStep]
  /// How the order of the calls inside is compared with a transcript; nil for that of the step around it.
  public let comparison: OrderRule?

  init?(
    name: String?, condition: PlannedExpression?, timeout: Duration?, retry: RetryPolicy?,
    continuesOnError: Bool, finally: [PlannedStep], comparison: OrderRule?
  ) {
    let isPlain = name == nil && condition == nil && timeout == nil && retry == nil
    if isPlain && !continuesOnError && finally.isEmpty && comparison == nil { return nil }
    self.comparison = comparison
    self.finally = finally
    self.name = name
    self.condition = condition
    self.timeout = timeout
    self.retry = retry
    self.continuesOnError = continuesOnError
  }
}

/// How a call that failed is tried again.
public struct RetryPolicy: Sendable, Hashable {
  /// How often the call is made at most, the first time included; 1 or more.
  public var attempts: Int
  /// How long to wait before the second attempt.
  public var backoff: Duration
  /// By how much each wait is longer than the one before it; 1 or more.
  public var factor: Double
  /// The longest wait; nil means without bound.
  public var maximum: Duration?
  /// Which part of each wait is left to chance, 0 to 1.
  public var jitter: Double
  /// The error codes that are tried again; empty means every failure is.
  public var codes: [String]

  /// The wait before an attempt, from the second on.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt, 2 or more.
  ///   - chance: A number from 0 up to 1, which shortens the wait by its part of the jitter.
  /// - Returns: The wait, zero or more.
  public func delay(before attempt: Int, chance: Double) -> Duration {
    var delay = backoff
    for _ in 2..<max(2, attempt) {
      // Beyond the longest wait, growing further would only overflow.
      if let maximum, delay >= maximum { break }
      delay = min(delay * factor, .seconds(Self.longest))
    }
    if let maximum { delay = min(delay, maximum) }
    return delay * (1 - jitter * chance)
  }

  /// Ten years, in seconds: no wait is longer.
  private static let longest = 315_360_000
}

/// What a step does.
public enum PlannedAction: Sendable {
  /// Calls an operation of a component.
  case call(PlannedCall)
  /// Repeats its steps.
  case loop(PlannedLoop)
  /// Runs its steps once, or others.
  case block(PlannedBlock)
  /// Runs branches of steps at the same time.
  case parallel(PlannedParallel)
  /// Gives variables their values, in file order.
  case set([PlannedAssignment])
  /// Demands that every expression is true.
  case assert([PlannedExpression])
  /// Lets time pass.
  case wait(Template)
  /// Waits until a component reports something.
  case await(PlannedAwait)
  /// Runs another scenario.
  case scenario(PlannedScenario)
}

/// How the order of calls is compared with a transcript; what they are given is compared in any case.
public enum OrderRule: String, Sendable, Hashable, CaseIterable {
  /// Calls come in the order of the transcript, as far as one step comes after the other.
  case causal
  /// Calls come in any order.
  case set
}
