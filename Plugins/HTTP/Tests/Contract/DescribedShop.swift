import TestKit

/// A small description, and scenarios of its service.
enum DescribedShop {
  static let description = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    servers: [{url: https://shop.example/v1}]
    paths:
      /orders:
        post:
          operationId: createOrder
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: "parts/schemas.yaml#/NewOrder"}}}
          responses:
            "201":
              description: made
              headers: {Location: {required: true, schema: {type: string}}}
              content: {application/json: {schema: {$ref: "parts/schemas.yaml#/Order"}}}
            "409":
              description: twice
              content: {application/json: {schema: {$ref: "parts/schemas.yaml#/Problem"}}}
        get:
          operationId: listOrders
          parameters:
            - {name: limit, in: query, schema: {type: integer, maximum: 50}}
            - {name: customer, in: query, required: true, schema: {type: string}}
            - {name: X-Trace, in: header, schema: {type: string}}
          responses:
            "200":
              description: all
              content: {application/json: {schema: {type: array, items: {$ref: "parts/schemas.yaml#/Order"}}}}
      /orders/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        get:
          operationId: getOrder
          responses:
            "200":
              description: one
              content: {application/json: {schema: {$ref: "parts/schemas.yaml#/Order"}}}
            "404":
              description: none
              content: {application/json: {schema: {$ref: "parts/schemas.yaml#/Problem"}}}

    """

  static let schemas = """
    NewOrder:
      type: object
      required: [customer, lines]
      properties:
        customer: {type: string, minLength: 2}
        lines:
          type: array
          items:
            type: object
            required: [sku]
            properties: {sku: {type: string}, count: {type: integer, minimum: 1}}
    Order:
      type: object
      required: [id, total, state]
      properties:
        id: {type: integer}
        total: {type: number}
        state: {enum: [open, paid]}
        note: {type: [string, "null"]}
    Problem: {type: object, required: [reason], properties: {reason: {type: string}}}

    """

  /// A folder with the description, and a scenario with these steps.
  static func folder(
    _ steps: String, base: String = "http://127.0.0.1:9/v1", contract: String = "api.yaml"
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(description, to: "api.yaml")
    try folder.write(schemas, to: "parts/schemas.yaml")
    try folder.write(
      """
      flow: 1
      components:
        api: {plugin: http, with: {base: "\(base)", contract: \(contract), timeout: 60m}}
      steps:
      \(steps)

      """, to: "shop.yaml")
    return folder
  }
}
