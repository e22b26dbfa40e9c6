internal import FlowCore

/// The page that `flow list` prints for people.
struct PluginPage {
  /// A record whose fields are listed already, and their place: `the settings` or `http.request`.
  struct Listed {
    let type: RecordType
    let place: String
  }

  private let plugin: RegisteredPlugin

  /// The page of one plugin.
  init(_ plugin: RegisteredPlugin) { self.plugin = plugin }

  private var name: String { plugin.plugin.name }

  /// Returns a line for each plugin, with the examples under a heading of their own.
  static func overview(_ plugins: [RegisteredPlugin]) -> String {
    if plugins.isEmpty { return "no plugins\n" }
    let examples = plugins.filter(\.plugin.isExample)
    return lines(plugins.filter { !$0.plugin.isExample })
      + (examples.isEmpty ? "" : "\nexamples:\n" + lines(examples))
      + "\n'flow list PLUGIN' shows the settings and operations of a plugin.\n"
  }

  private static func lines(_ plugins: [RegisteredPlugin]) -> String {
    HelpText.columns(
      plugins.map { plugin in
        let reaches = plugin.plugin.reaches
        return (
          "\(plugin.plugin.name) \(plugin.plugin.version)",
          plugin.plugin.summary + (reaches.isEmpty ? "" : " Reaches \(reaches.text).")
        )
      })
  }

  /// The page, with everything that scenarios can write of the plugin.
  var text: String {
    let example = plugin.plugin.isExample ? " (example)" : ""
    var text = "\(name) \(plugin.plugin.version)\(example): \(plugin.plugin.summary)\n"
    if !plugin.plugin.reaches.isEmpty { text += " reaches \(plugin.plugin.reaches.text)\n" }
    text += fields("settings", plugin.settings, nil) + roles
    var listed = Self.records(in: plugin.settings).map { Listed(type: $0, place: "the settings") }
    for (index, operation) in plugin.operations.enumerated() {
      text += "\n" + self.text(of: operation, after: plugin.operations[..<index], listed)
      listed += (Self.records(in: operation.input) + Self.records(in: operation.output)).map {
        Listed(type: $0, place: "\(name).\(operation.name)")
      }
    }
    for event in plugin.events {
      text += "\nevent \(name).\(event.name): \(event.summary)\n"
      text += fields("payload", event.payload, nil)
    }
    return text
  }

  /// The roles for `using:`, and the operations used of each.
  private var roles: String {
    if plugin.roles.isEmpty { return "" }
    var names: [String] = []
    for use in plugin.roles where !names.contains(use.role.name) { names.append(use.role.name) }
    let rows = names.compactMap { name -> (String, String)? in
      let uses = plugin.roles.filter { $0.role.name == name }
      guard let role = uses.first?.role else { return nil }
      let members = uses.map { $0.kind == .event ? "the event \($0.member)" : $0.member }
      let optional = role.isOptional ? " Optional." : ""
      return (role.title, "\(role.summary)\(optional) Uses \(members.joined(separator: ", ")).")
    }
    return " using\n" + HelpText.columns(rows)
  }

  // MARK: - Operations

  /// Returns the section of an operation.
  ///
  /// Fields equal to an earlier operation's are a reference to it, and so are those of a record
  /// that is listed already.
  func text(
    of operation: OperationDescription, after earlier: ArraySlice<OperationDescription> = [],
    _ listed: [Listed] = []
  ) -> String {
    let input = earlier.first { $0.input === operation.input }
    let output = earlier.first { $0.listedOutput === operation.listedOutput }
    var text = "\(name).\(operation.name): \(operation.summary)\n"
    if operation.isReadOnly { text += " read-only\n" }
    text += fields("with", operation.input, input, listed)
    text += fields("answers", operation.listedOutput, output, listed)
    text += errors(operation, earlier)
    return text + " example\n"
      + OperationExample(operation, of: name).lines.map { "  \($0)\n" }.joined()
  }

  private func errors(
    _ operation: OperationDescription, _ earlier: ArraySlice<OperationDescription>
  ) -> String {
    if operation.errors.isEmpty { return "" }
    if operation.errors.count >= Self.fewest,
      let same = earlier.first(where: { $0.errors == operation.errors })
    {
      return " errors, as \(name).\(same.name)\n"
    }
    return " errors\n" + HelpText.columns(operation.errors.map { ($0.name, $0.summary) })
  }

  // MARK: - Fields

  // Reading a shorter list is faster than looking for it elsewhere.
  static let fewest = 4

  /// Returns the fields of a record, or a reference to the earlier operation with the same fields.
  private func fields(
    _ title: String, _ type: RecordType, _ earlier: OperationDescription?, _ listed: [Listed] = []
  ) -> String {
    if type.fields.isEmpty { return "" }
    if let earlier, type.fields.count >= Self.fewest {
      return " \(title), as \(name).\(earlier.name)\n"
    }
    return " \(title)\n"
      + HelpText.columns(
        FieldRow.all(of: type, listed).map { ($0.name, "\($0.type). \($0.summary)") })
  }

  /// The records in the fields of a type.
  static func records(in type: RecordType) -> [RecordType] {
    (type.fields + type.computedFields).compactMap { $0.type.recordInside?.type }
  }
}

/// A field of a record, as pages about plugins show it.
struct FieldRow {
  /// The path of the field, such as `items[*].title`.
  let name: String
  /// The type, the default and other traits of the field: `int, default 10`.
  let type: String
  private(set) var summary: String

  /// Returns a row for each field, followed by rows for the fields of its records.
  ///
  /// Those of a record that is listed already are a reference to it.
  static func all(
    of type: RecordType, _ listed: [PluginPage.Listed] = [], within place: String = ""
  ) -> [FieldRow] {
    (type.fields + type.computedFields).flatMap { field in
      var row = FieldRow(name: place + field.name, type: traits(of: field), summary: field.summary)
      guard let record = field.type.recordInside else { return [row] }
      if record.type.fields.count >= PluginPage.fewest,
        let earlier = listed.first(where: { $0.type === record.type })
      {
        row.summary += " Its fields are as in \(earlier.place)."
        return [row]
      }
      return [row] + all(of: record.type, listed, within: row.name + record.path + ".")
    }
  }

  private static func traits(of field: RecordType.Field) -> String {
    let absent = field.defaultValue.map { $0 == .null ? "" : ", default \($0)" } ?? ""
    let secret = field.isSecret ? ", secret" : ""
    let volatile = field.isVolatile ? ", volatile" : ""
    let compared = field.comparison == .always ? "" : ", compared \(field.comparison.phrase)"
    let code = field.isCode ? ", code" : ""
    return "\(field.type)\(secret)\(absent)\(volatile)\(compared)\(code)"
  }
}

extension FieldComparison {
  /// The case in which the field is compared: `when read`.
  var phrase: String {
    switch self {
    case .always: "always"
    case .whenRead: "when read"
    case .whenReadBeside(let other): "when read or without '\(other)'"
    }
  }
}
