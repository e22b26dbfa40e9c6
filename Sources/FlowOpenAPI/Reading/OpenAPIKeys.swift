/// The keywords of OpenAPI's objects.
enum OpenAPIKeys {
  static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
  static let description = [
    "openapi", "info", "jsonSchemaDialect", "servers", "paths", "webhooks", "components",
    "security", "tags", "externalDocs",
  ]
  static let components = [
    "schemas", "responses", "parameters", "examples", "requestBodies", "headers",
    "securitySchemes", "links", "callbacks", "pathItems",
  ]
  static let pathItem = ["$ref", "summary", "description", "servers", "parameters"] + methods
  static let operation = [
    "tags", "summary", "description", "externalDocs", "operationId", "parameters", "requestBody",
    "responses", "callbacks", "deprecated", "security", "servers",
  ]
  static let parameter =
    ["name", "in", "allowEmptyValue", "allowReserved"] + header
  static let header = [
    "description", "required", "deprecated", "style", "explode", "schema", "example", "examples",
    "content",
  ]
  static let body = ["description", "content", "required"]
  static let mediaType = ["schema", "example", "examples", "encoding"]
  static let response = ["description", "headers", "content", "links"]

  /// The styles of a place (OpenAPI 3.1.1, section 4.8.12.2.1).
  static func styles(of place: OpenAPIParameter.Place) -> [OpenAPIParameter.Style] {
    switch place {
    case .path: [.matrix, .label, .simple]
    case .query: [.form, .spaceDelimited, .pipeDelimited, .deepObject]
    case .header: [.simple]
    case .cookie: [.form]
    }
  }
}
