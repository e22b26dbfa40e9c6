package import FlowCore
internal import FlowEngine
internal import FlowOpenAPI
package import FlowPlan

/// Looks for answers of a service that break rules of its description, with calls drawn from it.
///
/// The calls write to the service. Nothing is sent to another server.
package struct ContractGenerator: Sendable {
  /// The scope of the search.
  package struct Options: Sendable {
    /// The most requests.
    ///
    /// Shrinking a finding is extra.
    package var budget = 2_000
    /// The options of each run.
    package var explorer = ExplorationOptions()
    /// Receives the progress, at most ten times a second.
    package var progress: (@Sendable (ContractProgress) -> Void)?

    /// The defaults.
    package init() {}
  }

  private let service: DescribedService
  private let base: Plan
  private let inputs: [Value]
  private let options: Options
  private let plan: @Sendable (String) throws(ScenarioError) -> Plan

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - base: The plan of the service's `text`.
  ///   - inputs: The values of its inputs.
  ///   - options: The scope of the search.
  ///   - plan: Plans the text of a finding as the scenario that it will be.
  package init(
    _ service: DescribedService, of base: Plan, inputs: [Value], _ options: Options,
    plan: @escaping @Sendable (String) throws(ScenarioError) -> Plan
  ) {
    (self.service, self.base, self.inputs) = (service, base, inputs)
    (self.options, self.plan) = (options, plan)
  }

  /// Searches until nothing is left to try, the budget is used up, or the task is cancelled.
  package func generate() async -> ContractGeneration {
    let meter = ProgressMeter(options.progress)
    let connection = connection
    // Of an operation with mistakes nothing can be said.
    let faults = service.description.operations.map { ($0, fault: $0.faults().first) }
    let operations = faults.filter { $0.fault == nil }.map(\.0)
    let planner = TrialPlanner(operations)
    let requests = Requests(
      service, inputs: named, UniqueMembers(start: UniqueMembers.start(at: SystemTime.now())))
    let (found, problems) = await connection.open { open in
      var search = ContractSearch(planner, service, options, requests, meter)
      await search.run(open, shrinking: { await finding($0, $1, requests) })
      return search.generation
    }
    var generation = found ?? ContractGeneration()
    generation.problems = problems
    generation.operations = service.description.operations.map(\.name)
    for (operation, fault) in faults { generation.faulty[operation.name] = fault }
    generation.undrawn =
      planner.undrawn + generation.operations.filter { generation.faulty[$0] != nil }
    generation.isStopped = Task.isCancelled
    generation.elapsed = meter.elapsed
    return generation
  }

  private var connection: ServiceConnection {
    ServiceConnection(plan: base, inputs: inputs, options: options.explorer)
  }

  /// The inputs by their names.
  private var named: [String: Value] {
    Dictionary(
      zip(base.inputs.map(\.name), inputs), uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Findings

  /// Finds the smallest trial that breaks the same rule in the same way, and its scenario.
  private func finding(
    _ trial: Trial, _ violation: Violation, _ sender: Requests
  ) async -> (finding: ContractGeneration.Finding, requests: Int) {
    // Whole, also after an interruption.
    await Task { await shrunk(trial, violation, sender) }.value
  }

  private func shrunk(
    _ trial: Trial, _ violation: Violation, _ sender: Requests
  ) async -> (finding: ContractGeneration.Finding, requests: Int) {
    var requests = 0
    var shrinker = TrialShrinker(trial)
    var shown: (violation: Violation, answers: [ServiceAnswer])?
    let isSteady = await isSteady(trial, violation, sender, &requests)
    let first = isSteady ? await again(trial, violation, sender, &requests) : nil
    shown = first
    while first != nil, let candidate = shrinker.candidate() {
      guard let result = await again(candidate, violation, sender, &requests) else { continue }
      shown = result
      shrinker.note(broken: candidate)
    }
    let best = shrinker.best
    let text = shown.map {
      FindingText(best, $0.violation, $0.answers, of: service, sender.unique)
    }
    guard let shown, let text, let run = await run(of: text, shown.violation, sender.unique) else {
      return (Self.finding(trial, violation, nil, nil), requests)
    }
    return (
      Self.finding(best, shown.violation, text.text, run), requests + best.calls.count
    )
  }

  private static func finding(
    _ trial: Trial, _ violation: Violation, _ text: String?, _ run: ScheduledRun?
  ) -> ContractGeneration.Finding {
    ContractGeneration.Finding(
      rule: violation.rule, operation: violation.operation, reason: violation.reason,
      calls: trial.calls.map(\.title), text: text, run: run)
  }

  /// Runs a trial on a component of its own, and returns the same violation at its end, or nil.
  private func again(
    _ trial: Trial, _ violation: Violation, _ sender: Requests, _ requests: inout Int
  ) async -> (violation: Violation, answers: [ServiceAnswer])? {
    let (run, _) = await connection.open { await sender.run(trial, on: $0) }
    guard let run else { return nil }
    requests += run.answers.count
    guard run.answers.count == trial.calls.count, isStill(trial, run.answers) else { return nil }
    return trial.violations(run.answers).last {
      $0.key == violation.key && $0.call == trial.calls.count - 1
    }.map { ($0, run.answers) }
  }

  /// True if the resource of a refused write does not change by itself.
  private func isSteady(
    _ trial: Trial, _ violation: Violation, _ sender: Requests, _ requests: inout Int
  ) async -> Bool {
    guard violation.rule == .refusedWrite, let twice = trial.readTwice, let reads = twice.reads
    else { return true }
    let (run, _) = await connection.open { await sender.run(twice, on: $0) }
    guard let answers = run?.answers, answers.count > reads.before else { return false }
    requests += answers.count
    return answers[reads.before].json == answers[reads.before - 1].json
  }

  /// True if the calls in front of the last ones are answered as calls of this kind are.
  private func isStill(_ trial: Trial, _ answers: [ServiceAnswer]) -> Bool {
    trial.calls.indices.allSatisfy { index in
      !trial.calls.contains { $0.links.contains { $0.call == index } } || answers[index].isSuccess
    }
  }

  /// Returns the run of a scenario, or nil if this does not fail at its end.
  private func run(
    of finding: FindingText, _ violation: Violation, _ unique: UniqueMembers
  ) async -> ScheduledRun? {
    guard let plan = try? plan(finding.text) else { return nil }
    // The written text is for the next run.
    let own = finding.isUnique ? [Value.string(unique.text)] : []
    let run = await Explorer(plan, inputs: inputs + own, options.explorer, in: VirtualTime())
      .run(Schedule())
    let last = plan.steps.suffix(violation.rule == .refusedWrite ? 2 : 1).map(\.path)
    guard run.failure != nil, let failure = run.report.failures.first,
      last.contains(failure.address.path)
    else { return nil }
    return run
  }
}
