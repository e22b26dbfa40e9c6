import FlowCore
import FlowOpenAPI
import FlowScenario
import TestKit

/// Reads JSON of a test.
func json(_ text: String) throws -> Value { try Value(json: Array(text.utf8)) }

extension OpenAPIDescription {
  /// Reads the files of a test, of which `openapi.yaml` is the first.
  init(files: [String: String]) throws {
    let folder = try TemporaryFolder()
    for (path, text) in files { try folder.write(text, to: path) }
    try self.init("openapi.yaml") { try DocumentReader.read(folder.directory, $0) }
  }

  /// Reads paths, and components if there are some.
  init(version: String = "3.1.0", paths: String, components: String = "") throws {
    let head = "openapi: \(version)\ninfo: {title: Shop, version: '1'}\n"
    let rest = components.isEmpty ? "" : "\ncomponents:\n" + components.indented
    try self.init(files: ["openapi.yaml": head + "paths:\n" + paths.indented + rest])
  }

  /// A document of a test.
  static func document(_ text: String) throws -> Document {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "a.yaml")
    return try DocumentReader.read(folder.directory, "a.yaml")
  }

  /// The operation with an id.
  func named(_ id: String) throws -> OpenAPIOperation {
    guard let operation = operation(named: id) else { throw NoOperation(id: id) }
    return operation
  }
}

/// An id that a description of a test lacks.
struct NoOperation: Error {
  let id: String
}

/// The problems of files as text, or `no error`.
func problems(of files: [String: String]) throws -> String {
  do {
    _ = try OpenAPIDescription(files: files)
    return "no error"
  } catch let error as OpenAPIError {
    return error.description
  }
}

extension String {
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
      .joined(separator: "\n")
  }
}

extension [CallProblem] {
  /// A line for each: the field, the pointer and the message.
  var lines: [String] { map { "\($0.field)\($0.pointer): \($0.message)" } }
}

/// A description with one of everything.
enum Shop {
  static let text = """
    openapi: 3.1.0
    info: {title: Shop, version: '1'}
    servers:
      - url: https://{host}.shop.example/{base}/
        variables: {host: {default: www}, base: {default: v1}}
    paths:
      /orders:
        get:
          operationId: listOrders
          summary: Lists orders
          parameters:
            - {name: limit, in: query, schema: {type: integer, maximum: 100}}
            - {name: tag, in: query, schema: {type: array, items: {type: string}}}
            - {name: open, in: query, required: true, schema: {type: boolean}}
            - {name: X-Shop, in: header, required: true, schema: {type: integer}}
            - {name: Accept, in: header, required: true, schema: {type: integer}}
            - {name: session, in: cookie, schema: {type: integer}}
          responses:
            200:
              description: The orders
              headers:
                ETag: {required: true, schema: {type: string, minLength: 2}}
                X-Total: {schema: {type: integer}}
              content:
                application/json:
                  schema: {type: array, items: {$ref: '#/components/schemas/Order'}}
            4XX: {$ref: '#/components/responses/Problem'}
        post:
          operationId: addOrder
          requestBody: {$ref: '#/components/requestBodies/Order'}
          responses:
            '201':
              description: The order
              content:
                application/json: {schema: {$ref: '#/components/schemas/Order'}}
            '400': {$ref: '#/components/responses/Problem'}
            default: {description: Something else}
      /orders/mine:
        get: {operationId: myOrders, responses: {'204': {description: None}}}
      /orders/{id}:
        parameters:
          - {$ref: '#/components/parameters/id'}
        get:
          operationId: order
          deprecated: true
          responses:
            '200':
              description: The order
              content:
                application/json; charset=utf-8: {schema: {$ref: '#/components/schemas/Order'}}
                text/*: {schema: {type: string, maxLength: 5}}
        head: {operationId: orderHead, responses: {'200': {description: D, content: {text/plain: {}}}}}
    components:
      parameters:
        id: {name: id, in: path, required: true, description: The number, schema: {type: integer}}
      requestBodies:
        Order:
          required: true
          content:
            application/json: {schema: {$ref: '#/components/schemas/Order'}}
            application/x-www-form-urlencoded:
              schema:
                type: object
                properties:
                  count: {type: integer}
                  names: {type: array, items: {type: string}}
                required: [count]
            multipart/form-data:
              schema:
                type: object
                properties: {file: {type: string}, note: {type: string}}
                required: [file]
                additionalProperties: false
      responses:
        Problem:
          description: A problem
          content:
            application/problem+json:
              schema:
                type: object
                required: [title, total]
                properties: {title: {type: string}, total: {type: string}}
      schemas:
        Order:
          type: object
          required: [id, items, secret]
          properties:
            id: {type: integer, readOnly: true, description: The number}
            secret: {type: string, writeOnly: true}
            total: {type: number}
            items:
              type: array
              items:
                type: object
                required: [sku]
                properties: {sku: {type: string}, count: {type: integer, format: int32}}
    """

  static let files = ["openapi.yaml": text]
}
