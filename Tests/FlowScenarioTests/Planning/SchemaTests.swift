import FlowCore
import FlowExpression
import FlowPlan
import FlowRedaction
import TestKit
import Testing

/// Schemas in expectations and expressions: how they are found, and what is wrong with them.
@Suite struct SchemaTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    var file = "test.yaml"
    /// The expectation of the value that the probe echoes.
    let expect: String
    var files: [String: String] = [:]
    var problems: [String] = []
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `a schema is read before the run`(_ sample: Case) throws {
    let text =
      ScenarioText.head + """
        steps:
          - {uses: p.echo, with: {value: 1}, expect: {value: \(sample.expect)}}
        """

    let problems = try ScenarioText.problems(text, in: sample.file, files: sample.files)
    #expect(problems == sample.problems)
  }

  static let used = " (the schema is used in test.yaml:4:63)"

  static let cases: [Case] = [
    Case(id: "a file", expect: "{schema: a.json}", files: ["a.json": "{}"]),
    Case(id: "YAML", expect: "{schema: s/a.yml}", files: ["s/a.yml": "type: object"]),
    Case(
      id: "a pointer", expect: "{schema: 'a.yaml#/$defs/x'}",
      files: ["a.yaml": "$defs: {x: {type: string}}"]),
    Case(
      id: "an anchor", expect: "{schema: 'a.yaml#item'}",
      files: ["a.yaml": "$defs: {x: {$anchor: item}}"]),
    Case(
      id: "draft 7", expect: "{schema: a.json}",
      files: [
        "a.json": """
        {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"x": {"$id": "#i"}},
        "items": [{"$ref": "#i"}, {"$ref": "http://json-schema.org/draft-07/schema#"}]}
        """
      ]),
    Case(
      id: "references from file to file", expect: "{schema: s/a.json}",
      files: [
        "s/a.json": #"{"items": {"$ref": "./t/b.yaml#/$defs/x"}}"#,
        "s/t/b.yaml": "$defs: {x: {$ref: ../c%20d.json}}", "s/c d.json": "true",
      ]),
    Case(
      id: "neighbours by their URLs", expect: "{schema: s/a.json}",
      files: [
        "s/a.json": """
        {"$id": "https://x.example/v1/a.json", "items": {"$ref": "b.json"},
        "not": {"$ref": "https://x.example/v1/t/c.json"}}
        """, "s/b.json": #"{"$id": "https://x.example/v1/b.json"}"#, "s/t/c.json": "{}",
      ]),
    Case(
      id: "neighbours of neighbours by their URLs", expect: "{schema: s/a.json}",
      files: [
        "s/a.json": #"{"$id": "https://x.example/v1/a.json", "not": {"$ref": "t/b.json"}}"#,
        "s/t/b.json": """
        {"items": {"$ref": "c.json"}, "not": {"$ref": "../d.json"},
        "contains": {"$ref": "/v1/t/c.json#/$defs/x"}}
        """, "s/t/c.json": #"{"$defs": {"x": {"$ref": "u/e.json"}}}"#,
        "s/t/u/e.json": #"{"$ref": "https://x.example/v1/a.json"}"#, "s/d.json": "{}",
      ]),
    Case(
      id: "a neighbour that is known by its path and by its URL", expect: "{schema: s/b.json}",
      files: [
        "s/b.json": ##"{"not": {"$ref": "a.json"}, "items": {"$ref": "c.json"}}"##,
        "s/a.json": #"{"$id": "https://x.example/v1/a.json", "not": {"$ref": "c.json"}}"#,
        "s/c.json": #"{"$ref": "d.json"}"#, "s/d.json": "{}",
      ]),
    Case(
      id: "a neighbour of a neighbour that is not there", expect: "{schema: a.json}",
      files: [
        "a.json": #"{"$id": "https://x.example/v1/a.json", "not": {"$ref": "t/b.json"}}"#,
        "t/b.json": #"{"$ref": "no.json"}"#,
      ], problems: ["1:2-8: cannot read 't/no.json': no such file [F1221]" + used]),
    Case(
      id: "an inner identifier that no file has", expect: "{schema: a.json}",
      files: ["a.json": ##"{"$defs": {"x": {"$id": "x.json"}}, "items": {"$ref": "x.json"}}"##]),
    Case(
      id: "files that refer to each other", expect: "{schema: a.json}",
      files: ["a.json": #"{"items": {"$ref": "b.json"}}"#, "b.json": #"{"$ref": "a.json"}"#]),
    Case(
      id: "a text that is no reference", expect: "{schema: a.json}",
      files: ["a.json": #"{"const": {"$ref": "no.json"}, "properties": {"$ref": true}}"#]),
    Case(
      id: "no file", expect: "{schema: no.json}",
      problems: [
        "4:63-70: cannot read 'no.json': no such file [F1221] (the path is relative to the folder of 'test.yaml')"
      ]),
    Case(
      id: "a path out of the project", expect: "{schema: ../a.json}",
      problems: [
        "4:63-72: cannot read '../a.json': the path is outside the scenario's folder [F1221] (to use schemas of other folders, put a 'flow.yaml' in a folder that contains both)"
      ]),
    Case(
      id: "an absolute path", expect: "{schema: /a.json}", files: ["a.json": "{}"],
      problems: [
        "4:63-70: cannot read '/a.json': the path is outside the scenario's folder [F1221]"
      ]),
    Case(
      id: "a URL", expect: "{schema: 'https://x.example/a.json'}",
      problems: [
        "4:63-89: 'https://x.example/a.json' is not a file of the project, and schemas are never fetched [F1221] (a field with this text is expected by a condition: schema: ${{ it == 'https://x.example/a.json' }})"
      ]),
    Case(
      id: "malformed JSON", expect: "{schema: a.json}", files: ["a.json": "{\n  \"type\": }"],
      problems: ["2:11-11: expected a value [F1002]" + used]),
    Case(
      id: "malformed YAML of a neighbour", expect: "{schema: a.json}",
      files: ["a.json": #"{"$ref": "b.yaml"}"#, "b.yaml": "type: object\ntype: array"],
      problems: ["2:1-5: duplicate key 'type', first on line 1 [F1002]" + used]),
    Case(
      id: "a wrong keyword", expect: "{schema: a.yaml}",
      files: ["a.yaml": "properties:\n  id: {type: strin}\nrequired: id"],
      problems: [
        "2:8-12: 'strin' is no type; did you mean 'string'? [F1222]" + used,
        #"3:1-9: 'required' needs a list, not "id" [F1222]"# + used,
      ]),
    Case(
      id: "a wrong part", expect: "{schema: 'a.json#/x'}", files: ["a.json": "{}"],
      problems: ["4:63-74: 'a.json' has no '/x' [F1222]"]),
    Case(
      id: "an unknown draft", expect: "{schema: a.json}", files: ["a.json": #"{"$schema": "x:y"}"#],
      problems: [
        "1:2-11: '$schema' is 'x:y', which is unknown; there are draft 2020-12 and draft 7 [F1222]"
          + used
      ]),
    Case(
      id: "references to nothing", expect: "{schema: s/a.json}",
      files: [
        "s/a.json": """
        {"items": {"$ref": "no.json"},
        "not": {"$ref": "../../up.json"},
        "contains": {"$ref": "https://x.example/b.json"},
        "propertyNames": {"$ref": "#/$defs/x"}}
        """
      ],
      problems: [
        "1:12-18: cannot read 's/no.json': no such file [F1221]" + used,
        "2:9-15: cannot read '../up.json': the path is outside the scenario's folder [F1221]"
          + used,
        "3:14-20: 'https://x.example/b.json' is not a file of the project, and schemas are never fetched [F1221]"
          + used,
        "4:19-25: 's/a.json' has no '/$defs' [F1222]" + used,
      ]),
  ]

  @Test func `a path is relative to the file with the schema's name`() throws {
    let part = """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {uses: p.echo, with: {value: 1}, expect: {value: {schema: a.json}}}
        - assert: ["${{ matches_schema(1, '../b.json') }}"]
      """
    let files = ["s/part.yaml": part, "s/a.json": "true", "b.json": "true"]

    #expect(
      try ScenarioText.problems("flow: 1\nsteps: [{scenario: s/part.yaml}]", files: files) == [])
  }

  @Test func `a field of a record that is called so keeps its meaning`() throws {
    let text = ScenarioText.head + "steps: [{uses: p.echo, with: {value: 1}, expect: {schema: x}}]"

    #expect(
      try ScenarioText.problems(text) == [
        "3:51-57: the answer of 'p.echo' has no field 'schema' [F1204] (fields: value)"
      ])
  }

  @Test(arguments: [
    (
      "matches_schema(1, 'no.json')",
      "4:37-46: cannot read 'no.json': no such file [F1221] (the path is relative to the folder of 'test.yaml')"
    ),
    (
      "matches_schema(1, 'a')",
      "4:37-40: 'a' is not the path of a schema; it ends in .json, .yaml or .yml [F1221]"
    ),
    (
      "matches_schema(1, 'a' + '.json')",
      "4:37-50: 'matches_schema' expects the path of a schema as a literal, such as 'order.schema.json' [F1303]"
    ),
    ("matches_schema(1)", "4:19-33: 'matches_schema' takes 2 arguments, got 1 [F1303]"),
    ("[1].all(x, matches_schema(x, 'a.json'))", nil),
    (
      "[1].all(x, matches_schema(x, 'b.json'))",
      "4:48-56: cannot read 'b.json': no such file [F1221] (the path is relative to the folder of 'test.yaml')"
    ),
    ("matches_schema(1, 'a.json#/x')", "4:37-48: 'a.json' has no '/x' [F1222]"),
  ])
  func `the schema of an expression is known before the run`(
    _ expression: String, _ problem: String?
  ) throws {
    let text = ScenarioText.head + "steps:\n  - assert: [\"${{ \(expression) }}\"]"

    let problems = try ScenarioText.problems(text, files: ["a.json": "{}"])
    #expect(problems == (problem.map { [$0] } ?? []))
  }
}
