public import FlowCore
package import FlowRedaction

/// A scenario resolved against the registry, typed and compiled, ready for the engine.
public final class Plan: Sendable {
  /// The scenario's path as the user gave it.
  public let file: String
  /// The path from the main scenario's folder.
  ///
  /// For the main scenario, its file's name.
  public let path: String
  /// The SHA-256 digest of the scenario and its inclusions, as `sha256:` and 64 hexadecimal digits.
  ///
  /// Without inclusions it is the digest of the file's bytes.
  public let digest: String
  /// The `name:`, or nil.
  public let name: String?
  /// The place of the name, or of the whole scenario without one.
  package let place: Place
  /// The `tags:` in file order.
  public let tags: [String]
  /// The inputs in file order.
  ///
  /// Their values fill level 0 of an activation.
  public let inputs: [PlannedInput]
  /// The components in file order, with unique names.
  public let components: [PlannedComponent]
  /// The positions of the components in opening order: each after the components that it uses.
  package let openingOrder: [Int]
  /// The steps that run after every step to check a condition.
  public let invariants: PlannedInvariants
  /// The steps.
  ///
  /// Their variables fill level 1 of an activation.
  public let steps: [PlannedStep]
  /// The steps that run in any case, also in level 1.
  public let finally: [PlannedStep]
  /// The number of variables in level 1.
  public let variableCount: Int
  /// The scenario's named results.
  public let outputs: [PlannedOutput]
  /// The trials of the scenario where something is live, or nil for one run.
  package let trials: PlannedTrials?
  /// The events, `component.event`, that steps wait for.
  public let awaitedEvents: Set<String>
  /// True if some of its steps may run at the same time.
  public let runsInParallel: Bool
  /// True if calls of steps, or calls that one component makes of others, may overlap.
  package var hasOverlappingCalls: Bool {
    runsInParallel || allComponents.contains { !$0.roles.isEmpty }
  }
  /// The scenarios that its steps run, each once, in file order.
  public let scenarios: [Plan]
  /// The inputs as the fields of a record.
  public let inputType: RecordType
  /// The outputs as the fields of a record.
  public let outputType: RecordType
  /// The depth of included scenarios, 0 without any.
  package let depth: Int
  /// The places of the keys of the inputs and of the outputs, nil without them.
  package let inputsPlace: Place?
  package let outputsPlace: Place?
  /// The readers of files for the components.
  package let documents: DocumentReading

  package init(
    file: String, path: String, digest: String, name: String?, place: Place,
    tags: [String], inputs: [PlannedInput], components: [PlannedComponent], openingOrder: [Int],
    invariants: PlannedInvariants, steps: [PlannedStep], finally: [PlannedStep], variableCount: Int,
    outputs: [PlannedOutput], trials: PlannedTrials?,
    inputsPlace: Place?, outputsPlace: Place?, documents: DocumentReading
  ) {
    self.file = file
    self.path = path
    self.name = name
    self.place = place
    self.tags = tags
    self.inputs = inputs
    self.components = components
    self.openingOrder = openingOrder
    self.invariants = invariants
    self.steps = steps
    self.finally = finally
    self.variableCount = variableCount
    self.outputs = outputs
    self.trials = trials
    self.inputsPlace = inputsPlace
    self.outputsPlace = outputsPlace
    self.documents = documents
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
      switch action {
      // As nearly all of them.
      case .call: return
      case .await(let event): awaitedEvents.insert(event.event.name)
      case .scenario(let scenario): add(scenario)
      case .loop, .block, .parallel, .set, .assert, .wait: break
      }
      if action.content.isConcurrent { isConcurrent = true }
    }

    private mutating func add(_ scenario: PlannedScenario) {
      awaitedEvents.formUnion(scenario.handedEvents)
      if !scenarios.contains(where: { $0 === scenario.plan }) { scenarios.append(scenario.plan) }
    }
  }

  /// The digest of a file, or of the file and the scenarios that it includes.
  private static func digest(_ digest: String, with scenarios: [Plan]) -> String {
    if scenarios.isEmpty { return digest }
    let lines = scenarios.sorted { $0.path < $1.path }.map { "\($0.digest) \($0.path)\n" }
    return "sha256:" + SHA256(Array((digest + "\n" + lines.joined()).utf8)).hexadecimal
  }

  /// All included scenarios, direct and indirect, each once, sorted by path.
  public var allScenarios: [Plan] {
    if scenarios.isEmpty { return [] }
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

  /// The steps around a step, from the outside in.
  package func steps(around step: PlannedStep) -> [PlannedStep] {
    var around: [PlannedStep] = []
    var steps = allSteps
    while let outer = steps.first(where: { step.path.utf8.starts(with: "\($0.path)/".utf8) }) {
      around.append(outer)
      steps = outer.blocks.flatMap(\.steps)
    }
    return around
  }

  /// The components of the scenario and of all its inclusions, in file order.
  package var allComponents: [PlannedComponent] { ([self] + allScenarios).flatMap(\.components) }

  /// Returns the lists with named elements in the input and the answers of `component.operation`, none
  /// for an unknown one.
  package func namedLists(of name: String) -> [NamedList] {
    let owners = allComponents.filter { $0.name == name.componentName }
    return owners.flatMap { component in
      component.plugin.operations.filter { "\(component.name).\($0.name)" == name }
    }.flatMap(\.namedLists)
  }

  /// The names of the components that a run opens, with those of included scenarios, in file order.
  ///
  /// A name may occur twice.
  package var componentNames: [String] { opened.map(\.component.name) }

  /// The names of the components that tests always call.
  package var liveNames: Set<String> {
    Set(opened.filter(\.component.isLive).map(\.component.name))
  }

  /// Hides the secrets given to the scenario, and those written in it and in its inclusions.
  ///
  /// A secret that is too short is not hidden, and is reported where it is given or used.
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
          let component = step.action.call?.operation.componentName
          for template in step.action.content.templates {
            template.hideSecrets(of: component, by: redactor)
          }
        }
      }
    }
  }

  /// True if a step may be given a secret.
  ///
  /// Most plans have none, and many steps.
  private var takesSecrets: Bool {
    components.contains { $0.plugin.operations.contains(where: \.input.hasSecrets) }
      || scenarios.contains(where: \.inputType.hasSecrets)
  }
}

/// The steps that run after every step of a scenario, to check conditions that must always hold.
public struct PlannedInvariants: Sendable {
  /// The steps.
  ///
  /// Their variables fill level 2 of an activation.
  public var steps: [PlannedStep] = []
  /// The number of variables in level 2.
  public var variableCount = 0

  package init(steps: [PlannedStep] = [], variableCount: Int = 0) {
    self.steps = steps
    self.variableCount = variableCount
  }
}

/// An input of a scenario.
public struct PlannedInput: Sendable {
  /// The name after `inputs.`.
  public let name: String
  /// The type of its values.
  public let type: ValueType
  /// The value of an absent input, or nil if it is required.
  public let defaultValue: Value?
  /// Its purpose.
  public let summary: String
  /// True if its value is hidden in everything that a run writes.
  public let isSecret: Bool

  package init(
    name: String, type: ValueType, defaultValue: Value?, summary: String, isSecret: Bool
  ) {
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.summary = summary
    self.isSecret = isSecret
  }
}

/// A component used by the scenario.
public struct PlannedComponent: Sendable {
  /// The name in `uses:`.
  public let name: String
  /// The plugin it is an instance of.
  package let plugin: RegisteredPlugin
  /// Its settings.
  ///
  /// Their expressions may read the inputs.
  public let settings: Template
  /// The place of its name.
  public let place: Place
  /// The folder of its scenario's file, from the main scenario's folder, or nil for that folder.
  package let folder: String?
  /// True if its declaration names the used components.
  package let isUsing: Bool
  /// The components used by it.
  public package(set) var roles: [PlannedRole] = []
  /// The calls of its roles, `role.operation`, that a run may leave out or repeat.
  package var optionalCalls: Set<String> = []
  /// The parts that differ from run to run in the answers of each operation, by its name.
  package var volatile: [String: [ValuePath]] = [:]
  /// The headers, in lower case, that are compared although the scenario does not read them.
  package var comparedHeaders: [String] = []
  /// True if tests call it instead of serving its recorded answers.
  package var isLive = false
  /// True if its programs go on from one run to the next where a scenario is run very often.
  package var keepsPrograms = false

  package init(
    name: String, plugin: RegisteredPlugin, settings: Template, place: Place, folder: String?,
    isUsing: Bool
  ) {
    self.name = name
    self.plugin = plugin
    self.settings = settings
    self.place = place
    self.folder = folder
    self.isUsing = isUsing
  }

  /// The type of the settings.
  public var settingsType: RecordType { plugin.settings }

  /// True if parts of it may outlive a run with these settings: its programs if it says so, and the
  /// ports of other components, which the programs know.
  package func isKept(with settings: Value) -> Bool {
    if keepsPrograms { return true }
    return (try? plugin.reaches(settings))?.contains(.process) == false
  }
}

/// A named result of a scenario or of a loop.
public struct PlannedOutput: Sendable {
  /// The name.
  public let name: String
  /// The value, evaluated when the steps have passed.
  public let value: Template
  /// The type of its value.
  public let type: ValueType

  package init(name: String, value: Template, type: ValueType) {
    self.name = name
    self.value = value
    self.type = type
  }
}

extension RecordType {
  /// Creates the record of a scenario's inputs.
  ///
  /// An input with a default may be absent.
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
