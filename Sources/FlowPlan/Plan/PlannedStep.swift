package import FlowCore
public import FlowExpression

/// One step, ready to run.
public final class PlannedStep: Sendable {
  /// The structural path: the ids around it and its own, joined by `/`.
  public let path: String
  /// The step's first character, and the rest of it.
  public let place: Place
  /// The slot of its outputs, or nil without an id.
  public let slot: Slot?
  /// The slot of its error, or nil if nothing may read it.
  package let errorSlot: Slot?
  /// The action.
  public let action: PlannedAction
  /// The rare options, or nil for a step without any.
  public let options: StepOptions?

  /// The error of a step, as later steps read it.
  package static let error = RecordType([
    RecordType.Field(
      name: "code", type: .string, summary: "The code of the error, or of the failure: F2001.",
      defaultValue: nil),
    RecordType.Field(
      name: "message", type: .string, summary: "The message.", defaultValue: nil),
  ])

  /// Returns an error as later steps read it.
  package static func error(code: String, message: String) -> Value {
    .record(RecordValue(error, [.string(code), .string(message)]))
  }

  package init(
    path: String, place: Place, slot: Slot?, errorSlot: Slot?, action: PlannedAction,
    options: StepOptions?
  ) {
    self.path = path
    self.place = place
    self.slot = slot
    self.errorSlot = errorSlot
    self.action = action
    self.options = options
  }

  /// Its name in reports: the `name:`, or the path.
  public var label: String { options?.name ?? path }

  /// The `name:` if it contains expressions, or nil.
  package var nameWithValues: String? {
    options.flatMap { $0.nameText == nil ? nil : $0.name }
  }

  /// Returns the step with another name, for the events of a run.
  package func named(_ name: String) -> PlannedStep {
    PlannedStep(
      path: path, place: place, slot: slot, errorSlot: errorSlot, action: action,
      options: options?.named(name))
  }

  /// The slots of its outputs and of its error.
  package var slots: [Slot] { [slot, errorSlot].compactMap(\.self) }

  /// True for a block with `retry`, whose attempts count like iterations of a loop.
  package var countsAttempts: Bool {
    options?.retry != nil && action.call == nil
  }

  /// The steps inside it, in file order, without those of another scenario.
  package var blocks: [StepBlock] {
    let finally = options?.finally ?? []
    if finally.isEmpty { return action.blocks }
    return action.blocks + [StepBlock(label: "finally", steps: finally)]
  }

  /// Shows it and all steps inside to a visitor, in file order.
  package func visit(_ visitor: (PlannedStep) -> Void) {
    visitor(self)
    for block in blocks { for step in block.steps { step.visit(visitor) } }
  }
}

/// A list of steps inside of a step.
package struct StepBlock: Sendable {
  /// The key, or the name of the branch and of the branches that it needs.
  package let label: String
  /// The steps, may be empty.
  package let steps: [PlannedStep]
  /// True if it is one of several that run at the same time.
  package var isBranch = false
}

/// The action of a step.
public enum PlannedAction: Sendable {
  /// Calls an operation of a component.
  case call(PlannedCall)
  /// Repeats its steps.
  indirect case loop(PlannedLoop)
  /// Runs its steps once, or others.
  indirect case block(PlannedBlock)
  /// Runs branches of steps at the same time.
  indirect case parallel(PlannedParallel)
  /// Gives variables their values, in file order.
  indirect case set(PlannedSet)
  /// Checks that every expression is true.
  indirect case assert(PlannedAssert)
  /// Waits for some time.
  indirect case wait(PlannedWait)
  /// Waits until a component reports something.
  indirect case await(PlannedAwait)
  /// Runs another scenario.
  indirect case scenario(PlannedScenario)

  /// The kinds of actions, in the order in which messages list their keys.
  package enum Kind: CaseIterable, Sendable {
    case call, loop, block, parallel, set, assert, wait, await, scenario
  }

  /// Its kind.
  package var kind: Kind {
    switch self {
    case .call: .call
    case .loop: .loop
    case .block: .block
    case .parallel: .parallel
    case .set: .set
    case .assert: .assert
    case .wait: .wait
    case .await: .await
    case .scenario: .scenario
    }
  }

  /// The code of the error that a call expects, or nil.
  package var expectedError: String? {
    if case .error(let code, _)? = call?.expectation { code } else { nil }
  }

  /// The parts of the step, whatever its kind.
  ///
  /// Code that walks a plan asks for them, not for the kind.
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

  /// The steps inside it, in file order, without those of another scenario.
  package var blocks: [StepBlock] {
    switch self {
    case .loop(let loop): loop.blocks
    case .block(let block): block.blocks
    case .parallel(let parallel): parallel.blocks
    case .call, .set, .assert, .wait, .await, .scenario: []
    }
  }

  /// The call, or nil for other kinds.
  package var call: PlannedCall? {
    switch self {
    case .call(let call): call
    case .loop, .block, .parallel, .set, .assert, .wait, .await, .scenario: nil
    }
  }

  /// The loop, whose steps have their own level of variables and count iterations, or nil.
  package var loop: PlannedLoop? {
    switch self {
    case .loop(let loop): loop
    case .call, .block, .parallel, .set, .assert, .wait, .await, .scenario: nil
    }
  }

  /// The step's other scenario, or nil for a step without one.
  package var scenario: PlannedScenario? {
    switch self {
    case .scenario(let scenario): scenario
    case .call, .loop, .block, .parallel, .set, .assert, .wait, .await: nil
    }
  }
}

/// The options of few steps, kept apart so the many others stay small.
public final class StepOptions: Sendable {
  /// The `name:` as written, or nil.
  ///
  /// In the events of a run, with the values of its expressions.
  public let name: String?
  /// The `name:` as a string with expressions, or nil without any.
  public let nameText: Template?
  /// The condition of the step, or nil to run it always.
  public let condition: PlannedExpression?
  /// The time limit of the step, or of each attempt of a call.
  ///
  /// Nil for none.
  public let timeout: OptionValue<Duration>?
  /// The policy for repeating a failed call or block, or nil for none.
  public let retry: PlannedRetry?
  /// True if the scenario continues, and passes, after a failure of the step.
  public let continuesOnError: Bool
  /// The steps that run after the end of the step, whatever it is.
  ///
  /// Often empty.
  public let finally: [PlannedStep]
  /// The rule for comparing the order of the calls inside, or nil for that of the step around it.
  public let comparison: OrderRule?

  package init?(
    name: String?, nameText: Template?, condition: PlannedExpression?,
    timeout: OptionValue<Duration>?, retry: PlannedRetry?, continuesOnError: Bool,
    finally: [PlannedStep], comparison: OrderRule?
  ) {
    let isPlain = name == nil && condition == nil && timeout == nil && retry == nil
    if isPlain && !continuesOnError && finally.isEmpty && comparison == nil { return nil }
    self.comparison = comparison
    self.finally = finally
    self.name = name
    self.nameText = nameText
    self.condition = condition
    self.timeout = timeout
    self.retry = retry
    self.continuesOnError = continuesOnError
  }

  /// The expressions of the step's `timeout` and `retry`.
  package var expressions: [PlannedExpression] {
    [timeout?.expression, retry?.attempts.expression, retry?.backoff.expression]
      .compactMap(\.self)
  }

  fileprivate func named(_ name: String) -> StepOptions? {
    StepOptions(
      name: name, nameText: nameText, condition: condition, timeout: timeout, retry: retry,
      continuesOnError: continuesOnError, finally: finally, comparison: comparison)
  }
}

/// A rule for comparing the order of calls with a transcript.
///
/// Their inputs are compared in any case.
public enum OrderRule: String, Sendable, Hashable, CaseIterable {
  /// Calls come in the order of the transcript, as far as one step comes after the other.
  case causal
  /// Calls come in any order.
  case set
}
