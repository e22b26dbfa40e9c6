public import FlowCore
public import FlowExpression
internal import FlowYAML

/// A scenario resolved against the registry, typed and compiled: what the engine runs.
public final class Plan: Sendable {
  /// The scenario's path as the user gave it.
  public let file: String
  /// The path from the main scenario's folder; that of the main scenario is its file's name.
  public let path: String
  /// The SHA-256 digest of the scenario and of all that it includes, as `sha256:` and 64
  /// hexadecimal digits; without inclusions that of the file's bytes.
  public let digest: String
  /// The `name:`, or nil.
  public let name: String?
  /// The `tags:` in file order.
  public let tags: [String]
  /// The inputs in file order; their values fill level 0 of an activation.
  public let inputs: [PlannedInput]
  /// The components in file order; never two of one name.
  public let components: [PlannedComponent]
  /// The steps; their variables fill level 1 of an activation.
  public let steps: [PlannedStep]
  /// The steps that run whatever happened; they share level 1.
  public let finally: [PlannedStep]
  /// How many variables level 1 has.
  public let variableCount: Int
  /// The scenario's named results.
  public let outputs: [PlannedOutput]
  /// The events, `component.event`, that steps wait for.
  public let awaitedEvents: Set<String>
  /// Whether some of its steps may run at the same time.
  public let runsInParallel: Bool
  /// The scenarios that its steps run, each once, in file order.
  public let scenarios: [Plan]
  /// The inputs as the fields of a record.
  public let inputType: RecordType
  /// The outputs as the fields of a record.
  public let outputType: RecordType
  /// How deep the scenarios of its steps include others: 0 without any.
  let depth: Int
  /// Where the keys of the inputs and of the outputs stand; nil without them.
  let inputsPlace: Place?
  let outputsPlace: Place?

  init(
    _ source: PlanSource, scenario: Scenario, inputs: [PlannedInput],
    components: [PlannedComponent], body: PlannedBody
  ) {
    file = source.file
    path = source.path
    digest = source.digest(with: body.scenarios)
    name = scenario.name
    tags = scenario.tags
    self.inputs = inputs
    self.components = components
    steps = body.steps
    finally = body.finally
    variableCount = body.variableCount
    outputs = body.outputs
    awaitedEvents = body.awaitedEvents
    runsInParallel = body.runsInParallel || body.scenarios.contains(where: \.runsInParallel)
    scenarios = body.scenarios
    inputType = RecordType(inputs)
    outputType = RecordType(body.outputs)
    depth = body.scenarios.map { $0.depth + 1 }.max() ?? 0
    inputsPlace = scenario.inputsKey.map(Place.init)
    outputsPlace = scenario.outputsKey.map(Place.init)
  }
}

/// What a scenario does, apart from what it is given.
struct PlannedBody {
  var steps: [PlannedStep] = []
  var finally: [PlannedStep] = []
  var outputs: [PlannedOutput] = []
  var variableCount = 0
  var awaitedEvents: Set<String> = []
  var runsInParallel = false
  var scenarios: [Plan] = []
}

/// A value that the caller of a scenario may give.
public struct PlannedInput: Sendable {
  /// The name behind `inputs.`.
  public let name: String
  /// What it holds.
  public let type: ValueType
  /// The value when none is given; nil when one must be.
  public let defaultValue: Value?
  /// What it is for.
  public let summary: String
}

/// A component that the scenario uses.
public struct PlannedComponent: Sendable {
  /// The name in `uses:`.
  public let name: String
  /// The plugin it is an instance of.
  package let plugin: RegisteredPlugin
  /// Its settings; expressions may read the inputs.
  public let settings: Template
  /// Where its name stands.
  public let place: Place
  /// The folder of its scenario's file, from the main scenario's folder; nil for that folder itself.
  package let folder: String?

  /// The type of the settings.
  public var settingsType: RecordType { plugin.settings }
}

/// A named result of a scenario or of a loop.
public struct PlannedOutput: Sendable {
  /// The name.
  public let name: String
  /// The value, evaluated when the steps have passed.
  public let value: Template
  /// What it holds.
  public let type: ValueType
}

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
  public let comparison: Comparison?

  init?(
    name: String?, condition: PlannedExpression?, timeout: Duration?, retry: RetryPolicy?,
    continuesOnError: Bool, finally: [PlannedStep], comparison: Comparison?
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

/// A call of an operation.
public final class PlannedCall: Sendable {
  /// Which operation.
  public let operation: OperationReference
  /// What it is given: a record of the operation's input type.
  public let input: Template
  /// What it must answer; nil accepts every answer that is no error.
  public let expectation: Expectation?
  /// Where the expectation stands; the step itself when there is none.
  public let place: Place

  init(operation: OperationReference, input: Template, expectation: Expectation?, place: Place) {
    self.operation = operation
    self.input = input
    self.expectation = expectation
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
  /// The plugin that the component is an instance of.
  package let plugin: RegisteredPlugin
  /// The type of its answer in expressions; one for all the steps that use it.
  let answerType: ExpressionType

  init(component: Int, index: Int, name: String, plugin: RegisteredPlugin) {
    self.component = component
    self.index = index
    self.name = name
    self.plugin = plugin
    description = plugin.operations[index]
    answerType = .record(description.output)
  }
}

/// What a call must answer.
public enum Expectation: Sendable {
  /// Its output, as far as the matcher says.
  case output(Matcher)
  /// The error of this code.
  case error(String)
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
