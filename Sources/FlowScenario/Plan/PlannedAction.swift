public import FlowCore
public import FlowExpression

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

  /// The code of the error that a call expects, or nil.
  package var expectedError: String? {
    guard case .call(let call) = self, case .error(let code, _)? = call.expectation else {
      return nil
    }
    return code
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
}

/// A call of an operation.
///
/// An object, since nearly all steps are calls, and are looked at again and again.
public final class PlannedCall: Sendable {
  /// The operation.
  public let operation: OperationReference
  /// The input, a record of the operation's input type.
  public let input: Template
  /// The expected answer.
  ///
  /// Nil accepts every answer except an error.
  public let expectation: Expectation?
  /// The parts of its answers with rules of their own.
  package let parts: Parts
  /// The circumstances for the rules of the component's description, or nil without one.
  package let contract: ContractCall?
  /// The place of the expected error, or else of the operation's name.
  public let place: Place

  init(
    operation: OperationReference, input: Template, expectation: Expectation?,
    parts: Parts, contract: ContractCall?, place: Place
  ) {
    self.operation = operation
    self.input = input
    self.expectation = expectation
    self.parts = parts
    self.contract = contract
    self.place = place
  }

  /// Parts of answers, nearly always none.
  package struct Parts: Sendable {
    /// The parts that differ from run to run.
    package let volatile: [ValuePath]
    /// The parts whose texts are hidden from then on.
    package let secret: [ValuePath]
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
  /// Its input, output and errors.
  public let description: OperationDescription
  /// The component's name.
  package let componentName: String
  /// The plugin of the component.
  package let plugin: RegisteredPlugin
  /// True if the component may call others during the call, unless another scenario hands it over.
  package let usesRoles: Bool
  /// The parts of its answers that the component declares as different from run to run.
  package let volatile: [ValuePath]
  /// The type of its answer in expressions, shared by all steps that use it.
  let answerType: ExpressionType
  private let narrowsAnswer: Bool

  package init(
    component: Int, index: Int, name: String, plugin: RegisteredPlugin, usesRoles: Bool,
    volatile: [ValuePath] = []
  ) {
    self.volatile = volatile
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

  /// A narrower type of its answer that follows from an input, or nil.
  func narrowedOutput(for input: Template?) -> RecordType? {
    guard narrowsAnswer else { return nil }
    let output = description.output { input?.knownFields ?? [:] }
    return output === description.output ? nil : output
  }
}

extension String {
  /// The component of `component.operation` and `component.event`, the part before the point.
  package var componentName: String {
    utf8.firstIndex(of: UInt8(ascii: ".")).map { String(self[..<$0]) } ?? self
  }
}

/// A loop over the elements of a list, or as long as a condition says.
public struct PlannedLoop: Sendable {
  /// The end condition of a loop.
  public enum Kind: Sendable {
    /// After the last element of a list.
    ///
    /// Each is put into index 1 of the body's level.
    case each(Template)
    /// When the expression is true after an iteration.
    ///
    /// The step fails after `limit` iterations.
    case until(PlannedExpression, limit: OptionValue<Int>)
    /// When the expression is false before an iteration.
    ///
    /// The step fails if it is still true after `limit` iterations.
    case `while`(PlannedExpression, limit: OptionValue<Int>)
  }

  /// The end condition.
  public let kind: Kind
  /// The variable with the element, or nil for a `repeat`.
  public let variable: String?
  /// The steps of one iteration.
  public let steps: [PlannedStep]
  /// The level of the body's variables.
  ///
  /// Its index 0 is `loop.index`.
  public let level: Int
  /// The number of the body's variables.
  public let variableCount: Int
  /// The values that each iteration adds to the lists of the loop's answer.
  public let outputs: [PlannedOutput]
  /// The type of the loop's answer: a list for each output.
  public let output: RecordType
  /// The most iterations at once, 1 or more, or nil to run one after another.
  public let concurrency: Int?
  /// True if a failed iteration ends the loop.
  public let failsFast: Bool
  /// The name of each iteration as a case, or nil if iterations are not cases.
  public let cases: Template?
}

/// Steps that run once, one after another, with the variables of the block around them.
public struct PlannedBlock: Sendable {
  /// The choice between the steps and the alternative.
  ///
  /// Nil runs the steps.
  public var condition: PlannedExpression?
  /// The steps without a condition, or for a true one.
  public let steps: [PlannedStep]
  /// The steps for a false condition, may be empty.
  public var alternative: [PlannedStep] = []
}

/// Branches of steps that run at the same time, in the variables of the block around them.
public struct PlannedParallel: Sendable {
  /// The branches in file order, never empty.
  public let branches: [PlannedBranch]
  /// The level of their variables.
  public let level: Int
  /// True if a failed branch cancels the others.
  public let failsFast: Bool
}

/// One of several branches of steps.
public struct PlannedBranch: Sendable {
  /// Its name in structural paths.
  public let name: String
  /// The positions of the branches that must pass before it starts, without cycles.
  public let needs: [Int]
  /// Its steps.
  public let steps: [PlannedStep]
  /// The variables of its level that only it sets.
  public let slots: Range<Int>
}

/// A wait for an event of a component.
public struct PlannedAwait: Sendable {
  /// The awaited event.
  public let event: EventReference
  /// The condition for the payload, which is in index 0 of a separate level.
  ///
  /// Nil accepts any.
  public let condition: PlannedExpression?
}

/// An event of one of the scenario's components.
public struct EventReference: Sendable {
  /// The component's position among the plan's, from 0.
  public let component: Int
  /// `component.event`, as `await:` has it.
  public let name: String
  /// Its meaning and its payload.
  public let description: EventDescription

  /// Creates a reference.
  ///
  /// `component` is the position in the plan, `name` is `component.event`.
  package init(component: Int, name: String, description: EventDescription) {
    self.component = component
    self.name = name
    self.description = description
  }
}

/// Assignments of variables, in file order.
public struct PlannedSet: Sendable {
  /// The variables and their values.
  public let assignments: [PlannedAssignment]
}

/// A variable and its new value.
public struct PlannedAssignment: Sendable {
  /// The variable's name.
  public let name: String
  /// The place of the variable.
  public let slot: Slot
  /// The new value.
  public let value: Template
  /// The place of the variable in the file.
  package let keyPlace: Place
}

/// Expressions that must be true.
public struct PlannedAssert: Sendable {
  /// The expressions, in file order.
  public let assertions: [PlannedExpression]
}

/// A pause.
public struct PlannedWait: Sendable {
  /// Its length.
  public let duration: Template
}

/// Another scenario that a step runs.
public struct PlannedScenario: Sendable {
  /// The other plan, shared by all steps that include its file.
  public let plan: Plan
  /// Its inputs, a record of the plan's `inputType`.
  public let input: Template
  /// The components of this scenario that replace some of the plan's, by the plan's positions.
  package let handed: [Int: HandedComponent]
  /// The place of the other file's name.
  public let place: Place
}
