internal import FlowCore

// The values of keywords in the forms that they need to have.

extension KeywordReader {
  func location(_ keyword: String, _ compiler: Compiler) -> String {
    compiler.location(of: schema, keyword)
  }

  func wrong(
    _ keyword: String, _ expected: String, _ value: Value, _ compiler: inout Compiler
  ) {
    compiler.report(.shape(keyword, expected, value), at: location(keyword, compiler))
  }

  func string(_ value: Value, _ keyword: String, _ compiler: inout Compiler) -> String? {
    if case .string(let text) = value { return text }
    wrong(keyword, "text", value, &compiler)
    return nil
  }

  func bool(_ value: Value, _ keyword: String, _ compiler: inout Compiler) -> Bool? {
    if case .bool(let isTrue) = value { return isTrue }
    wrong(keyword, "true or false", value, &compiler)
    return nil
  }

  func list(_ value: Value, _ keyword: String, _ compiler: inout Compiler) -> [Value]? {
    if case .list(let values) = value { return values }
    wrong(keyword, "a list", value, &compiler)
    return nil
  }

  func limit(_ value: Value, _ keyword: String, _ compiler: inout Compiler) -> Int? {
    if let number = SchemaNumber(value), number.sign >= 0, number.isWhole {
      // No value has more elements than this.
      return number.integer ?? .max
    }
    wrong(keyword, "a whole number from 0", value, &compiler)
    return nil
  }

  func names(_ value: Value, _ keyword: String, _ compiler: inout Compiler) -> [String]? {
    guard let values = list(value, keyword, &compiler) else { return nil }
    let names = values.compactMap(\.text)
    if names.count == values.count { return names }
    wrong(keyword, "a list of names", value, &compiler)
    return nil
  }

  func entries(
    _ value: Value, _ keyword: String, _ compiler: inout Compiler
  ) -> [(String, Value)]? {
    if case .map(let map) = value {
      return map.entries.map { ($0.key.interpolated, $0.value) }
    }
    wrong(keyword, "a map", value, &compiler)
    return nil
  }

  func pattern(
    _ source: String, at location: String, _ compiler: inout Compiler
  ) -> SchemaPattern? {
    do throws(PatternProblem) {
      return try SchemaPattern(source)
    } catch {
      if compiler.options.skipsUnsupportedPatterns, error.isLimitation { return nil }
      compiler.report(.pattern(source, error), at: location)
      return nil
    }
  }

  func node(_ value: Value, _ keyword: String, _ compiler: inout Compiler) -> Int {
    node(value, at: schema.place.pointer.appending(keyword), &compiler)
  }

  func node(_ value: Value, at pointer: JSONPointer, _ compiler: inout Compiler) -> Int {
    let place = Place(document: schema.place.document, pointer: pointer)
    let resource = compiler.index.resource(at: place) ?? schema.resource
    return compiler.number(of: Subschema(place: place, value: value, resource: resource))
  }

  func nodes(_ value: Value, _ keyword: String, _ compiler: inout Compiler) -> [Int]? {
    guard let values = list(value, keyword, &compiler) else { return nil }
    let pointer = schema.place.pointer.appending(keyword)
    var nodes: [Int] = []
    for (index, value) in values.enumerated() {
      nodes.append(node(value, at: pointer.appending(index), &compiler))
    }
    return nodes
  }

  func namedNodes(_ keyword: String, _ compiler: inout Compiler) -> [(String, Int)] {
    guard let value = map[keyword], let entries = entries(value, keyword, &compiler) else {
      return []
    }
    let pointer = schema.place.pointer.appending(keyword)
    var nodes: [(String, Int)] = []
    for (name, value) in entries {
      nodes.append((name, node(value, at: pointer.appending(name), &compiler)))
    }
    return nodes
  }
}

extension Value {
  /// The content of a string, or nil for another value.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
}
