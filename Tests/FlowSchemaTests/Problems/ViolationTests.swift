import FlowCore
import FlowSchema
import Testing

@Suite struct ViolationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let schema: String
    let value: String
    let report: String
    var testDescription: String { schema }

    init(_ schema: String, _ value: String, _ report: String) {
      (self.schema, self.value, self.report) = (schema, value, report)
    }
  }

  static let assertions = [
    Case(#"{"type": "integer"}"#, #""7""#, #"expected integer, got string "7""#),
    Case(
      #"{"type": ["null", "array", "object"]}"#, "1.5",
      "expected null, array or object, got number 1.5"),
    Case(#"{"const": {"a": 1}}"#, #"{"a": 2}"#, "expected {a: 1}, got {a: 2}"),
    Case(
      #"{"enum": ["open", "paid"]}"#, #""payd""#,
      #"expected one of "open", "paid", got "payd"; did you mean 'paid'?"#),
    Case(#"{"enum": []}"#, "1", "nothing is allowed here, got 1"),
    Case(#"{"minimum": 0.1}"#, "0.09", "expected at least 0.1, got 0.09"),
    Case(#"{"maximum": 3}"#, "4", "expected at most 3, got 4"),
    Case(#"{"exclusiveMinimum": 0}"#, "0.0", "expected more than 0, got 0.0"),
    Case(#"{"exclusiveMaximum": 5}"#, "5", "expected less than 5, got 5"),
    Case(#"{"multipleOf": 0.01}"#, "0.015", "expected a multiple of 0.01, got 0.015"),
    Case(#"{"minLength": 2}"#, #""🐲""#, "expected at least 2 characters, got 1"),
    Case(#"{"maxLength": 1}"#, #""ab""#, "expected at most 1 character, got 2"),
    Case(#"{"minItems": 1}"#, "[]", "expected at least 1 element, got 0"),
    Case(#"{"maxItems": 1}"#, "[1, 2]", "expected at most 1 element, got 2"),
    Case(#"{"minProperties": 1}"#, "{}", "expected at least 1 member, got 0"),
    Case(#"{"maxProperties": 0}"#, #"{"a": 1}"#, "expected at most 0 members, got 1"),
    Case(
      #"{"uniqueItems": true}"#, #"[1, {"a": 1}, 1.0]"#,
      "the elements 0 and 2 are equal, expected different ones"),
    Case(#"{"pattern": "^a+$"}"#, #""b""#, #"expected text like '^a+$', got "b""#),
    Case(
      #"{"required": ["id", "name"]}"#, #"{"nam": 1}"#,
      "'id' is missing\n'name' is missing; there is 'nam'"),
    Case(
      #"{"required": ["name"], "properties": {"nam": true}}"#, #"{"nam": 1}"#,
      "'name' is missing"),
    Case(
      #"{"dependentRequired": {"card": ["address", "name"]}}"#, #"{"card": 1, "name": 2}"#,
      "'address' is required beside 'card'"),
  ]

  static let applicators = [
    Case("false", "1", "nothing is allowed here, got 1"),
    Case(
      #"{"properties": {"id": {"type": "integer"}, "a/b": false}}"#, #"{"id": "x", "a/b": 1}"#,
      "/id: expected integer, got string \"x\"\n/a~1b: nothing is allowed here, got 1"),
    Case(
      #"{"properties": {"amount": true}, "additionalProperties": false}"#, #"{"amuont": 1}"#,
      "/amuont: 'amuont' is not allowed; did you mean 'amount'?"),
    Case(
      #"{"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"minimum": 1}}"#,
      #"{"x-a": 1, "b": 0}"#,
      "/x-a: expected string, got integer 1\n/b: expected at least 1, got 0"),
    Case(
      #"{"propertyNames": {"maxLength": 2}}"#, #"{"abc": 1}"#,
      "the name 'abc' is not allowed: expected at most 2 characters, got 3"),
    Case(#"{"items": {"type": "null"}}"#, "[null, 1]", "/1: expected null, got integer 1"),
    Case(
      #"{"prefixItems": [{"type": "null"}], "items": false}"#, "[1, 2, 3]",
      "expected at most 1 element, got 3\n/0: expected null, got integer 1"),
    Case(#"{"contains": {"const": 1}}"#, "[2]", "no element fits the schema of 'contains'"),
    Case(
      #"{"contains": {"const": 1}, "minContains": 2}"#, "[1]",
      "expected at least 2 elements that fit the schema of 'contains', got 1"),
    Case(
      #"{"contains": {"const": 1}, "maxContains": 1}"#, "[1, 1]",
      "expected at most 1 element that fits the schema of 'contains', got 2"),
    Case(
      #"{"anyOf": [{"type": "string"}, {"minimum": 2}]}"#, "1",
      "no schema of 'anyOf' allows 1 (0: expected string, got integer 1; 1: expected at least 2, got 1)"
    ),
    Case(
      #"{"oneOf": [{"type": "integer"}, false, {"minimum": 1}]}"#, "1",
      "expected exactly one of the schemas, got a value of 2: 0, 2"),
    Case(#"{"not": {"type": "integer"}}"#, "1", "1 is excluded"),
    Case(
      #"{"if": {"type": "integer"}, "then": {"minimum": 1}, "else": false}"#, "0",
      "expected at least 1, got 0"),
    Case(
      #"{"dependentSchemas": {"card": {"required": ["name"]}}}"#, #"{"card": 1}"#,
      "'name' is missing"),
    Case(
      #"{"properties": {"a": true}, "unevaluatedProperties": false}"#, #"{"a": 1, "b": 2}"#,
      "/b: 'b' is not allowed"),
    Case(
      #"{"prefixItems": [true], "unevaluatedItems": false}"#, "[1, 2]", "/1: '1' is not allowed"),
  ]

  @Test(arguments: assertions + applicators)
  func `a violation names the place, the expectation and the value`(_ testCase: Case) throws {
    let schema = try Schema(text: testCase.schema)

    #expect(try schema.report(testCase.value) == testCase.report)
    #expect(try !schema.accepts(try json(testCase.value)))
  }

  @Test func `a violation has the pointers of its value and of its keyword`() throws {
    let schema = try Schema(
      text: ##"{"properties": {"items": {"items": {"$ref": "item.json#/$defs/it~1em"}}}}"##,
      uri: "order.json",
      ["item.json": #"{"$defs": {"it/em": {"properties": {"id": {"type": "integer"}}}}}"#])

    let violations = try schema.validate(try json(#"{"items": [{"id": 1}, {"id": null}]}"#))

    let violation = try #require(violations.all.first)
    #expect(violations.all.count == 1)
    #expect(violation.instance.description == "/items/1/id")
    #expect(violation.location == "item.json#/$defs/it~1em/properties/id/type")
    #expect(violation.keyword == "type")
    #expect(violation.value == .null)
  }

  @Test func `the violations of all branches are kept`() throws {
    let schema = try Schema(
      text: #"{"anyOf": [{"required": ["id", "name"]}, {"properties": {"c": false}}]}"#)

    let violations = try schema.validate(try json(#"{"c": 1}"#))

    let branches = violations.all.map { $0.branches.map { $0.map(\.description) } }
    #expect(
      branches == [
        [["'id' is missing", "'name' is missing"], ["/c: nothing is allowed here, got 1"]]
      ])
  }

  @Test func `violations beyond the limit are counted`() throws {
    let options = SchemaOptions { $0.limits.violations = 2 }
    let schema = try Schema(text: #"{"items": {"type": "string"}}"#, options: options)

    #expect(
      try schema.report("[1, 2, 3, 4, 5]")
        == "/0: expected string, got integer 1\n/1: expected string, got integer 2\nand 3 more")
  }

  @Test func `a name with line ends stays on its line`() throws {
    let schema = try Schema(text: #"{"additionalProperties": false}"#)

    #expect(
      try schema.report(#"{"a\nb\u001b[1m": 1}"#)
        == #"/a\nb\u{1b}[1m: 'a\nb\u{1b}[1m' is not allowed"#)
  }
}
