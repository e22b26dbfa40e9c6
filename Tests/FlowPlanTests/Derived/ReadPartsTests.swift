import FlowCore
import FlowExpression
import FlowPlan
import TestKit
import Testing

/// The parts of answers that a scenario reads.
@Suite struct ReadPartsTests {
  private static func parts(_ steps: String, at path: String) throws -> [String] {
    let plan = try ScenarioText.plan(ScenarioText.head + "steps:\n" + steps)
    return ReadParts(plan).parts(at: path).map(Self.text)
  }

  private static func text(_ part: ReadPart) -> String {
    part.isPresence ? "has(\(part.path))" : "\(part.path)"
  }

  @Test func `names, texts and numbers after an answer are its parts`() throws {
    let parts = try Self.parts(
      """
        - {id: e, uses: p.echo, with: {value: {a: {b: [1]}}}}
        - assert: ["${{ steps.e.value.a['b'][0] == 1 }}", "${{ steps.e.value.a.size() == 1 }}"]
        - set: {key: a}
        - assert: ["${{ steps.e.value[key] != null }}"]
      """, at: "e")

    #expect(parts == ["value.a.b[0]", "value.a", "value"])
  }

  @Test func `a block reads its own steps, not those of an earlier one`() throws {
    let steps = """
        - id: one
          repeat: {until: "${{ steps.c.value > 0 }}", limit: 3}
          do: [{id: c, uses: p.count}]
        - id: two
          repeat: {until: "${{ true }}", limit: 3}
          do: [{id: c, uses: p.count}]
      """

    #expect(try Self.parts(steps, at: "one/c") == ["value"])
    #expect(try Self.parts(steps, at: "two/c") == [])
  }

  @Test func `an included scenario reads what its outputs name`() throws {
    let plan = try ScenarioText.plan(
      ScenarioText.head + "steps: [{id: part, scenario: part.yaml}, {uses: p.count}]\n",
      files: [
        "part.yaml": """
        flow: 1
        components: {p: {plugin: probe}}
        steps: [{id: c, uses: p.count}]
        outputs: {n: "${{ steps.c.value }}"}

        """
      ])

    #expect(ReadParts(plan).parts(at: "part/c").map(Self.text) == ["value"])
    #expect(ReadParts(plan).all.map(\.path) == ["part/c", "p.count"])
  }

  @Test(arguments: [
    ("has(steps.e)", []), ("!has(steps.e) || true", []), ("steps.?e.hasValue()", []),
    ("has(steps.e.value)", ["has(value)"]), ("has( steps.e.value.a )", ["has(value.a)"]),
    ("steps.?e.value.hasValue()", ["has(value)"]),
    ("steps.e.value[?'a'].hasValue()", ["has(value.a)"]),
    ("has(steps.e.value['a'].b)", ["has(value.a.b)"]),
    ("has(steps.e.value[string(1)].b)", ["value"]),
    ("has(steps.e.value) && steps.e.value.a == 1", ["has(value)", "value.a"]),
    ("steps.?e.value.orValue(1) == 1", ["value"]),
    ("dyn(steps.e) == dyn(1)", [""]),
  ])
  func `a test reads the presence of a part, and nothing of a step alone`(
    _ condition: String, _ parts: [String]
  ) throws {
    let found = try Self.parts(
      """
        - {id: e, uses: p.echo, with: {value: {a: 1}}}
        - assert: ["${{ \(condition) }}"]
      """, at: "e")

    #expect(found == parts)
  }

  @Test func `the variables of a loop are not the answers that had their places before`() throws {
    let steps = """
        - id: one
          repeat: {until: "${{ true }}", limit: 3}
          do: [{id: c, uses: p.count}, {id: d, uses: p.count}]
        - for: x
          in: [1]
          do:
            - for: y
              in: [2]
              do: [{assert: ["${{ x + y + loop.index > 0 }}"]}]
            - {uses: p.echo, with: {value: "${{ x }}"}, expect: {value: "${{ it == x }}"}}
      """

    #expect(try Self.parts(steps, at: "one/c") == [])
    #expect(try Self.parts(steps, at: "one/d") == [])
  }

  @Test func `the steps of an invariant are not read by what comes after them`() throws {
    let plan = try ScenarioText.plan(
      ScenarioText.head + """
        invariants: [{id: i, uses: p.count}, {id: j, uses: p.count}]
        steps: [{for: x, in: [1], do: [{uses: p.echo, with: {value: "${{ x }}"}}]}]

        """)

    #expect(ReadParts(plan).all.map { $0.parts.count } == [0, 0, 0])
  }

  @Test func `the name of a step reads nothing, and its other keys do`() throws {
    let found = try Self.parts(
      """
        - {id: e, uses: p.echo, with: {value: {a: 1, b: 2, c: 3}}}
        - name: "of ${{ steps.e.value.a }}"
          if: ${{ steps.e.value.b == 2 }}
          for: x
          in: ["${{ steps.e.value.c }}"]
          do: [{uses: p.count}]
      """, at: "e")

    #expect(found == ["value.c", "value.b"])
  }
}
