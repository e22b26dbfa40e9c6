internal import FlowCore
internal import FlowReport
internal import FlowScenario

extension Command {
  static let list = Command(
    syntax: CommandSyntax(
      name: "list", summary: "Lists the plugins, the operations of one plugin, or the tests.",
      operands: .any("PLUGIN[.OPERATION]|PATH"),
      options: [
        Option("json", .none, "Prints JSON with all declarations of the plugins."),
        Option(
          "tests", .none, "Lists the scenarios that 'flow test' runs, with their cases.",
          completion: .files),
        Option(
          "format", .required("FORMAT"), "With --tests: prints text (the default) or json.",
          completion: .words(testOutputs.map(\.name))),
      ],
      details: """
        Without an argument, prints a line for each plugin.

        With --tests, a PATH is a scenario or a folder with scenarios, as for 'flow test'. Prints the
        file, line, name and tags of each, then the line and the name of each case. The cases are
        those of the transcript, or else those of lists in the scenario. Nothing is run. Exits with 65
        if a scenario has mistakes.

          flow list http
          flow list http.get
          flow list --tests
          flow list --tests Scenarios/prices.yaml --format json
        """)
  ) { (flow, arguments) throws(UsageError) in
    let output = try testOutputs.chosen(by: arguments)
    if arguments.has("tests") {
      if arguments.has("json") { throw .conflict(option: "json", with: "tests") }
      return try await flow.listTests(arguments, as: output)
    }
    if arguments.has("format") { throw .needs(option: "format", other: "tests") }
    if arguments.operands.count > 1 { throw .unwantedOperand(arguments.operands[1]) }
    do throws(RegistryError) {
      return try flow.list(arguments)
    } catch {
      return flow.unusable(error)
    }
  }

  private static let testOutputs: [ReportFormat<TestList>] = [.text, .json]
}

extension CommandContext {
  fileprivate func list(_ arguments: ParsedArguments) throws(RegistryError) -> ExitCode {
    let declared = declaredPlugins()
    guard let name = arguments.operands.first else {
      let plugins = try registry.pluginsBeforeExamples + declared
      let isJSON = arguments.has("json")
      process.output(isJSON ? PluginList.json(plugins) : PluginPage.overview(plugins))
      return .passed
    }
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    let own = declared.first { $0.plugin.name == parts[0] }
    guard let plugin = try registry.plugin(named: parts[0]) ?? own else {
      return unknown("plugin", parts[0], among: registry.names + declared.map(\.plugin.name))
    }
    if arguments.has("json") {
      process.output(PluginList.json([plugin]))
    } else if parts.count == 1 {
      process.output(PluginPage(plugin).text)
    } else if let operation = plugin.operations.first(where: { $0.name == parts[1] }) {
      process.output(PluginPage(plugin).text(of: operation))
    } else {
      let names = plugin.operations.map { "\(parts[0]).\($0.name)" }
      return unknown("operation", name, among: names)
    }
    return .passed
  }

  /// The plugins of the project around the working directory, none after noting a problem.
  private func declaredPlugins() -> [RegisteredPlugin] {
    do throws(PluginError) {
      return try KnownPlugins(registry).declaredPlugins(around: ".")
    } catch {
      note([error.message])
      return []
    }
  }

  fileprivate func unknown(_ kind: String, _ name: String, among names: [String]) -> ExitCode {
    let problem = "unknown \(kind) '\(name)'" + Suggestion.ending(for: name, among: names)
    process.say(problem.onOneLine)
    return .badCommandLine
  }
}
