internal import FlowCore

/// Checks the values of variables as a service does (GraphQL, September 2025, section 6.1.2).
struct VariableCheck {
  private let schema: GraphQLSchema
  private(set) var problems: [GraphQLValueProblem] = []

  /// Checks the values of an operation's variables, of which some may not be known yet.
  init(
    _ variables: [VariableNode], _ values: [String: Value], names: Set<String>,
    _ schema: GraphQLSchema
  ) {
    self.schema = schema
    for variable in variables {
      let (name, type) = (variable.name.text, TypeReference(variable.type))
      let path = FieldPath([.field(name)])
      if let value = values[name] {
        check(value, type, at: path)
      } else if !names.contains(name), type.isNonNull, variable.defaultValue == nil {
        problems.append(GraphQLValueProblem(path, "'$\(name)' of type '\(type)' is missing", nil))
      }
    }
    let known = variables.map(\.name.text)
    for name in names.union(values.keys).subtracting(known).sorted() {
      problems.append(
        GraphQLValueProblem(
          FieldPath([.field(name)]),
          "the operation has no variable '$\(name)'"
            + Suggestion.ending(Suggestion.nearest(to: name, among: known).map { "$" + $0 }),
          values[name]))
    }
  }

  private mutating func check(_ value: Value, _ type: TypeReference, at path: FieldPath) {
    if value == .null {
      if type.isNonNull { report(value, type, at: path) }
      return
    }
    switch type.nullable {
    case .list(let element):
      guard case .list(let values) = value else { return check(value, element, at: path) }
      for (index, value) in values.enumerated() {
        check(value, element, at: path.appending(.index(index)))
      }
    case .named(let name), .nonNull(.named(let name)):
      guard let definition = schema.types[name] else { return }
      check(value, definition, type, at: path)
    case .nonNull: return
    }
  }

  private mutating func check(
    _ value: Value, _ definition: TypeDefinition, _ type: TypeReference, at path: FieldPath
  ) {
    switch (definition.kind, value) {
    case (.input, .map(let map)): check(map, definition, at: path)
    case (.enumeration, .string(let name)):
      if definition.values.contains(name) { return }
      problems.append(
        GraphQLValueProblem(
          path,
          "'\(definition.name)' has no value '\(name.escaped)'"
            + Suggestion.ending(for: name, among: definition.values), value))
    case (.scalar, _):
      if BuiltInScalar(definition.name)?.accepts(input: value) == false {
        report(value, type, at: path)
      }
    default: report(value, type, at: path)
    }
  }

  private mutating func check(_ map: ValueMap, _ type: TypeDefinition, at path: FieldPath) {
    for entry in map.entries {
      let name = entry.key.interpolated
      let place = path.appending(.field(name))
      guard let input = type.input(name) else {
        problems.append(
          GraphQLValueProblem(
            place,
            "'\(type.name)' has no field '\(name.escaped)'"
              + Suggestion.ending(for: name, among: type.inputs.map(\.name)), entry.value))
        continue
      }
      check(entry.value, input.type, at: place)
    }
    for input in type.inputs where input.isRequired && map[input.name] == nil {
      problems.append(
        GraphQLValueProblem(path, "'\(type.name)' needs the field '\(input.name)'", nil))
    }
    if type.isOneOf, map.count != 1 || map.entries.contains(where: { $0.value == .null }) {
      problems.append(
        GraphQLValueProblem(path, "'\(type.name)' has exactly one field, which is not null", nil))
    }
  }

  private mutating func report(_ value: Value, _ type: TypeReference, at path: FieldPath) {
    problems.append(
      GraphQLValueProblem(path, "expected '\(type)', got \(value.summary())", value))
  }
}

extension BuiltInScalar {
  /// Returns true for a value of a variable that it can have.
  func accepts(input value: Value) -> Bool {
    switch self {
    case .id: accepts(output: value) || value.wholeNumber != nil
    case .int, .float, .string, .boolean: accepts(output: value)
    }
  }

  /// Returns true for a value of an answer that it can have.
  func accepts(output value: Value) -> Bool {
    switch (self, value) {
    case (.int, _): value.wholeNumber.map { Int32(exactly: $0) != nil } ?? false
    case (.float, .int), (.float, .uint), (.float, .double), (.float, .decimal), (.float, .number):
      true
    case (.string, .string), (.id, .string), (.boolean, .bool): true
    default: false
    }
  }
}

extension Value {
  /// The number if it is a whole one, such as 3 or 3.0.
  fileprivate var wholeNumber: Int? {
    switch self {
    case .int(let number): number
    case .uint(let number): Int(exactly: number)
    case .double(let number): Int(exactly: number)
    case .decimal(let number): Int("\(number)".wholePart)
    default: nil
    }
  }
}

extension String {
  /// The text without zeros after a point.
  fileprivate var wholePart: Substring {
    let halves = split(separator: ".", maxSplits: 1)
    return halves.count == 2 && halves[1].allSatisfy { $0 == "0" } ? halves[0] : self[...]
  }
}
