internal import FlowCore
internal import FlowOpenAPI

/// The body of a request in the terms of a description.
struct DescribedBody {
  let value: OpenAPIRequest.Body
  /// The field of the input that gives the body, or nil without one.
  let field: String?
  /// True if its content is not known before the run.
  let isUnknown: Bool

  private static let names = ["json", "form", "body", "file", "multipart", "text", "bytes"]

  init(_ fields: KnownFields) {
    field = Self.names.first(where: fields.isGiven)
    guard let field else {
      (value, isUnknown) = (.none, false)
      return
    }
    // A file is sent as it is.
    isUnknown = fields.unknown.contains(field) || field == "file"
    value = isUnknown ? Self.placeholder(field) : Self.body(fields.values[field] ?? .null, field)
  }

  private static func placeholder(_ field: String) -> OpenAPIRequest.Body {
    switch field {
    case "json": .json(.null)
    case "form": .form([])
    case "multipart": .multipart([])
    case "file", "bytes": .bytes(0)
    default: .text("")
    }
  }

  private static func body(_ value: Value, _ field: String) -> OpenAPIRequest.Body {
    switch (field, value) {
    case ("json", _): .json(value)
    case ("form", .map(let map)): .form((try? NamedValues(map).pairs) ?? [])
    case ("multipart", .list(let parts)):
      .multipart(
        parts.compactMap { part in
          if case .record(let record) = part, case .string(let name)? = record["name"] {
            return name
          }
          return nil
        })
    case (_, .bytes(let bytes)): .bytes(bytes.content.count)
    default: .text(value.interpolated)
    }
  }
}
