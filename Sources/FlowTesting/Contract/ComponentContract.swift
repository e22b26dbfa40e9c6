public import FlowCore
internal import FlowRedaction
internal import FlowScenario
public import Testing

/// What every component must do, checked with a scenario that uses it.
///
///     @Suite struct CounterContractTests {
///       @Test(arguments: ContractCheck.allCases)
///       func `the counter keeps the contract`(_ check: ContractCheck) async throws {
///         let sample = try ScenarioFile("../count.yaml")
///         try await ComponentContract(Counter.self, sample: sample).verify(check)
///       }
///     }
///
/// The sample is run several times, always in virtual time, from the same date and with the same seed. It
/// should call every operation, and must find the same world each time. It may use this component, and those in
/// its roles: of the types in `others`, or stand-ins that answer alike every time. Its secret inputs, and the
/// secrets that the component asks its context for, are made up unless the options give them.
public struct ComponentContract<Subject: Component>: Sendable {
  /// The secrets of the sample, and how strict the checks are that the real time has a part in.
  public struct Options: Sendable {
    /// How long, in real time, a cancelled run may have nothing left to do before it counts as never ending.
    ///
    /// Time during which the run works, however slowly, does not count.
    public var patience: Duration = .seconds(10)
    /// Values for secret inputs and for what the component asks of `context.secrets`, two or more for each name.
    ///
    /// Those that are not named here are made up: texts of 21 bytes with characters that encodings change. A
    /// component whose secrets have to be accepted by somebody needs ones that are. Every check but `secrets`
    /// uses the first value. With values of several lengths, that check finds a length too.
    public var secrets: [String: [String]] = [:]
    /// Makes the world that the sample finds, where runs change it: empties a table, starts another server.
    ///
    /// Called before each run that does not go on with an earlier one.
    public var prepare: @Sendable () async -> Void = {}
    /// What a run leaves behind outside of the component, as a text: the rows of a table, what is in a file.
    ///
    /// The check `resume` asks for it after a run, and after each that was killed and resumed: both must be the same,
    /// also where no answer shows it. Nil, the default, compares answers alone.
    public var world: (@Sendable () async -> String)?

    /// The defaults.
    public init() {}
  }

  let sample: ScenarioFile
  let inputs: [String: any FieldValue]
  let options: Options
  private let others: Registry?
  private let standIns: [TestComponent]

  /// The contract of a component.
  ///
  /// - Parameters:
  ///   - component: The component's type.
  ///   - sample: A scenario that uses it, and passes.
  ///   - inputs: The sample's inputs by name; the others have their defaults.
  ///   - others: The types of what the sample hands to it in its roles; none unless given.
  ///   - standIns: What stands in for components in its roles.
  ///   - options: The sample's secrets, and how strict the checks are.
  public init(
    _ component: Subject.Type, sample: ScenarioFile, inputs: [String: any FieldValue] = [:],
    using others: Registry? = nil, with standIns: [TestComponent] = [],
    options: Options = Options()
  ) {
    self.others = others
    self.standIns = standIns
    self.sample = sample
    self.inputs = inputs
    self.options = options
  }

  /// Checks one thing, and reports what is wrong as `ScenarioFile.replay` does.
  ///
  /// - Throws: `ScenarioFailure` with all problems when no test of Swift Testing runs, as in XCTest.
  public func verify(_ check: ContractCheck) async throws(ScenarioFailure) {
    try Reporter.report(await problems(of: check))
  }

  /// What is wrong, each with the place in the sample that shows it; nothing when the check holds.
  public func problems(of check: ContractCheck) async -> [ScenarioProblem] {
    let redactor = Redactor()
    do {
      let plan = try sample.plan(try registry)
      var problems = plan.problems(ofSecrets: options.secrets, beside: inputs.keys)
      if problems.isEmpty {
        let worlds = try worlds(of: plan)
        for world in worlds { plan.hideSecrets(inputs: world.inputs, by: redactor) }
        problems = await diagnostics(of: check, worlds).map { $0.named(check) }
      }
      return ScenarioProblem.all(problems, of: sample.path, redactor)
    } catch let error as ScenarioError {
      error.hideSecrets(by: redactor)
      return ScenarioProblem.all(error.diagnostics, of: sample.path, redactor)
    } catch {
      return ScenarioProblem.all(
        [Diagnostic("registry", "\(error)", at: nil)], of: sample.path, redactor)
    }
  }

  private var registry: Registry {
    get throws(RegistryError) {
      let own = try Registry([Subject.self]).plugins
      let others = try others?.plugins.filter { $0.plugin.name != own.first?.plugin.name } ?? []
      return try TestComponent.registry(
        try Registry(plugins: own + others), replacing: standIns)
    }
  }

  /// The sample with one value of each secret, once for each of the values.
  private func worlds(of plan: Plan) throws(ScenarioError) -> [ContractRun] {
    let secrets = ContractSecrets(given: options.secrets)
    let names = plan.inputs.filter(\.isSecret).map(\.name)
    var worlds: [ContractRun] = []
    for world in 0..<secrets.worldCount {
      let values = names.map { ($0, secrets.value($0, in: world)) }
      let inputs = try plan.inputValues(
        inputs.mapValues(\.encoded), secrets: Dictionary(uniqueKeysWithValues: values))
      worlds.append(
        ContractRun(
          plan: plan, inputs: inputs, prepare: options.prepare, world: options.world
        ) { name in secrets.value(name, in: world) })
    }
    return worlds
  }

  private func diagnostics(of check: ContractCheck, _ worlds: [ContractRun]) async -> [Diagnostic] {
    let run = worlds[0]
    return switch check {
    case .sample: await run.sampleProblems(Subject.self)
    case .records: await run.recordProblems(Subject.self)
    case .errors: await run.errorProblems(Subject.plugin.description.name)
    case .repetition: await run.repetitionProblems()
    case .cancellation: await run.cancellationProblems(within: options.patience)
    case .time: await run.timeProblems()
    case .replay: await run.replayProblems()
    case .roles: await run.roleProblems(Subject.plugin.description.name)
    case .resume: await run.resumeProblems()
    case .secrets: await secretProblems(worlds)
    }
  }
}

extension Diagnostic {
  fileprivate func named(_ check: ContractCheck) -> Diagnostic {
    guard code == ContractFault.code else { return self }
    return Diagnostic(
      DiagnosticCode("contract: \(check.rawValue)"), message, at: span, notes: notes)
  }
}

/// One thing that every component owes to those who run it; `ComponentContract` checks it.
public enum ContractCheck: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// The sample passes, and calls every operation of the component.
  case sample
  /// Every record decodes what it encodes.
  case records
  /// No operation fails in a way that it does not declare.
  case errors
  /// Two runs with the same seed, inputs and date give the same transcript.
  case repetition
  /// A call that is cancelled ends, at once and in no other way than by the cancellation.
  case cancellation
  /// Waiting goes by the run's time, which may be virtual, or is done in `Context.outside`; nothing blocks.
  case time
  /// A replay of the recorded sample passes, and records the same again.
  case replay
  /// What it asks of the components in its roles depends on its inputs, its context and their answers alone.
  case roles
  /// A sample that is killed after any call and resumed goes on as one that was not.
  case resume
  /// Nothing that the component makes of a secret is seen in what is recorded or logged.
  case secrets

  /// What is checked, in words.
  public var testDescription: String {
    switch self {
    case .sample: "the sample passes and calls every operation"
    case .records: "its records decode what they encode"
    case .errors: "it fails with declared errors only"
    case .repetition: "the same seed gives the same transcript"
    case .cancellation: "a cancelled call ends"
    case .time: "waiting goes by the run's time"
    case .replay: "its recording replays and records the same"
    case .roles: "what it asks depends on what it is given"
    case .resume: "a killed run resumes as if nothing had happened"
    case .secrets: "nothing made of a secret is seen"
    }
  }
}

/// The secrets with which the sample is run: those that the author gives, and made-up ones.
///
/// A world has one value for each name. Nothing else differs from world to world.
private struct ContractSecrets: Sendable {
  let given: [String: [String]]

  /// How many worlds there are: one for each value of the secret that has the most, and two at least.
  var worldCount: Int { max(2, given.values.map(\.count).max() ?? 0) }

  /// The secret of a name in a world, counted from 0.
  func value(_ name: String, in world: Int) -> String {
    guard let values = given[name], !values.isEmpty else { return Self.madeUp(name, in: world) }
    return values[world % values.count]
  }

  /// What encodings write otherwise.
  private static let signs: [Character] = ["+", "/", "\"", "&", "é"]

  /// A made-up secret of 21 bytes.
  ///
  /// In the next world it has another character at every place, and none of them is the same letter in the
  /// other case; so each piece of it differs, and the sum of its bytes. Its length is the same in every
  /// encoding: what is as long as it in both worlds says nothing of its letters.
  private static func madeUp(_ name: String, in world: Int) -> String {
    var random = SeededGenerator(seed: 0, label: name)
    let isOther = !world.isMultiple(of: 2)
    let (letter, digit): (UInt8, UInt8) = isOther ? (13, 5) : (0, 0)
    var text = ""
    for index in signs.indices {
      text.append(character("a", .random(in: 0..<13, using: &random) + letter))
      text.append(character("A", .random(in: 0..<13, using: &random) + letter))
      text.append(character("0", .random(in: 0..<5, using: &random) + digit))
      text.append(signs[(index + (isOther ? 1 : 0)) % signs.count])
    }
    return text
  }

  private static func character(_ first: Unicode.Scalar, _ offset: UInt8) -> Character {
    Character(Unicode.Scalar(UInt8(ascii: first) + offset))
  }
}
