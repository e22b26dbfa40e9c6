internal import FlowYAML

extension YAMLText.Node {
  init(_ value: ImportedValue) {
    self =
      switch value {
      case .null: .raw("null")
      case .bool(let value): .raw(value ? "true" : "false")
      case .number(let text): .raw(text)
      case .text(let text): .text(text.template)
      case .list(let elements): .list(elements.map(Self.init))
      case .map(let entries) where entries.contains { $0.computedName != nil }:
        .text(ImportedText(expression: value.exactCode).template)
      case .map(let entries): .map(entries.map { ($0.name, Self($0.value)) })
      }
  }

  /// Creates a mapping of names to texts.
  init(fields: [(name: String, value: ImportedText)]) { self.init(ImportedValue(fields: fields)) }
}
