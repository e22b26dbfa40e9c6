internal import FlowCore
internal import FlowSchema

/// The names by which a discriminator tells alternatives apart (OpenAPI 3.1, section 4.8.25).
struct DiscriminatorNames {
  /// The property that has the name.
  let property: String
  private let mapping: [(name: String, target: String)]
  private let alternatives: [String]

  /// Reads the discriminator of a schema, or returns nil without one.
  init?(_ part: RawPart) {
    guard let discriminator = part.member("discriminator"),
      let property = discriminator.member("propertyName")?.value.text
    else { return nil }
    self.property = property
    mapping = (discriminator.member("mapping")?.members ?? []).compactMap { name, part in
      part.value.text.map { (name, $0) }
    }
    alternatives = Self.references(part.value, "oneOf") + Self.references(part.value, "anyOf")
  }

  private static func references(_ schema: Value, _ keyword: String) -> [String] {
    guard case .map(let map) = schema, case .list(let parts)? = map[keyword] else { return [] }
    return parts.compactMap { part in
      if case .map(let map) = part { map["$ref"]?.text } else { nil }
    }
  }

  /// All names: those of the mapping, and without one those of the alternatives' schemas.
  var all: [String] {
    mapping.isEmpty ? alternatives.map { Self.last(of: $0) } : mapping.map(\.name)
  }

  /// The name of an alternative, or any for a schema without alternatives.
  func name(ofChoice choice: Int) -> String? {
    guard let last = alternatives.indices.last else { return all.first }
    let target = Self.last(of: alternatives[min(choice, last)])
    if mapping.isEmpty { return target }
    return mapping.first { Self.last(of: $0.target) == target }?.name
  }

  /// The name of the schema that a reference or a name stands for.
  private static func last(of reference: String) -> String {
    reference.split(separator: "/").last.map(String.init) ?? reference
  }
}
