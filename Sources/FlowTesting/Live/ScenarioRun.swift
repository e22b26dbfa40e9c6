public import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowTranscript

/// The result of running a scenario on components.
public struct ScenarioRun: Sendable {
  /// The problems, in the order of the run.
  ///
  /// Empty if it passed.
  public let problems: [ScenarioProblem]
  /// The scenario's outputs by name.
  ///
  /// Empty if it failed.
  public let outputs: [String: Value]
  /// The calls of operations in the order of their beginnings.
  public let calls: [ComponentCall]
  /// The events reported by components, in order.
  public let reports: [ComponentReport]
  /// The transcript of the run, empty if the scenario did not load.
  ///
  /// It is meant for comparison: it names bodies of more than 4 KiB and does not contain them.
  public let transcript: [UInt8]

  /// True if there are no problems.
  public var passed: Bool { problems.isEmpty }
  /// The problems' texts, one below the other.
  ///
  /// Empty if the run passed.
  public var failures: String { problems.map(\.text).joined(separator: "\n") }

  /// An output as a Swift value.
  ///
  ///     let remaining = try run.output("remaining", as: Decimal.self)
  ///
  /// - Throws: `MissingOutput` if the run has none of this name, `DecodeError` if it has another
  ///   type.
  public func output<Content: FieldValue>(_ name: String, as type: Content.Type) throws -> Content {
    guard let value = outputs[name] else {
      throw MissingOutput(name: name, known: outputs.keys.sorted(), hasFailed: !passed)
    }
    return try Content(decoding: try value.converted(to: Content.valueType))
  }
}

/// A requested output that a run does not have.
public struct MissingOutput: Error, Sendable, Hashable, CustomStringConvertible {
  /// The output's name.
  public let name: String
  /// The existing outputs, sorted.
  public let known: [String]
  /// True if the run failed, and so has no outputs.
  public let hasFailed: Bool

  /// `the run has no output 'remaning'; did you mean 'remaining'?`.
  public var description: String {
    "the run has no output '\(name)'" + (hasFailed ? ", because it failed" : "")
      + Suggestion.ending(for: name, among: known)
  }
}

extension ScenarioFile {
  /// Runs the scenario on components, and reports what is wrong as `replay` does.
  ///
  ///     let run = try await scenario.run(with: [.instance(balance)], inputs: ["amount": 30])
  ///     #expect(run.calls.map(\.name) == ["balance.load", "balance.subtract"])
  ///
  /// - Parameters:
  ///   - registry: The types of components that the scenario opens by itself; none unless given.
  ///   - components: What the test brings along, in place of what the scenario would open.
  ///   - inputs: The scenario's inputs by name; the others have their defaults.
  ///   - options: Time, seed, date and secrets.
  /// - Returns: What the run did, also when it failed.
  /// - Throws: `ScenarioFailure` with all problems when no test of Swift Testing runs, as in XCTest.
  @discardableResult public func run(
    _ registry: Registry? = nil, with components: [TestComponent] = [],
    inputs: [String: any FieldValue] = [:], options: LiveOptions = LiveOptions()
  ) async throws(ScenarioFailure) -> ScenarioRun {
    let run = await attempt(registry, with: components, inputs: inputs, options: options)
    try Reporter.report(run.problems)
    return run
  }

  /// Runs the scenario on components and reports no problems, for tests of failures.
  public func attempt(
    _ registry: Registry? = nil, with components: [TestComponent] = [],
    inputs: [String: any FieldValue] = [:], options: LiveOptions = LiveOptions()
  ) async -> ScenarioRun {
    let redactor = Redactor()
    do {
      try hidePatterns(by: redactor)
      let registry = try TestComponent.registry(registry, replacing: components)
      let plan = try plan(registry.limited(to: options.network))
      let strangers = TestComponent.problems(components, in: plan)
      guard strangers.isEmpty else { return ScenarioRun(failing: strangers, of: self, redactor) }
      let problems = plan.problems(
        ofSecrets: options.secrets.mapValues { [$0] }, beside: inputs.keys)
      guard problems.isEmpty else { return ScenarioRun(failing: problems, of: self, redactor) }
      let inputs = try plan.inputValues(inputs.mapValues(\.encoded), secrets: options.secrets)
      return await attempt(ObservedRun(of: plan, options, redactor: redactor), inputs, components)
    } catch let error as ScenarioError {
      error.hideSecrets(by: redactor)
      return ScenarioRun(failing: error.diagnostics, of: self, redactor)
    } catch {
      return ScenarioRun(failing: [Diagnostic("registry", "\(error)", at: nil)], of: self, redactor)
    }
  }

  private func attempt(
    _ live: ObservedRun, _ inputs: [Value], _ components: [TestComponent]
  ) async -> ScenarioRun {
    let log = CallLog()
    // A stand-in keeps its calls from run to run.
    let earlier = components.map(\.unscripted.count)
    let report = await live.run(inputs: inputs, [log])
    var diagnostics = report.diagnostics
    // A step may go on after an error, or try again, and hide that the answer was not scripted.
    if diagnostics.isEmpty {
      diagnostics = zip(components, earlier).flatMap { $0.unscripted.dropFirst($1) }
    }
    return ScenarioRun(
      problems: ScenarioProblem.all(diagnostics, of: path, live.redactor),
      outputs: Dictionary(report.outputs.map { ($0.name, $0.value) }) { first, _ in first },
      calls: log.calls, reports: log.reports, transcript: live.recorded.bytes)
  }
}

extension ScenarioRun {
  fileprivate init(
    failing diagnostics: [Diagnostic], of scenario: ScenarioFile, _ redactor: Redactor
  ) {
    self.init(
      problems: ScenarioProblem.all(diagnostics, of: scenario.path, redactor), outputs: [:],
      calls: [], reports: [], transcript: [])
  }
}

// The command has the same rules for given inputs and secrets.
extension Plan {
  /// The problems of a test's secrets, with some values for each name, in the order of the names.
  func problems(
    ofSecrets secrets: [String: [String]], beside inputs: some Collection<String>
  ) -> [Diagnostic] {
    secrets.sorted { $0.key < $1.key }.flatMap { name, values in
      var problems: [Diagnostic] = []
      if !Secrets.isName(name) {
        problems.append(Diagnostic("secrets", "\(SecretError.invalidName(name))", at: nil))
      }
      if !values.allSatisfy(Redactor.canHide) {
        problems.append(Diagnostic(.secretTooShort, "\(SecretError.tooShort(name))", at: nil))
      }
      if inputs.contains(name), self.inputs.contains(where: { $0.name == name && $0.isSecret }) {
        let message = "'\(name)' is given as an input and as a secret"
        problems.append(Diagnostic("secrets", message, at: nil))
      }
      return problems
    }
  }

  /// The values of all inputs: the given ones, secret ones from the secrets, and defaults.
  ///
  /// An empty secret counts as absent.
  func inputValues(
    _ given: [String: Value], secrets: [String: String]
  ) throws(ScenarioError) -> [Value] {
    var values = given
    for input in inputs where input.isSecret && values[input.name] == nil {
      guard let secret = secrets[input.name], !secret.isEmpty else { continue }
      values[input.name] = .string(secret)
    }
    return try inputValues(values)
  }
}
