internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

extension CommandContext {
  /// Prints the scenarios at paths, or of the project, as tests.
  ///
  /// Exits with 65 if one of them cannot run.
  func listTests(
    _ arguments: ParsedArguments, as output: ReportFormat<TestList>
  ) async throws(UsageError) -> ExitCode {
    let operands = arguments.operands
    if operands.contains("") { throw .emptyPath }
    let options = try TestOptions(arguments, process, redactor)
    guard let project = project(around: operands.first ?? ".") else { return .badInput }
    let settings = try ProjectSettings(project, arguments, process)
    redactor.use(project.file?.patterns ?? [])
    let paths = operands.isEmpty ? settings.scenarios.value : operands
    if let path = project.pathOfAnotherProject(in: paths) { throw .otherProject(path) }
    let scenarios: [SuiteScenario]
    do throws(FileError) {
      scenarios = try await TestSuite(flow: self, settings: settings, options: options).load(paths)
    } catch {
      process.say("\(error)")
      return .badInput
    }
    let shown = scenarios.refusingSharedTranscripts().map { $0.live(options.live, settings) }
    var tests: [TestList.Test] = []
    await Jobs(limit: settings.jobs.value).run(shown) { _, scenario in
      await test(of: scenario)
    } receive: {
      tests.append($0)
    }
    write(TestList(tests), as: output)
    return tests.contains { !$0.problems.isEmpty } ? .badInput : .passed
  }

  private func test(of scenario: SuiteScenario) async -> TestList.Test {
    var test = TestList.Test(file: scenario.path)
    test.isRecorded = FileSystem.isOccupied(scenario.transcript)
    switch scenario.plan {
    case .failure(let error):
      error.hideSecrets(by: redactor)
      test.problems = error.diagnostics
      let place = error.diagnostics.lazy.compactMap(\.span).first { $0.file == scenario.path }
      test.line = place?.start.line ?? 1
    case .success(let plan):
      plan.hideSecrets(inputs: [], by: redactor)
      test.name = scenario.name
      test.line = plan.place.span(in: plan.file).start.line
      test.tags = plan.tags
      test.live = scenario.live.names(in: plan).sorted()
      test.cases = await cases(of: plan, recordedAt: scenario.transcript)
    }
    return test
  }

  /// Returns the cases of a scenario's recording, or else those that the scenario itself has.
  ///
  /// Only a run knows the cases of a loop over an answer, and the recording is one.
  private func cases(of plan: Plan, recordedAt path: String) async -> [PlannedCase] {
    guard ([plan] + plan.allScenarios).contains(where: \.hasCases) else { return [] }
    guard FileSystem.isOccupied(path),
      let trace = await recordedTrace(of: plan, at: path, keepingValues: false)
    else { return plan.writtenCases(hidingBy: redactor) }
    return trace.cases(of: plan)
  }
}

extension Plan {
  fileprivate var hasCases: Bool {
    var found = false
    for step in allSteps { step.visit { if $0.action.loop?.cases != nil { found = true } } }
    return found
  }
}

extension RunTrace {
  /// The cases of a run, in the order of their start.
  fileprivate func cases(of plan: Plan) -> [PlannedCase] {
    var loops: [String: (loop: PlannedLoop, file: String)] = [:]
    return spans.compactMap { span in
      guard case .iteration = span.kind, let iteration = span.address.iterations.last,
        let (loop, file) = loops[span.address.path] ?? plan.loop(at: span.address.path)
      else { return nil }
      loops[span.address.path] = (loop, file)
      return loop.casePlaces.map { places in
        PlannedCase(name: span.title, span: places.place(at: iteration - 1).span(in: file))
      }
    }
  }
}
