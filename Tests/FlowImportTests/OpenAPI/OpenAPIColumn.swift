extension ImportColumn {
  /// Descriptions of OpenAPI.
  static let openAPI = ImportColumn(
    "OpenAPI", file: "a.yaml",
    [
      "settings base": .yes(operation()),
      "settings bearer": .yes(scheme("{type: http, scheme: bearer}")),
      "settings user": .yes(scheme("{type: http, scheme: basic}")),
      "settings password": .yes(scheme("{type: http, scheme: basic}")),
      "settings auth.bearer": .other("settings bearer", scheme("{type: http, scheme: bearer}")),
      "settings auth.basic.user": .other(
        "settings user", scheme("{type: http, scheme: basic}")),
      "settings auth.basic.password": .other(
        "settings password", scheme("{type: http, scheme: basic}")),
      "settings auth.digest.user": .yes(scheme("{type: http, scheme: digest}")),
      "settings auth.digest.password": .yes(scheme("{type: http, scheme: digest}")),
      "settings auth.oauth2.token_url": .yes(client),
      "settings auth.oauth2.client_id": .yes(client),
      "settings auth.oauth2.client_secret": .yes(client),
      "settings auth.oauth2.scope": .yes(client),
      "settings client_cert": .yes(scheme("{type: mutualTLS}", version: "3.1.0")),
      "settings client_key": .yes(scheme("{type: mutualTLS}", version: "3.1.0")),
      "settings contract": .yes(operation()),
      "request method": .yes(operation(method: "delete")),
      "request path": .yes(operation()),
      "request query": .yes(
        operation("parameters: [{name: a, in: query, schema: {type: string}, example: b}]")),
      "request headers": .yes(
        operation("parameters: [{name: X-A, in: header, schema: {type: string}, example: b}]")),
      "request json": .yes(body("application/json", "{type: object, example: {a: 1}}")),
      "request form": .yes(
        body("application/x-www-form-urlencoded", "{type: object, example: {a: 1}}")),
      "request body": .yes(body("text/plain", "{type: string, example: a}")),
      "request file": .yes(body("application/octet-stream", "{type: string, format: binary}")),
      "request multipart.name": .yes(form("{type: string, example: b}")),
      "request multipart.value": .yes(form("{type: string, example: b}")),
      "request multipart.file": .yes(form("{type: string, format: binary}")),
      "request multipart.type": .yes(
        form("{type: string, format: binary}", encoding: "{a: {contentType: text/csv}}")),
      "request multipart.headers": .yes(
        form(
          "{type: string, example: b}",
          encoding: "{a: {headers: {X-A: {schema: {type: string}, example: c}}}}")),
      "request auth": .other("settings auth", scheme("{type: http, scheme: digest}")),
      "expect status": .yes(operation()),
      "expect headers": .other("settings contract", operation()),
      "expect text": .other("settings contract", operation()),
      "expect json": .other("settings contract", operation()),
    ])

  private static func operation(
    _ part: String = "", method: String = "get", end: String = "", version: String = "3.0.3"
  ) -> String {
    """
    openapi: \(version)
    info: {title: A, version: '1'}
    servers: [{url: 'https://x.example'}]
    paths:
      /a:
        \(method):
          \(part)
          responses: {'200': {description: A}}
    \(end)
    """
  }

  private static func scheme(_ scheme: String, version: String = "3.0.3") -> String {
    operation(
      "security: [{login: [read, write]}]",
      end: "components: {securitySchemes: {login: \(scheme)}}", version: version)
  }

  private static let client = scheme(
    "{type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://id.example/token', scopes: {read: a, write: b}}}}"
  )

  private static func body(_ type: String, _ schema: String, _ encoding: String = "") -> String {
    operation(
      "requestBody: {required: true, content: {\(type): {schema: \(schema)\(encoding)}}}",
      method: "post")
  }

  private static func form(_ schema: String, encoding: String? = nil) -> String {
    body(
      "multipart/form-data", "{type: object, required: [a], properties: {a: \(schema)}}",
      encoding.map { ", encoding: \($0)" } ?? "")
  }
}
