import FlowCommand
import FlowCore
import FlowSystem
import TestKit
import Testing

/// The exact schemas of a small plugin.
@Suite struct SchemaTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let definition: String
    let schema: String
    var testDescription: String { definition }
  }

  private static let cases = [
    Case(
      definition: "settings.lamp",
      schema: """
        {"type":["object","string"],"pattern":"\\\\$\\\\{\\\\{",\
        "properties":{"color":{"anyOf":[{"enum":["red","blue"]},\
        {"type":"string","pattern":"\\\\$\\\\{\\\\{"}],\
        "description":"The colour.\\nType: 'red' or 'blue'. Default: \\"red\\".","default":"red"},\
        "key":{"type":"string","description":"The key.\\nType: string."}},\
        "additionalProperties":false,"required":["key"]}
        """),
    Case(
      definition: "input.lamp.dim",
      schema: """
        {"type":["object","string"],"pattern":"\\\\$\\\\{\\\\{",\
        "properties":{"level":{"type":["integer","string"],"pattern":"\\\\$\\\\{\\\\{",\
        "description":"How bright.\\nType: int."},\
        "over":{"type":["string","null"],\
        "pattern":"^[+-]?(0|([0-9.]+(ns|us|µs|μs|ms|s|m|h|d))+)$|\\\\$\\\\{\\\\{",\
        "description":"How long it takes.\\nType: optional(duration)."}},\
        "additionalProperties":false,"required":["level"]}
        """),
    Case(
      definition: "answer.lamp.dim",
      schema: """
        {"if":{"type":"object","required":["error"]},\
        "then":{"type":"object","properties":{"error":{"anyOf":[{"const":"broken",\
        "description":"The lamp is broken."}],"description":"The expected error."},\
        "message":{"description":"The expected message of the error."}},\
        "additionalProperties":false},\
        "else":{"type":["object","string"],"pattern":"\\\\$\\\\{\\\\{",\
        "properties":{"watts":{"anyOf":[{"type":["number","string"],"pattern":"\\\\$\\\\{\\\\{"},\
        {"$ref":"#/definitions/schema"}],"description":"The power.\\nType: decimal."},\
        "schema":{"description":"A JSON Schema that the value must fit."},\
        "error":{"anyOf":[{"const":"broken","description":"The lamp is broken."}],\
        "description":"The expected error."}},\
        "additionalProperties":false}}
        """),
  ]

  @Test(arguments: cases)
  func `a plugin's declarations become definitions`(_ sample: Case) async throws {
    let run = try await FlowCommandRun(
      ["schema"], in: try TemporaryFolder(), components: [Lamp.self])
    let schema = try JSONParser.parse(Array(run.output.utf8)[...])

    #expect(schema["definitions"]?[sample.definition]?.text == sample.schema)
    #expect(run.errors == "")
  }

  @Test func `the rule for an operation is found by its name`() async throws {
    let run = try await FlowCommandRun(
      ["schema", "scenario"], in: try TemporaryFolder(), components: [Lamp.self])
    let schema = try JSONParser.parse(Array(run.output.utf8)[...])

    #expect(
      schema["definitions"]?["step.uses"]?["allOf"]?.text == """
        [{"if":{"properties":{"uses":{"type":"string","pattern":"\\\\.dim$"}}},\
        "then":{"properties":{"with":{"$ref":"#/definitions/input.lamp.dim"},\
        "expect":{"$ref":"#/definitions/answer.lamp.dim"},\
        "retry":{"properties":{"on":{"type":"array","items":{"anyOf":[{"const":"broken",\
        "description":"The lamp is broken."}]}}}}},"required":["with"]}}]
        """)
    #expect(
      schema["definitions"]?["step.uses"]?["properties"]?["uses"]?.text == """
        {"anyOf":[{"const":"lamp.dim","description":"Dims the lamp."},\
        {"type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_]*\\\\.(dim)$"}],\
        "description":"The operation to call, such as balance.load."}
        """)
  }

  @Test func `an inputs file may leave out inputs, and never has secrets`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs:
        amount: {type: decimal, description: What to spend.}
        names: {type: list(string), default: []}
        token: {type: string, secret: true}
      steps: []

      """, to: "pay.yaml")
    let run = try await FlowCommandRun(["schema", "inputs", "@/pay.yaml"], in: folder)

    #expect(
      run.output == """
        {"$schema":"http://json-schema.org/draft-07/schema#",\
        "$comment":"Written by 'flow schema' of flow \(FlowCommand.version).",\
        "title":"Inputs of a scenario of flow","type":"object",\
        "properties":{"amount":{"type":"number",\
        "description":"What to spend.\\nType: decimal."},\
        "names":{"type":"array","items":{"type":"string"},\
        "description":"Type: list(string)."}},"additionalProperties":false}

        """)
    #expect(run.errors == "")
  }
}

private struct Lamp: Component {
  static let plugin = Plugin(
    "lamp", version: "1.0", "Shines.", state: .none,
    settings: Parameter<Color>("color", "The colour.", default: .red),
    Parameter<String>("key", "The key.", secret: true),
    operations: [
      Operation(
        "dim", "Dims the lamp.", Parameter<Int>("level", "How bright."),
        Parameter<Duration?>("over", "How long it takes."),
        answers: Record<Decimal>("watts", "The power."),
        errors: [ErrorCode("broken", "The lamp is broken.")]
      ) { _, _, _, _ in .zero }
    ]
  ) { _, _, _ in Lamp() }

  enum Color: String, FieldValue, CaseIterable { case red, blue }
}
