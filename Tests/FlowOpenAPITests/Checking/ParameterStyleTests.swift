import FlowCore
import FlowOpenAPI
import Testing

@Suite struct ParameterStyleTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let parameter: String
    let text: String
    let problems: [String]
    var testDescription: String { "\(parameter) \(text)" }

    init(_ parameter: String, _ text: String, _ problems: String...) {
      (self.parameter, self.text, self.problems) = (parameter, text, problems)
    }
  }

  static let whole = "schema: {type: integer}"
  static let list = "schema: {type: array, items: {type: integer}, maxItems: 3}"
  static let object =
    "schema: {type: object, properties: {a: {type: integer}, b: {type: boolean}}, additionalProperties: false}"

  private func operation(
    _ path: String, _ place: String, _ rest: String
  ) throws -> OpenAPIOperation {
    let required = place == "path" ? ", required: true" : ""
    return try OpenAPIDescription(
      paths: """
        \(path):
          get:
            operationId: a
            parameters: [{name: p, in: \(place)\(required), \(rest)}]
            responses: {200: {description: D}}
        """
    ).named("a")
  }

  static let inPaths = [
    Case(whole, "7"),
    Case(whole, "7a", #"path.p: expected integer, got string "7a""#),
    Case(whole, "%37"),
    Case(whole, "%3", "path.p: the percent-encoding is malformed"),
    Case("schema: {type: string}", "7"),
    Case("schema: {type: string}", "a%2Fb"),
    Case(list, "1,2,3"),
    Case(list, "1,x", #"path.p/1: expected integer, got string "x""#),
    Case(list, "1,2,3,4", "path.p: expected at most 3 elements, got 4"),
    Case(object, "a,1,b,true"),
    Case(object, "a,1,b", "path.p: expected text in the style 'simple'"),
    Case(
      object, "a,x,c,1", #"path.p/a: expected integer, got string "x""#,
      "path.p/c: 'c' is not allowed; did you mean 'a' or 'b'?"),
    Case("explode: true, " + object, "a=1,b=false"),
    Case("explode: true, " + object, "a=1,b=2", #"path.p/b: expected boolean, got string "2""#),
    Case("style: label, " + whole, ".7"),
    Case("style: label, " + whole, "7", "path.p: expected text in the style 'label'"),
    Case("style: label, " + list, ".1,2"),
    Case("style: label, explode: true, " + list, ".1.2"),
    Case("style: label, explode: true, " + object, ".a=1.b=true"),
    Case("style: label, schema: {type: string}", ".a.b"),
    Case("style: matrix, " + whole, ";p=7"),
    Case("style: matrix, " + whole, ";q=7", "path.p: expected text in the style 'matrix'"),
    Case("style: matrix, " + list, ";p=1,2"),
    Case(
      "style: matrix, explode: true, " + list, ";p=1;p=x",
      #"path.p/1: expected integer, got string "x""#),
    Case("style: matrix, " + object, ";p=a,1"),
    Case("style: matrix, explode: true, " + object, ";a=1;b=true"),
    Case("content: {application/json: {schema: {type: object}}}", "%7B%7D"),
    Case(
      "content: {application/json: {schema: {type: object}}}", "a",
      "path.p: expected JSON, got other text"),
  ]

  @Test(arguments: inPaths)
  func `a parameter of the path is read by its style`(_ testCase: Case) throws {
    let operation = try operation("/a/{p}/b", "path", testCase.parameter)

    let problems = operation.problems(in: OpenAPIRequest(path: "/a/\(testCase.text)/b"))

    #expect(problems.lines == testCase.problems)
  }

  static let inQueries = [
    Case(whole, "p=7"),
    Case(whole, ""),
    Case("required: true, " + whole, "", "query.p: lacks the required query parameter 'p'"),
    Case(whole, "p=", #"query.p: expected integer, got string """#),
    Case("allowEmptyValue: true, " + whole, "p="),
    Case(whole, "p=7&p=8", "query.p: expected one value, got 2"),
    Case(whole, "q=7", "query.q: the description has no query parameter 'q'; did you mean 'p'?"),
    Case(list, "p=1&p=2"),
    Case(list, "p=1"),
    Case(list, "p=1,2", #"query.p/0: expected integer, got string "1,2""#),
    Case("explode: false, " + list, "p=1,2"),
    Case("explode: false, " + list, "p=1&p=2", "query.p: expected one value, got 2"),
    Case("style: spaceDelimited, explode: false, " + list, "p=1 2"),
    Case(
      "style: pipeDelimited, explode: false, " + list, "p=1|x",
      #"query.p/1: expected integer, got string "x""#),
    Case(object, "a=1&b=true"),
    Case(object, "a=x", #"query.p/a: expected integer, got string "x""#),
    Case(
      object, "a=1&c=2", "query.c: the description has no query parameter 'c'; did you mean 'p'?"),
    Case("schema: {type: object}", "x=1&y=2"),
    Case("explode: false, " + object, "p=a,1,b,true"),
    Case("style: deepObject, " + object, "p[a]=1&p[b]=true"),
    Case("style: deepObject, " + object, "p[a]=x", #"query.p/a: expected integer, got string "x""#),
    Case(
      "style: deepObject, " + object, "p[a][c]=x",
      "query.p: expected text in the style 'deepObject' with explode"),
    Case(
      "style: deepObject, required: true, " + object, "",
      "query.p: lacks the required query parameter 'p'"),
    Case(
      "schema: {type: object, additionalProperties: {type: integer}}", "x=1&y=z",
      #"query.p/y: expected integer, got string "z""#),
    Case("content: {application/json: {schema: {type: integer}}}", "p=1"),
    Case(
      "content: {application/json: {schema: {type: integer}}}", "p=x",
      "query.p: expected JSON, got other text"),
    Case("schema: {type: boolean}", "p=true"),
    Case("schema: {type: boolean}", "p=1", #"query.p: expected boolean, got string "1""#),
    Case("schema: {type: number}", "p=1.5"),
    Case("schema: {type: number}", "p=1e3"),
    Case("schema: {type: integer}", "p=1.5", "query.p: expected integer, got number 1.5"),
    Case("schema: {type: ['null', integer]}", "p=null"),
    Case("schema: {type: [boolean, integer]}", "p=true"),
    Case(
      "schema: {type: [boolean, integer]}", "p=x",
      #"query.p: expected boolean or integer, got string "x""#),
    Case("schema: {anyOf: [{type: integer, maximum: 5}, {type: string, pattern: '^7'}]}", "p=7"),
    Case("schema: {enum: [1, 2]}", "p=2"),
    Case("schema: {enum: [1, 2]}", "p=3", "query.p: expected one of 1, 2, got 3"),
    Case(
      "schema: {type: string, format: date}", "p=2026-02-29",
      #"query.p: expected text in the format 'date', got "2026-02-29""#),
    Case(
      "schema: {type: integer, format: int64}", "p=9223372036854775808",
      "query.p: expected a number in the range of int64, got 9223372036854775808"),
  ]

  @Test(arguments: inQueries)
  func `a parameter of the query is read by its style`(_ testCase: Case) throws {
    let operation = try operation("/a", "query", testCase.parameter)
    let query = testCase.text.split(separator: "&").map { part in
      let pair = part.split(separator: "=", omittingEmptySubsequences: false)
      return (name: String(pair[0]), value: String(pair[1]))
    }

    let problems = operation.problems(in: OpenAPIRequest(path: "/a", query: query))

    #expect(problems.lines == testCase.problems)
  }

  static let inHeaders = [
    Case(whole, "7"),
    Case(whole, "x", #"headers.p: expected integer, got string "x""#),
    Case(list, "1, 2"),
    Case("explode: true, " + object, "a=1, b=true"),
    Case("schema: {type: string}", "a, b"),
  ]

  @Test(arguments: inHeaders)
  func `a header is read by its style`(_ testCase: Case) throws {
    let operation = try operation("/a", "header", testCase.parameter)

    let request = OpenAPIRequest(path: "/a", headers: [("P", testCase.text), ("other", "x")])

    #expect(operation.problems(in: request).lines == testCase.problems)
  }

  @Test func `a cookie is read by its style`() throws {
    let operation = try operation("/a", "cookie", "required: true, " + Self.whole)
    func lines(_ text: String) -> [String] {
      operation.problems(in: OpenAPIRequest(path: "/a", headers: [("Cookie", text)])).lines
    }

    #expect(lines("a=1; p=7; b") == [])
    #expect(lines("p=x") == [#"cookies.p: expected integer, got string "x""#])
    #expect(lines("a=1") == ["cookies.p: lacks the required cookie parameter 'p'"])
  }
}
