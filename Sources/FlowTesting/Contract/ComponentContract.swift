public import FlowCore
internal import FlowScenario

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
/// may use this component alone, should call every operation, and must find the same world each time.
public struct ComponentContract<Subject: Component>: Sendable {
  /// How strict the checks are that the real time has a part in.
  public struct Options: Sendable {
    /// How long, in real time, a cancelled run may go on before it counts as never ending.
    public var patience: Duration = .seconds(10)
    /// How long, in real time, one call may wait for something outside of the run's time.
    ///
    /// More than the default is for a component that reads files or asks a server on threads of its own.
    public var outsideWait: Duration = .milliseconds(100)

    /// The defaults.
    public init() {}
  }

  let sample: ScenarioFile
  let inputs: [String: any FieldValue]
  let options: Options

  /// The contract of a component.
  ///
  /// - Parameters:
  ///   - component: The component's type.
  ///   - sample: A scenario that uses it, and passes.
  ///   - inputs: The sample's inputs by name; the others have their defaults.
  ///   - options: How strict the checks are.
  public init(
    _ component: Subject.Type, sample: ScenarioFile, inputs: [String: any FieldValue] = [:],
    options: Options = Options()
  ) {
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
    do {
      let plan = try sample.plan(try Registry([Subject.self]))
      let run = ContractRun(
        plan: plan, inputs: try plan.inputValues(inputs.mapValues(\.encoded)))
      let problems = await diagnostics(of: check, run).map { $0.named(check) }
      return ScenarioProblem.all(problems, of: sample.path)
    } catch let error as ScenarioError {
      return ScenarioProblem.all(error.diagnostics, of: sample.path)
    } catch {
      return ScenarioProblem.all(
        [Diagnostic("registry", "\(error)", at: nil)], of: sample.path)
    }
  }

  private func diagnostics(of check: ContractCheck, _ run: ContractRun) async -> [Diagnostic] {
    switch check {
    case .sample: await run.sampleProblems(Subject.self)
    case .records: await run.recordProblems(Subject.self)
    case .errors: await run.errorProblems()
    case .repetition: await run.repetitionProblems()
    case .cancellation: await run.cancellationProblems(within: options.patience)
    case .time: await run.timeProblems(allowing: options.outsideWait)
    case .replay: await run.replayProblems()
    }
  }
}

extension Diagnostic {
  /// The problem under the check's name, unless a run has given it a code already.
  fileprivate func named(_ check: ContractCheck) -> Diagnostic {
    guard code == ContractFault.code else { return self }
    return Diagnostic("contract: \(check.rawValue)", message, at: span, notes: notes)
  }
}
