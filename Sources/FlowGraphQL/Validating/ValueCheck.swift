internal import FlowCore

/// Checks values in a document against the types of their places (GraphQL, September 2025, section
/// 5.6), and collects the variables in them.
struct ValueCheck {
  private let schema: GraphQLSchema

  init(_ schema: GraphQLSchema) { self.schema = schema }

  /// Checks a value, of which nothing is known without a type.
  func check(
    _ literal: Literal, _ type: TypeReference?, hasDefault: Bool = false, isOneOf: Bool = false,
    _ validator: inout Validator, _ content: inout DefinitionContent
  ) {
    if case .variable(let name) = literal.kind {
      content.usages.append(
        VariableUsage(
          name: name, range: literal.range, type: type, hasDefault: hasDefault, isOneOf: isOneOf))
      return
    }
    guard let type else { return collect(literal, &validator, &content) }
    if case .null = literal.kind {
      if type.isNonNull { report(literal, type, &validator) }
      return
    }
    switch type.nullable {
    case .list(let element):
      guard case .list(let values) = literal.kind else {
        return check(literal, element, &validator, &content)
      }
      for value in values { check(value, element, &validator, &content) }
    case .named(let name), .nonNull(.named(let name)):
      check(literal, named: name, type, &validator, &content)
    case .nonNull: return
    }
  }

  /// Collects the variables in a value of any type.
  private func collect(
    _ literal: Literal, _ validator: inout Validator, _ content: inout DefinitionContent
  ) {
    switch literal.kind {
    case .list(let values): for value in values { check(value, nil, &validator, &content) }
    case .object(let fields): for field in fields { check(field.value, nil, &validator, &content) }
    default: return
    }
  }

  private func check(
    _ literal: Literal, named name: String, _ type: TypeReference, _ validator: inout Validator,
    _ content: inout DefinitionContent
  ) {
    guard let definition = schema.types[name] else { return collect(literal, &validator, &content) }
    switch (definition.kind, literal.kind) {
    case (.input, .object(let fields)):
      checkFields(fields, of: definition, literal, &validator, &content)
    case (.enumeration, .enumeration(let value)):
      if definition.values.contains(value) { return }
      validator.add(
        "'\(name)' has no value '\(value)'"
          + Suggestion.ending(for: value, among: definition.values),
        at: literal.range)
    case (.scalar, _):
      if BuiltInScalar(name)?.accepts(literal.kind) == false { report(literal, type, &validator) }
      collect(literal, &validator, &content)
    default:
      report(literal, type, &validator)
      collect(literal, &validator, &content)
    }
  }

  private func checkFields(
    _ fields: [Argument], of type: TypeDefinition, _ literal: Literal,
    _ validator: inout Validator, _ content: inout DefinitionContent
  ) {
    var known: Set<String> = []
    for field in fields {
      let name = field.name.text
      if !known.insert(name).inserted {
        validator.add("the field '\(name)' is given twice", at: field.name.range)
      }
      let definition = type.input(name)
      if definition == nil {
        validator.add(
          "'\(type.name)' has no field '\(name)'"
            + Suggestion.ending(for: name, among: type.inputs.map(\.name)), at: field.name.range)
      }
      check(
        field.value, definition?.type, hasDefault: definition?.hasDefault ?? false,
        isOneOf: type.isOneOf, &validator, &content)
    }
    for input in type.inputs where input.isRequired && !known.contains(input.name) {
      validator.add("'\(type.name)' needs the field '\(input.name)'", at: literal.range)
    }
    guard type.isOneOf else { return }
    if fields.count != 1 {
      validator.add("'\(type.name)' has exactly one field, not \(fields.count)", at: literal.range)
    } else if case .null = fields[0].value.kind {
      validator.add("the one field of '\(type.name)' is never null", at: fields[0].value.range)
    }
  }

  private func report(_ literal: Literal, _ type: TypeReference, _ validator: inout Validator) {
    var hint = ""
    if case .string(let text) = literal.kind, schema.types[type.name]?.values.contains(text) == true
    {
      hint = "; write \(text) without quotes"
    }
    validator.add("expected '\(type)', got \(literal.kindName)\(hint)", at: literal.range)
  }
}

/// The scalars that every schema has.
enum BuiltInScalar: String {
  case int = "Int"
  case float = "Float"
  case string = "String"
  case boolean = "Boolean"
  case id = "ID"

  init?(_ name: String) { self.init(rawValue: name) }

  /// Returns true for a value in a document that it can have.
  func accepts(_ kind: Literal.Kind) -> Bool {
    switch (self, kind) {
    case (.int, .int(let text)): Int32(text) != nil
    case (.float, .int(let text)), (.float, .float(let text)): Double(text)?.isFinite == true
    case (.string, .string), (.boolean, .bool), (.id, .string), (.id, .int): true
    default: false
    }
  }
}

extension Literal {
  /// The kind for a message.
  var kindName: String {
    switch kind {
    case .variable(let name): "$\(name)"
    case .int(let text), .float(let text): "the number \(text)"
    case .string(let text): "the string \"\(text.escaped.prefix(30))\""
    case .bool(let value): "\(value)"
    case .null: "null"
    case .enumeration(let name): "the name \(name)"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
