internal import FlowCore

/// A file that has no introspection of a schema.
struct IntrospectionError: Error {
  let path: FieldPath
  let message: String
}

/// The definitions in an answer to the introspection query (GraphQL, September 2025, section 4).
struct Introspection {
  private(set) var syntax = SchemaSyntax()

  // A type of an introspection has no place.
  private static let nowhere = 0..<0

  /// Reads the whole answer, its `data`, or `__schema` alone.
  ///
  /// - Throws: `IntrospectionError` for another value.
  init(_ value: Value) throws(IntrospectionError) {
    var root = Part(value)
    for name in ["data", "__schema"] {
      if let inner = root.optional(name) { root = inner }
    }
    for type in try root.list("types") { try add(type) }
    for (kind, name) in [
      (OperationKind.query, "queryType"), (.mutation, "mutationType"),
      (.subscription, "subscriptionType"),
    ] {
      guard let type = root.optional(name) else { continue }
      syntax.roots[kind] = Name(text: try type.string("name"), range: Self.nowhere)
    }
    for directive in root.optionalList("directives") {
      syntax.directives.append(
        DirectiveDefinition(
          name: try directive.string("name"), arguments: try Self.inputs(directive, "args"),
          locations: directive.optionalList("locations").compactMap(\.text),
          isRepeatable: directive.optional("isRepeatable")?.value == .bool(true)))
    }
  }

  private mutating func add(_ part: Part) throws(IntrospectionError) {
    let name = try part.string("name")
    let kinds: [String: TypeDefinition.Kind] = [
      "SCALAR": .scalar, "OBJECT": .object, "INTERFACE": .interface, "UNION": .union,
      "ENUM": .enumeration, "INPUT_OBJECT": .input,
    ]
    guard let kind = kinds[try part.string("kind")] else { return }
    var type = TypeDefinition(name, kind)
    for field in part.optionalList("fields") {
      _ = type.add(
        FieldDefinition(
          name: try field.string("name"), type: try Self.type(field.required("type")),
          summary: field.optional("description")?.text ?? "",
          arguments: try Self.inputs(field, "args"), offset: nil))
    }
    for interface in part.optionalList("interfaces") {
      type.interfaces.append(try interface.string("name"))
    }
    if kind == .union {
      for member in part.optionalList("possibleTypes") {
        type.members.append(try member.string("name"))
      }
    }
    for value in part.optionalList("enumValues") { type.values.append(try value.string("name")) }
    type.inputs = try Self.inputs(part, "inputFields")
    type.isOneOf = part.optional("isOneOf")?.value == .bool(true)
    var entry = SchemaSyntax.TypeSyntax(type: type, range: Self.nowhere)
    let ofFields = type.fields.flatMap { [$0.type.name] + $0.arguments.map(\.type.name) }
    let others = type.interfaces + type.members + type.inputs.map(\.type.name)
    entry.references = (ofFields + others).map { Name(text: $0, range: Self.nowhere) }
    syntax.types.append(entry)
  }

  private static func inputs(_ part: Part, _ name: String) throws(IntrospectionError)
    -> [InputDefinition]
  {
    var inputs: [InputDefinition] = []
    for input in part.optionalList(name) {
      inputs.append(
        InputDefinition(
          name: try input.string("name"), type: try type(input.required("type")),
          summary: input.optional("description")?.text ?? "",
          hasDefault: input.optional("defaultValue") != nil))
    }
    return inputs
  }

  private static func type(_ part: Part, depth: Int = 0) throws(IntrospectionError) -> TypeReference
  {
    switch try part.string("kind") {
    case "NON_NULL" where depth < 16: .nonNull(try type(part.required("ofType"), depth: depth + 1))
    case "LIST" where depth < 16: .list(try type(part.required("ofType"), depth: depth + 1))
    default: .named(try part.string("name"))
    }
  }
}

/// A part of the answer with its place.
private struct Part {
  let value: Value
  let path: FieldPath

  init(_ value: Value, _ path: FieldPath = FieldPath()) { (self.value, self.path) = (value, path) }

  /// The value if it is a text.
  var text: String? { if case .string(let text) = value { text } else { nil } }

  /// Returns the member of this name, or nil if it is absent or null.
  func optional(_ name: String) -> Part? {
    guard case .map(let map) = value, let inner = map[name], inner != .null else { return nil }
    return Part(inner, path.appending(.field(name)))
  }

  func required(_ name: String) throws(IntrospectionError) -> Part {
    guard let part = optional(name) else {
      throw IntrospectionError(path: path, message: "'\(name)' of the introspection is missing")
    }
    return part
  }

  func string(_ name: String) throws(IntrospectionError) -> String {
    let part = try required(name)
    guard let text = part.text else {
      throw IntrospectionError(path: part.path, message: "'\(name)' is no text")
    }
    return text
  }

  func list(_ name: String) throws(IntrospectionError) -> [Part] {
    _ = try required(name)
    return optionalList(name)
  }

  /// Returns the elements, none without a list.
  func optionalList(_ name: String) -> [Part] {
    guard let part = optional(name), case .list(let values) = part.value else { return [] }
    return values.enumerated().map { Part($1, part.path.appending(.index($0))) }
  }
}
