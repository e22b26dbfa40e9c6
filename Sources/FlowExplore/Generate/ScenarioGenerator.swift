package import FlowCore
internal import FlowEngine
package import FlowScenario
private import Synchronization

/// Looks for a sequence of calls after which a component is wrong: an invariant of the scenario does not hold, a call
/// fails with an error that it does not declare, or nothing goes on.
package struct ScenarioGenerator: Sendable {
  /// What is tried, and on what.
  package struct Options: Sendable {
    /// How many scenarios are tried at most; shrinking one that fails comes on top.
    package var budget = 1_000
    /// How many calls a scenario has at most.
    package var maxCalls = 8
    /// The components and operations that are called, by name; all for nil.
    package var names: Set<String>?
    /// How each scenario is run.
    package var explorer = Explorer.Options()

    /// The defaults.
    package init() {}
  }

  private let frame: ScenarioFrame
  private let plan: @Sendable (String) throws(ScenarioError) -> Plan
  private let inputs: [Value]
  private let options: Options
  private let operations: [Callable]
  private let time = VirtualTime()

  /// An operation that can be called.
  private struct Callable: Sendable {
    let name: String
    let operation: OperationDescription
  }

  /// A generator that has tried nothing.
  ///
  /// - Parameters:
  ///   - frame: The scenario behind whose steps calls are generated.
  ///   - base: Its plan.
  ///   - inputs: The values of its inputs.
  ///   - options: What is tried.
  ///   - plan: Reads a scenario's text as that of the same file.
  package init(
    _ frame: ScenarioFrame, of base: Plan, inputs: [Value], _ options: Options,
    plan: @escaping @Sendable (String) throws(ScenarioError) -> Plan
  ) {
    self.frame = frame
    self.plan = plan
    self.inputs = inputs
    self.options = options
    operations = base.components.flatMap { component in
      component.plugin.operations.compactMap { operation in
        let name = "\(component.name).\(operation.name)"
        let isWanted =
          options.names.map { $0.contains(name) || $0.contains(component.name) } ?? true
        return isWanted && ValueGenerator.canDraw(operation.input)
          ? Callable(name: name, operation: operation) : nil
      }
    }
  }

  /// The operations that are called, by name.
  package var operationNames: [String] { operations.map(\.name) }

  // MARK: - The search

  /// Tries scenarios until one fails, the budget is used up, or the task is cancelled.
  package func generate() async -> Generation {
    let stopwatch = ContinuousClock()
    let start = stopwatch.now
    var values = ValueGenerator(seed: options.explorer.seed)
    var generation = Generation()
    while !operations.isEmpty, generation.tried < options.budget, !Task.isCancelled {
      let calls = draw(longest: 1 + generation.tried % options.maxCalls, &values)
      guard let trial = await run(calls) else { continue }
      if Task.isCancelled { break }
      for value in trial.seen { values.note(value) }
      generation.note(trial)
      guard trial.failure != nil else { continue }
      await shrink(trial, &generation)
      break
    }
    generation.isStopped = Task.isCancelled
    generation.elapsed = start.duration(to: stopwatch.now)
    return generation
  }

  private func draw(longest: Int, _ values: inout ValueGenerator) -> [GeneratedCall] {
    (0..<longest).map { _ in
      let callable = values.pick(operations)
      return GeneratedCall(
        name: callable.name, type: callable.operation.input,
        input: values.input(callable.operation.input))
    }
  }

  /// Runs calls behind the scenario's steps; nil where they make no scenario.
  private func run(_ calls: [GeneratedCall]) async -> GenerationTrial? {
    guard let plan = try? plan(frame.text(with: calls)) else { return nil }
    let watch = CallWatch()
    let attempt = await explorer(plan).attempt([watch])
    return GenerationTrial(calls, attempt, watch)
  }

  private func explorer(_ plan: Plan) -> Explorer {
    Explorer(plan, inputs: inputs, options.explorer, in: time)
  }

  // MARK: - Shrinking

  /// Finds fewer and simpler calls that fail in the same way, and writes them down.
  private func shrink(_ trial: GenerationTrial, _ generation: inout Generation) async {
    var shrinker = CallShrinker(trial.calls)
    while !Task.isCancelled, let candidate = shrinker.candidate() {
      let again = await run(candidate)
      shrinker.note(failed: again?.failure == trial.failure)
    }
    generation.shrinkingTries = shrinker.tries
    let calls = shrinker.best
    // Whole, also after an interruption.
    generation.found = await Task { await finish(calls, trial) }.value
  }

  /// The scenario in which each call has the end that it had, and its run.
  private func finish(_ calls: [GeneratedCall], _ trial: GenerationTrial) async -> Generation.Found?
  {
    guard let again = await run(calls) else { return nil }
    let text = frame.text(with: again.ended)
    guard let plan = try? plan(text) else { return nil }
    let run = await explorer(plan).run(Schedule())
    return Generation.Found(
      text: text, calls: again.ended.map(\.title), run: run)
  }
}

/// What generating scenarios has found.
package struct Generation: Sendable {
  /// A scenario that fails.
  package struct Found: Sendable {
    /// Its text.
    package let text: String
    /// Its generated calls, in words.
    package let calls: [String]
    /// Its run.
    package let run: ScheduledRun
  }

  /// How many scenarios were tried.
  package private(set) var tried = 0
  /// How many runs shrinking took besides.
  package internal(set) var shrinkingTries = 0
  /// How many calls there were.
  package private(set) var calls = 0
  /// The operations that were called, the errors that they answered with and the events of their components.
  package private(set) var covered: Set<String> = []
  /// The scenario that fails; nil when none did.
  package internal(set) var found: Found?
  /// Whether it was interrupted.
  package internal(set) var isStopped = false
  /// How long it took, in real time.
  package internal(set) var elapsed = Duration.zero

  mutating func note(_ trial: GenerationTrial) {
    tried += 1
    calls += trial.calls.count
    covered.formUnion(trial.covered)
  }
}

/// One generated scenario that was run.
struct GenerationTrial: Sendable {
  let calls: [GeneratedCall]
  /// The same with the ends that they had; those after the one that fails are left out.
  let ended: [GeneratedCall]
  /// What fails, without its place: `balance.load undeclared`; nil when nothing does.
  let failure: String?
  /// What was answered and reported.
  let seen: [Value]
  let covered: Set<String>

  init(_ calls: [GeneratedCall], _ attempt: Attempt, _ watch: CallWatch) {
    self.calls = calls
    let noted = watch.noted
    seen = noted.seen
    covered = noted.covered
    let undeclared = noted.ends.first { $0.isUndeclared }
    let invariant = attempt.report.failures.first
    if let undeclared {
      failure = "\(undeclared.name) \(undeclared.code ?? "")"
    } else if attempt.isStuck {
      failure = "stuck"
    } else {
      failure = invariant.map {
        "\($0.address.path) \(attempt.report.diagnostics.first?.code.name ?? "")"
      }
    }
    // The last calls are the generated ones, in their order.
    let ends = noted.ends.suffix(min(calls.count, noted.ends.count))
    var ended: [GeneratedCall] = []
    for (call, end) in zip(calls, ends) {
      var call = call
      call.end = end.isUndeclared ? .answer : end.code.map(GeneratedCall.End.error) ?? .answer
      ended.append(call)
      if end.isUndeclared { break }
    }
    self.ended = ended
  }
}

/// Notes how the calls of a run's steps end.
final class CallWatch: EventSink {
  struct End: Sendable {
    let name: String
    /// The error; nil for an answer.
    let code: String?
    let isUndeclared: Bool
  }

  struct Noted {
    var ends: [End] = []
    var seen: [Value] = []
    var covered: Set<String> = []
  }

  private let state = Mutex(Noted())

  var noted: Noted { state.withLock { $0 } }

  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation):
      if case .open = invocation.target { state.withLock { $0.seen.append(invocation.input) } }
    case .emitted(_, let event, let payload):
      state.withLock {
        $0.covered.insert("event \(event)")
        $0.seen.append(payload)
      }
    case .completed(let invocation, let outcome): complete(invocation, outcome)
    default: break
    }
  }

  private func complete(_ invocation: Invocation, _ outcome: Outcome) {
    guard case .operation(let operation) = invocation.target else { return }
    var end = End(name: invocation.name, code: nil, isUndeclared: false)
    var covered: Set<String> = ["operation \(invocation.name)"]
    var seen: [Value] = []
    switch outcome {
    case .answer(let value): seen = [value]
    case .cancelled: return
    case .error(let error):
      let isDeclared = operation.description.errors.contains(error.code)
      end = End(name: invocation.name, code: error.code.name, isUndeclared: !isDeclared)
      covered.insert("error \(invocation.name): \(error.code.name)")
    }
    // What components ask of others, and invariants ask, is not generated.
    let isGenerated =
      invocation.address.calls.isEmpty && !invocation.address.path.hasPrefix("invariants/")
    state.withLock { state in
      state.seen += seen
      state.covered.formUnion(covered)
      if isGenerated { state.ends.append(end) }
    }
  }
}
