package import FlowCore
internal import FlowSchema
internal import FlowSystem

/// The form of one field in the body of a form, as `encoding` has it (OpenAPI 3.1.1, section
/// 4.8.15).
package struct OpenAPIEncoding: Sendable {
  /// The first media type that is no range, or nil for the usual one.
  package let mediaType: String?
  /// The headers of its part, each with its examples.
  package let headers: [(name: String, examples: [Value])]
  /// The field as a parameter of a query in its style, or nil without a style.
  private let parameter: OpenAPIParameter?

  fileprivate init(_ property: String, _ part: RawPart, _ origin: OpenAPIPlace) {
    let types = part.member("contentType")?.value.text?.split(separator: ",") ?? []
    mediaType = types.map { String($0.filter { $0 != " " }) }.first { !$0.contains("*") }
    headers = (part.member("headers")?.members ?? [])
      .filter { $0.name.lowercased() != "content-type" }
      .map { name, header in
        (name, header.examples + (header.member("schema")?.examples ?? []))
      }
    let keys = ["style", "explode", "allowReserved"]
    guard keys.contains(where: { part.member($0) != nil }) else {
      parameter = nil
      return
    }
    let style = part.member("style")?.value.text.flatMap(OpenAPIParameter.Style.init) ?? .form
    let explodes = part.member("explode")?.value ?? .bool(style == .form || style == .deepObject)
    parameter = OpenAPIParameter(
      name: property, place: .query, isRequired: false, isDeprecated: false, summary: "",
      style: style, explodes: explodes == .bool(true), allowsEmptyValue: true,
      allowsReserved: false, mediaType: nil, schema: nil, origin: origin)
  }

  /// Returns the fields of a value in the given style, percent-encoded, or nil without a style.
  ///
  /// - Throws: `ParameterWriter.Problem` for a value that the style cannot have.
  package func fields(_ value: Value) throws(ParameterWriter.Problem) -> [(
    name: String, text: String
  )]? {
    guard let parameter else { return nil }
    return try ParameterWriter(parameter).fields(value)
  }
}

extension OpenAPIEncoding {
  /// Returns the value of the property in the decoded fields of a form, with the names of its fields.
  ///
  /// Nil if the fields have none, or have it in the usual form.
  func value(
    in fields: [(name: String, value: String)], _ code: SchemaCode, _ node: Int, named name: String
  ) -> (value: Value, names: Set<String>)? {
    if let parameter {
      let part = SchemaCode(
        nodes: code.nodes, root: node, dynamicAnchors: code.dynamicAnchors, limits: code.limits)
      let text = ParameterText(
        name: name, style: parameter.style, explodes: parameter.explodes,
        reader: TextReader(code: part), place: .query, decodesFirst: true)
      let encoded = fields.map {
        (name: $0.name, value: PercentEncoding.component.encode($0.value.utf8))
      }
      let read = text.value(in: encoded, declared: [])
      return read.value.map { ($0, read.used) }
    }
    guard let mediaType, MediaType(mediaType).isJSON,
      let field = fields.first(where: { $0.name.isIdentical(to: name) }),
      let value = try? Value(json: Array(field.value.utf8))
    else { return nil }
    return (value, [name])
  }
}

extension OpenAPIOperation {
  /// The encoding of a property in a form, or nil for the usual one.
  package func encoding(of property: String, in content: OpenAPIContent) -> OpenAPIEncoding? {
    let part = RawPart(at: content.origin, store)?.member("encoding")?.member(property)
    return part.map { OpenAPIEncoding(property, $0, content.origin) }
  }
}
