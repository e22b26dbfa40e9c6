internal import FlowCore
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

/// The schemas of the forms that the readers of files declare.
struct FormSchema: Sendable {
  let plugins: PluginSchemas

  /// The names of inputs, components, steps, variables and outputs.
  static let name = "^[A-Za-z_][A-Za-z0-9_]*$"

  /// Returns the schema of a mapping with these keys.
  func object(_ set: KeySet) -> SchemaPart {
    let rules = set.keys.flatMap(rules)
    let choices = set.choices.map { Self.having($0).json }
    return .object(
      set.keys.map { ($0.name, part($0.form).described($0.summary)) },
      required: set.keys.filter(\.isRequired).map(\.name),
      (choices.isEmpty ? [] : [.init("anyOf", .array(choices))])
        + (rules.isEmpty ? [] : [.init("allOf", .array(rules))]))
  }

  /// The rules for a key and the keys beside it.
  private func rules(for key: Key) -> [JSON] {
    let own: [JSON] =
      switch key.form {
      case .settings: plugins.rulesOfComponents
      case .input: plugins.rulesOfCalls
      case .typed: Self.rulesOfDefaults
      default: []
      }
    return own
      + (key.needed.map { [Self.having([key.name]).implies(Self.having([$0])).json] } ?? [])
  }

  /// The rules for the default values of inputs, one for each type without others inside.
  private static var rulesOfDefaults: [JSON] {
    ValueType.simple.map { name, type in
      let isIt = SchemaPart(keywords: [
        .init("properties", .object([.init("type", .object([.init("const", .string(name))]))])),
        .init("required", .array([.string("type")])),
      ])
      let value = ValueSchema(place: .computed).part(type)
      let properties = JSON.object([.init("default", value.json)])
      return isIt.implies(SchemaPart(keywords: [.init("properties", properties)])).json
    }
  }

  /// Returns the schema of mappings with at least these keys.
  static func having(_ keys: [String]) -> SchemaPart {
    SchemaPart(keywords: [.init("required", .array(keys.map(JSON.string)))])
  }

  /// Returns the schema of a form.
  func part(_ form: Form) -> SchemaPart {
    switch form {
    case .version: SchemaPart(keywords: [.init("const", .number("1"))])
    case .text: SchemaPart("string", "number", "boolean")
    case .name(let reserved): Self.name(reserved)
    case .words(let words): .words(words)
    case .flag: SchemaPart("boolean")
    case .expression, .template: SchemaPart("string", pattern: SchemaPart.expressionPattern)
    case .duration: SchemaPart("string", pattern: ValueSchema.duration)
    case .whole(let range): Self.number("integer", "\(range.lowerBound)", "\(range.upperBound)")
    case .number(let range):
      Self.number("number", range.lowerBound.digits, range.upperBound.digits)
    case .percentage:
      .either([
        SchemaPart("string", pattern: "^(100|[1-9]?[0-9])%$"), Self.number("integer", "0", "100"),
      ])
    case .computed(let literal): part(literal).orExpression
    case .value, .typed: .any
    case .list(let element, let mayBeEmpty): .list(of: part(element), mayBeEmpty: mayBeEmpty)
    case .names(let value, let mayBeEmpty, let reserved):
      names(value, mayBeEmpty: mayBeEmpty, reserved)
    case .entries(let value): .map(of: part(value))
    case .keys(let set): object(set)
    case .either(let forms): .either(forms.map(part))
    case .step: .reference("step")
    case .type: Self.type
    case .settings, .input, .inputs, .expectation: SchemaPart("object").orExpression
    case .ofPlugin(let part): self.part(of: part)
    case .plugin: plugins.name
    case .operation: plugins.operation
    case .errorCode: SchemaPart("string", "boolean")
    case .event: plugins.event
    case .format: .words(ProjectSettings.outputs.map(\.name))
    case .declaredPlugin: plugins.declaration
    }
  }

  private func part(of plugin: Form.PluginPart) -> SchemaPart {
    switch plugin {
    case .roles: .map(of: part(.text))
    case .roleCall: part(.text)
    case .answers: .map(of: part(.list(.text)))
    case .varyingCalls(let keys): .map(of: object(keys))
    }
  }

  private func names(_ value: Form, mayBeEmpty: Bool, _ reserved: Set<String>) -> SchemaPart {
    var members: [JSON.Member] = [
      .init("patternProperties", .object([.init(Self.name, part(value).json)])),
      .init("additionalProperties", .bool(false)),
    ]
    if !mayBeEmpty { members.append(.init("minProperties", .number("1"))) }
    if !reserved.isEmpty {
      members.append(.init("propertyNames", .object([Self.excluding(reserved)])))
    }
    return SchemaPart("object", keywords: members)
  }

  private static func name(_ reserved: Set<String>) -> SchemaPart {
    SchemaPart(
      "string", "boolean", pattern: name, keywords: reserved.isEmpty ? [] : [excluding(reserved)])
  }

  private static func excluding(_ words: Set<String>) -> JSON.Member {
    .init("not", SchemaPart.words(words.sorted()).json)
  }

  private static func number(_ type: String, _ least: String, _ most: String) -> SchemaPart {
    SchemaPart(type, keywords: [.init("minimum", .number(least)), .init("maximum", .number(most))])
  }

  private static var type: SchemaPart {
    .either([
      .words(ValueType.simple.map(\.name)), SchemaPart("string", pattern: #"^(list|map)\(.+\)$"#),
    ])
  }
}

extension Double {
  /// The number in JSON, whole if it is one.
  fileprivate var digits: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}
