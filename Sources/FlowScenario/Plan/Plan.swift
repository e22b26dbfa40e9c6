public import FlowCore
package import FlowRedaction

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
  /// The positions of the components in the order in which they are opened: each after those that it uses.
  package let openingOrder: [Int]
  /// What must hold after every step.
  public let invariants: PlannedInvariants
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
  /// Whether calls may overlap: those of steps, or those that one component makes of others.
  package var hasOverlappingCalls: Bool {
    runsInParallel || allComponents.contains { !$0.roles.isEmpty }
  }
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
    file: String, path: String, digest: String, name: String?, tags: [String],
    inputs: [PlannedInput], components: [PlannedComponent], openingOrder: [Int],
    invariants: PlannedInvariants, steps: [PlannedStep], finally: [PlannedStep], variableCount: Int,
    outputs: [PlannedOutput],
    inputsPlace: Place?,
    outputsPlace: Place?
  ) {
    self.file = file
    self.path = path
    self.name = name
    self.tags = tags
    self.inputs = inputs
    self.components = components
    self.openingOrder = openingOrder
    self.invariants = invariants
    self.steps = steps
    self.finally = finally
    self.variableCount = variableCount
    self.outputs = outputs
    self.inputsPlace = inputsPlace
    self.outputsPlace = outputsPlace
    inputType = RecordType(inputs)
    outputType = RecordType(outputs)
    let parts = Parts(of: invariants.steps + steps + finally)
    scenarios = parts.scenarios
    awaitedEvents = parts.awaitedEvents
    runsInParallel = parts.isConcurrent || scenarios.contains(where: \.runsInParallel)
    depth = scenarios.map { $0.depth + 1 }.max() ?? 0
    self.digest = Self.digest(digest, with: scenarios)
  }

  private struct Parts {
    var scenarios: [Plan] = []
    var awaitedEvents: Set<String> = []
    var isConcurrent = false

    init(of steps: [PlannedStep]) {
      for step in steps { step.visit { add($0.action) } }
    }

    private mutating func add(_ action: PlannedAction) {
      // As nearly all of them.
      if case .call = action { return }
      if action.content.isConcurrent { isConcurrent = true }
      if case .await(let event) = action { awaitedEvents.insert(event.event.name) }
      if case .scenario(let scenario) = action { awaitedEvents.formUnion(scenario.handedEvents) }
      if case .scenario(let inner) = action, !scenarios.contains(where: { $0 === inner.plan }) {
        scenarios.append(inner.plan)
      }
    }
  }

  /// A file's digest, or one of it and of the scenarios that it includes.
  private static func digest(_ digest: String, with scenarios: [Plan]) -> String {
    if scenarios.isEmpty { return digest }
    let lines = scenarios.sorted { $0.path < $1.path }.map { "\($0.digest) \($0.path)\n" }
    return "sha256:" + SHA256(Array((digest + "\n" + lines.joined()).utf8)).hexadecimal
  }

  /// Every scenario that its steps run, or the steps of those, each once; sorted by path.
  public var allScenarios: [Plan] {
    var known: [String: Plan] = [:]
    var waiting = scenarios
    while let plan = waiting.popLast() {
      guard known.updateValue(plan, forKey: plan.path) == nil else { continue }
      waiting += plan.scenarios
    }
    return known.values.sorted { $0.path < $1.path }
  }

  /// The invariants' steps, the steps, and those of `finally`.
  package var allSteps: [PlannedStep] { invariants.steps + steps + finally }

  /// The steps that a step is inside of, from the outside in.
  package func steps(around step: PlannedStep) -> [PlannedStep] {
    var around: [PlannedStep] = []
    var steps = allSteps
    while let outer = steps.first(where: { step.path.utf8.starts(with: "\($0.path)/".utf8) }) {
      around.append(outer)
      steps = outer.blocks.flatMap(\.steps)
    }
    return around
  }

  /// The components of the scenario and of all that it includes, in file order.
  package var allComponents: [PlannedComponent] { ([self] + allScenarios).flatMap(\.components) }

  /// The names of the components that a run opens, those of included scenarios as well, in file order; some may be
  /// there twice.
  package var componentNames: [String] { opened.map(\.component.name) }

  /// Hides the secrets that are given to the scenario, and those that stand in it and in what it includes.
  ///
  /// One that is too short is not hidden, which is reported where it is given or used.
  package func hideSecrets(inputs: [Value], by redactor: Redactor) {
    if inputType.hasSecrets, inputs.count == self.inputs.count {
      try? redactor.hideSecrets(in: .record(RecordValue(inputType, inputs)))
    }
    for plan in [self] + allScenarios {
      for component in plan.components {
        component.settings.hideSecrets(of: component.name, by: redactor)
      }
      guard plan.takesSecrets else { continue }
      for step in plan.allSteps {
        step.visit { step in
          var component: String?
          if case .call(let call) = step.action { component = call.operation.componentName }
          for template in step.action.content.templates {
            template.hideSecrets(of: component, by: redactor)
          }
        }
      }
    }
  }

  /// Whether a step may be given a secret; most plans have none, and many steps.
  private var takesSecrets: Bool {
    components.contains { $0.plugin.operations.contains(where: \.input.hasSecrets) }
      || scenarios.contains(where: \.inputType.hasSecrets)
  }
}

/// Steps that run after every step of a scenario, to check what must always hold.
public struct PlannedInvariants: Sendable {
  /// The steps; their variables fill level 2 of an activation.
  public var steps: [PlannedStep] = []
  /// How many variables level 2 has.
  public var variableCount = 0
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
  /// Whether its value is hidden in everything that a run writes.
  public let isSecret: Bool
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
  /// Whether its declaration says which components it uses.
  let isUsing: Bool
  /// The components that it uses.
  public internal(set) var roles: [PlannedRole] = []
  /// The calls of its roles, `role.operation`, that a run may leave out or repeat where they were recorded.
  package internal(set) var optionalCalls: Set<String> = []

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

extension RecordType {
  /// What a scenario takes; an input with a default may be absent.
  convenience init(_ inputs: [PlannedInput]) {
    self.init(
      inputs.map {
        Field(
          name: $0.name, type: $0.type, summary: $0.summary, defaultValue: $0.defaultValue,
          isSecret: $0.isSecret)
      })
  }

  convenience init(_ outputs: [PlannedOutput]) {
    self.init(outputs.map { Field(name: $0.name, type: $0.type, summary: "", defaultValue: nil) })
  }
}

extension Template {
  fileprivate func hideSecrets(of component: String?, by redactor: Redactor) {
    switch self {
    case .constant(let value): try? redactor.hideSecrets(in: value, of: component)
    case .record(let type, let fields) where type.hasSecrets:
      for (field, template) in zip(type.fields, fields) {
        guard field.isSecret else {
          template.hideSecrets(of: component, by: redactor)
          continue
        }
        let name = (component.map { $0 + "." } ?? "") + field.name
        for text in template.writtenTexts { try? redactor.add(text, named: name) }
      }
    case .list(let elements):
      for element in elements { element.hideSecrets(of: component, by: redactor) }
    case .map(let entries):
      for entry in entries { entry.value.hideSecrets(of: component, by: redactor) }
    case .record, .expression, .text: return
    }
  }

  private var writtenTexts: [String] {
    switch self {
    case .constant(.string(let text)): [text]
    case .text(let parts), .list(let parts), .record(_, let parts): parts.flatMap(\.writtenTexts)
    case .map(let entries): entries.flatMap(\.value.writtenTexts)
    case .constant, .expression: []
    }
  }
}

/// A component that another scenario is given in the place of one of its own, which is not opened.
package struct HandedComponent: Sendable, Hashable {
  /// Its position among those of the scenario that hands it over.
  package let index: Int
  /// Its name there.
  package let name: String
}
