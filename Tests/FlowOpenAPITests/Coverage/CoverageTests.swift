import FlowCore
import FlowOpenAPI
import FlowSchema
import Testing

@Suite struct CoverageTests {
  @Test func `an operation has parts that tests can cover`() throws {
    let shop = try OpenAPIDescription(files: Shop.files)

    #expect(
      try shop.named("listOrders").parts.map { "\($0.kind): \($0.name)" } == [
        "operation: GET /orders",
        "parameter: GET /orders query limit",
        "parameter: GET /orders query tag",
        "parameter: GET /orders query open",
        "parameter: GET /orders header X-Shop",
        "parameter: GET /orders cookie session",
        "status: GET /orders 200",
        "property: GET /orders 200 /*/id",
        "property: GET /orders 200 /*/secret",
        "property: GET /orders 200 /*/total",
        "property: GET /orders 200 /*/items",
        "property: GET /orders 200 /*/items/*/sku",
        "property: GET /orders 200 /*/items/*/count",
        "status: GET /orders 4XX",
        "property: GET /orders 4XX /title",
        "property: GET /orders 4XX /total",
      ])
  }

  @Test func `a call covers what it has`() throws {
    let shop = try OpenAPIDescription(files: Shop.files)
    let list = OpenAPIRequest(
      path: "/orders", query: [("limit", "1")],
      headers: [("x-shop", "1"), ("cookie", "a=1; session=2")])
    let add = OpenAPIRequest(
      path: "/orders", body: .json(try json(#"{"items": [{"sku": "a"}, {"count": 1}], "x": 1}"#)))
    let failed = OpenAPIResponseValue(status: 404, body: .json(try json(#"{"title": "T"}"#)))

    #expect(
      try shop.named("listOrders").covered(by: list, failed).map(\.name) == [
        "GET /orders", "GET /orders query limit", "GET /orders header X-Shop",
        "GET /orders cookie session", "GET /orders 4XX", "GET /orders 4XX /title",
      ])
    #expect(
      try shop.named("addOrder").covered(by: add, nil).map(\.name) == [
        "POST /orders", "POST /orders request", "POST /orders request /items",
        "POST /orders request /items/*/sku", "POST /orders request /items/*/count",
      ])
    #expect(
      try shop.named("addOrder").covered(
        by: OpenAPIRequest(path: "/orders", body: .multipart(["file"])), nil
      ).map(\.name) == ["POST /orders", "POST /orders request", "POST /orders request /file"])
  }

  @Test func `the properties of a schema inside itself end`() throws {
    let operation = try OpenAPIDescription(
      paths: """
        /a:
          get:
            operationId: a
            responses:
              200:
                description: D
                content: {application/json: {schema: {$ref: '#/components/schemas/Node'}}}
        """,
      components: """
        schemas:
          Node:
            type: object
            properties:
              next: {$ref: '#/components/schemas/Node'}
              names: {type: object, additionalProperties: {properties: {a: true}}}
        """
    ).named("a")
    let answer = OpenAPIResponseValue(
      status: 200, body: .json(try json(#"{"next": {"names": {"x": {"a": 1}}}}"#)))

    #expect(operation.parts.count == 2 + 8 + 8 + 6)
    #expect(
      operation.covered(by: OpenAPIRequest(path: "/a"), answer).map(\.name) == [
        "GET /a", "GET /a 200", "GET /a 200 /next", "GET /a 200 /next/names",
        "GET /a 200 /next/names/*/a",
      ])
  }
}
