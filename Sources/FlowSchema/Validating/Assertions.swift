internal import FlowCore
internal import FlowSystem

extension Validator {
  /// Checks a value by one keyword.
  mutating func check(
    _ keyword: Keyword, _ node: Int, _ value: Value, _ evaluated: inout Evaluated
  ) throws(SchemaError) -> Bool {
    switch keyword {
    case .type(let types):
      types.allows(value) || fail(node, "type", value, .type(types.names))
    case .constant(let constant):
      value == constant || fail(node, "const", value, .constant(constant))
    case .enumeration(let set):
      set.contains(value) || fail(node, "enum", value, .enumeration(set.values))
    case .bound(let bound, let limit, let text): checkBound(node, value, bound, limit, text)
    case .multiple(let divisor, let text): checkMultiple(node, value, divisor, text)
    case .count(let count, let limit): checkCount(node, value, count, limit)
    case .uniqueItems: try checkUnique(node, value)
    case .withheld(let annotation): fail(node, annotation, value, .withheld)
    case .pattern(let pattern): try checkPattern(node, value, pattern)
    case .format(let format): try checkFormat(node, value, format)
    case .range(let range): checkRange(node, value, range)
    case .content(let encoding, let type): checkContent(node, value, encoding, type)
    case .required(let names): checkRequired(node, value, names)
    case .dependentRequired(let dependencies): checkDependencies(node, value, dependencies)
    case .reference(let target): try check(target, value, &evaluated)
    case .dynamicReference(let name, let initial):
      try check(dynamicTarget(name, initial), value, &evaluated)
    case .properties(let properties): try checkProperties(node, value, properties, &evaluated)
    case .propertyNames(let names): try checkNames(node, value, names)
    case .items(let items): try checkItems(node, value, items, &evaluated)
    case .contains(let contains): try checkContains(node, value, contains, &evaluated)
    case .dependentSchemas(let schemas): try checkDependents(value, schemas, &evaluated)
    case .allOf(let nodes): try checkAll(nodes, value, &evaluated)
    case .anyOf(let nodes): try checkAny(node, value, nodes, &evaluated)
    case .oneOf(let nodes): try checkOne(node, value, nodes, &evaluated)
    case .not(let schema): try checkNot(node, value, schema)
    case .condition(let condition): try checkCondition(value, condition, &evaluated)
    case .unevaluatedItems(let schema): try checkOtherItems(node, value, schema, &evaluated)
    case .unevaluatedProperties(let schema):
      try checkOtherProperties(node, value, schema, &evaluated)
    case .subtypes: true
    }
  }

  private mutating func checkBound(
    _ node: Int, _ value: Value, _ bound: Keyword.Bound, _ limit: SchemaNumber, _ text: Value
  ) -> Bool {
    guard let number = SchemaNumber(value) else { return true }
    return bound.allows(SchemaNumber.compare(number, limit))
      || fail(node, bound.rawValue, value, .bound(bound, text))
  }

  private mutating func checkRange(
    _ node: Int, _ value: Value, _ range: IntegerRange
  ) -> Bool {
    guard let number = SchemaNumber(value) else { return true }
    return range.allows(number) || fail(node, "format", value, .range(range.rawValue))
  }

  private mutating func checkMultiple(
    _ node: Int, _ value: Value, _ divisor: SchemaNumber, _ text: Value
  ) -> Bool {
    guard let number = SchemaNumber(value) else { return true }
    return number.isMultiple(of: divisor) || fail(node, "multipleOf", value, .multiple(text))
  }

  private mutating func checkCount(
    _ node: Int, _ value: Value, _ keyword: Keyword.Count, _ limit: Int
  ) -> Bool {
    let count: Int
    switch (keyword, value) {
    case (.minLength, .string(let text)), (.maxLength, .string(let text)): count = text.scalarCount
    case (.minItems, .list(let values)), (.maxItems, .list(let values)): count = values.count
    case (.minProperties, .map(let map)), (.maxProperties, .map(let map)): count = map.count
    default: return true
    }
    return keyword.allows(count, limit)
      || fail(node, keyword.rawValue, value, .count(keyword, limit, count: count))
  }

  private mutating func checkUnique(_ node: Int, _ value: Value) throws(SchemaError) -> Bool {
    guard case .list(let values) = value else { return true }
    try take(values.count, node)
    guard let places = ValueSet.repeated(in: values) else { return true }
    return fail(
      node, "uniqueItems", value, .repeated(first: places.first, second: places.second))
  }

  private mutating func checkPattern(
    _ node: Int, _ value: Value, _ pattern: SchemaPattern
  ) throws(SchemaError) -> Bool {
    guard case .string(let text) = value else { return true }
    return try matches(pattern, text, node)
      || fail(node, "pattern", value, .pattern(pattern.source))
  }

  /// True if a part of a text matches.
  mutating func matches(
    _ pattern: SchemaPattern, _ text: String, _ node: Int
  ) throws(SchemaError) -> Bool {
    try take(text.utf8.count / 64, node)
    guard let isMatch = pattern.matches(text) else {
      throw SchemaError(.limit(.patternMemory), at: code.nodes[node].location)
    }
    return isMatch
  }

  private mutating func checkFormat(
    _ node: Int, _ value: Value, _ format: SchemaFormat
  ) throws(SchemaError) -> Bool {
    guard case .string(let text) = value else { return true }
    try take(text.utf8.count / 64, node)
    do throws(LibraryError) {
      return try format.allows(text) || fail(node, "format", value, .format(format.rawValue))
    } catch { throw SchemaError(.library(error), at: code.nodes[node].location) }
  }

  private mutating func checkContent(
    _ node: Int, _ value: Value, _ encoding: String?, _ type: String?
  ) -> Bool {
    guard case .string(let text) = value else { return true }
    var content = Array(text.utf8)
    if encoding == "base64" {
      guard let bytes = Bytes(base64: text) else {
        return fail(node, "contentEncoding", value, .content("base64"))
      }
      content = bytes.content
    }
    guard type == "application/json", (try? Value(json: content)) == nil else { return true }
    return fail(node, "contentMediaType", value, .content("JSON"))
  }

  private mutating func checkRequired(_ node: Int, _ value: Value, _ names: [String]) -> Bool {
    guard case .map(let map) = value else { return true }
    var isValid = true
    for name in names where map[name] == nil {
      if isQuick { return false }
      let present = map.names(notIn: code.nodes[node])
      isValid = fail(node, "required", value, .missing(name, present: present))
    }
    return isValid
  }

  private mutating func checkDependencies(
    _ node: Int, _ value: Value, _ dependencies: [Keyword.Dependency]
  ) -> Bool {
    guard case .map(let map) = value else { return true }
    var isValid = true
    for dependency in dependencies where map[dependency.name] != nil {
      for name in dependency.required where map[name] == nil {
        isValid = fail(
          node, dependency.keyword, value, .dependent(dependency.name, missing: name))
        if isQuick { return false }
      }
    }
    return isValid
  }
}

extension ValueMap {
  /// The keys that the properties of a node do not name: one of them may be a misspelt name.
  fileprivate func names(notIn node: SchemaNode) -> [String] {
    let known = node.keywords.reduce(into: NameTable([])) { known, keyword in
      if case .properties(let properties) = keyword { known = properties.names }
    }
    return entries.map(\.key.interpolated).filter { known.position(of: $0, guess: 0) == nil }
  }
}
