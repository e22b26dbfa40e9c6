import FlowCore
import FlowOpenAPI
import FlowSchema
import TestKit
import Testing

/// Values for requests, made of schemas.
@Suite struct SampleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    /// The sample as JSON, or nil if there is none.
    let sample: String?
    var testDescription: String { schema }

    init(_ schema: String, _ sample: String?) { (self.schema, self.sample) = (schema, sample) }
  }

  private static let texts = [
    Case("{type: string}", #""text""#),
    Case("{type: string, minLength: 6}", #""text text""#),
    Case("{type: string, maxLength: 2}", #""te""#),
    Case("{type: string, format: date}", #""2024-01-31""#),
    Case("{type: string, format: date-time}", #""2024-01-31T12:00:00Z""#),
    Case("{type: string, format: email}", #""ann@example.org""#),
    Case("{type: string, format: uri}", #""https://example.org/""#),
    Case("{type: string, format: uuid}", #""123e4567-e89b-12d3-a456-426614174000""#),
    Case("{type: string, format: binary}", #""text""#),
    Case("{type: string, pattern: '^[A-Z]{3}-\\d+(\\.\\w)?$'}", #""AAA-1""#),
    Case("{type: string, pattern: '^(?!x)[^a-c]*$', minLength: 3}", #""111""#),
    Case("{type: string, pattern: '^(red|green)$'}", #""red""#),
    Case("{type: string, pattern: '^[a-f0-9]+$', minLength: 5, maxLength: 8}", #""aaaaa""#),
    Case("{enum: [b, a]}", #""b""#), Case("{const: 5}", "5"),
  ]

  private static let scalars = [
    Case("{type: integer}", "1"), Case("{type: integer, minimum: 18}", "18"),
    Case("{type: integer, exclusiveMinimum: 18}", "19"),
    Case("{type: integer, maximum: -5}", "-5"), Case("{type: integer, multipleOf: 7}", "0"),
    Case("{type: integer, minimum: 10, multipleOf: 7}", "14"),
    Case("{type: number, exclusiveMinimum: 0, exclusiveMaximum: 1}", "0.5"),
    Case("{type: boolean}", "true"), Case("{type: 'null'}", "null"),
    Case("{type: [string, 'null']}", #""text""#), Case("{}", #""text""#),
    Case("{anyOf: [{type: 'null'}, {type: integer}]}", "null"),
    Case("{type: integer, minimum: 2, maximum: 1}", nil), Case("false", nil),
  ]

  private static let collections = [
    Case("{type: array}", #"["text"]"#),
    Case("{type: array, items: {type: integer}, minItems: 2}", "[1,1]"),
    Case("{type: array, items: {type: integer}, minItems: 2, uniqueItems: true}", "[1,0]"),
    Case(
      "{type: array, items: {enum: [a, b, c]}, minItems: 3, uniqueItems: true}", #"["a","b","c"]"#),
    Case(
      "{type: array, items: {pattern: '^(0|[1-9][0-9]*)$'}, minItems: 3, uniqueItems: true}",
      #"["0","1","10"]"#),
    Case("{type: array, maxItems: 0}", "[]"), Case("{type: object}", "{}"),
    Case("{type: array, items: {type: integer}, contains: {const: 4}}", "[4]"),
    Case(
      "{required: [a], properties: {a: {type: integer}, b: {type: integer}, c: {example: x}}}",
      #"{"a":1,"c":"x"}"#),
    Case(
      "{type: object, required: [id, n], properties: {id: {readOnly: true}, n: {default: 5}}}",
      #"{"n":5}"#),
    Case(
      "{type: object, minProperties: 2, properties: {a: {type: boolean}}}",
      #"{"a":true,"key1":"text"}"#),
    Case(
      "{allOf: [{required: [a], properties: {a: {type: string}}}, {properties: {a: {maxLength: 1}}}]}",
      #"{"a":"t"}"#),
    Case(
      """
      {oneOf: [{required: [a, b], not: {}}, {required: [a], properties: {a: {const: 2}}}]}
      """, #"{"a":2}"#),
    Case(
      "{type: object, required: [a], properties: {a: {type: integer, example: wrong}}}",
      #"{"a":1}"#),
    Case("{type: object, example: {a: 1}, required: [b]}", #"{"b":"text"}"#),
  ]

  @Test(arguments: texts + scalars + collections) func `a sample is valid`(_ test: Case) throws {
    let schema = try Self.schema(test.schema)
    let sample = schema.sample()

    #expect(sample?.json == test.sample)
    if let sample { #expect(try schema.schema(in: .request).accepts(sample)) }
  }

  @Test(arguments: [
    // The name of an alternative that fits alone, by the mapping or by the schema's own name.
    (
      "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {dog: Dog, cat: '#/components/schemas/Cat'}}}",
      "dog"
    ),
    (
      "{anyOf: [{$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind}}",
      "Dog"
    ),
    ("{$ref: '#/components/schemas/Base'}", "fish"),
    // Without a name that fits, the value stays.
    (
      "{oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind, mapping: {dog: Dog}}}",
      "text"
    ),
  ]) func `a discriminator has the name of an alternative`(_ schema: String, _ name: String) throws
  {
    let description = try OpenAPIDescription(
      paths: """
        /a:
          put:
            operationId: a
            requestBody: {content: {application/json: {schema: \(schema)}}}
            responses: {200: {description: D}}
        """,
      components: """
        schemas:
          Cat: {type: object, required: [kind, lives], properties: {kind: {type: string}, lives: {type: integer}}}
          Dog: {type: object, required: [kind], properties: {kind: {type: string}}}
          Base: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {fish: Cat}}}
        """)
    let sample = try description.named("a").body?.contents.first?.schema?.sample()

    guard case .map(let map)? = sample else {
      Issue.record("\(sample as Any)")
      return
    }
    #expect(map["kind"] == .string(name))
  }

  @Test func `a schema inside of itself ends where it may`() throws {
    let tree =
      "{type: object, required: [kids], properties: {kids: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}"
    let schema = try Self.schema("{$ref: '#/components/schemas/Tree'}", components: tree)
    let sample = try #require(schema.sample())

    #expect(try schema.schema(in: .request).accepts(sample))
    #expect(sample.json.utf8.count < 200)
  }

  @Test func `a schema that needs itself has no sample`() throws {
    let tree =
      "{type: object, required: [kid], properties: {kid: {$ref: '#/components/schemas/Tree'}}}"

    #expect(
      try Self.schema("{$ref: '#/components/schemas/Tree'}", components: tree).sample() == nil)
  }

  @Test func `a hostile schema takes bounded time`() throws {
    let names = (0..<12).map { "p\($0)" }
    let properties = names.map { "\($0): {$ref: '#/components/schemas/Tree'}" }.joined(
      separator: ", ")
    let tree = "{required: [\(names.joined(separator: ", "))], properties: {\(properties)}}"

    #expect(
      try Self.schema("{$ref: '#/components/schemas/Tree'}", components: tree).sample() == nil)
  }

  private static func schema(_ text: String, components: String = "{}") throws -> OpenAPISchema {
    let description = try OpenAPIDescription(
      paths: """
        /a:
          post:
            operationId: a
            requestBody: {content: {application/json: {schema: \(text)}}}
            responses: {'200': {description: A}}
        """,
      components: "  schemas: {Tree: \(components)}")
    return try #require(try description.named("a").body?.contents.first?.schema)
  }
}
