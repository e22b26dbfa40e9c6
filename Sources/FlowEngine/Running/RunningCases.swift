internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction

/// The names of a loop's cases.
struct CaseNames {
  private var counts: [String: Int] = [:]

  /// Returns the name, with a number if another case has it: `rain (2)`.
  mutating func unique(_ name: String) -> String {
    var (number, numbered) = (counts[name] ?? 0, name)
    if number > 0 {
      repeat {
        number += 1
        numbered = "\(name) (\(number))"
      } while counts[numbered] != nil
      counts[name] = number
    }
    counts[numbered] = 1
    return numbered
  }
}

extension Execution {
  /// Returns the cases of a `for`, one for each element, or none if its iterations are not cases.
  func cases(
    of loop: PlannedLoop, over elements: [Value], at address: Address
  ) throws(StepFailure) -> [LoopCase] {
    if loop.cases == nil { return [] }
    var (copy, names, cases) = (self, CaseNames(), [LoopCase]())
    for (index, element) in elements.enumerated() {
      copy.enter(loop, index)
      copy.activation.levels[loop.level][1] = element
      if let next = try copy.nextCase(of: loop, index, &names, at: address) { cases.append(next) }
      copy.activation.levels.removeLast()
    }
    return cases
  }

  /// Returns the present iteration as a case, or nil if it is none.
  func nextCase(
    of loop: PlannedLoop, _ index: Int, _ names: inout CaseNames, at address: Address
  ) throws(StepFailure) -> LoopCase? {
    guard let template = loop.cases else { return nil }
    let written = run.session.redactor.redacted(try evaluate(template).interpolated)
    let name = names.unique(written.isEmpty ? "iteration \(index + 1)" : written)
    return LoopCase(
      address: Address(path: address.path, iterations: address.iterations + [index + 1]),
      name: loopCase.map { "\($0.name) / \(name)" } ?? name)
  }

  /// Reports the end of a case.
  mutating func end(
    _ loopCase: LoopCase, _ failure: StepFailure?, _ inner: ArraySlice<RunReport.Failure>,
    after elapsed: Duration
  ) {
    var failures = Array(inner)
    if let failure, failure.isUnreported {
      failures.append(RunReport.Failure(address: loopCase.address, place: nil, failure: failure))
    }
    let isStopped = failures.allSatisfy(\.failure.isCancellation)
    let state: RunReport.Case.State =
      failure == nil ? .passed : isStopped && Task.isCancelled ? .notRun : .failed
    end(loopCase, state, failure == nil ? [] : failures, after: elapsed)
  }

  /// Reports cases that never start.
  mutating func skip(_ cases: some Sequence<LoopCase>) {
    for loopCase in cases { end(loopCase, .notRun, [], after: .zero) }
  }

  private mutating func end(
    _ loopCase: LoopCase, _ state: RunReport.Case.State, _ failures: [RunReport.Failure],
    after elapsed: Duration
  ) {
    report.add([
      RunReport.Case(name: loopCase.name, state: state, elapsed: elapsed, failures: failures)
    ])
    run.sinks.receive(.caseEnded(loopCase, state, elapsed: elapsed))
  }
}
