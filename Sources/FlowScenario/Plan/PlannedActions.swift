public import FlowCore
public import FlowExpression

/// A call of an operation.
public struct PlannedCall: Sendable {
  /// Which operation.
  public let operation: OperationReference
  /// What it is given: a record of the operation's input type.
  public let input: Template
  /// What it must answer; nil accepts every answer that is not an error.
  public let expectation: Expectation?
  /// Where the expectation stands; the step itself when there is none.
  public let place: Place
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
  /// The type of its answer in expressions; one for all the steps that use it.
  let answerType: ExpressionType

  init(component: Int, index: Int, name: String, plugin: RegisteredPlugin) {
    self.component = component
    self.index = index
    self.name = name
    self.plugin = plugin
    componentName = String(name.prefix { $0 != "." })
    description = plugin.operations[index]
    answerType = .record(description.output)
  }
}

/// A loop over the elements of a list, or as long as a condition says.
public struct PlannedLoop: Sendable {
  /// When the loop ends.
  public enum Kind: Sendable {
    /// After the last element of a list; each is put into index 1 of the body's level.
    case each(PlannedExpression)
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
  /// Where the other file is named.
  public let place: Place
}
