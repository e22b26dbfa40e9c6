internal import FlowCore

extension KeywordReader {
  /// The names among those of `required` that the direction of a message does not excuse.
  ///
  /// OpenAPI requires no property with `readOnly` in a request, and none with `writeOnly` in a
  /// response.
  func wanted(_ names: [String], _ compiler: inout Compiler) -> [String] {
    guard let excused = compiler.options.excused else { return names }
    var scopes = [schema]
    // A part of `allOf` often requires what another part describes.
    while scopes.count < 8, let last = scopes.last, let outer = compiler.outer(of: last) {
      scopes.append(outer)
    }
    return names.filter { name in
      !scopes.contains { isExcused(name, by: excused, in: $0, &compiler, levels: 8) }
    }
  }

  /// Looks for the property in a schema and in the schemas that belong to it.
  private func isExcused(
    _ name: String, by annotation: String, in schema: Subschema, _ compiler: inout Compiler,
    levels: Int
  ) -> Bool {
    guard levels > 0, case .map(let map) = schema.value else { return false }
    if case .map(let properties)? = map["properties"], let property = properties[name],
      isMarked(property, annotation, from: schema, &compiler)
    {
      return true
    }
    var parts: [Subschema] = []
    if case .string(let text)? = map["$ref"], let target = compiler.target(of: text, from: schema) {
      parts.append(target)
    }
    if case .list(let values)? = map["allOf"] {
      parts += values.map {
        Subschema(place: schema.place, value: $0, resource: schema.resource)
      }
    }
    for part in parts
    where isExcused(name, by: annotation, in: part, &compiler, levels: levels - 1) {
      return true
    }
    return false
  }

  private func isMarked(
    _ property: Value, _ annotation: String, from schema: Subschema, _ compiler: inout Compiler
  ) -> Bool {
    var (value, schema) = (property, schema)
    for _ in 0..<8 {
      guard case .map(let map) = value else { return false }
      if map[annotation] == .bool(true) { return true }
      guard case .string(let text)? = map["$ref"],
        let target = compiler.target(of: text, from: schema)
      else { return false }
      (value, schema) = (target.value, target)
    }
    return false
  }
}
