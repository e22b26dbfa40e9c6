import FlowCore
import FlowOpenAPI
import Testing

@Suite struct DialectTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let schema: String
    let value: String
    let problems: [String]
    var testDescription: String { "\(schema) \(value)" }

    init(_ schema: String, _ value: String, _ problems: String...) {
      (self.schema, self.value, self.problems) = (schema, value, problems)
    }
  }

  static let old = [
    Case("{type: string, nullable: true}", "null"),
    Case("{type: string, nullable: true}", "1", "json: expected null or string, got integer 1"),
    Case("{type: string, nullable: false}", "null", "json: expected string, got null null"),
    Case("{nullable: true}", "null"),
    Case("{minimum: 5, exclusiveMinimum: true}", "5", "json: expected more than 5, got 5"),
    Case("{minimum: 5, exclusiveMinimum: true}", "4", "json: expected more than 5, got 4"),
    Case("{minimum: 5, exclusiveMinimum: false}", "5"),
    Case("{minimum: 5, exclusiveMinimum: false}", "4", "json: expected at least 5, got 4"),
    Case("{maximum: 5, exclusiveMaximum: true}", "5", "json: expected less than 5, got 5"),
    Case("{const: 1, example: 2, discriminator: {propertyName: a}, xml: {}, x-a: 1}", "2"),
    Case(
      "{$ref: '#/components/schemas/A', maximum: 1}", "5"),
    Case("{type: string, format: int32}", "\"a\""),
    Case(
      "{type: string, format: ipv4}", "\"1.2.3\"",
      #"json: expected text in the format 'ipv4', got "1.2.3""#),
    Case("{type: string, format: password}", "\"a\""),
    Case("{type: string, format: hostname}", "\"-\""),
    Case(
      "{type: integer, format: int32}", "2147483648",
      "json: expected a number in the range of int32, got 2147483648"),
    Case("{type: integer, format: int32}", "-2147483648"),
    Case(
      "{type: [string, integer]}", "1",
      "json: the schema cannot be checked: openapi.yaml#/paths/~1a/post/responses/200/content/application~1json/schema/type: 'type' needs a name or a list of names, not [\"string\", \"integer\"]"
    ),
    Case(
      "{type: 'null'}", "1",
      "json: the schema cannot be checked: openapi.yaml#/paths/~1a/post/responses/200/content/application~1json/schema/type: 'null' is no type; there are boolean, integer, number, string, array, object"
    ),
  ]

  static let new = [
    Case("{type: [string, 'null']}", "null"),
    Case("{type: string, nullable: true}", "null", "json: expected string, got null null"),
    Case("{exclusiveMinimum: 5}", "5", "json: expected more than 5, got 5"),
    Case("{const: 1}", "2", "json: expected 1, got 2"),
    Case("{$ref: '#/components/schemas/A', maximum: 1}", "5", "json: expected at most 1, got 5"),
    Case("{unevaluatedProperties: false}", "{\"a\": 1}", "json/a: 'a' is not allowed"),
    Case(
      "{type: string, format: uuid}", "\"a\"", #"json: expected text in the format 'uuid', got "a""#
    ),
    Case("{type: string, format: hostname}", "\"-\""),
    Case("{$ref: '#node'}", "1"),
    Case("{$ref: '#node'}", "\"a\"", #"json: expected integer, got string "a""#),
  ]

  private func problems(_ version: String, _ testCase: Case) throws -> [String] {
    let operation = try OpenAPIDescription(
      version: version,
      paths: """
        /a:
          post:
            operationId: a
            responses:
              200: {description: D, content: {application/json: {schema: \(testCase.schema)}}}
        """,
      components: "schemas: {A: {type: integer}, B: {$anchor: node, type: integer}}"
    ).named("a")
    return operation.problems(
      in: OpenAPIResponseValue(status: 200, body: .json(try json(testCase.value)))
    ).lines
  }

  @Test(arguments: old)
  func `a schema of 3_0 has its own keywords`(_ testCase: Case) throws {
    #expect(try problems("3.0.3", testCase) == testCase.problems)
  }

  @Test(arguments: new)
  func `a schema of 3_1 is one of draft 2020-12`(_ testCase: Case) throws {
    #expect(try problems("3.1.1", testCase) == testCase.problems)
  }

  static let required = [
    "{type: object, required: [r, w], properties: {r: {readOnly: true}, w: {writeOnly: true}}}",
    "{allOf: [{properties: {r: {$ref: '#/components/schemas/R'}, w: {writeOnly: true}}}], required: [r, w]}",
    "{$ref: '#/components/schemas/O'}",
    "{allOf: [{properties: {r: {readOnly: true}, w: {writeOnly: true}}}, {allOf: [{required: [r, w]}]}]}",
  ]

  @Test(arguments: required)
  func `a request needs nothing that is readOnly, and a response nothing writeOnly`(
    _ schema: String
  ) throws {
    let operation = try OpenAPIDescription(
      paths: """
        /a:
          post:
            operationId: a
            requestBody: {content: {application/json: {schema: \(schema)}}}
            responses: {200: {description: D, content: {application/json: {schema: \(schema)}}}}
        """,
      components: """
        schemas:
          R: {readOnly: true, type: integer}
          O: {required: [r, w], properties: {r: {$ref: '#/components/schemas/R'}, w: {writeOnly: true}}}
        """
    ).named("a")
    let empty = Value.map(ValueMap())
    let full = Value.map(ValueMap([("r", .int(1)), ("w", .null)]))

    #expect(operation.problems(in: OpenAPIRequest(path: "/a", body: .json(full))).lines == [])
    #expect(
      operation.problems(in: OpenAPIResponseValue(status: 200, body: .json(full))).lines == [
        "json/w: 'writeOnly' allows no value here"
      ])
    #expect(
      operation.problems(in: OpenAPIRequest(path: "/a", body: .json(empty))).lines == [
        "json: 'w' is missing"
      ])
    #expect(
      operation.problems(in: OpenAPIResponseValue(status: 200, body: .json(empty))).lines == [
        "json: 'r' is missing"
      ])
  }
}
