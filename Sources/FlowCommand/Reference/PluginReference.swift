internal import FlowCore

/// The reference of plugins: their settings, roles, operations, errors and events.
struct PluginReference {
  private let plugin: RegisteredPlugin

  private var name: String { plugin.plugin.name }

  static func text(of plugins: [RegisteredPlugin]) -> String {
    let overview = plugins.map { plugin in
      let description = plugin.plugin
      return [
        "[\(description.name)](#\(ReferenceText.anchor(description.name)))",
        ReferenceText.prose(description.summary), description.reaches.text,
        plugin.operations.map { "[\($0.name)](#\(Self.anchor(of: $0, in: plugin)))" }
          .joined(separator: ", "),
      ]
    }
    return ReferenceText.table(["plugin", "", "reaches", "operations"], overview)
      + plugins.map { "\n" + PluginReference(plugin: $0).text }.joined()
  }

  private var text: String {
    let kind = plugin.plugin.isExample ? "An example. " : ""
    let reaches = plugin.plugin.reaches
    let reached = reaches.isEmpty ? "" : " Reaches \(reaches.text)."
    var text = "## \(name)\n\n"
    text += ReferenceText.paragraph(
      "\(kind)\(plugin.plugin.summary) Version \(plugin.plugin.version).\(reached)")
    text += titled("\n### Settings of \(name)\n", fields("setting", plugin.settings))
    text += titled("\n### Roles of \(name)\n", roles)
    var listed = records(in: plugin.settings, "the settings")
    for (index, operation) in plugin.operations.enumerated() {
      text += self.text(of: operation, after: plugin.operations[..<index], listed)
      listed += records(in: operation.input, "\(name).\(operation.name)")
      listed += records(in: operation.output, "\(name).\(operation.name)")
    }
    for event in plugin.events {
      text += "\n### Event \(name).\(event.name)\n\n" + ReferenceText.paragraph(event.summary)
      text += titled("", fields("payload", event.payload))
    }
    return text
  }

  private var roles: String {
    ReferenceText.table(
      ["role", "uses", ""],
      plugin.roles.map { use in
        [
          use.role.isOpen ? use.role.title : "`\(use.role.name)`",
          use.kind == .event ? "the event `\(use.member)`" : "`\(use.member)`",
          ReferenceText.prose(use.role.summary) + (use.role.isOptional ? " Optional." : ""),
        ]
      })
  }

  // MARK: - Operations

  private func text(
    of operation: OperationDescription, after earlier: ArraySlice<OperationDescription>,
    _ listed: [PluginPage.Listed]
  ) -> String {
    let input = earlier.first { $0.input === operation.input }
    let output = earlier.first { $0.output === operation.output }
    let errors = earlier.first { $0.errors == operation.errors }
    let rows = operation.errors.map { ["`\($0.name)`", ReferenceText.prose($0.summary)] }
    return "\n### \(name).\(operation.name)\n\n"
      + ReferenceText.paragraph(operation.summary + traits(of: operation)) + "\n"
      + ReferenceText.block(
        OperationExample(operation, of: name).lines.joined(separator: "\n"), "yaml")
      + titled(
        "",
        same("input", operation.input.fields.count, input)
          ?? fields("input", operation.input, listed))
      + titled(
        "",
        same("answer", operation.output.fields.count, output)
          ?? fields("answer", operation.output, listed))
      + titled("", same("errors", rows.count, errors) ?? ReferenceText.table(["error", ""], rows))
  }

  private func traits(of operation: OperationDescription) -> String {
    let retry = operation.retry.map { " Retry: \($0.rawValue)." } ?? ""
    return (operation.isReadOnly ? " Read-only." : "") + retry
  }

  /// Returns a reference to an earlier operation in place of so many rows, or nil if there is none.
  private func same(_ part: String, _ count: Int, _ earlier: OperationDescription?) -> String? {
    guard let earlier, count >= PluginPage.fewest else { return nil }
    let link = "[\(name).\(earlier.name)](#\(Self.anchor(of: earlier, in: plugin)))"
    return "The \(part): as \(link).\n"
  }

  private static func anchor(
    of operation: OperationDescription, in plugin: RegisteredPlugin
  ) -> String {
    ReferenceText.anchor("\(plugin.plugin.name).\(operation.name)")
  }

  // MARK: - Parts

  private func titled(_ title: String, _ part: String) -> String {
    part.isEmpty ? "" : "\(title)\n\(part)"
  }

  private func fields(
    _ head: String, _ type: RecordType, _ listed: [PluginPage.Listed] = []
  ) -> String {
    ReferenceText.fields(head, type, listed)
  }

  private func records(in type: RecordType, _ place: String) -> [PluginPage.Listed] {
    PluginPage.records(in: type).map { PluginPage.Listed(type: $0, place: place) }
  }
}

extension ReferenceText {
  /// Returns a table of the fields of a record, with those of the records inside.
  static func fields(
    _ head: String, _ type: RecordType, _ listed: [PluginPage.Listed] = []
  ) -> String {
    table(
      [head, "type", ""],
      FieldRow.all(of: type, listed).map { ["`\($0.name)`", prose($0.type), prose($0.summary)] })
  }
}
