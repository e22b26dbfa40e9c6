import FlowCore
import FlowOpenAPI
import FlowScenario
import TestKit

@testable import FlowExplore

/// The description of customers with their orders, and calls of it.
enum DescribedItems {
  static let text = """
    openapi: 3.1.0
    info: {title: Orders, version: "1"}
    paths:
      /customers:
        post:
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [name], properties: {name: {type: string}}}
          responses: {"201": {description: made}}
      /customers/{customer}/orders:
        parameters: [{name: customer, in: path, required: true, schema: {type: integer}}]
        post: {responses: {"201": {description: made}}}
      /customers/{customer}/orders/{order_id}:
        parameters:
          - {name: customer, in: path, required: true, schema: {type: integer}}
          - {name: order_id, in: path, required: true, schema: {type: integer}}
        get:
          parameters: [{name: view, in: query, schema: {type: string, example: list}}]
          responses: {"200": {description: one}}
        delete: {responses: {"204": {description: gone}}}
      /invoices:
        post:
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [customerId]
                  properties: {customerId: {type: integer}}
          responses: {"201": {description: made}}

    """

  static func description() throws -> OpenAPIDescription {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "api.yaml")
    return try OpenAPIDescription("api.yaml") { try DocumentReader.read(folder.directory, $0) }
  }

  /// The usual calls by their names.
  static func calls() throws -> [String: DrawnCall] {
    let pairs = try description().operations.compactMap { operation in
      CallDrawer(operation).usual.first.map { (operation.name, $0) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// The answer of a service with JSON.
  static func answer(_ status: Int, _ json: Value) -> ServiceAnswer {
    ServiceAnswer(
      OpenAPIResponseValue(status: status, contentType: "application/json", body: .json(json)))
  }
}
