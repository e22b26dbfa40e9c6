internal import FlowCore
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario

extension Command {
  static let check = Command(
    syntax: CommandSyntax(
      name: "check", summary: "Finds the mistakes of scenarios without running them.",
      operands: .many("PATH"),
      options: [
        outputs.option(),
        Option("strict", .none, "Treats warnings as errors."),
      ],
      details: """
        A PATH is a scenario, or a folder whose scenarios are checked.

        Prints every mistake with file, line and column, and where a name is unknown what it may mean.
        Exits with 0 when no scenario has a mistake, with 65 when one has. 'flow explain CODE' explains
        a mistake.
        """)
  ) { (flow, arguments) throws(UsageError) in
    let output = try outputs.chosen(by: arguments)
    guard let project = flow.project(around: arguments.operands[0]) else { return .badInput }
    flow.redactor.use(project.file?.patterns ?? [])
    let excluded = (project.file?.exclude ?? []).map { project.path($0.value) }
    let files: [FoundFile]
    do throws(FileError) {
      files = try flow.files(at: arguments.operands, excluding: excluded)
    } catch {
      flow.world.errorOutput("flow: \(error)\n")
      return .badInput
    }
    let found = files.compactMap(flow.check)
    if found.isEmpty { throw .noScenario(in: arguments.operands) }
    return flow.report(found, output, isStrict: arguments.has("strict"))
  }

  private static let outputs: [Output<CheckReport>] = [
    .progress, .json,
    SARIF.output(version: CommandContext.version) {
      Rule.all.map { SARIF.Rule($0.code, title: $0.title, explanation: $0.explanation) }
    },
  ]
}

extension CommandContext {
  /// The files that are named, and those in the folders that are, each once.
  fileprivate func files(
    at paths: [String], excluding excluded: [String]
  ) throws(FileError) -> [FoundFile] {
    let finder = ScenarioFinder(excluding: excluded)
    var (files, known): ([FoundFile], Set<[UInt8]>) = ([], [])
    for path in paths {
      let found = try finder.files(at: [path])
      note(projects: found.projects, notBeing: "checked")
      files += found.files.filter { known.insert(Array($0.fullPath.utf8)).inserted }
    }
    return files
  }

  fileprivate func report(
    _ files: [CheckReport], _ output: Output<CheckReport>, isStrict: Bool
  ) -> ExitCode {
    let report = CheckReport(joining: files)
    let diagnostics = report.diagnostics
    let isClean = !diagnostics.contains { isStrict || $0.severity == .error }
    if write(report, as: output) { return isClean ? .passed : .badInput }
    print(diagnostics)
    guard isClean else { return .badInput }
    world.output(report.needsText)
    let count = "\(files.count) \(files.count == 1 ? "scenario" : "scenarios") checked"
    let warnings = diagnostics.count
    let found =
      switch warnings {
      case 0: "no mistakes"
      case 1: "1 warning"
      default: "\(warnings) warnings"
      }
    world.output("\(count), \(found)\n")
    return .passed
  }

  /// What is wrong with a file, or what it needs; nil for one that was found in a folder and is not a scenario.
  fileprivate func check(_ file: FoundFile) -> CheckReport? {
    do throws(ScenarioError) {
      let source = try ScenarioSource(reading: file.path)
      do throws(ScenarioError) {
        let (plan, warnings) = try ScenarioLoader(registry: registry)
          .check(source, hidingSecretsBy: redactor)
        return CheckReport(warnings, of: plan, file: file.path)
      } catch {
        guard file.isMeant(source) else { return nil }
        throw error
      }
    } catch {
      return CheckReport(error.diagnostics)
    }
  }
}
