internal import FlowCore
internal import FlowSystem

/// The document that `flow list --json` prints.
enum PluginList {
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
      .init("role", .string(use.role.title)), .init("summary", .string(use.role.summary)),
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
      .init("output", json(operation.listedOutput)),
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
            + (field.comparison == .always
              ? [] : [.init("compared", .string(field.comparison.phrase))])
            + (field.isCode ? [.init("code", .bool(true))] : [])
            + (field.type.recordInside.map { [.init("fields", json($0.type))] } ?? []))
      })
  }
}
