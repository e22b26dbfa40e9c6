import FlowCore
import FlowPlan
import TestKit
import Testing

/// The parts of answers that a scenario reads.
@Suite struct ReadPartsTests {
  private static func parts(_ steps: String, at path: String) throws -> [String] {
    let plan = try ScenarioText.plan(ScenarioText.head + "steps:\n" + steps)
    return ReadParts(plan).parts(at: path).map(\.description)
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

    #expect(ReadParts(plan).parts(at: "part/c").map(\.description) == ["value"])
  }
}
