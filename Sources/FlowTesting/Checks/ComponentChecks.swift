public import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
public import Testing

/// The checks of a component, by a scenario that uses it.
///
///     @Suite struct CounterChecksTests {
///       @Test(arguments: ComponentCheck.allCases)
///       func `the counter passes the checks`(_ check: ComponentCheck) async throws {
///         let sample = try ScenarioFile("../count.yaml")
///         try await ComponentChecks(Counter.self, sample: sample).verify(check)
///       }
///     }
///
/// The sample is run several times, always in virtual time, from the same date and with the same seed. It
/// should call every operation, and must find the same world each time. It may use this component, and those in
/// its roles: of the types in `others`, or stand-ins that answer alike every time. Its secret inputs, and the
/// secrets that the component asks its context for, are made up unless the options give them.
public struct ComponentChecks<Subject: Component>: Sendable {
  /// The secrets of the sample, and how strict the checks are that the real time has a part in.
  public struct Options: Sendable {
    /// The real time that a cancelled run may have nothing to do before it counts as endless.
    ///
    /// Time during which the run works, however slowly, does not count.
    public var patience: Duration = .seconds(10)
    /// Values of secret inputs and of `context.secrets`, two or more for each name.
    ///
    /// Other secrets are made up: texts of 21 bytes with characters that encodings change. A
    /// component whose secrets are checked by a server needs valid ones here. Every check except
    /// `secrets` uses the first value. With values of several lengths, that check also finds a
    /// visible length.
    public var secrets: [String: [String]] = [:]
    /// Prepares the world of the sample if runs change it: empties a table, starts another server.
    ///
    /// Called before each run that does not resume an earlier one.
    public var prepare: @Sendable () async -> Void = {}
    /// Returns the traces of a run outside the component, as a text: the rows of a table, a file's
    /// content.
    ///
    /// The check `resume` calls it after a run, and after each killed and resumed run. Both must be
    /// the same, even if no answer shows it. Nil, the default, compares answers only.
    public var world: (@Sendable () async -> String)?

    /// The defaults.
    public init() {}
  }

  let sample: ScenarioFile
  let inputs: [String: any FieldValue]
  let options: Options
  private let others: Registry?
  private let standIns: [TestComponent]

  /// Creates the checks of a component.
  ///
  /// - Parameters:
  ///   - component: The component's type.
  ///   - sample: A passing scenario that uses it.
  ///   - inputs: The sample's inputs by name. The others have their defaults.
  ///   - others: The types of the components in its roles, none by default.
  ///   - standIns: Stand-ins for components in its roles.
  ///   - options: The sample's secrets, and the strictness of the checks.
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
  public func verify(_ check: ComponentCheck) async throws(ScenarioFailure) {
    try Reporter.report(await problems(of: check))
  }

  /// The problems found by a check, each with a place in the sample.
  ///
  /// Empty if the check holds.
  public func problems(of check: ComponentCheck) async -> [ScenarioProblem] {
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
  private func worlds(of plan: Plan) throws(ScenarioError) -> [CheckRun] {
    let secrets = CheckSecrets(given: options.secrets)
    let names = plan.inputs.filter(\.isSecret).map(\.name)
    var worlds: [CheckRun] = []
    for world in 0..<secrets.worldCount {
      let values = names.map { ($0, secrets.value($0, in: world)) }
      let inputs = try plan.inputValues(
        inputs.mapValues(\.encoded), secrets: Dictionary(uniqueKeysWithValues: values))
      worlds.append(
        CheckRun(
          plan: plan, inputs: inputs, prepare: options.prepare, world: options.world
        ) { name in secrets.value(name, in: world) })
    }
    return worlds
  }

  private func diagnostics(of check: ComponentCheck, _ worlds: [CheckRun]) async -> [Diagnostic] {
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
  fileprivate func named(_ check: ComponentCheck) -> Diagnostic {
    guard code == CheckFault.code else { return self }
    return Diagnostic(
      DiagnosticCode("check: \(check.rawValue)"), message, at: span, notes: notes)
  }
}

/// One rule for every component, checked by `ComponentChecks`.
public enum ComponentCheck: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// The sample passes, and calls every operation of the component.
  case sample
  /// Every record decodes its own encoding.
  case records
  /// Operations fail only with declared errors.
  case errors
  /// Two runs with the same seed, inputs and date give the same transcript.
  case repetition
  /// A call that is cancelled ends, at once and in no other way than by the cancellation.
  case cancellation
  /// Waits use the run's time, which may be virtual, or `Context.outside`.
  ///
  /// Nothing blocks.
  case time
  /// A replay of the recorded sample passes, and records the same again.
  case replay
  /// Calls of components in its roles depend on its inputs, its context and their answers only.
  case roles
  /// A sample that is killed after any call and resumed ends like an uninterrupted one.
  case resume
  /// Nothing derived from a secret is visible in recordings and logs.
  case secrets

  /// The rule in words.
  public var testDescription: String {
    switch self {
    case .sample: "the sample passes and calls every operation"
    case .records: "its records decode their own encoding"
    case .errors: "it fails with declared errors only"
    case .repetition: "the same seed gives the same transcript"
    case .cancellation: "a cancelled call ends"
    case .time: "waiting follows the run's time"
    case .replay: "its recording replays and records the same"
    case .roles: "its calls depend only on its input"
    case .resume: "a killed run resumes as if nothing had happened"
    case .secrets: "no value derived from a secret is visible"
    }
  }
}

/// The secrets of the sample's runs: those of the author, and made-up ones.
///
/// A world has one value for each name. Nothing else differs from world to world.
private struct CheckSecrets: Sendable {
  let given: [String: [String]]

  /// The number of worlds: the most values of one secret, but at least two.
  var worldCount: Int { max(2, given.values.map(\.count).max() ?? 0) }

  /// The secret of a name in a world, counted from 0.
  func value(_ name: String, in world: Int) -> String {
    guard let values = given[name], !values.isEmpty else { return Self.madeUp(name, in: world) }
    return values[world % values.count]
  }

  /// Characters that encodings change.
  private static let signs: [Character] = ["+", "/", "\"", "&", "é"]

  /// A made-up secret of 21 bytes.
  ///
  /// The next world has another character at every place, and never the same letter in the other
  /// case. So each part differs, and the sum of the bytes. The length is the same in every
  /// encoding: text with the same length in both worlds does not depend on the secret's letters.
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
