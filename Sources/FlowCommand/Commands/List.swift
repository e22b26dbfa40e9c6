internal import FlowCore
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let list = Command(
    syntax: CommandSyntax(
      name: "list", summary: "Lists the plugins, or the settings and operations of one.",
      operands: .upToOne("PLUGIN[.OPERATION]"),
      options: [Option("json", .none, "Prints JSON: all that is known of the plugins.")],
      details: """
        Without an operand it prints a line for each plugin.

          flow list http
          flow list http.get
        """)
  ) { (flow, arguments) throws(UsageError) in
    guard let name = arguments.operands.first else {
      let plugins = flow.registry.plugins
      let isJSON = arguments.has("json")
      flow.world.output(isJSON ? PluginList.json(plugins) : PluginList.overview(plugins))
      return .passed
    }
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let plugin = flow.registry.plugin(named: parts[0]) else {
      return flow.unknown("plugin", parts[0], among: flow.registry.plugins.map(\.plugin.name))
    }
    if arguments.has("json") {
      flow.world.output(PluginList.json([plugin]))
    } else if parts.count == 1 {
      flow.world.output(PluginList.details(plugin))
    } else if let operation = plugin.operations.first(where: { $0.name == parts[1] }) {
      flow.world.output(PluginList.text(of: operation, plugin))
    } else {
      let names = plugin.operations.map { "\(parts[0]).\($0.name)" }
      return flow.unknown("operation", name, among: names)
    }
    return .passed
  }
}

extension CommandContext {
  fileprivate func unknown(_ kind: String, _ name: String, among names: [String]) -> ExitCode {
    let near = Suggestion.nearest(to: name, among: names)
    let offer = Suggestion.phrase(near).map { "; \($0)" } ?? ""
    world.errorOutput("flow: unknown \(kind) '\(name)'\(offer)\n")
    return .badCommandLine
  }
}

private enum PluginList {
  static func overview(_ plugins: [RegisteredPlugin]) -> String {
    if plugins.isEmpty { return "no plugins\n" }
    return HelpText.columns(
      plugins.map { ("\($0.plugin.name) \($0.plugin.version)", $0.plugin.summary + reaches($0)) })
      + "\n'flow list PLUGIN' shows the settings and operations of one.\n"
  }

  static func details(_ plugin: RegisteredPlugin) -> String {
    var text = "\(plugin.plugin.name) \(plugin.plugin.version): \(plugin.plugin.summary)\n"
    if !plugin.plugin.reaches.isEmpty { text += " reaches \(plugin.plugin.reaches.text)\n" }
    text += fields("settings", plugin.settings) + roles(plugin)
    text += plugin.operations.map { "\n" + self.text(of: $0, plugin) }.joined()
    if !plugin.events.isEmpty {
      let rows = plugin.events.map { ("\(plugin.plugin.name).\($0.name)", $0.summary) }
      text += "\nevents\n" + HelpText.columns(rows)
    }
    return text
  }

  static func text(of operation: OperationDescription, _ plugin: RegisteredPlugin) -> String {
    let errors = operation.errors.map { ($0.name, $0.summary) }
    return "\(plugin.plugin.name).\(operation.name): \(operation.summary)\n"
      + fields("with", operation.input) + fields("answers", operation.output)
      + (errors.isEmpty ? "" : " errors\n" + HelpText.columns(errors))
  }

  private static func reaches(_ plugin: RegisteredPlugin) -> String {
    plugin.plugin.reaches.isEmpty ? "" : " Reaches \(plugin.plugin.reaches.text)."
  }

  /// What `using:` is for: the roles, and what is called of each.
  private static func roles(_ plugin: RegisteredPlugin) -> String {
    if plugin.roles.isEmpty { return "" }
    let rows = plugin.roles.map { use in
      let event = use.kind == .event ? ", an event" : ""
      let optional = use.role.isOptional ? ", may be left out" : ""
      return (use.role.name, "\(use.member)\(event)\(optional). \(use.role.summary)")
    }
    return " using\n" + HelpText.columns(rows)
  }

  private static func fields(_ title: String, _ type: RecordType) -> String {
    if type.fields.isEmpty { return "" }
    let rows = type.fields.map { field in
      let absent = field.defaultValue.map { $0 == .null ? "" : ", \($0) unless given" } ?? ""
      let secret = field.isSecret ? ", secret" : ""
      let volatile = field.isVolatile ? ", volatile" : ""
      let code = field.isCode ? ", code" : ""
      return (field.name, "\(field.type)\(secret)\(absent)\(volatile)\(code). \(field.summary)")
    }
    return " \(title)\n" + HelpText.columns(rows)
  }

  static func json(_ plugins: [RegisteredPlugin]) -> String {
    var writer = JSONWriter()
    writer.value(.array(plugins.map(json)))
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private static func json(_ plugin: RegisteredPlugin) -> JSON {
    .object([
      .init("name", .string(plugin.plugin.name)), .init("version", .string(plugin.plugin.version)),
      .init("summary", .string(plugin.plugin.summary)),
      .init("state", plugin.plugin.state.map { .string($0.rawValue) } ?? .null),
      .init("reaches", .array(plugin.plugin.reaches.inOrder.map { .string($0.rawValue) })),
      .init("settings", json(plugin.settings)),
      .init("roles", .array(plugin.roles.map(json))),
      .init("operations", .array(plugin.operations.map(json))),
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

  private static func json(_ operation: OperationDescription) -> JSON {
    .object([
      .init("name", .string(operation.name)), .init("summary", .string(operation.summary)),
      .init("retry", .string(operation.retry.rawValue)), .init("input", json(operation.input)),
      .init("output", json(operation.output)),
      .init(
        "errors",
        .array(
          operation.errors.map {
            .object([.init("name", .string($0.name)), .init("summary", .string($0.summary))])
          })),
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
            + (field.isCode ? [.init("code", .bool(true))] : []))
      })
  }
}
