internal import FlowCore
internal import FlowYAML

/// Compiles `expect:` against what an operation answers.
struct ExpectationCompiler {
  let templates: TemplateCompiler

  private var problems: DiagnosticCollector { templates.problems }

  init(_ templates: TemplateCompiler) {
    self.templates = templates
  }

  /// The expectation of a call; nil after a problem.
  func expectation(_ node: Node, _ operation: OperationReference) -> Expectation? {
    if node.kind == .mapping, let code = node["error"] { return error(code, node, operation) }
    return matcher(
      node, .record(operation.description.output), owner: "the answer of '\(operation.name)'"
    ).map(Expectation.output)
  }

  private func error(
    _ code: Node, _ node: Node, _ operation: OperationReference
  ) -> Expectation? {
    for entry in node.entries where entry.key.text != "error" {
      problems.add(.notAllowed(entry.key.text, with: "error"), at: entry.key.span)
    }
    guard code.isText(owner: "'error' of 'expect'", problems) else { return nil }
    let known = operation.description.errors.map(\.name)
    if known.contains(code.text) { return .error(code.text) }
    problems.add(
      .unknownErrorCode(
        code.text, operation: operation.name,
        near: Suggestion.nearest(to: code.text, among: known), known: known), at: code.span)
    return nil
  }

  private func matcher(_ node: Node, _ type: ValueType, owner: String) -> ExpectedValue? {
    switch (node.kind, type.unwrapped) {
    case (.mapping, .record(let record)): fields(node, record, owner)
    case (.mapping, .map(let element)): entries(node, element, owner)
    case (.mapping, .dynamic): entries(node, .dynamic, owner)
    case (.sequence, .list(let element)): elements(node, element, owner)
    case (.sequence, .dynamic): elements(node, .dynamic, owner)
    default: templates.value(node, as: type, owner: owner).map { .equal($0.template) }
    }
  }

  private func fields(_ node: Node, _ type: RecordType, _ owner: String) -> ExpectedValue? {
    var fields: [(index: Int, matcher: ExpectedValue)] = []
    var isWhole = true
    for entry in node.entries {
      let name = entry.key.text
      guard let index = type.index(of: name) else {
        let known = type.fields.map(\.name)
        problems.add(
          .unknownField(
            name, owner: owner, near: Suggestion.nearest(to: name, among: known), known: known),
          at: entry.key.span)
        isWhole = false
        continue
      }
      guard let matcher = matcher(entry.value, type.fields[index].type, owner: "'\(name)'") else {
        isWhole = false
        continue
      }
      fields.append((index, matcher))
    }
    return isWhole ? .fields(type, fields) : nil
  }

  private func entries(_ node: Node, _ element: ValueType, _ owner: String) -> ExpectedValue? {
    var entries: [(key: String, matcher: ExpectedValue)] = []
    for entry in node.entries {
      let key = entry.key.text
      guard let matcher = matcher(entry.value, element, owner: "\(owner).\(key)") else { continue }
      entries.append((key, matcher))
    }
    return entries.count == node.entries.count ? .entries(entries) : nil
  }

  private func elements(_ node: Node, _ element: ValueType, _ owner: String) -> ExpectedValue? {
    var matchers: [ExpectedValue] = []
    for (index, item) in node.items.enumerated() {
      guard let matcher = matcher(item, element, owner: "\(owner)[\(index)]") else { continue }
      matchers.append(matcher)
    }
    return matchers.count == node.items.count ? .elements(matchers) : nil
  }
}
