import FlowCore
import FlowExpression
import FlowPlan

// `parallel`: branches, or the iterations of a `for`, at the same time.

extension Execution {
  /// Runs the iterations of a loop, several at the same time.
  mutating func iterateConcurrently(
    _ loop: PlannedLoop, over elements: [Value], _ cases: [LoopCase], atOnce limit: Int,
    at address: Address
  ) async throws(StepFailure) -> Value {
    let origin = branched()
    let sinks = run.sinks
    var ends = BranchEnds(of: address, failsFast: loop.failsFast, run)
    var count = 0
    await withTaskGroup(of: BranchNews.self) { group in
      for (index, element) in elements.enumerated() {
        if index >= limit, let end = await ends.takeNext(of: &group) {
          assignments.add(branch: end.assignments)
        }
        if ends.isStopped { break }
        count += 1
        let loopCase = cases.isEmpty ? nil : cases[index]
        let branch = Branch(of: address, iteration: index)
        sinks.receive(.branchStarted(branch))
        group.addTask { .end(await origin.iteration(loop, element, loopCase, branch)) }
      }
      while let end = await ends.takeNext(of: &group) {
        assignments.add(branch: end.assignments)
      }
    }
    addCases(of: ends)
    skip(cases.dropFirst(count))
    try settle(ends)
    if loop.outputs.isEmpty { return loop.answer([]) }
    let rows = elements.indices.map { ends.values[$0] ?? [] }
    return loop.answer(
      loop.outputs.indices.map { column in rows.map { $0[column] ?? .null } })
  }

  /// Runs branches at the same time, each as soon as the branches that it needs have passed.
  mutating func runConcurrently(
    _ parallel: PlannedParallel, _ address: Address
  ) async throws(StepFailure) {
    let sinks = run.sinks
    var ends = BranchEnds(of: address, failsFast: parallel.failsFast, run)
    var waiting = Array(parallel.branches.indices)
    var passed: Set<Int> = []
    let branches = parallel.branches.indices.map {
      Branch(of: address, index: $0, name: parallel.branches[$0].name)
    }
    // Branches that wait for others are included, so a sink knows all branches and their order.
    for branch in branches { sinks.receive(.branchStarted(branch)) }
    await withTaskGroup(of: BranchNews.self) { group in
      repeat {
        for index in ends.isStopped ? [] : waiting {
          let planned = parallel.branches[index]
          guard planned.needs.allSatisfy(passed.contains) else { continue }
          waiting.removeAll { $0 == index }
          let copy = branched()
          group.addTask { .end(await copy.run(planned, branches[index], level: parallel.level)) }
        }
        guard let end = await ends.takeNext(of: &group) else { break }
        if end.failure == nil { passed.insert(end.branch.index) }
        for (slot, value) in zip(parallel.branches[end.branch.index].slots, end.values) {
          activation.levels[parallel.level][slot] = value
        }
        assignments.add(branch: end.assignments)
      } while true
    }
    for index in waiting {
      skip(parallel.branches[index].steps, address.iterations)
      sinks.receive(.branchEnded(branches[index]))
    }
    addCases(of: ends)
    try settle(ends)
  }

  /// Returns a copy for a branch.
  ///
  /// Its report and its assignments are added to these.
  private func branched() -> Execution {
    var copy = self
    copy.report = RunReport()
    copy.assignments = assignments.branched()
    return copy
  }

  private consuming func iteration(
    _ loop: PlannedLoop, _ element: Value, _ loopCase: LoopCase?, _ branch: Branch
  ) async -> BranchEnd {
    var copy = self
    copy.order.enter(.branch(branch))
    do throws(StepFailure) {
      let values = try await copy.iterate(
        loop, index: branch.index, element: element, loopCase, at: branch.address)
      return BranchEnd(
        branch: branch, report: copy.report, failure: nil, values: values,
        assignments: copy.assignments)
    } catch {
      return BranchEnd(
        branch: branch, report: copy.report, failure: error, values: [],
        assignments: copy.assignments)
    }
  }

  private consuming func run(
    _ planned: PlannedBranch, _ branch: Branch, level: Int
  ) async -> BranchEnd {
    var copy = self
    copy.order.enter(.branch(branch))
    let passed = await copy.block(planned.steps, branch.address.iterations)
    return BranchEnd(
      branch: branch, report: copy.report, failure: passed ? nil : .inner,
      values: planned.slots.map { copy.activation.levels[level][$0] },
      assignments: copy.assignments)
  }

  /// Adds the cases of the branches, in the order of the scenario.
  private mutating func addCases(of ends: BranchEnds) {
    for index in ends.cases.keys.sorted() { report.add(ends.cases[index] ?? []) }
  }

  /// Adds the reports of the branches, and throws if one of them failed.
  private mutating func settle(_ ends: BranchEnds) throws(StepFailure) {
    report.counts += ends.counts
    if Task.isCancelled && ends.failed.isEmpty { throw .cancelled }
    let failed = ends.failed.sorted { $0.branch.index < $1.branch.index }
    let reported = failed.flatMap(\.report.failures)
    // Branches cancelled after another one's failure say nothing new.
    let real = reported.filter { !$0.failure.isCancellation }
    report.failures += real
    // No step reports the failure of an iteration's output.
    if let own = failed.lazy.compactMap(\.failure).first(where: \.isUnreported) { throw own }
    // What was running when all were cancelled.
    if real.isEmpty { report.failures += reported }
    if !failed.isEmpty { throw reported.isEmpty ? .cancelled : .inner }
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
  private(set) var failed: [BranchEnd] = []
  private(set) var counts = RunReport.Counts()
  /// The cases of branches with some, by their positions.
  private(set) var cases: [Int: [RunReport.Case]] = [:]

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
}

extension StepFailure {
  /// True for a failure that no inner step has reported.
  var isUnreported: Bool {
    switch self {
    case .inner, .cancelled: false
    case .unexpectedAnswer, .brokenContract, .componentError, .otherError, .otherMessage, .noError,
      .assertions,
      .evaluation, .limit, .notOpened, .boundary, .timeout:
      true
    }
  }

  var isCancellation: Bool {
    if case .cancelled = self { return true }
    return false
  }
}
