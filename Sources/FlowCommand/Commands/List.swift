internal import FlowCore
internal import FlowScenario

extension Command {
  static let list = Command(
    syntax: CommandSyntax(
      name: "list", summary: "Lists the plugins, or the settings and operations of one plugin.",
      operands: .upToOne("PLUGIN[.OPERATION]"),
      options: [Option("json", .none, "Prints JSON with all declarations of the plugins.")],
      details: """
        Without an argument, prints a line for each plugin.

          flow list http
          flow list http.get
        """)
  ) { (flow, arguments) throws(UsageError) in
    do throws(RegistryError) {
      return try flow.list(arguments)
    } catch {
      return flow.unusable(error)
    }
  }
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
