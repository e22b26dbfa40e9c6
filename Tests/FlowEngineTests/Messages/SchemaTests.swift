import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import TestKit
import Testing

/// Answers that are compared with schemas.
@Suite struct SchemaTests {
  private static let files = [
    "order.yaml": """
    type: object
    required: [id, items]
    properties:
      id: {type: integer}
      items: {type: array, minItems: 1, items: {$ref: item.yaml}}
      state: {enum: [open, paid]}
    additionalProperties: false
    """,
    "item.yaml": """
    type: object
    required: [name]
    properties: {name: {type: string, maxLength: 4}, price: {type: number, minimum: 0}}
    """,
    "endless.yaml": "$ref: '#'",
    "choice.yaml": "anyOf: [{type: string, minLength: 200}, {type: integer}]",
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    /// The value of the answer, as an expression.
    let answer: String
    let expect: String
    var notes: [String] = []
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `each violation is a difference`(_ sample: Case) async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.echo
          with: {value: "${{ \(sample.answer) }}"}
          expect: \(sample.expect)
      """, files: Self.files)

    #expect(run.result.diagnostics.flatMap(\.notes) == sample.notes)
    #expect(run.result.passed == sample.notes.isEmpty)
  }

  private static let cases: [Case] = [
    Case(
      id: "a value that fits", answer: "{'id': 7, 'items': [{'name': 'Lamp'}]}",
      expect: "{value: {schema: order.yaml}}"),
    Case(
      id: "several violations",
      answer: "{'id': '7', 'items': [{'name': 'Lamps', 'price': -1}, {'nmae': 'x'}], 'stat': 1}",
      expect: "{value: {schema: order.yaml}}",
      notes: [
        #"value.id: expected integer, got string "7" (order.yaml#/properties/id/type)"#,
        "value.items[0].name: expected at most 4 characters, got 5 (item.yaml#/properties/name/maxLength)",
        "value.items[0].price: expected at least 0, got -1 (item.yaml#/properties/price/minimum)",
        "value.items[1]: 'name' is missing; there is 'nmae' (item.yaml#/required)",
        "value.stat: 'stat' is not allowed; did you mean 'state'? (order.yaml#/additionalProperties)",
      ]),
    Case(
      id: "a schema and fields", answer: "{'id': 7, 'items': []}",
      expect: "{value: {id: 8, schema: order.yaml, state: open}}",
      notes: [
        "value.items: expected at least 1 element, got 0 (order.yaml#/properties/items/minItems)",
        "value.id: expected 8, got 7", #"value.state: expected "open", got nothing"#,
      ]),
    Case(
      id: "a schema inside of a value", answer: "{'order': {'name': 'Lamp', 'price': -2}}",
      expect: "{value: {order: {schema: ./item.yaml}}}",
      notes: [
        "value.order.price: expected at least 0, got -2 (item.yaml#/properties/price/minimum)"
      ]),
    Case(
      id: "a part of a schema", answer: "'x'",
      expect: "{value: {schema: 'order.yaml#/properties/state'}}",
      notes: [
        #"value: expected one of "open", "paid", got "x" (order.yaml#/properties/state/enum)"#
      ]),
    Case(
      id: "a whole answer", answer: "'x'", expect: "{schema: choice.yaml}",
      notes: [
        #"no schema of 'anyOf' allows {value: "x"} (0: expected string, got object {value: "x"}; 1: expected integer, got object {value: "x"}) (choice.yaml#/anyOf)"#
      ]),
    Case(
      id: "no value", answer: "{}", expect: "{value: {order: {schema: order.yaml}}}",
      notes: ["value.order: expected {schema: order.yaml}, got nothing"]),
    Case(
      id: "a schema that leads back to itself", answer: "1",
      expect: "{value: {schema: endless.yaml}}",
      notes: [
        "value: expected {schema: endless.yaml}, got 1: the schema leads back to itself for the same value (endless.yaml#)"
      ]),
    Case(
      id: "a literal field with the path of a schema", answer: "{'schema': 'order.yaml'}",
      expect: "{value: {schema: \"${{ it == 'order.yaml' }}\"}}"),
    Case(
      id: "a literal field with another text", answer: "{'schema': 'public'}",
      expect: "{value: {schema: private}}",
      notes: [#"value.schema: expected "private", got "public""#]),
  ]

  @Test func `a failed assertion shows the first violations`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps:
        - set: {order: "${{ dyn({'id': 'x', 'items': []}) }}"}
        - assert: ["${{ matches_schema(order, 'order.yaml') && true }}"]
      """, files: Self.files)

    #expect(
      run.failures == """
        test.yaml:4:19: error: 'assert#1': assertion failed [F2004]
            4 |   - assert: ["${{ matches_schema(order, 'order.yaml') && true }}"]
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: order is {id: "x", items: []}, set at line 3
          note: matches_schema(order, 'order.yaml') is ["id: expected integer", "items: expected at least 1 element"]

        """)
  }

  @Test func `a schema that cannot be checked fails an expression`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      steps: [{assert: ["${{ matches_schema(size(['a']), 'endless.yaml') }}"]}]
      """, files: Self.files)

    #expect(
      run.result.diagnostics.map(\.message) == [
        "'assert#1': the schema leads back to itself for the same value (endless.yaml#)"
      ])
  }

  @Test func `a secret is hidden in every part of a violation`() async throws {
    let secret = String(repeating: "s3cr-", count: 30)
    let text = """
      flow: 1
      components: {p: {plugin: probe}}
      inputs: {token: {type: string, secret: true}}
      steps:
        - uses: p.echo
          with: {value: {id: "${{ inputs.token }}", items: [{nmae: "${{ inputs.token }}"}]}}
          expect: {value: {schema: order.yaml}}
          continue-on-error: true
        - uses: p.echo
          with: {value: "${{ inputs.token }}"}
          expect: {value: {schema: choice.yaml}}
      """
    let run = try await ProbeRun(text, files: Self.files, inputs: [("token", secret)])

    let shown = run.events.map { "\($0)" }.joined() + run.failures
    #expect(shown.contains("${secret:token}"))
    #expect(!shown.contains("s3cr-"))
    #expect(
      run.result.diagnostics.flatMap(\.notes) == [
        "value: no schema of 'anyOf' allows \"${secret:token}\" (0: expected at least 200 characters, got 150; 1: expected integer, got string \"${secret:token}\") (choice.yaml#/anyOf)"
      ])
  }

  @Test func `later steps know the type of an answer that fits`() async throws {
    let run = try await ProbeRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - id: order
          uses: p.echo
          with: {value: {id: 7, items: [{name: Lamp, price: 2}]}}
          expect: {value: {schema: order.yaml}}
        - assert:
            - ${{ steps.order.value.state == null }}
            - ${{ steps.order.value.id + 1 == 8 }}
            - ${{ steps.order.value.items[0].price * 2.5 == 5 }}
            - ${{ steps.order.value.items.all(item, item.name == 'Lamp') }}
      """, files: Self.files)

    #expect(run.failures == "")
  }
}
