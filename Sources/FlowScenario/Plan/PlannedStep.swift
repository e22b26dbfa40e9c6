public import FlowCore
public import FlowExpression

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

  /// The `name:` of one that has expressions in it.
  package var nameWithValues: String? {
    options.flatMap { $0.nameText == nil ? nil : $0.name }
  }

  /// The same step with another name, for the events of a run.
  package func named(_ name: String) -> PlannedStep {
    PlannedStep(
      path: path, place: place, slot: slot, action: action, options: options?.named(name))
  }

  /// The steps inside of it, in file order; those of another scenario are not.
  package var blocks: [StepBlock] {
    let finally = options?.finally ?? []
    // As nearly all steps.
    if case .call = action, finally.isEmpty { return [] }
    return action.content.blocks
      + (finally.isEmpty ? [] : [StepBlock(label: "finally", steps: finally)])
  }

  func visit(_ visitor: (PlannedStep) -> Void) {
    visitor(self)
    for block in blocks { for step in block.steps { step.visit(visitor) } }
  }
}

/// What few steps have; kept apart so that the many others stay small.
public final class StepOptions: Sendable {
  /// The `name:` as it is written, or nil; in the events of a run with the values of its expressions.
  public let name: String?
  /// The `name:` as a text around expressions; nil for one without any.
  public let nameText: Template?
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
    name: String?, nameText: Template?, condition: PlannedExpression?, timeout: Duration?,
    retry: RetryPolicy?,
    continuesOnError: Bool, finally: [PlannedStep], comparison: OrderRule?
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

  fileprivate func named(_ name: String) -> StepOptions? {
    StepOptions(
      name: name, nameText: nameText, condition: condition, timeout: timeout, retry: retry,
      continuesOnError: continuesOnError, finally: finally, comparison: comparison)
  }
}

/// What a step does.
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
  /// Demands that every expression is true.
  indirect case assert(PlannedAssert)
  /// Lets time pass.
  indirect case wait(PlannedWait)
  /// Waits until a component reports something.
  indirect case await(PlannedAwait)
  /// Runs another scenario.
  indirect case scenario(PlannedScenario)

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
  /// The thing that it waits for itself, without its steps.
  ///
  /// There is no default: journals, the console and the page each treat a step that waits apart.
  var waiting: Waiting { get }
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

/// The thing that a step waits for.
package enum Waiting: Sendable {
  /// Nothing: it ends at once, or when its steps do.
  case nothing
  /// The answer of an operation with this name.
  case answer(String)
  /// Time that passes.
  case time(Template)
  /// An event.
  case event
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

/// A call of an operation.
///
/// An object, since nearly all steps are calls, and are looked at again and again.
public final class PlannedCall: Sendable {
  /// Which operation.
  public let operation: OperationReference
  /// What it is given: a record of the operation's input type.
  public let input: Template
  /// What it must answer; nil accepts every answer that is not an error.
  public let expectation: Expectation?
  /// What differs in its answers from run to run.
  public let volatile: [VolatilePath]
  /// Where the error stands that it must answer; otherwise where the operation is named.
  public let place: Place

  init(
    operation: OperationReference, input: Template, expectation: Expectation?,
    volatile: [VolatilePath], place: Place
  ) {
    self.operation = operation
    self.input = input
    self.expectation = expectation
    self.volatile = volatile
    self.place = place
  }
}

/// An operation of one of the scenario's components.
public final class OperationReference: Sendable {
  /// The component's position among the plan's, from 0.
  public let component: Int
  /// The operation's position among the plugin's, from 0.
  public let index: Int
  /// `component.operation`, as `uses:` has it.
  public let name: String
  /// What it takes and answers.
  public let description: OperationDescription
  /// The component's name.
  package let componentName: String
  /// The plugin that the component is an instance of.
  package let plugin: RegisteredPlugin
  /// Whether the component may call others meanwhile, unless it is handed over by another scenario.
  package let usesRoles: Bool
  /// The type of its answer in expressions; one for all the steps that use it.
  let answerType: ExpressionType
  private let narrowsAnswer: Bool

  package init(
    component: Int, index: Int, name: String, plugin: RegisteredPlugin, usesRoles: Bool
  ) {
    self.usesRoles = usesRoles && !plugin.roles.isEmpty
    self.component = component
    self.index = index
    self.name = name
    self.plugin = plugin
    componentName = name.componentName
    description = plugin.operations[index]
    answerType = .record(description.output)
    narrowsAnswer = description.narrowsOutput
  }

  /// The type of its answer to an input: a narrower one where what is known of the input says so, or nil.
  func narrowedOutput(for input: Template?) -> RecordType? {
    guard narrowsAnswer else { return nil }
    let output = description.output { input?.knownFields ?? [:] }
    return output === description.output ? nil : output
  }
}

extension String {
  /// The component of `component.operation` and `component.event`: what stands before the point.
  package var componentName: String {
    utf8.firstIndex(of: UInt8(ascii: ".")).map { String(self[..<$0]) } ?? self
  }
}

/// A loop over the elements of a list, or as long as a condition says.
public struct PlannedLoop: Sendable {
  /// When the loop ends.
  public enum Kind: Sendable {
    /// After the last element of a list; each is put into index 1 of the body's level.
    case each(Template)
    /// When the expression is true after an iteration; `limit` iterations fail the step.
    case until(PlannedExpression, limit: Int)
    /// When the expression is false before an iteration; it fails the step to be still true after
    /// `limit` iterations.
    case `while`(PlannedExpression, limit: Int)
  }

  /// When it ends.
  public let kind: Kind
  /// The variable that holds the element; nil for a `repeat`.
  public let variable: String?
  /// The steps of one iteration.
  public let steps: [PlannedStep]
  /// The level of the body's variables; index 0 of it is `loop.index`.
  public let level: Int
  /// How many variables the body has.
  public let variableCount: Int
  /// What each iteration adds to the lists that the loop answers.
  public let outputs: [PlannedOutput]
  /// The type of the loop's answer: a list for each output.
  public let output: RecordType
  /// How iterations run at the same time; nil when they run one after another.
  public let concurrency: Concurrency?
}

/// How iterations run at the same time.
public struct Concurrency: Sendable, Hashable {
  /// How many at most, 1 or more.
  public let limit: Int
  /// Whether a failed one cancels the others.
  public let failsFast: Bool
}

/// Steps that run once, one after another, in the variables of the block around them.
public struct PlannedBlock: Sendable {
  /// Chooses between the steps and the alternative; nil runs the steps.
  public var condition: PlannedExpression?
  /// What runs when there is no condition, or when it is true.
  public let steps: [PlannedStep]
  /// What runs when the condition is false; may be empty.
  public var alternative: [PlannedStep] = []
}

/// Branches of steps that run at the same time, in the variables of the block around them.
public struct PlannedParallel: Sendable {
  /// The branches in file order; never none.
  public let branches: [PlannedBranch]
  /// The level of their variables.
  public let level: Int
  /// Whether a failed branch cancels the others.
  public let failsFast: Bool
}

/// One of several branches of steps.
public struct PlannedBranch: Sendable {
  /// Its name in structural paths.
  public let name: String
  /// The positions of the branches that must have passed before it begins; there are no cycles.
  public let needs: [Int]
  /// Its steps.
  public let steps: [PlannedStep]
  /// The variables of its level that it alone sets.
  public let slots: Range<Int>
}

/// A wait for something that a component reports.
public struct PlannedAwait: Sendable {
  /// What is waited for.
  public let event: EventReference
  /// What must be true of it, with the payload in index 0 of a level of its own; nil takes any.
  public let condition: PlannedExpression?
}

/// An event of one of the scenario's components.
public struct EventReference: Sendable {
  /// The component's position among the plan's, from 0.
  public let component: Int
  /// `component.event`, as `await:` has it.
  public let name: String
  /// When it is reported and what it carries.
  public let description: EventDescription

  /// A reference; `component` is the position among the plan's components, `name` is `component.event`.
  package init(component: Int, name: String, description: EventDescription) {
    self.component = component
    self.name = name
    self.description = description
  }
}

/// Variables that get values, in file order.
public struct PlannedSet: Sendable {
  /// The variables and their values.
  public let assignments: [PlannedAssignment]
}

/// A variable and its new value.
public struct PlannedAssignment: Sendable {
  /// The variable's name.
  public let name: String
  /// Where it is kept.
  public let slot: Slot
  /// The new value.
  public let value: Template
}

/// Expressions that must be true.
public struct PlannedAssert: Sendable {
  /// The expressions, in file order.
  public let assertions: [PlannedExpression]
}

/// A time that passes.
public struct PlannedWait: Sendable {
  /// How long.
  public let duration: Template
}

/// Another scenario that a step runs.
public struct PlannedScenario: Sendable {
  /// What is run; all steps that include one file share its plan.
  public let plan: Plan
  /// What it is given: a record of the plan's `inputType`.
  public let input: Template
  /// The components of the step's own scenario that stand in for some of the plan's, by the positions of those.
  package let handed: [Int: HandedComponent]
  /// Where the other file is named.
  public let place: Place
}
