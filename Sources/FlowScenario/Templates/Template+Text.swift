internal import FlowCore
internal import FlowExpression

extension PlannedExpression {
  /// The expression as a scenario writes it, on one line: `${{ inputs.amount }}`.
  package var text: String { "${{ \(Value.onOneLine(expression.text)) }}" }
}

extension Template {
  /// The template on one line, values as such and expressions by their text:
  /// `{amount: ${{ inputs.amount }}, title: "Barn"}`.
  ///
  /// What is written in a secret field has a placeholder, which is made here: the value may be too short to be
  /// found in a text, or have been cut off in the middle.
  ///
  /// - Parameters:
  ///   - limit: The most characters of a single value; a longer one ends in an ellipsis.
  ///   - component: Whose fields they are; nil for the inputs of another scenario.
  /// - Returns: A line; control characters are escaped.
  package func text(limit: Int = 80, of component: String? = nil) -> String {
    switch self {
    // Each field is shortened for itself, so that a long one does not hide the others.
    case .constant(.record(let record)):
      Self.fields(record.type, record.values.map(Template.constant), limit, component)
    case .constant(let value): value.summary(limit: limit)
    case .expression(let expression, _): expression.text
    case .text(let parts): "\"" + parts.map { $0.part(limit) }.joined() + "\""
    case .list(let elements):
      "[" + elements.map { $0.text(limit: limit, of: component) }.joined(separator: ", ") + "]"
    case .map(let entries):
      Self.braced(entries.map { ($0.key, $0.value.text(limit: limit, of: component)) })
    case .record(let type, let fields): Self.fields(type, fields, limit, component)
    }
  }

  /// Every expression in it, in file order.
  package var expressions: [PlannedExpression] {
    switch self {
    case .constant: []
    case .expression(let expression, _): [expression]
    case .text(let parts), .list(let parts), .record(_, let parts): parts.flatMap(\.expressions)
    case .map(let entries): entries.flatMap(\.value.expressions)
    }
  }

  /// `{key: text}`, with the keys in quotes that need them.
  static func braced(_ entries: [(key: String, text: String)]) -> String {
    "{" + entries.map { "\(Value.keyText($0.key)): \($0.text)" }.joined(separator: ", ") + "}"
  }

  private static func fields(
    _ type: RecordType, _ fields: [Template], _ limit: Int, _ component: String?
  ) -> String {
    braced(
      zip(type.fields, fields).map { field, template in
        let name = (component.map { $0 + "." } ?? "") + field.name
        let isHidden = field.isSecret && template.isWritten
        return (
          field.name,
          isHidden
            ? Value.string(Redactor.placeholder(for: name)).summary(limit: .max)
            : template.text(limit: limit, of: component)
        )
      })
  }

  /// Whether the value, or a part of it, stands in the scenario.
  private var isWritten: Bool {
    switch self {
    case .constant(.null), .constant(.string("")): false
    case .expression(let expression, _): expression.text.hasQuotes
    default: true
    }
  }

  /// A part of a text: written text without quotes of its own.
  private func part(_ limit: Int) -> String {
    guard case .constant(.string(let written)) = self else { return text(limit: limit) }
    let isShort = written.count <= limit
    return Value.escaped(isShort ? written : written.prefix(limit - 1) + "…")
  }
}
