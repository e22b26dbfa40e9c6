internal import FlowCore
internal import FlowExplore
internal import FlowSystem

/// A rule for the plugins of flow.yaml.
enum PluginRule: String, Sendable, CaseIterable {
  /// Every operation answers its sample, or fails with an error that it declares.
  case answers
  /// Unusual inputs do no more harm than a declared error.
  case inputs
  /// A cancelled call ends, and the component goes on.
  case cancellation
  /// Two components at once do not know of each other.
  case instances
  /// A killed program is reported, and a new one starts anew.
  case kill
  /// Nothing goes on when a component is closed.
  case closing
}

/// The result of a rule.
struct PluginVerdict: Sendable {
  let rule: PluginRule
  /// The violations, bounded in number and length.
  var problems: [String] = []
  /// The reason why it cannot be checked, or nil.
  var skipped: String?
  var notes: [String] = []
}

/// The checks of components for a plugin that is a program, by real calls.
struct PluginChecks: Sendable {
  let plugin: RegisteredPlugin
  let options: ContextServices.Options
  /// The longest time for each call.
  let patience: Duration
  /// The operations with answers that vary by themselves.
  let varying: Set<String>

  /// The inputs tried for each operation.
  private static let trials = 60

  private var state: ComponentState {
    get throws { try plugin.state(.map(ValueMap())) }
  }

  /// An operation with its sample.
  private struct Sample: Sendable {
    let index: Int
    let name: String
    let input: Value
  }

  private var samples: [Sample] {
    plugin.operations.enumerated().filter { !$0.element.passesOn }.map { index, operation in
      Sample(index: index, name: operation.name, input: OperationExample.input(of: operation))
    }
  }

  /// Checks a rule.
  ///
  /// - Throws: The error of opening a component.
  func check(_ rule: PluginRule) async throws -> PluginVerdict {
    switch rule {
    case .answers: try await checkAnswers()
    case .inputs: try await checkInputs()
    case .cancellation: try await checkCancellation()
    case .instances: try await checkInstances()
    case .kill: try await checkKill()
    case .closing: try await checkClosing()
    }
  }

  private func open() async throws -> CheckedInstance {
    try await CheckedInstance(plugin, options, patience: patience)
  }

  /// Opens a component for some work, and closes it.
  private func opened<Result>(
    _ work: (CheckedInstance) async throws -> Result
  ) async throws -> Result {
    let instance = try await open()
    do {
      let result = try await work(instance)
      _ = await instance.close()
      return result
    } catch {
      _ = await instance.close()
      throw error
    }
  }

  private func checkAnswers() async throws -> PluginVerdict {
    var verdict = PluginVerdict(rule: .answers)
    for sample in samples {
      let answer = try await opened { await $0.call(sample.index, sample.input) }
      if !answer.isOrdinary {
        verdict.problems.append(Self.call(sample.name, sample.input, answer.text))
      } else if case .error = answer {
        verdict.notes.append(
          "\(Self.call(sample.name, sample.input, answer.text)); "
            + "'examples' in its inputSchema give a better sample")
      }
    }
    return verdict
  }

  private func checkInputs() async throws -> PluginVerdict {
    var verdict = PluginVerdict(rule: .inputs)
    for sample in samples {
      guard let inputs = inputs(of: plugin.operations[sample.index]) else {
        verdict.notes.append("no inputs can be made for '\(sample.name)'")
        continue
      }
      let problem = try await opened { instance -> String? in
        for input in inputs {
          let answer = await instance.call(sample.index, input)
          if !answer.isOrdinary { return Self.call(sample.name, input, answer.text) }
        }
        let unknown = Value.map(ValueMap([("flow_unknown", .int(1))]))
        guard case .undeclared = await instance.call(sample.index, unknown) else {
          return "'\(sample.name)' accepts a field that it does not have"
        }
        return nil
      }
      if let problem { verdict.problems.append(problem) }
    }
    return verdict
  }

  /// Returns the same unusual inputs every time, or nil if none can be made.
  private func inputs(of operation: OperationDescription) -> [Value]? {
    // A limit of time is no input of interest, and a short one has no answer.
    let type = RecordType(
      operation.input.fields.filter { $0.type != .optional(.duration) && $0.name != "answers" })
    guard ValueGenerator.canDraw(type) else { return nil }
    var generator = ValueGenerator(seed: 1)
    return (0..<(type.fields.isEmpty ? 1 : Self.trials)).map { _ in
      .map(ValueMap(generator.input(type).map { ($0.name, $0.value) }))
    }
  }

  private func checkCancellation() async throws -> PluginVerdict {
    var verdict = PluginVerdict(rule: .cancellation)
    for sample in samples {
      let problem = try await opened { instance -> String? in
        let begin = ContinuousClock.now
        let answer = await instance.call(sample.index, sample.input)
        // Its failure is a violation of another rule.
        guard answer.isOrdinary else { return nil }
        let half = (ContinuousClock.now - begin) / 2
        let end = await instance.call(sample.index, sample.input, cancelledAfter: half)
        guard end.isOrdinary || end == .cancelled else {
          return "'\(sample.name)', cancelled: \(end.text)"
        }
        let next = await instance.call(sample.index, sample.input)
        return next.isOrdinary ? nil : "'\(sample.name)' after a cancelled call: \(next.text)"
      }
      if let problem { verdict.problems.append(problem) }
    }
    return verdict
  }

  private func checkInstances() async throws -> PluginVerdict {
    var verdict = PluginVerdict(rule: .instances)
    if try state == .external {
      verdict.skipped = "its state is external"
      return verdict
    }
    verdict.problems = try await opened { first in
      let expected = await story(first)
      return try await opened { second in
        differences(expected, await story(second), "in a second component")
      }
    }
    return verdict
  }

  private func checkKill() async throws -> PluginVerdict {
    var verdict = PluginVerdict(rule: .kill)
    guard let sample = samples.first else {
      verdict.skipped = "it has no operations"
      return verdict
    }
    let expected = try await opened { instance -> [CheckedAnswer]? in
      let story = await story(instance)
      guard instance.isProgram else { return nil }
      instance.kill()
      let answer = await instance.call(sample.index, sample.input)
      if !answer.isUnavailable {
        verdict.problems.append(
          "'\(sample.name)' after its program is killed: \(answer.text), not 'unavailable'")
      }
      return story
    }
    guard let expected else {
      verdict.skipped = "it starts no program"
      return verdict
    }
    let later = try await opened { await story($0) }
    if try state == .external {
      verdict.problems += zip(samples, later).filter { !$1.isOrdinary }
        .map { Self.call($0.name, $0.input, "\($1.text) in the program after a killed one") }
    } else {
      verdict.problems += differences(expected, later, "in the program after a killed one")
    }
    return verdict
  }

  private func checkClosing() async throws -> PluginVerdict {
    var verdict = PluginVerdict(rule: .closing)
    let instance = try await open()
    _ = await story(instance)
    switch await instance.close() {
    case nil: verdict.problems = ["it does not end in time"]
    case 0: break
    case let count?: verdict.problems = ["processes that go on: \(count)"]
    }
    return verdict
  }

  // MARK: - Stories

  /// Calls all operations, in the order of their names.
  private func story(_ instance: CheckedInstance) async -> [CheckedAnswer] {
    var answers: [CheckedAnswer] = []
    for sample in samples { answers.append(await instance.call(sample.index, sample.input)) }
    return answers
  }

  private func differences(
    _ expected: [CheckedAnswer], _ answers: [CheckedAnswer], _ place: String
  ) -> [String] {
    zip(samples, zip(expected, answers)).compactMap { sample, pair in
      guard pair.0 != pair.1, !varying.contains(sample.name) else { return nil }
      return Self.call(sample.name, sample.input, "\(pair.1.text) \(place), not \(pair.0.text)")
    }
  }

  private static func call(_ name: String, _ input: Value, _ answer: String) -> String {
    "'\(name)' with \(input.summary(limit: 120)): \(answer)"
  }
}
