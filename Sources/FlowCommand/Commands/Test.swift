internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let test = Command(
    syntax: CommandSyntax(
      name: "test", summary: "Tests scenarios by their transcripts, or on their components.",
      operands: .any("PATH"), options: options + Permissions.options,
      details: """
        A PATH is a scenario, or a folder whose scenarios are run. Without any it is what flow.yaml says,
        else the working directory. A scenario with a transcript next to it is replayed; one without is run on
        its components. Where CI is set, one without a transcript fails and is not run, unless --live is
        given or it calls no component. EXPR is a tag, or a condition in CEL over tags, name and path.

        --update decides which transcripts are written, else FLOW_UPDATE in the environment, else
        flow.yaml; without any it is 'missing', or 'never' where CI is set. What a run under CI records
        goes to .flow/recorded, and the run fails. With --live=NAME, '--update missing' also asks the other
        components for reads that are not recorded.

        The exit code is that of the worst scenario: 0 passed, 1 failed, 65 cannot be read, 73 cannot be
        written, 130 interrupted; 64 when no scenario is selected.

        --results writes FOLDER/RUN/PART.ATTEMPT.json for 'flow merge', and leaves the state of the project in
        .flow as it is. A part without scenarios passes.

        Live runs use the inputs that are given. A replay uses the recorded ones, and a note says where they
        differ.

          flow test Scenarios --tag smoke
          flow test --live --inputs staging.yaml
          flow test --rerun-failed --fail-fast
          flow test --report html --report junit=build/tests.xml
          flow test --shard auto --results /shared/results
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try TestOptions(arguments, flow.process, flow.redactor)
    guard let project = flow.project(around: arguments.operands.first ?? ".") else {
      return .badInput
    }
    let settings = try ProjectSettings(project, arguments, flow.process)
    let flow = flow.making(options.reports)
    var suite = TestSuite(flow: flow, settings: settings, options: options)
    return try await flow.test(&suite, arguments.operands)
  }

  private static let options =
    GivenInputs.options + [
      LiveComponents.option(
        "Runs all components, or those of these names, and compares them with the transcript."
      ),
      Option(
        "update", .required("MODE"),
        "Which transcripts are written: never, missing, failed or all.",
        completion: .words(UpdateMode.allCases.map(\.rawValue))),
      Option(
        "jobs", .required("N"), "How many scenarios run at once; one for each core unless given."),
      Option(
        "filter", .required("TEXT"), "Runs only scenarios with this text in their path or name."),
      Option(
        "tag", .required("EXPR"),
        "Runs only scenarios with this tag, or for which this condition holds."),
      Option(
        "skip-tag", .required("EXPR"),
        "Leaves out scenarios with this tag, or for which this condition holds."),
      Option("rerun-failed", .none, "Runs only scenarios that failed in their last run."),
      Option("fail-fast", .none, "Begins no further scenario after a failure."),
      Option(
        "shuffle", .required("SEED"),
        "Runs in an order drawn from the number SEED; 'random' draws that, too."),
      Option(
        "repeat", .required("N"),
        "Runs each scenario N times; one that passes and fails is flaky."),
      Option(
        "flaky", .required("MODE"), "What a flaky scenario is: fail (the default) or pass.",
        completion: .words(["pass", "fail"])),
      Option(
        "shard", .required("I/N"),
        "Runs part I of N parts that take about equally long; 'auto' takes both from Slurm, Kubernetes, "
          + "Bazel or GitLab."),
    ] + ResultsPlace.options + [
      .secret, Set<ToleratedDeparture>.option, ProjectSettings.outputs.option(),
      ReportRequests.option,
      Option("quiet", .none, "Prints no line for a scenario that passed."),
      Option(
        "no-quiet", .none,
        "Prints a line also for each scenario that passed, whatever flow.yaml says."),
      StatusLevel.option("status", "Which scenarios have a line when they end:"),
      StatusLevel.option("final", "Which have it once more at the end:"),
    ]
}

extension CommandContext {
  fileprivate func test(
    _ suite: inout TestSuite, _ operands: [String]
  ) async throws(UsageError) -> ExitCode {
    if operands.contains("") { throw .emptyPath }
    let paths = operands.isEmpty ? suite.settings.scenarios.value : operands
    if let path = suite.settings.project.pathOfAnotherProject(in: paths) {
      throw .otherProject(path)
    }
    let (scenarios, state): ([SuiteScenario], SuiteState)
    do throws(FileError) {
      scenarios = try await suite.load(paths)
      state = try suite.readState()
    } catch {
      process.say("\(error)")
      return .badInput
    }
    if Task.isCancelled { return .interrupted }
    if scenarios.isEmpty { throw .noScenario(in: paths) }
    let selection = TestSelection(options: suite.options, state: state)
    // All parts together, so that each part reports the same problems of the options.
    let all = try selection.selected(from: scenarios).refusingSharedTranscripts()
      .map { $0.live(suite.options.live, suite.settings) }
    try suite.options.live.check(all.compactMap { try? $0.plan.get() })
    guard read(&suite.options.inputs, for: all) else { return .badInput }
    touchStatusFile(suite.options)
    let part = SuitePart(all, of: selection)
    return await interruptibly { [suite] in await suite.run(part, state) }.value
  }
}

extension CommandContext {
  /// Tells Bazel that sharding is supported.
  ///
  /// Without it Bazel would run the whole suite once.
  private func touchStatusFile(_ options: TestOptions) {
    guard options.shard != nil,
      let file = ShardEnvironment(variable: process.variable).statusFile
    else { return }
    do throws(FileError) { try FileSystem.append([], to: file) } catch {
      process.say("\(error)", as: .warning)
    }
  }

  /// Reads the given inputs and checks that the scenarios have them.
  ///
  /// False after printing problems.
  private func read(_ inputs: inout GivenInputs, for scenarios: [SuiteScenario]) -> Bool {
    let plans = scenarios.compactMap { try? $0.plan.get() }
    do throws(ScenarioError) {
      try inputs.readFile()
      // A scenario that cannot be read may have them.
      if plans.count == scenarios.count { try inputs.check(among: plans) }
      return true
    } catch {
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
      return false
    }
  }
}

extension TestSuite {
  /// Reads the state of the project.
  ///
  /// An unreadable state counts as empty if nothing depends on it.
  fileprivate func readState() throws(FileError) -> SuiteState {
    do throws(FileError) {
      return try SuiteState(reading: settings.project.folder)
    } catch {
      if options.rerunsFailed || options.shard != nil { throw error }
      return SuiteState()
    }
  }
}
