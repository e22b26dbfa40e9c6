internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

extension Command {
  static let watch = Command(
    syntax: CommandSyntax(
      name: "watch", summary: "Replays scenarios whenever they change, until Ctrl-C.",
      operands: .any("PATH"), options: [],
      details: """
        A PATH is a scenario or a folder with scenarios. Default: the scenarios in flow.yaml, or
        else the working directory. All are replayed at the start, and changed ones after each
        change, also of a file that the recorded run read. A change of another YAML file, such as
        flow.yaml, or of a schema replays all. A scenario without a transcript is only checked: no
        component is called, and nothing is recorded.

        The exit code after Ctrl-C is 130.

          flow watch Scenarios
        """)
  ) { (flow, arguments) throws(UsageError) in
    if arguments.operands.contains("") { throw .emptyPath }
    guard let project = flow.project(around: arguments.operands.first ?? ".") else {
      return .badInput
    }
    let settings = try ProjectSettings(project, arguments, flow.process)
    let paths = arguments.operands.isEmpty ? settings.scenarios.value : arguments.operands
    let problems = paths.flatMap(unreadable)
    if !problems.isEmpty {
      flow.print(problems)
      return .badInput
    }
    let watch: WatchedScenarios
    do throws(FileError) {
      watch = try WatchedScenarios(
        paths, excluding: settings.exclude.value, projectFolder: project.folder,
        registry: flow.registry)
    } catch {
      flow.process.say("\(error)")
      return .badInput
    }
    if watch.scenarios.isEmpty { throw .noScenario(in: paths) }
    return await flow.replay(watch)
  }

  /// Returns the reason why a path cannot be read as a scenario.
  ///
  /// Empty for a folder and a readable file.
  private static func unreadable(_ path: String) -> [Diagnostic] {
    if FileSystem.isDirectory(path) { return [] }
    do throws(ScenarioError) {
      _ = try ScenarioSource(reading: Path.plain(path))
      return []
    } catch {
      return error.diagnostics
    }
  }
}

extension CommandContext {
  fileprivate func replay(_ watch: WatchedScenarios) async -> ExitCode {
    var watch = watch
    var scenarios = watch.scenarios
    while true {
      let code = await replay(scenarios)
      if code == .interrupted { return code }
      // Waiting needs no cancellation, so a signal ends the process.
      let signals = process.takesSignals ? Interruption.ending() : []
      defer { for signal in signals { signal.release() } }
      do throws(FileError) {
        repeat { scenarios = try watch.changedScenarios() } while scenarios.isEmpty
      } catch {
        process.say("\(error)")
        return .badInput
      }
    }
  }

  /// Checks the scenarios without a transcript, and replays the others, as `flow check` and `flow test` do.
  private func replay(_ scenarios: [String]) async -> ExitCode {
    let recorded = scenarios.filter { FileSystem.isOccupied(Path.transcript(of: $0)) }
    let others = scenarios.filter { !recorded.contains($0) }
    do throws(UsageError) {
      if !others.isEmpty {
        _ = try await Command.check.run(self, ParsedArguments(operands: others))
      }
      if recorded.isEmpty { return .passed }
      let options = [("update", "never"), ("quiet", "")]
        .map { ParsedArguments.Given(name: $0.0, value: $0.1) }
      return try await Command.test.run(
        self, ParsedArguments(operands: recorded, options: options))
    } catch {
      process.say("\(error.message)")
      return .badCommandLine
    }
  }
}
