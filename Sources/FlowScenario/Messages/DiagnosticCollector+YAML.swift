internal import FlowPlan
package import FlowYAML

extension DiagnosticCollector {
  /// Remembers the content of a secret field, because a problem may be in the same line.
  package func keep(secret node: Node, of field: String) {
    if node.kind == .scalar { keep(secretText: ScalarText(node), of: field) }
    for item in node.items { keep(secret: item, of: field) }
    for entry in node.entries { keep(secret: entry.value, of: field) }
  }

  /// Remembers the string of a secret field.
  ///
  /// A lone expression is not a secret, but text around one is, as is a literal inside of it, and
  /// the whole line is quoted.
  private func keep(secretText scalar: ScalarText, of field: String) {
    let text = scalar.node.text
    if scalar.onlyExpression != nil, !text.hasQuotes { return }
    keep(secretText: text, of: field)
    for case .text(let part) in scalar.parts { keep(secretText: part, of: field) }
  }

  /// Remembers the strings in the declaration of a secret input.
  ///
  /// They may be its default, which is not allowed, even under a misspelt key.
  package func keep(secretInput name: String, _ declaration: Node) {
    keep(secretInput: name)
    for entry in declaration.entries
    where !["type", "description", "secret"].contains(entry.key.text) {
      keep(secret: entry.value, of: name)
    }
  }
}
