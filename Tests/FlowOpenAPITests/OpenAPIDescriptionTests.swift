import FlowCore
import FlowOpenAPI
import Testing

@Suite struct OpenAPIDescriptionTests {
  @Test func `a description has its operations in file order`() throws {
    let shop = try OpenAPIDescription(files: Shop.files)

    #expect(shop.title == "Shop")
    #expect(
      shop.operations.map(\.name) == [
        "GET /orders", "POST /orders", "GET /orders/mine", "GET /orders/{id}", "HEAD /orders/{id}",
      ])
    #expect(shop.operation(named: "listOrders")?.summary == "Lists orders")
    #expect(shop.operation(named: "order")?.isDeprecated == true)
    #expect(shop.operation(named: "orders") == nil)
    #expect(shop.operations.map(\.serverPaths) == Array(repeating: ["/v1"], count: 5))
    #expect(shop.warnings.isEmpty)
  }

  @Test func `an operation has the parameters of its path, and its own come first`() throws {
    let description = try OpenAPIDescription(
      paths: """
        /a/{id}:
          parameters:
            - {name: id, in: path, required: true, schema: {type: integer}}
            - {name: limit, in: query, schema: {type: integer}}
            - {name: X-A, in: header, schema: {type: integer}}
          get:
            operationId: a
            parameters:
              - {name: limit, in: query, required: true, description: At most, schema: {type: string}}
              - {name: x-a, in: header, schema: {type: boolean}}
              - {name: f, in: query, content: {application/json: {schema: {type: object}}}}
            responses: {default: {description: D}}
        """)

    let parameters = try description.named("a").parameters

    #expect(
      parameters.map { "\($0.place.rawValue) \($0.name) \($0.isRequired) \($0.type) \($0.summary)" }
        == [
          "path id true int ", "query limit true string At most", "header x-a false bool ",
          "query f false map(any value) ",
        ])
    #expect(parameters.last?.mediaType == "application/json")
  }

  @Test func `a response is found by its status, its class, or as the default`() throws {
    let description = try OpenAPIDescription(
      paths: """
        /a:
          get:
            operationId: a
            responses:
              default: {description: other}
              4XX: {description: class}
              404: {description: exact}
        """)
    let operation = try description.named("a")

    #expect(
      [404, 400, 500].map { operation.response(for: $0)?.summary } == ["exact", "class", "other"])
  }

  @Test func `references lead to other files, relative to the file that has them`() throws {
    let description = try OpenAPIDescription(files: [
      "openapi.yaml": """
      openapi: 3.0.3
      info: {title: T, version: '1'}
      paths:
        /a/{id}: {$ref: 'paths/a%20b.yaml#/~1a~1{id}'}
      """,
      "paths/a b.yaml": """
      /a/{id}:
        parameters: [{$ref: '../shared/all.json#/id'}]
        get:
          operationId: a
          responses:
            '200': {$ref: '../shared/all.json#/answer'}
      """,
      "shared/all.json": """
      {"id": {"name": "id", "in": "path", "required": true, "schema": {"$ref": "#/number"}},
       "number": {"type": "integer"},
       "answer": {"description": "A", "content": {"application/json": {
         "schema": {"$ref": "node.yaml"}}}}}
      """,
      "shared/node.yaml": """
      type: object
      required: [value]
      properties:
        value: {$ref: 'all.json#/number'}
        next: {$ref: '#'}
      """,
    ])
    let operation = try description.named("a")

    #expect(
      operation.problems(in: OpenAPIRequest(path: "/a/x")).lines == [
        #"path.id: expected integer, got string "x""#
      ])
    let answer = OpenAPIResponseValue(
      status: 200, body: .json(try json(#"{"value": 1, "next": {"value": "2"}}"#)))
    #expect(
      operation.problems(in: answer) == [
        CallProblem(
          field: "json", pointer: "/next/value", message: #"expected integer, got string "2""#,
          actual: .string("2"), rule: "shared/all.json#/number/type (shared/all.json:2)")
      ])
  }

  @Test func `a file above the first one is asked for by its dots`() throws {
    let texts = [
      "openapi.yaml":
        "{openapi: 3.1.0, paths: {/a: {get: {operationId: a, responses: {200: {$ref: '../../b/b.yaml'}}}}}}",
      "../../b/b.yaml": "{description: D, headers: {A: {$ref: './c/../../c.yaml#/x'}}}",
      "../../c.yaml": "{x: {schema: {$ref: 'b/d.yaml'}}}", "../../b/d.yaml": "{type: string}",
    ]
    var asked: [String] = []

    _ = try OpenAPIDescription("openapi.yaml") { path in
      asked.append(path)
      return try OpenAPIDescription.document(texts[path] ?? "")
    }

    #expect(asked == ["openapi.yaml", "../../b/b.yaml", "../../c.yaml", "../../b/d.yaml"])
  }

  @Test func `a file in a folder has files beside it`() throws {
    var asked: [String] = []

    _ = try OpenAPIDescription("api/c/openapi.yaml") { path in
      asked.append(path)
      return try OpenAPIDescription.document(
        path == "api/c/openapi.yaml"
          ? "{openapi: 3.1.0, components: {responses: {A: {$ref: '../b.yaml'}}}}"
          : "{description: D}")
    }

    #expect(asked == ["api/c/openapi.yaml", "api/b.yaml"])
  }

  @Test func `in 3_0, nothing beside a reference counts`() throws {
    let components =
      "schemas: {A: {$ref: '#/components/schemas/B', properties: {a: {$ref: '#/no'}}}, B: {}}"

    let old = try OpenAPIDescription(version: "3.0.3", paths: "/a: {}", components: components)
    let new = try OpenAPIDescription(version: "3.1.0", paths: "/a: {}", components: components)

    #expect(old.warnings.map(\.description) == [])
    #expect(
      new.warnings.map(\.message) == ["'#/no' refers to nothing: 'openapi.yaml' has no 'no'"])
  }

  @Test func `unknown keywords are named with their places`() throws {
    let paths = """
      /a:
        get:
          operationId: a
          respnses: {}
          x-note: 1
          responses:
            200:
              description: D
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      nullable: {nullable: true, x-note: {a: 1}, example: {$ref: '#/no'}}
                      b: {const: 1, if: {}, items: {requird: []}}
      """

    let new = try OpenAPIDescription(paths: paths)
    let old = try OpenAPIDescription(version: "3.0.3", paths: paths)

    #expect(
      new.warnings.map(\.description) == [
        "openapi.yaml:7:17: unknown keyword 'respnses'; did you mean 'responses'?",
        "openapi.yaml:17:40: unknown keyword 'nullable'",
        "openapi.yaml:18:58: unknown keyword 'requird'; did you mean 'required'?",
      ])
    #expect(
      old.warnings.map(\.description) == [
        "openapi.yaml:7:17: unknown keyword 'respnses'; did you mean 'responses'?",
        "openapi.yaml:18:30: unknown keyword 'const'",
        "openapi.yaml:18:37: unknown keyword 'if'",
        "openapi.yaml:18:58: unknown keyword 'requird'; did you mean 'required'?",
      ])
  }

  @Test func `a schema that cannot be compiled is named, and contradicts every call`() throws {
    let description = try OpenAPIDescription(
      paths: """
        /a:
          get:
            operationId: a
            parameters: [{name: p, in: query, schema: {type: text, pattern: '('}}]
            responses: {200: {description: D}}
        """)
    let operation = try description.named("a")

    #expect(
      operation.faults() == [
        "openapi.yaml#/paths/~1a/get/parameters/0/schema/type (openapi.yaml:7): 'text' is no type; there are null, boolean, integer, number, string, array, object",
        "openapi.yaml#/paths/~1a/get/parameters/0/schema/pattern (openapi.yaml:7): the pattern '(' is malformed: the group is not closed at '('",
      ])
    #expect(
      operation.problems(in: OpenAPIRequest(path: "/a", query: [("p", "1")])).count == 1)
    #expect(operation.parameters[0].type == .dynamic)
  }
}
