internal import FlowCore
internal import FlowSchema

/// The schemas of a part of a value, and what the file says of the part beside its type.
package struct SchemaPart {
  private static let mostChoices = 20

  private let nodes: [Int]
  private let code: SchemaCode
  private let sampler: SchemaSampler

  /// The part that is the whole value, or nil for a schema that cannot be compiled.
  package init?(_ schema: OpenAPISchema) {
    guard let code = (try? schema.schema(in: .request))?.code else { return nil }
    nodes = [code.root]
    self.code = code
    sampler = SchemaSampler(code, schema.store, isBare: true)
  }

  private init(_ nodes: [Int], of outer: SchemaPart) {
    self.nodes = nodes
    (code, sampler) = (outer.code, outer.sampler)
  }

  /// True for a file: bytes, or content of a media type.
  package var isFile: Bool { nodes.contains { sampler.isFile($0) } }

  /// True for a text of the format `password`.
  package var isPassword: Bool { nodes.contains { sampler.isPassword($0) } }

  /// The member of an object, of any of the alternatives.
  package func member(_ name: String) -> SchemaPart {
    SchemaPart(shapes.flatMap { $0.nodes(of: name) }.unique, of: self)
  }

  /// The elements of a list, whose first ones may have other schemas.
  package func element(_ index: Int) -> SchemaPart {
    let nodes = shapes.flatMap(\.items).compactMap { items in
      index < items.first.count ? items.first[index] : items.rest
    }
    return SchemaPart(nodes.unique, of: self)
  }

  private var shapes: [SchemaShape] {
    if nodes.isEmpty { return [] }
    let first = SchemaShape(of: nodes, in: code, choice: 0)
    let count = min(first.choices, Self.mostChoices)
    return [first] + (1..<max(1, count)).map { SchemaShape(of: nodes, in: code, choice: $0) }
  }
}
