internal import FlowCore
internal import FlowScenario
internal import FlowSystem

extension Command {
  static let watch = Command(
    syntax: CommandSyntax(
      name: "watch", summary: "Replays scenarios whenever they change, until Ctrl-C.",
      operands: .any("PATH"), options: [],
      details: """
        A PATH is a scenario, or a folder with scenarios. Without any it is what flow.yaml says, else the
        working directory. All are replayed first, and then those that change, or all when another YAML
        file does, such as a part or flow.yaml. A scenario without a transcript is checked only: no
        component is called, and nothing is recorded.

        Ctrl-C ends it with 130.

          flow watch Scenarios
        """)
  ) { (flow, arguments) throws(UsageError) in
    if arguments.operands.contains("") { throw .emptyPath }
    guard let project = flow.project(around: arguments.operands.first ?? ".") else {
      return .badInput
    }
    let settings = try ProjectSettings(project, arguments, flow.world)
    let paths = arguments.operands.isEmpty ? settings.scenarios.value : arguments.operands
    do throws(FileError) {
      let watch = try WatchedScenarios(
        paths, excluding: settings.exclude.value, projectFolder: project.folder)
      return await flow.replay(watch)
    } catch {
      flow.world.errorOutput("flow: \(error)\n")
      return .badInput
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
      do throws(FileError) {
        repeat { scenarios = try watch.changedScenarios() } while scenarios.isEmpty
      } catch {
        world.errorOutput("flow: \(error)\n")
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
      world.errorOutput("flow: \(error.message)\n")
      return .badCommandLine
    }
  }
}
