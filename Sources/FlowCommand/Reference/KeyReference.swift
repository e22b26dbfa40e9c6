internal import FlowCore
internal import FlowReport
internal import FlowScenario

/// The reference of the keys of scenarios and of `flow.yaml`.
enum KeyReference {
  static var scenario: String {
    let kinds = StepSyntax.all.map { kind in
      "\n## \(kind.head.name): steps\n\n" + table(kind.keys)
    }
    return "## The scenario\n\n" + table(.scenario) + kinds.joined()
  }

  static func project(_ families: [RegisteredFamily]) -> String {
    let declarations = families.map { family in
      "\n## plugins: \(family.key)\n\n" + ReferenceText.fields("key", family.declaration)
    }
    return "## flow.yaml\n\n" + table(.project) + declarations.joined()
  }

  private static func table(_ set: KeySet) -> String {
    ReferenceText.table(["key", "value", ""], rows(of: set, within: ""))
  }

  /// Returns a row for each key, followed by rows for the keys inside its value.
  private static func rows(of set: KeySet, within place: String) -> [[String]] {
    set.keys.flatMap { key in
      let name = place + key.name
      let required = key.isRequired ? " Required." : ""
      let row = ["`\(name)`", phrase(key.form), ReferenceText.prose(key.summary) + required]
      return [row] + (inside(key.form).map { rows(of: $0.keys, within: name + $0.path) } ?? [])
    }
  }

  /// Returns the keys inside a value, and the path to them.
  private static func inside(_ form: Form) -> (path: String, keys: KeySet)? {
    switch form {
    case .keys(let set): (".", set)
    case .list(.keys(let set), _): ("[*].", set)
    case .names(.keys(let set), _, _), .entries(.keys(let set)),
      .ofPlugin(.varyingCalls(let set)):
      (".NAME.", set)
    case .either(let forms): forms.lazy.compactMap(inside).first
    default: nil
    }
  }

  /// Returns the kind of values with a syntax.
  private static func phrase(_ form: Form) -> String {
    switch form {
    case .version: "`1`"
    case .text: "text"
    case .name: "name"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .format: phrase(.words(ProjectSettings.outputs.map(\.name)))
    case .flag: "`true`, `false`"
    case .expression: "expression"
    case .template: "text with expressions"
    case .duration: "duration"
    case .whole(let range): "whole number, \(range.lowerBound) to \(range.upperBound)"
    case .number(let range): "number, \(Int(range.lowerBound)) to \(Int(range.upperBound))"
    case .percentage: "whole percentage, such as `80%`"
    case .computed(let literal): phrase(literal) + ", or an expression"
    case .value: "any value"
    case .typed: "value of the type"
    case .type: "[type](../scenario-format.md#inputs)"
    case .list(let element, _): "list(\(phrase(element)))"
    case .names(let value, _, _), .entries(let value): "map(\(phrase(value)))"
    case .keys: "map"
    case .either(let forms): forms.map(phrase).joined(separator: " or ")
    case .step: "step"
    case .plugin: "plugin"
    case .declaredPlugin: "declaration"
    case .operation: "component.operation"
    case .event: "component.event"
    case .errorCode: "error code"
    case .expectation: "map or expression"
    case .settings, .input, .inputs: "map"
    case .ofPlugin(.roleCall): "role.operation"
    case .ofPlugin(.roles): "map(component)"
    case .ofPlugin(.answers): "map(list(path))"
    case .ofPlugin(.varyingCalls): "map(map)"
    }
  }
}
