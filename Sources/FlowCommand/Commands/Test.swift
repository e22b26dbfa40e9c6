internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let test = Command(
    syntax: CommandSyntax(
      name: "test", summary: "Tests scenarios against their transcripts or on live components.",
      operands: .any("PATH"), options: options + Permissions.options,
      details: """
        A PATH is a scenario or a folder with scenarios. Default: the scenarios in flow.yaml, or
        else the working directory. Scenarios with a transcript are replayed. Scenarios without one
        run on their components, but fail if the variable CI is set, unless '--live' is given or
        they call no component. EXPR is a tag, or a CEL condition on tags, name and path.

        The mode of '--update' comes from the option, the environment variable FLOW_UPDATE or
        flow.yaml, in this order. Default: 'missing', or 'never' if the variable CI is set.
        Recordings under CI go to .flow/recorded, and the test fails. With --live=NAME, '--update
        missing' also calls the other components for reads without a recorded answer.

        The exit code is that of the worst scenario: 0 passed, 1 failed, 65 cannot be read, 73
        cannot be written, 129, 130 or 143 stopped by a signal. It is 64 if no scenario is
        selected.

        --results writes FOLDER/RUN/PART.ATTEMPT.json for 'flow merge', and leaves the project's
        state in .flow unchanged. A part without scenarios passes.

        --contract-threshold fails the suite if the calls cover less of a description of a service,
        the setting 'contract' of a component. KIND is operation, status, parameter, body or
        property. Thresholds of flow.yaml count with '--report contract'.

        A scenario with 'trials' runs several times on its components, and once on recorded answers.

        Live runs use the given inputs. A replay uses the recorded inputs, and notes the
        differences.

          flow test Scenarios --tag smoke
          flow test --live --inputs staging.yaml
          flow test --rerun-failed --fail-fast
          flow test --report html --report junit=build/tests.xml
          flow test --report contract --contract-threshold operation=100,status=80
          flow test --shard auto --results /shared/results
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try TestOptions(arguments, flow.process, flow.redactor)
    guard let project = flow.project(around: arguments.operands.first ?? ".") else {
      return .badInput
    }
    let settings = try ProjectSettings(project, arguments, flow.process)
    if options.shard != nil, arguments.has(ProjectSettings.thresholdOption.name) {
      throw .conflict(option: ProjectSettings.thresholdOption.name, with: "shard")
    }
    try flow.expectVerdict(of: settings, arguments)
    guard
      let flow = try flow.making(options.reports)
        .starting(fromStateOf: project, options.inputs, options.secrets)
    else { return .badInput }
    var suite = TestSuite(flow: flow, settings: settings, options: options)
    return try await flow.test(&suite, arguments.operands)
  }

  private static let options =
    GivenInputs.options + [
      LiveComponents.option(
        "Runs all components, or only these, and compares them with the transcript."
      ),
      Option(
        "update", .required("MODE"),
        "Selects the transcripts to write: never, missing, failed or all.",
        completion: .words(UpdateMode.allCases.map(\.rawValue))),
      Option(
        "jobs", .required("N"),
        "The number of scenarios to run at once. Default: one for each core, and others while they wait for servers."
      ),
      Option(
        "filter", .required("TEXT"), "Runs only scenarios with this text in their path or name."),
      Option(
        "tag", .required("EXPR"),
        "Runs only scenarios with this tag, or matching this condition.", completion: .tags),
      Option(
        "skip-tag", .required("EXPR"),
        "Skips scenarios with this tag, or matching this condition.", completion: .tags),
      Option("rerun-failed", .none, "Runs only scenarios that failed in their last run."),
      Option("fail-fast", .none, "Stops starting scenarios after the first failure."),
      Option(
        "shuffle", .required("SEED"),
        "Runs scenarios in the random order of the number SEED. 'random' chooses a number."),
      Option(
        "repeat", .required("N"),
        "Runs each scenario N times. A scenario that both passes and fails is flaky."),
      Option(
        "flaky", .required("MODE"), "The result of a flaky scenario: fail (the default) or pass.",
        completion: .words(["pass", "fail"])),
      Option(
        "shard", .required("I/N"),
        "Runs part I of N parts of about equal duration. 'auto' takes I and N from Slurm, Kubernetes, "
          + "Bazel or GitLab."),
    ] + ResultsPlace.options + [
      .secret, Set<ToleratedDeparture>.option, ProjectSettings.outputs.option(),
    ] + VerdictAdvice.options + [
      ReportRequests.option, ProjectSettings.thresholdOption,
      Option("quiet", .none, "Prints no lines for passed scenarios.", letter: "q"),
      Option(
        "no-quiet", .none,
        "Prints lines for passed scenarios, even if flow.yaml turns them off."),
      StatusLevel.option("status", "Prints a line for each finished scenario up to this level:"),
      StatusLevel.option("final", "Repeats the lines up to this level at the end:"),
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
    if operands.isEmpty { warnOfUnknownLimits(in: suite.settings, scenarios) }
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

  /// Warns of limits in flow.yaml for components that no scenario of the project has.
  private func warnOfUnknownLimits(in settings: ProjectSettings, _ scenarios: [SuiteScenario]) {
    let plans = scenarios.compactMap { try? $0.plan.get() }
    // A scenario that cannot be read may have them.
    guard let limits = settings.project.file?.atOnce, plans.count == scenarios.count else { return }
    let known = Set(plans.flatMap(\.componentNames)).sorted()
    for (name, limit) in limits.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
      let place = SettingOrigin.file(limit.span).text
      process.say(
        "\(place): no scenario has the component '\(name.escaped)'"
          + Suggestion.ending(for: name, among: known), as: .warning)
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
