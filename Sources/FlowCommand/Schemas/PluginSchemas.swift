internal import FlowCore
internal import FlowPlan
internal import FlowSystem

/// The schemas of the plugins that scenarios of a project can use.
///
/// Components have names of their own, so the plugin of an operation is not known from its name
/// alone. An operation's name decides, and if several plugins have an operation of this name, each
/// of them may be meant.
struct PluginSchemas: Sendable {
  let plugins: [RegisteredPlugin]
  /// The families of the plugins that projects declare.
  let families: [RegisteredFamily]

  /// The operations of all plugins, by name, in the order of the plugins.
  private var operations: [(name: String, of: [(RegisteredPlugin, OperationDescription)])] {
    plugins.flatMap { plugin in plugin.operations.map { ($0.name, (plugin, $0)) } }.grouped
  }

  // MARK: - Names

  /// The names of the plugins.
  var name: SchemaPart {
    plugins.isEmpty
      ? SchemaPart("string") : .either(plugins.map { Self.word($0.plugin.name, $0.plugin.summary) })
  }

  /// The operations, under the names of the plugins and under those of any component.
  var operation: SchemaPart {
    members(plugins.flatMap { plugin in plugin.operations.map { (plugin, $0.name, $0.summary) } })
  }

  /// The events, in the same way.
  var event: SchemaPart {
    members(plugins.flatMap { plugin in plugin.events.map { (plugin, $0.name, $0.summary) } })
  }

  private func members(
    _ members: [(plugin: RegisteredPlugin, name: String, summary: String)]
  ) -> SchemaPart {
    let words = members.map { Self.word("\($0.plugin.plugin.name).\($0.name)", $0.summary) }
    let names = members.map(\.name).unique.joined(separator: "|")
    let any = SchemaPart("string", pattern: #"^[A-Za-z_][A-Za-z0-9_]*\.("# + names + ")$")
    return .either(words + [any])
  }

  private static func word(_ text: String, _ summary: String) -> SchemaPart {
    SchemaPart(keywords: [.init("const", .string(text)), .init("description", .string(summary))])
  }

  // MARK: - Components

  /// The declarations in `plugins` of a project file.
  var declaration: SchemaPart {
    families.isEmpty
      ? .any : .either(families.map { ValueSchema(place: .plain).record($0.declaration) })
  }

  /// The rules for a component's declaration, one for each plugin.
  var rulesOfComponents: [JSON] {
    plugins.map { plugin in
      let isIt = SchemaPart(keywords: [
        .init(
          "properties",
          .object([
            .init("plugin", .object([.init("const", .string(plugin.plugin.name))]))
          ])), .init("required", .array([.string("plugin")])),
      ])
      return isIt.implies(rule(of: plugin)).json
    }
  }

  private func rule(of plugin: RegisteredPlugin) -> SchemaPart {
    var (properties, required): ([JSON.Member], [String]) = ([], [])
    properties.append(
      .init("with", SchemaPart.reference(Self.settings(of: plugin)).json))
    if plugin.settings.fields.contains(where: \.isRequired) { required.append("with") }
    let roles = plugin.roles.map(\.role).unique(by: \.name)
    let open = roles.first(where: \.isOpen)
    let needed = roles.filter { !$0.isOptional }.map(\.name)
    let uses = roles.map { ($0, SchemaPart("string", "boolean").described($0.summary)) }
    properties.append(
      .init(
        "using",
        SchemaPart.object(
          uses.filter { !$0.0.isOpen }.map { ($0.0.name, $0.1) }, required: needed,
          others: uses.first { $0.0.isOpen }?.1
        ).json))
    if !needed.isEmpty { required.append("using") }
    properties += [
      .init("volatile", Self.keyed(plugin.operations.map(\.name), Self.places).json)
    ]
    let calls = plugin.roles.filter { $0.kind == .operation && !$0.role.isOpen }.map(\.name).unique
    if open != nil {
      properties.append(.init("optional", SchemaPart.list(of: SchemaPart("string")).json))
    } else if !calls.isEmpty {
      properties.append(.init("optional", SchemaPart.list(of: .words(calls)).json))
    }
    properties.append(
      .init(
        "varies",
        SchemaPart.object(calls.map { ($0, .any) }, others: open.map { _ in .any }).json))
    var members: [JSON.Member] = [.init("properties", .object(properties))]
    if !required.isEmpty { members.append(.init("required", .array(required.map(JSON.string)))) }
    return SchemaPart(keywords: members)
  }

  private static let places = SchemaPart.list(of: SchemaPart("string", "number", "boolean"))

  private static func keyed(_ names: [String], _ part: SchemaPart) -> SchemaPart {
    .object(names.map { ($0, part) })
  }

  // MARK: - Calls

  /// The rules for steps that call an operation, one for each name of operations.
  var rulesOfCalls: [JSON] {
    operations.map { name, candidates in
      let isIt = SchemaPart(keywords: [
        .init("properties", .object([.init("uses", Self.ending(with: name).json)]))
      ])
      return isIt.implies(.either(candidates.map { Self.rule(of: $0.1, $0.0) })).json
    }
  }

  private static func ending(with name: String) -> SchemaPart {
    SchemaPart("string", pattern: #"\."# + name + "$")
  }

  private static func rule(
    of operation: OperationDescription, _ plugin: RegisteredPlugin
  ) -> SchemaPart {
    var properties: [JSON.Member] = [
      .init("with", SchemaPart.reference(input(of: operation, plugin)).json),
      .init("expect", SchemaPart.reference(answer(of: operation, plugin)).json),
    ]
    if !operation.errors.isEmpty {
      let codes = SchemaPart.list(of: self.codes(of: operation))
      properties.append(
        .init("retry", .object([.init("properties", .object([.init("on", codes.json)]))])))
    }
    var members: [JSON.Member] = [.init("properties", .object(properties))]
    if operation.input.fields.contains(where: \.isRequired) {
      members.append(.init("required", .array([.string("with")])))
    }
    return SchemaPart(keywords: members)
  }

  private static func codes(of operation: OperationDescription) -> SchemaPart {
    .either(operation.errors.map { word($0.name, $0.summary) })
  }

  // MARK: - Definitions

  /// The definitions of all settings, inputs and answers.
  var definitions: [JSON.Member] {
    plugins.flatMap { plugin in
      [JSON.Member(Self.settings(of: plugin), Self.record(plugin.settings).json)]
        + plugin.operations.flatMap { operation in
          [
            JSON.Member(Self.input(of: operation, plugin), Self.record(operation.input).json),
            JSON.Member(
              Self.answer(of: operation, plugin), Self.expectation(of: operation, plugin).json),
          ]
        }
    }
  }

  private static func settings(of plugin: RegisteredPlugin) -> String {
    "settings.\(plugin.plugin.name)"
  }

  private static func input(
    of operation: OperationDescription, _ plugin: RegisteredPlugin
  ) -> String {
    "input.\(plugin.plugin.name).\(operation.name)"
  }

  private static func answer(
    of operation: OperationDescription, _ plugin: RegisteredPlugin
  ) -> String {
    "answer.\(plugin.plugin.name).\(operation.name)"
  }

  private static func record(_ type: RecordType) -> SchemaPart {
    ValueSchema(place: .computed).record(type).orExpression
  }

  /// The schema of an expected answer: its fields, or an error with a message.
  private static func expectation(
    of operation: OperationDescription, _ plugin: RegisteredPlugin
  ) -> SchemaPart {
    var answer = ValueSchema(place: .expected).record(operation.output)
    // Settings may add fields, which are known for one component alone.
    if plugin.traitsReader != nil {
      answer = answer.changing("additionalProperties") { _ in .bool(true) }
    }
    let fields = answer.orExpression
    if operation.errors.isEmpty { return fields }
    let codes = codes(of: operation).described("The expected error.")
    let message = SchemaPart.any.described("The expected message of the error.")
    let error = SchemaPart.object([("error", codes), ("message", message)])
    let isError = SchemaPart("object", keywords: [.init("required", .array([.string("error")]))])
    return isError.implies(error, otherwise: fields.adding("error", codes))
  }
}

extension SchemaPart {
  /// Returns the schema of objects with another property.
  fileprivate func adding(_ name: String, _ part: SchemaPart) -> SchemaPart {
    changing("properties") { properties in
      guard case .object(let members) = properties else { return properties }
      return .object(members + [.init(name, part.json)])
    }
  }
}

extension [(String, (RegisteredPlugin, OperationDescription))] {
  /// The elements with equal names together, in the order of their first ones.
  fileprivate var grouped: [(name: String, of: [(RegisteredPlugin, OperationDescription)])] {
    map(\.0).unique.map { name in (name, filter { $0.0 == name }.map(\.1)) }
  }
}

extension Array {
  /// The first element of each name.
  fileprivate func unique(by name: (Element) -> String) -> [Element] {
    var seen: Set<String> = []
    return filter { seen.insert(name($0)).inserted }
  }
}
