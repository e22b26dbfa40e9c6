import FlowCore
import FlowOpenAPI
import Testing

/// Fields of forms in the encodings of a description.
@Suite struct OpenAPIEncodingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let fields: [(name: String, value: String)]
    let problems: [String]
    var testDescription: String { "\(fields)" }

    init(_ fields: [(name: String, value: String)], _ problems: String...) {
      (self.fields, self.problems) = (fields, problems)
    }
  }

  private static let paths = """
    /a:
      post:
        operationId: a
        requestBody:
          content:
            application/x-www-form-urlencoded:
              schema:
                type: object
                required: [ids]
                additionalProperties: false
                properties:
                  ids: {type: array, items: {type: integer}}
                  at: {type: object, properties: {x: {type: integer}}, additionalProperties: false}
                  meta: {type: object, required: [n]}
                  tags: {type: array, items: {type: string}}
              encoding:
                ids: {style: form, explode: false}
                at: {style: deepObject}
                meta: {contentType: 'application/*, application/json'}
                tags: {style: pipeDelimited, explode: false}
        responses: {200: {description: D}}
    """

  static let cases = [
    Case([("ids", "1,2"), ("at[x]", "1"), ("meta", "{\"n\": 3}"), ("tags", "a|b c")]),
    Case([("ids", "7")]),
    Case([("ids", "1,x")], #"form/ids/1: expected integer, got string "x""#),
    Case([("ids", "1"), ("at[y]", "1")], "form/at/y: 'y' is not allowed; did you mean 'x'?"),
    Case([("ids", "1"), ("meta", "{}")], "form/meta: 'n' is missing"),
    Case([("ids", "1"), ("meta", "{")], #"form/meta: expected object, got string "{""#),
    Case([("at[x]", "1")], "form: 'ids' is missing"),
  ]

  @Test(arguments: cases) func `a field is read in its encoding`(_ testCase: Case) throws {
    let operation = try OpenAPIDescription(paths: Self.paths).named("a")

    let problems = operation.problems(
      in: OpenAPIRequest(path: "/a", body: .form(testCase.fields)))

    #expect(problems.lines == testCase.problems)
  }
}
