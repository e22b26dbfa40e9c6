internal import FlowCore
internal import FlowEngine
internal import FlowScenario

extension ContractRun {
  /// The operations that do not end when they are cancelled.
  ///
  /// The first call of each is cancelled: in the middle of the time it takes, or when it begins if it takes
  /// none. A run that has nothing left to do and does not end within the patience is abandoned.
  func cancellationProblems(within patience: Duration) async -> [Diagnostic] {
    let live = live
    let durations = CallDurations(live.virtualTime)
    let record = await record([durations], in: live)
    var known: Set<String> = []
    var problems: [Diagnostic] = []
    for call in record.calls where known.insert(call.name).inserted {
      let moment = durations.duration(of: call.address) / 2
      guard let fault = await fault(of: call, cancelledAfter: moment, patience) else { continue }
      problems.append(fault.diagnostic(at: record.span(of: call.address, in: plan.file)))
    }
    return problems
  }

  private func fault(
    of call: ComponentCall, cancelledAfter moment: Duration, _ patience: Duration
  ) async -> ContractFault? {
    let live = live
    let canceller = Canceller(of: call.address, after: moment, live.virtualTime)
    let inputs = inputs
    let (starts, start) = AsyncStream<Void>.makeStream()
    let run = Task(executorPreference: live.virtualTime) {
      // Not before there is somebody to cancel.
      for await _ in starts { break }
      _ = await live.run(inputs: inputs, [canceller])
    }
    canceller.prepare { run.cancel() }
    start.yield()
    guard await run.hasEnded(within: patience, in: live.virtualTime) else {
      return .neverEnds(call)
    }
    guard let end = canceller.end else { return nil }
    if end.delay > .zero { return .goesOn(call, for: end.delay) }
    switch end.answer {
    case .error(let error) where error.code == .unexpected || moment > .zero:
      return .otherCancellation(call, error)
    // One that takes no time may have been done before it could know.
    case .output where moment > .zero: return .answersAnyway(call)
    case .error, .output, .cancelled: return nil
    }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Whether the task ends; one that does not is left to itself after its share of real time.
  ///
  /// No group can be left while a child of it goes on, so these tasks have no group.
  fileprivate func hasEnded(within limit: Duration, in time: VirtualTime?) async -> Bool {
    let (answers, answer) = AsyncStream<Bool>.makeStream()
    Task<Void, Never>(executorPreference: time) {
      await value
      answer.yield(true)
    }
    let watch = Task<Void, Never>(executorPreference: time) {
      // Cancelled means that the answer is there already.
      try? await time?.idle(for: limit)
      answer.yield(false)
    }
    defer { watch.cancel() }
    for await hasEnded in answers { return hasEnded }
    return false
  }
}

extension VirtualTime {
  /// Suspends until nothing was left to do here for a span of real time.
  ///
  /// The span is waited for in parts, each of which begins only when all work is done: a machine that is
  /// slow, or busy with something else, does not use it up.
  fileprivate func idle(for span: Duration) async throws {
    for _ in 0..<10 {
      try await clock.untilIdle()
      try await ContinuousClock().sleep(for: span / 10)
    }
  }
}
