internal import FlowCore
internal import FlowPlan

/// One scenario of a run, from the opening of its components to its outputs.
struct ScenarioRun {
  private var execution: Execution

  init(_ execution: Execution) { self.execution = execution }

  /// The values of the scenario, after its run those at its end.
  var values: ScenarioValues { execution.values }

  private var run: Run { execution.run }
  private var plan: Plan { values.plan }
  private var iterations: [Int] { values.iterations }

  /// Runs the scenario and returns its report.
  mutating func run() async -> RunReport {
    await execution.noteBeginning()
    if await openComponents() {
      await runSteps()
    } else {
      execution.skip(plan.steps, iterations)
    }
    _ = await execution.finally(plan.finally, iterations)
    await finishCaller()
    var report = execution.report
    if report.passed {
      let outputs = outputs()
      report = execution.report
      if report.passed { report.outputs = outputs }
    }
    return report
  }

  // MARK: - The steps and what must hold after each

  private mutating func runSteps() async {
    if plan.invariants.steps.isEmpty {
      _ = await execution.block(plan.steps, iterations)
      return
    }
    for (index, step) in plan.steps.enumerated() {
      guard await execution.runStep(step, iterations), await checkInvariants(after: step, index)
      else { return execution.skip(plan.steps.dropFirst(index + 1), iterations) }
    }
  }

  /// Runs the invariants with their own variables, like one iteration each time.
  ///
  /// Returns false if one failed.
  private mutating func checkInvariants(after step: PlannedStep, _ index: Int) async -> Bool {
    execution.values.openLevel(plan.invariants.variableCount)
    defer { execution.values.closeLevel() }
    await execution.noteLevel(values.address(of: step, iterations))
    let before = execution.report.failures.count
    let passed = await execution.block(plan.invariants.steps, iterations + [index + 1])
    execution.mark(failuresAfter: before, asFollowing: step)
    return passed
  }

  // MARK: - Before and after the steps

  private mutating func openComponents() async -> Bool {
    for index in plan.openingOrder where values.parent?.handed[index] == nil {
      let component = plan.components[index]
      let address = values.address(ofPart: "components/\(component.name)")
      do throws(StepFailure) {
        let settings = try values.evaluate(component.settings)
        let invocation = Invocation(
          address: address, target: .open(component, index: index), input: settings,
          scope: values.parent?.address, order: execution.order)
        if case .error(let error) = try await run.call(invocation) {
          throw .notOpened(error, at: component.place)
        }
      } catch {
        execution.fail(values.explained(error, at: address), at: address, component.place)
        return false
      }
    }
    return true
  }

  private mutating func finishCaller() async {
    let boundary = run.parts.boundary
    boundary.endSteps(within: values.parent?.address)
    if let scope = values.parent?.address { return await run.caller.close(scope) }
    var failure: StepFailure?
    do {
      try await run.caller.finish()
    } catch let error as BoundaryFailure {
      // A failed run did not do everything, so unused entries say nothing new.
      if execution.report.passed { failure = .boundary(error) }
    } catch {
      failure = .cancelled
    }
    // The cause. Unused entries may be its consequence.
    if let cause = boundary.failure, !hasFailed(by: cause) { failure = .boundary(cause) }
    let own = failure.map {
      RunReport.Failure(address: Address(path: "steps"), place: nil, failure: $0)
    }
    let hasFailed = own != nil || !execution.report.failures.isEmpty
    execution.add(
      .init(),
      (own.map { [$0] } ?? []) + run.parts.pendingFailures.remaining(hasFailed: hasFailed))
  }

  /// Returns true if a step failed for this reason, as for a request from outside during the step.
  private func hasFailed(by cause: BoundaryFailure) -> Bool {
    execution.report.failures.contains {
      if case .boundary(let failure) = $0.failure { failure == cause } else { false }
    }
  }

  private mutating func outputs() -> [(name: String, value: Value)] {
    var outputs: [(String, Value)] = []
    for output in plan.outputs {
      let address = values.address(ofPart: "outputs/\(output.name)")
      do throws(StepFailure) {
        outputs.append((output.name, try values.evaluate(output, at: address)))
      } catch {
        execution.fail(values.explained(error, at: address), at: address, nil)
      }
    }
    return outputs
  }
}
