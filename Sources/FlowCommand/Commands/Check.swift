internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

extension Command {
  static let check = Command(
    syntax: CommandSyntax(
      name: "check", summary: "Finds mistakes in scenarios without running them.",
      operands: .any("PATH"),
      options: [
        outputs.option(),
        Option("strict", .none, "Treats warnings as errors."), .quiet,
        Option(
          "verbose", .none,
          "Also prints the parts of each step's answer that the scenario reads.", letter: "v"),
        Option(
          "stdin-filename", .required("PATH"),
          "The file of the scenario on standard input, for messages and for the paths in it."),
        Option(
          "contract", .required("[NAME=]FILE"),
          "Compares the recorded calls of the component NAME, or of all with a description, with this one. Can be repeated."
        ),
        Option(
          "journals", .required("FOLDER"),
          "Judges if the scenarios go on with the open runs below this folder of journals, in this journal, or in postgres://HOST/DATABASE. Can be repeated."
        ),
      ] + VerdictAdvice.options,
      details: """
        A PATH is a scenario, a folder with scenarios, or '-' for standard input. Default: the
        scenarios in flow.yaml, or else the working directory.

        Prints every mistake with its file, line and column, and similar names for an unknown name.
        At the end it prints the number of scenarios with mistakes, or the needs of each scenario.

        With --verbose, it also prints the parts of each step's answer that the scenario reads:
        'status, json.id', 'has(json.next)' for the presence of a part, 'everything' or 'nothing'.
        Some fields are compared in a live run only where the scenario reads them, such as headers.

        With --contract, names each recorded call that an OpenAPI description does not allow, such
        as the description of the service's next version. Nothing is run. Exits with 1 if there is
        one.

        With --journals, judges for each run that has not ended if its scenario, as it is now, goes
        on with it, by a resumed run without components. Names the first step that differs: it was
        renamed, moved or removed, has another input, or something new comes before it. Writes and
        locks nothing. Exits with 1 if a run cannot go on, after naming the commands that go on. Of a
        failed run it says if 'flow resume --retry-failed' would go on. PATHs are then the scenarios
        whose journals are judged.

        Exits with 0 if no scenario has a mistake, and with 65 otherwise. 'flow explain CODE'
        explains a mistake.

          flow check Scenarios
          flow import requests.har | flow check -
          flow check - --stdin-filename Scenarios/shop.yaml < buffer
          flow check --contract api=new/openapi.yaml Scenarios
          flow check --journals orders
        """)
  ) { (flow, arguments) throws(UsageError) in
    if arguments.has("journals") {
      for option in ["contract", "strict", "verbose", "stdin-filename"]
      where arguments.has(option) {
        throw .conflict(option: option, with: "journals")
      }
      return try await flow.checkJournals(
        arguments.values("journals"), of: arguments.operands,
        try [ReportFormat<JournalReport>.progress, .json].chosen(by: arguments))
    }
    let output = try outputs.chosen(by: arguments)
    if arguments.has("verbose"), arguments.has("quiet") {
      throw .conflict(option: "quiet", with: "verbose")
    }
    let inputName = try nameOfInput(arguments)
    guard let project = flow.project(around: inputName ?? arguments.operands.first ?? ".") else {
      return .badInput
    }
    flow.redactor.use(project.file?.patterns ?? [])
    let excluded = (project.file?.exclude ?? []).map { project.path($0.value) }
    let own = (project.file?.scenarios ?? []).map { project.path($0.value) }
    let paths =
      !arguments.operands.isEmpty ? arguments.operands : own.isEmpty ? [project.path(".")] : own
    let contracts = arguments.values("contract").map(GivenContract.init)
    let checked: [CheckReport]
    var flow = flow
    do throws(FileError) {
      if paths.contains(StandardInput.operand) {
        flow = try flow.readingInput(named: inputName ?? StandardInput.name)
      }
      if !contracts.isEmpty {
        let files = try flow.files(paths, excluding: excluded)
        return flow.checkContracts(contracts, files, output)
      }
      checked = try flow.check(paths, excluding: excluded, in: project)
    } catch {
      flow.process.say("\(error)")
      return .badInput
    }
    if checked.isEmpty { throw .noScenario(in: paths) }
    return flow.report(
      checked, output, isStrict: arguments.has("strict"), isVerbose: arguments.has("verbose"))
  }

  /// Returns the path of the scenario on standard input, or nil without one.
  private static func nameOfInput(_ arguments: ParsedArguments) throws(UsageError) -> String? {
    guard let path = try arguments.only("stdin-filename") else { return nil }
    if path.isEmpty { throw .emptyPath }
    if !arguments.operands.contains(StandardInput.operand) {
      throw .needsStandardInput(option: "stdin-filename")
    }
    return Path.plain(path)
  }

  private static let outputs: [ReportFormat<CheckReport>] = [
    .progress, .json,
    SARIF.output(version: CommandContext.version, folder: FileSystem.realPath(".") ?? "/") {
      Rule.all.map { SARIF.Rule($0.code, title: $0.title, explanation: $0.explanation) }
    },
  ]
}

extension CommandContext {
  /// Returns the problems of the given files, of the scenarios in the given folders, and of
  /// standard input, each file once.
  fileprivate func check(
    _ paths: [String], excluding excluded: [String], in project: Project
  ) throws(FileError) -> [CheckReport] {
    let loader = ScenarioLoader(registry: registry)
    let checked = try files(paths, excluding: excluded).compactMap {
      check($0, by: loader, in: project)
    }
    guard let input else { return checked }
    do throws(ScenarioError) { return checked + [try check(input, by: loader, in: project)] } catch
    {
      return checked + [CheckReport(error.diagnostics, file: input.file)]
    }
  }

  /// Returns the scenarios at paths, each once.
  fileprivate func files(
    _ paths: [String], excluding excluded: [String]
  ) throws(FileError) -> [FoundFile] {
    let finder = ScenarioFinder(excluding: excluded)
    var (files, known): ([FoundFile], Set<[UInt8]>) = ([], [])
    for path in paths where path != StandardInput.operand {
      let found = try finder.files(at: [path])
      note(projects: found.projects, notBeing: "checked")
      files += found.files.filter { known.insert(Array($0.fullPath.utf8)).inserted }
    }
    return files
  }

  fileprivate func report(
    _ checked: [CheckReport], _ output: ReportFormat<CheckReport>, isStrict: Bool, isVerbose: Bool
  ) -> ExitCode {
    let report = CheckReport(joining: checked)
    let wrong = checked.count { scenario in
      scenario.diagnostics.contains { isStrict || $0.severity == .error }
    }
    let code = wrong == 0 ? ExitCode.passed : .badInput
    if write(report, as: output) {
      collect(report.diagnostics)
      verdict.count(report.counts(of: checked.count))
      return code
    }
    print(report.diagnostics)
    if wrong == 0 { confirm(report.needsText) }
    if isVerbose { process.output(report.readsText) }
    let found = Self.text(of: report.diagnostics)
    if isQuiet, report.diagnostics.isEmpty { return code }
    process.output(
      wrong == 0 || checked.count == 1
        ? "\(checked.count) \(checked.count == 1 ? "scenario" : "scenarios") checked, \(found)\n"
        : "\(wrong) of \(checked.count) scenarios \(wrong == 1 ? "has" : "have") mistakes: \(found)\n"
    )
    return code
  }

  /// Returns a summary such as `3 errors, 1 warning`.
  private static func text(of diagnostics: [Diagnostic]) -> String {
    let errors = diagnostics.count { $0.severity == .error }
    let counts = [(errors, "error"), (diagnostics.count - errors, "warning")].filter { $0.0 > 0 }
    if counts.isEmpty { return "no mistakes" }
    return counts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  /// Returns the problems or the needs of a file, or nil for a file found in a folder that is no
  /// scenario.
  private func check(
    _ file: FoundFile, by loader: ScenarioLoader, in project: Project
  ) -> CheckReport? {
    do throws(ScenarioError) {
      let source = try ScenarioSource(reading: file.path)
      do throws(ScenarioError) {
        return try check(source, by: loader, in: project)
      } catch {
        guard file.isMeant(source) else { return nil }
        throw error
      }
    } catch {
      return CheckReport(error.diagnostics, file: file.path)
    }
  }

  private func check(
    _ source: ScenarioSource, by loader: ScenarioLoader, in project: Project
  ) throws(ScenarioError) -> CheckReport {
    let (plan, warnings) = try loader.check(source, hidingSecretsBy: redactor)
    let live = project.liveComponents(of: plan, at: source.file)
    let closed = plan.components.filter { live.contains($0.name) }.map {
      $0.place.span(in: source.file)
    }
    let rest = warnings.filter { warning in
      warning.code != .closedReplay || !closed.contains { $0 == warning.span }
    }
    return CheckReport(rest, of: plan, file: source.file)
  }
}

extension Project {
  /// The components that flow.yaml runs live in the tests of the scenario at a path.
  fileprivate func liveComponents(of plan: Plan, at path: String) -> Set<String> {
    let rules = (file?.live ?? []).filter { $0.isMeant(for: plan, at: path, in: self) }
    return Set(rules.flatMap(\.components).map(\.value))
  }
}
