internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// `parallel`: runs branches at the same time, each as soon as the branches that it needs have
/// passed.
extension PlannedParallel: StepBody {
  func perform(
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    let run = execution.run
    var ends = BranchEnds(of: address, failsFast: failsFast, run)
    var waiting = Array(branches.indices)
    var passed: Set<Int> = []
    let started = branches.indices.map { Branch(of: address, index: $0, name: branches[$0].name) }
    // Branches that wait for others are included, so a sink knows all branches and their order.
    for branch in started { run.sinks.receive(.branchStarted(branch)) }
    await withTaskGroup(of: BranchNews.self) { group in
      repeat {
        for index in ends.isStopped ? [] : waiting {
          let planned = branches[index]
          guard planned.needs.allSatisfy(passed.contains) else { continue }
          waiting.removeAll { $0 == index }
          let (copy, branch) = (execution.branched(), started[index])
          group.addTask { .end(await planned.run(in: copy, branch, level: level)) }
        }
        guard let end = await ends.takeNext(of: &group) else { break }
        if end.failure == nil { passed.insert(end.branch.index) }
        execution.values.take(
          end.values, of: branches[end.branch.index].slots, level: level)
        execution.values.add(branch: end.assignments)
      } while true
    }
    for index in waiting {
      execution.skip(branches[index].steps, address.iterations)
      run.sinks.receive(.branchEnded(started[index]))
    }
    ends.addCases(to: &execution)
    try ends.settle(in: &execution)
    return .noOutputs
  }
}

extension PlannedBranch {
  fileprivate func run(
    in origin: consuming Execution, _ branch: Branch, level: Int
  ) async -> BranchEnd {
    var execution = origin
    execution.enter(branch)
    let passed = await execution.block(steps, branch.address.iterations)
    return BranchEnd(
      branch: branch, report: execution.report, failure: passed ? nil : .inner,
      values: execution.values.values(of: slots, level: level),
      assignments: execution.values.assignments)
  }
}

extension PlannedLoop {
  /// Runs the iterations of the loop, several at the same time.
  func iterate(
    over elements: [Value], _ cases: [LoopCase], atOnce limit: Int,
    in execution: inout Execution, at address: Address
  ) async throws(StepFailure) -> Value {
    let (origin, run) = (execution.branched(), execution.run)
    var ends = BranchEnds(of: address, failsFast: failsFast, run)
    var count = 0
    await withTaskGroup(of: BranchNews.self) { group in
      for (index, element) in elements.enumerated() {
        if index >= limit, let end = await ends.takeNext(of: &group) {
          execution.values.add(branch: end.assignments)
        }
        if ends.isStopped { break }
        count += 1
        let loopCase = cases.isEmpty ? nil : cases[index]
        let branch = Branch(of: address, iteration: index)
        run.sinks.receive(.branchStarted(branch))
        group.addTask { .end(await iteration(element, loopCase, branch, in: origin)) }
      }
      while let end = await ends.takeNext(of: &group) {
        execution.values.add(branch: end.assignments)
      }
    }
    ends.addCases(to: &execution)
    execution.skip(cases.dropFirst(count))
    try ends.settle(in: &execution)
    if outputs.isEmpty { return answer([]) }
    let rows = elements.indices.map { ends.values[$0] ?? [] }
    return answer(outputs.indices.map { column in rows.map { $0[column] ?? .null } })
  }

  private func iteration(
    _ element: Value, _ loopCase: LoopCase?, _ branch: Branch, in origin: consuming Execution
  ) async -> BranchEnd {
    var execution = origin
    execution.enter(branch)
    let end = { (execution: Execution, failure: StepFailure?, values: [Value]) in
      BranchEnd(
        branch: branch, report: execution.report, failure: failure, values: values,
        assignments: execution.values.assignments)
    }
    do throws(StepFailure) {
      let values = try await iterate(
        (branch.index, element), loopCase, in: &execution, at: branch.address)
      return end(execution, nil, values)
    } catch {
      return end(execution, error, [])
    }
  }
}

/// The end of a branch.
private struct BranchEnd: Sendable {
  let branch: Branch
  /// The branch's part of the run's report.
  let report: RunReport
  /// Nil when it passed.
  let failure: StepFailure?
  /// The values of a loop's outputs, or of a branch's variables.
  let values: [Value?]
  /// The assignments that the branch made.
  let assignments: Assignments
}

/// A message from the branches of a step.
private enum BranchNews: Sendable {
  case end(BranchEnd)
  /// One branch failed, and the others are to be cut off.
  case cutOff
}

/// The ends of a step's branches so far.
private struct BranchEnds {
  private let step: Address
  private let failsFast: Bool
  private let run: Run
  private var isCutOff = false
  /// The values of passed branches, by their positions.
  private(set) var values: [Int: [Value?]] = [:]
  private var failed: [BranchEnd] = []
  private var counts = RunReport.Counts()
  /// The cases of branches with some, by their positions.
  private var cases: [Int: [RunReport.Case]] = [:]

  init(of step: Address, failsFast: Bool, _ run: Run) {
    self.step = step
    self.failsFast = failsFast
    self.run = run
  }

  /// True if no further branch starts.
  var isStopped: Bool { Task.isCancelled || isCutOff }

  /// Waits for the next branch to end, and cancels the others after a failure if that is wanted.
  ///
  /// Returns nil if no branch is running.
  @discardableResult
  mutating func takeNext(
    of group: inout TaskGroup<BranchNews>
  ) async -> BranchEnd? {
    while let news = await group.next() {
      switch news {
      case .end(let end):
        take(end, &group)
        return end
      case .cutOff: cutOff(&group)
      }
    }
    return nil
  }

  private mutating func take(_ end: BranchEnd, _ group: inout TaskGroup<BranchNews>) {
    run.sinks.receive(.branchEnded(end.branch))
    counts += end.report.counts
    if !end.report.cases.isEmpty { cases[end.branch.index] = end.report.cases }
    if end.failure != nil {
      failed.append(end)
      guard failsFast, failed.count == 1 else { return }
      guard let beforeCutOff = run.pacing?.beforeCutOff else { return cutOff(&group) }
      group.addTask { [step] in
        await beforeCutOff(step)
        return .cutOff
      }
    } else if !end.values.isEmpty {
      values[end.branch.index] = end.values
    }
  }

  private mutating func cutOff(_ group: inout TaskGroup<BranchNews>) {
    isCutOff = true
    group.cancelAll()
  }

  /// Adds the cases of the branches, in the order of the scenario.
  func addCases(to execution: inout Execution) {
    for index in cases.keys.sorted() { execution.add(cases[index] ?? []) }
  }

  /// Adds the reports of the branches, and throws if one of them failed.
  func settle(in execution: inout Execution) throws(StepFailure) {
    execution.add(counts, [])
    if Task.isCancelled && failed.isEmpty { throw .cancelled }
    let failed = failed.sorted { $0.branch.index < $1.branch.index }
    let reported = failed.flatMap(\.report.failures)
    // Branches cancelled after another one's failure say nothing new.
    let real = reported.filter { !$0.failure.isCancellation }
    execution.add(.init(), real)
    // No step reports the failure of an iteration's output.
    if let own = failed.lazy.compactMap(\.failure).first(where: \.isUnreported) { throw own }
    // What was running when all were cancelled.
    if real.isEmpty { execution.add(.init(), reported) }
    if !failed.isEmpty { throw reported.isEmpty ? .cancelled : .inner }
  }
}
