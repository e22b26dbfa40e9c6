internal import FlowCore
internal import FlowSystem

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
  /// Prints the problem of the plugins built into this flow.
  func unusable(_ error: RegistryError) -> ExitCode {
    process.say("\(error)")
    return .internalError
  }

  fileprivate func list(_ arguments: ParsedArguments) throws(RegistryError) -> ExitCode {
    guard let name = arguments.operands.first else {
      let plugins = try registry.pluginsBeforeExamples
      let isJSON = arguments.has("json")
      process.output(isJSON ? PluginList.json(plugins) : PluginPage.overview(plugins))
      return .passed
    }
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let plugin = try registry.plugin(named: parts[0]) else {
      return unknown("plugin", parts[0], among: registry.names)
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

  fileprivate func unknown(_ kind: String, _ name: String, among names: [String]) -> ExitCode {
    let problem = "unknown \(kind) '\(name)'" + Suggestion.ending(for: name, among: names)
    process.say(problem.onOneLine)
    return .badCommandLine
  }
}

private enum PluginList {
  static func json(_ plugins: [RegisteredPlugin]) -> String {
    JSON.array(plugins.map(json)).text.shownJSON + "\n"
  }

  private static func json(_ plugin: RegisteredPlugin) -> JSON {
    .object([
      .init("name", .string(plugin.plugin.name)), .init("version", .string(plugin.plugin.version)),
      .init("summary", .string(plugin.plugin.summary)),
      .init("example", .bool(plugin.plugin.isExample)),
      .init("state", plugin.plugin.state.map { .string($0.rawValue) } ?? .null),
      .init("reaches", .array(plugin.plugin.reaches.inOrder.map { .string($0.rawValue) })),
      .init("settings", json(plugin.settings)),
      .init("roles", .array(plugin.roles.map(json))),
      .init("operations", .array(plugin.operations.map { json($0, of: plugin.plugin.name) })),
      .init(
        "events",
        .array(
          plugin.events.map {
            .object([
              .init("name", .string($0.name)), .init("summary", .string($0.summary)),
              .init("payload", json($0.payload)),
            ])
          })),
    ])
  }

  private static func json(_ use: RoleRequirement) -> JSON {
    let common: [JSON.Member] = [
      .init("role", .string(use.role.name)), .init("summary", .string(use.role.summary)),
      .init("required", .bool(!use.role.isOptional)),
    ]
    return switch use.kind {
    case .operation:
      .object(
        common + [
          .init("operation", .string(use.member)), .init("input", json(use.input)),
          .init("output", json(use.output)),
        ])
    case .event:
      .object(common + [.init("event", .string(use.member)), .init("payload", json(use.output))])
    }
  }

  private static func json(_ operation: OperationDescription, of plugin: String) -> JSON {
    .object([
      .init("name", .string(operation.name)), .init("summary", .string(operation.summary)),
      .init("retry", operation.retry.map { .string($0.rawValue) } ?? .null),
      .init("readOnly", .bool(operation.isReadOnly)), .init("input", json(operation.input)),
      .init("output", json(operation.output)),
      .init(
        "errors",
        .array(
          operation.errors.map {
            .object([.init("name", .string($0.name)), .init("summary", .string($0.summary))])
          })),
      .init(
        "example",
        .string(OperationExample(operation, of: plugin).lines.map { $0 + "\n" }.joined())),
    ])
  }

  private static func json(_ type: RecordType) -> JSON {
    .array(
      type.fields.map { field in
        .object(
          [
            .init("name", .string(field.name)), .init("type", .string("\(field.type)")),
            .init("required", .bool(field.isRequired)), .init("secret", .bool(field.isSecret)),
            .init("summary", .string(field.summary)),
          ] + (field.isVolatile ? [.init("volatile", .bool(true))] : [])
            + (field.isCode ? [.init("code", .bool(true))] : [])
            + (field.type.recordInside.map { [.init("fields", json($0.type))] } ?? []))
      })
  }
}
