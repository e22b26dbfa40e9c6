import FlowCore
import FlowOpenAPI
import TestKit
import Testing

/// Variants of valid values, each with one change.
@Suite struct SchemaVariantsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let value: String
    /// Pointers with changes, `+` before valid ones, `!` behind promised ones.
    let variants: [String]

    var testDescription: String { schema }
  }

  static let cases = [
    Case(
      schema: "{type: integer, minimum: 3, maximum: 4}", value: "3",
      variants: [
        "- is 2", "+ is 4!", "- is 5", "- is 0", "- is -1", "- is 1", "- is 2147483648",
        "- is 9223372036854775807", "- is -2147483649", "- is 0.5", "- is null", #"- is "text""#,
        "- is []",
      ]),
    Case(
      schema: "{type: string, enum: [a, b]}", value: #""a""#,
      variants: [
        #"+ is "b""#, #"- is """#, #"- is "text""#, #"- is " ""#, #"- is "é🙂""#,
        #"- is "a'\"<b>""#, #"- is "\u{0}""#,
        #"- is "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"#, "- is null", "- is {}", "- is 7",
      ]),
    Case(
      schema: "{type: array, items: {type: integer, minimum: 1, maximum: 1}, maxItems: 1}",
      value: "[1]",
      variants: [
        "+ is []", "- is [1, 1]", "- is null", "- is {}", #"- is "text""#, "-/0 is 0", "-/0 is 2",
        "-/0 is -1", "-/0 is 2147483648", "-/0 is 9223372036854775807", "-/0 is -2147483649",
        "-/0 is 0.5", "-/0 is null", #"-/0 is "text""#, "-/0 is []",
      ]),
    Case(
      schema:
        "{type: object, required: [a], properties: {a: {type: boolean}, b: {type: boolean}}, additionalProperties: false}",
      value: #"{"a": true}"#,
      variants: [
        "- is null", "- is []", #"- is "text""#, "-/a is left out", "+/a is false", "-/a is null",
        #"-/a is "text""#, "-/a is []", "+/b is true", "+/b is false", "-/b is null",
        #"-/b is "text""#, "-/b is []", "-/unexpected is 1",
      ]),
  ]

  @Test(arguments: cases)
  func `a value has variants at each place of it`(_ example: Case) throws {
    let schema = try Self.schema(example.schema)

    let variants = schema.variants(of: try json(example.value))

    let lines = variants.map { variant in
      let sign = schema.allows(variant.value) ? "+" : "-"
      let end = variant.isBound && schema.allows(variant.value) ? "!" : ""
      return "\(sign)\(variant.pointer) \(variant.change)\(end)"
    }
    #expect(lines == example.variants)
  }

  @Test func `a value with many places has a bounded number of variants`() throws {
    let members = (0..<200).map { "p\($0): {type: integer, minimum: \($0), maximum: 900}" }
    let schema = try Self.schema("{type: object, properties: {\(members.joined(separator: ", "))}}")

    #expect(schema.variants(of: .map(ValueMap())).count == 400)
  }

  @Test func `the least sample has only what is required`() throws {
    let schema = try Self.schema(
      "{type: object, required: [a], properties: {a: {type: integer}, b: {type: string, example: x}}}"
    )

    #expect(schema.leastSample() == (try json(#"{"a": 1}"#)))
    #expect(schema.sample() == (try json(#"{"a": 1, "b": "x"}"#)))
  }

  private static func schema(_ text: String) throws -> OpenAPISchema {
    let description = try OpenAPIDescription(
      paths: """
        /a:
          post:
            operationId: a
            requestBody: {content: {application/json: {schema: \(text)}}}
            responses: {'200': {description: D}}
        """)
    return try #require(try description.named("a").body?.contents.first?.schema)
  }
}
