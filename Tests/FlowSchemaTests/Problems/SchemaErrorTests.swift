import FlowCore
import FlowSchema
import Testing

@Suite struct SchemaErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let schema: String
    let error: String
    var testDescription: String { schema }

    init(_ schema: String, _ error: String) { (self.schema, self.error) = (schema, error) }
  }

  static let cases = [
    Case("1", "#: a schema is a map, true or false, not 1"),
    Case(
      #"{"properties": {"a": []}}"#, "#/properties/a: a schema is a map, true or false, not []"),
    Case(
      #"{"type": "text"}"#,
      "#/type: 'text' is no type; there are null, boolean, integer, number, string, array, object"),
    Case(#"{"type": "sting"}"#, "#/type: 'sting' is no type; did you mean 'string'?"),
    Case(#"{"type": 1}"#, "#/type: 'type' needs a name or a list of names, not 1"),
    Case(#"{"minimum": "1"}"#, ##"#/minimum: 'minimum' needs a number, not "1""##),
    Case(#"{"multipleOf": 0}"#, "#/multipleOf: 'multipleOf' needs a number above 0, not 0"),
    Case(#"{"minLength": -1}"#, "#/minLength: 'minLength' needs a whole number from 0, not -1"),
    Case(#"{"maxItems": 1.5}"#, "#/maxItems: 'maxItems' needs a whole number from 0, not 1.5"),
    Case(#"{"required": "a"}"#, ##"#/required: 'required' needs a list, not "a""##),
    Case(#"{"required": [1]}"#, "#/required: 'required' needs a list of names, not [1]"),
    Case(#"{"enum": 1}"#, "#/enum: 'enum' needs a list, not 1"),
    Case(#"{"allOf": {}}"#, "#/allOf: 'allOf' needs a list, not {}"),
    Case(#"{"properties": []}"#, "#/properties: 'properties' needs a map, not []"),
    Case(#"{"uniqueItems": 1}"#, "#/uniqueItems: 'uniqueItems' needs true or false, not 1"),
    Case(#"{"title": 1}"#, "#/title: 'title' needs text, not 1"),
    Case(
      #"{"dependentRequired": {"a": {}}}"#,
      "#/dependentRequired: 'dependentRequired' needs lists of names, not {}"),
    Case(
      #"{"pattern": "(a"}"#,
      "#/pattern: the pattern '(a' is malformed: the group is not closed at '('"),
    Case(
      #"{"pattern": "a(?=b)"}"#,
      "#/pattern: the pattern 'a(?=b)' has a lookahead inside of the pattern, which is not supported"
    ),
    Case(
      #"{"patternProperties": {"(a)\\1": true}}"#,
      #"#/patternProperties: the pattern '(a)\1' has the backreference \1, which is not supported"#),
    Case(
      #"{"$ref": "item.json"}"#,
      "#/$ref: 'item.json' refers to 'item.json', which is not among the given documents"),
    Case(
      #"{"$id": "https://a.example/x/", "items": {"$ref": "y.json"}}"#,
      "https://a.example/x/#/items/$ref: 'y.json' refers to 'https://a.example/x/y.json', which is not among the given documents"
    ),
    Case(##"{"$ref": "#/$defs/a"}"##, "#/$ref: '' has no '/$defs'"),
    Case(##"{"$ref": "#a"}"##, "#/$ref: '' has no anchor 'a'"),
    Case(
      ##"{"$ref": "#/a~2"}"##, "#/$ref: '#/a~2' is no reference: its pointer is malformed"),
    Case(
      #"{"$schema": "http://json-schema.org/draft-04/schema#"}"#,
      "#: '$schema' is 'http://json-schema.org/draft-04/schema#', which is unknown; there are draft 2020-12 and draft 7"
    ),
    Case(
      #"{"$defs": {"a": {"$id": "b.json"}, "c": {"$id": "b.json"}}}"#,
      "#: two schemas have the URI 'b.json'"),
  ]

  @Test(arguments: cases)
  func `a wrong schema is refused with the place and the reason`(_ testCase: Case) throws {
    #expect(try problem(of: testCase.schema) == testCase.error)
  }

  @Test func `every problem of the schemas is reported`() throws {
    let error = try problem(
      of: #"{"minimum": null, "$ref": "b.json", "items": {"type": "text"}}"#,
      ["b.json": #"{"const": 1, "maxLength": "x"}"#])

    #expect(
      error.split(separator: "\n").map { $0.split(separator: ":")[0] }.sorted()
        == ["#/items/type", "#/minimum", "b.json#/maxLength"])
  }

  @Test func `a required vocabulary that is unknown is named`() throws {
    let error = try problem(
      of: #"{"$schema": "meta.json"}"#,
      [
        "meta.json": """
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$vocabulary": {
          "https://json-schema.org/draft/2020-12/vocab/core": true, "https://a.example/v": true}}
        """
      ])

    #expect(error == "#: 'meta.json' requires the unknown vocabulary 'https://a.example/v'")
  }

  @Test func `unknown keywords are listed with suggestions`() throws {
    let schema = try Schema(
      text: """
        {"requierd": ["a"], "title": "T", "properties": {"x-note": {"x-note": 1, "id": "a"}},
         "$defs": {"old": {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "old",
           "$ref": "#", "prefixItems": []}}}
        """)

    #expect(
      schema.unknownKeywords.map(\.description) == [
        "#/requierd: unknown keyword 'requierd'; did you mean 'required'?",
        "#/properties/x-note/x-note: unknown keyword 'x-note'",
        "#/properties/x-note/id: unknown keyword 'id'; did you mean '$id' or 'if'?",
      ])
  }
}
