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

  init(path: String, place: Place, slot: Slot?, action: PlannedAction, options: StepOptions?) {
    self.path = path
    self.place = place
    self.slot = slot
    self.action = action
    self.options = options
  }

  /// How reports call it: the `name:`, or the path.
  public var label: String { options?.name ?? path }

  /// The steps inside of it, in file order; those of another scenario are not.
  package var blocks: [StepBlock] {
    let finally = options?.finally ?? []
    return action.content.blocks
      + (finally.isEmpty ? [] : [StepBlock(label: "finally", steps: finally)])
  }

  /// Visits the step and every step inside of it, in file order.
  func visit(_ visitor: (PlannedStep) -> Void) {
    visitor(self)
    for block in blocks { for step in block.steps { step.visit(visitor) } }
  }
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
public indirect enum PlannedAction: Sendable {
  /// Calls an operation of a component.
  case call(PlannedCall)
  /// Repeats its steps.
  case loop(PlannedLoop)
  /// Runs its steps once, or others.
  case block(PlannedBlock)
  /// Runs branches of steps at the same time.
  case parallel(PlannedParallel)
  /// Gives variables their values, in file order.
  case set(PlannedSet)
  /// Demands that every expression is true.
  case assert(PlannedAssert)
  /// Lets time pass.
  case wait(PlannedWait)
  /// Waits until a component reports something.
  case await(PlannedAwait)
  /// Runs another scenario.
  case scenario(PlannedScenario)

  /// What the step is made of, whatever its kind: all that walks a plan asks for it, and not for the kind.
  package var content: any PlannedContent {
    switch self {
    case .call(let call): call
    case .loop(let loop): loop
    case .block(let block): block
    case .parallel(let parallel): parallel
    case .set(let set): set
    case .assert(let assert): assert
    case .wait(let wait): wait
    case .await(let event): event
    case .scenario(let scenario): scenario
    }
  }
}

/// What a step is made of; the file of each kind in `Steps/` answers for it.
package protocol PlannedContent: Sendable {
  /// The steps inside of it, in file order; the default is none.
  var blocks: [StepBlock] { get }
  /// Its values; the default is none.
  var templates: [Template] { get }
  /// The expressions of its own, those of its values included and those of the steps inside of it not.
  var expressions: [PlannedExpression] { get }
  /// Whether steps inside of it may run at the same time; the default is that they do not.
  var isConcurrent: Bool { get }
  /// Its keys as the scenario has them, a line each, up to its steps.
  var lines: [String] { get }
  /// The keys that follow its steps; the default is none.
  var closingLines: [String] { get }
  /// What it does, in a few words.
  var summary: String { get }
}

extension PlannedContent {
  package var blocks: [StepBlock] { [] }
  package var templates: [Template] { [] }
  package var expressions: [PlannedExpression] { templates.flatMap(\.expressions) }
  package var isConcurrent: Bool { false }
  package var closingLines: [String] { [] }

  /// A key with lines of its own; none without any.
  static func section(_ key: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["\(key):"] + lines.map { "  " + $0 }
  }
}

/// A list of steps inside of a step.
package struct StepBlock: Sendable {
  /// The key, or the name of the branch and of those that it needs.
  package let label: String
  /// The steps; may be empty.
  package let steps: [PlannedStep]
  /// Whether it is one of several that run at the same time.
  package var isBranch = false
}

/// How the order of calls is compared with a transcript; what they are given is compared in any case.
public enum OrderRule: String, Sendable, Hashable, CaseIterable {
  /// Calls come in the order of the transcript, as far as one step comes after the other.
  case causal
  /// Calls come in any order.
  case set
}
