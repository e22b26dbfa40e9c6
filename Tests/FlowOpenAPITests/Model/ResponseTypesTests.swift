import FlowCore
import FlowOpenAPI
import Testing

@Suite struct ResponseTypesTests {
  static let text = """
    openapi: 3.0.3
    paths:
      /a:
        post:
          operationId: a
          requestBody:
            content:
              application/json:
                schema:
                  type: object
                  required: [id, name]
                  properties: {id: {type: integer, readOnly: true}, name: {type: string}}
          responses:
            200: &ok
              description: D
              content:
                application/json:
                  schema: &schema
                    type: object
                    required: [id, total, note]
                    properties:
                      id: {type: integer}
                      total: {type: number}
                      note: {type: string, nullable: true}
                      name: {type: string}
            4XX: &problem
              description: D
              content:
                application/problem+json:
                  schema:
                    type: object
                    required: [title, total, note]
                    properties: {title: {type: string}, total: {type: string}, note: {type: string}}
            500: {description: D}
            default: {description: D, content: {text/plain: {schema: {type: string}}}}
      /b: {get: {operationId: b, responses: {default: *ok, 400: *problem}}}
      /c: {get: {operationId: c, responses: {200: {description: D}}}}
      /d: {get: {operationId: d, responses: {200: *ok, 201: *problem}}}
      /e:
        get:
          operationId: e
          responses:
            200: {description: D, content: {application/json: {schema: {type: array, items: *schema}}}}
            400: *problem
    """

  private func type(_ id: String, _ status: Int? = nil) throws -> String {
    let description = try OpenAPIDescription(files: ["openapi.yaml": Self.text])
    return text(try description.named(id).jsonType(status: status))
  }

  @Test func `an answer has the type of its status`() throws {
    #expect(try type("a", 200) == "{id!: int, total!: decimal, note!: string?, name: string?}")
    #expect(try type("a", 404) == "{title!: string, total!: string, note!: string}")
    #expect(try type("a", 500) == "any")
    #expect(try type("a", 600) == "any")
  }

  @Test func `without a status, it has the fields of every answer`() throws {
    #expect(
      try type("a")
        == "{id!: int, total!: any, note!: string?, name: string?, title: string?}")
    #expect(
      try type("b") == "{id!: int, total!: any, note!: string?, name: string?, title: string?}")
    #expect(try type("c") == "any")
    #expect(
      try type("d") == "{id: int?, total!: any, note!: any, name: string?, title: string?}")
    #expect(try type("e") == "[{id!: int, total!: decimal, note!: string?, name: string?}]")
  }

  private static let pets = """
    openapi: 3.0.3
    paths:
      /pet: {get: {operationId: pet, responses: {200: {description: D, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}}
      /cat: {get: {operationId: cat, responses: {200: {description: D, content: {application/json: {schema: {$ref: '#/components/schemas/Cat'}}}}}}}
      /both: {get: {operationId: both, responses: {200: {description: D, content: {application/json: {schema: {type: object, properties: {cat: {$ref: '#/components/schemas/Cat'}, pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}}}}}
    components:
      schemas:
        Pet:
          type: object
          required: [kind]
          properties: {kind: {type: string}}
          discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', fish: Fish, none: Nowhere}}
        Cat:
          allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [lives], properties: {lives: {type: integer}}}]
        Fish: {type: object, properties: {fins: {type: integer}, kind: {type: string}}}
        Dog:
          allOf: [{type: object, properties: {bark: {type: boolean}}}, {$ref: '#/components/schemas/Pet'}]
    """

  @Test(arguments: [
    ("pet", "{kind!: string, lives: int?, fins: int?, bark: bool?}"),
    ("cat", "{kind!: string, lives!: int}"),
    (
      "both",
      "{cat: {kind!: string, lives!: int}?, pets: [{kind!: string, lives: int?, fins: int?, bark: bool?}]?}"
    ),
  ]) func `a base has the fields of its subtypes, and a subtype its own`(
    _ id: String, _ type: String
  ) throws {
    let description = try OpenAPIDescription(files: ["openapi.yaml": Self.pets])

    #expect(try text(description.named(id).jsonType(status: 200)) == type)
  }

  @Test func `a request has the type of its body`() throws {
    let description = try OpenAPIDescription(files: ["openapi.yaml": Self.text])

    #expect(
      try description.named("a").jsonBodyType(as: nil).map(text) == "{id: int?, name!: string}")
    #expect(try description.named("b").jsonBodyType(as: nil) == nil)
  }

  /// `{a!: int}` has a required field, `{a: int?}` an optional one.
  private func text(_ type: ValueType) -> String {
    switch type {
    case .dynamic: "any"
    case .optional(let wrapped): text(wrapped) + "?"
    case .list(let element): "[" + text(element) + "]"
    case .record(let record):
      "{"
        + record.fields.map { "\($0.name)\($0.isRequired ? "!" : ""): \(text($0.type))" }
        .joined(separator: ", ") + "}"
    default: "\(type)"
    }
  }
}
