import FlowCore
import FlowExpression
import FlowRedaction
import FlowScenario
import TestKit
import Testing

/// The names of a scenario for tools.
@Suite struct ScenarioIndexTests {
  private static func analysis(
    _ text: String, files: [String: String] = [:]
  ) throws -> ScenarioAnalysis {
    let registry = try Registry([Probe.self, Shapes.self])
    return ScenarioLoader(registry: registry, files: ScenarioFiles(texts: files)).analyze(
      ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)), hidingSecretsBy: Redactor())
  }

  private static func index(_ steps: String) throws -> ScenarioIndex {
    try #require(try analysis(ScenarioText.head + steps).index)
  }

  /// The names before a step, in alphabetical order, without those of other kinds than `prefix`.
  private static func names(before path: String, in index: ScenarioIndex) throws -> [String] {
    let step = try #require(index.step(at: path))
    return index.environment(before: step).bindings.map { "\($0.name): \($0.type)" }.sorted()
  }

  @Test func `the names in sight of a step are those of its block and of the blocks around`() throws
  {
    let index = try Self.index(
      """
      inputs: {n: {type: int}}
      steps:
        - {id: a, uses: p.count}
        - for: x
          in: [1, 2]
          do:
            - {id: b, uses: p.count}
            - set: {y: "${{ x + 1 }}"}
            - {id: c, uses: p.count, with: {by: "${{ y }}"}}
        - parallel:
            one: [{id: d, uses: p.count}]
            two: [{id: e, uses: p.count}]
        - {id: f, uses: p.count}
      """)

    let table = [
      "a": ["inputs.n: int"],
      "for/c": [
        "inputs.n: int", "loop.index: int", "steps.a: record", "steps.b: record", "x: int",
        "y: int",
      ],
      "parallel/two/e": ["inputs.n: int", "steps.a: record"],
      "f": ["inputs.n: int", "steps.a: record", "steps.d: record", "steps.e: record"],
    ]
    let found = try table.keys.map { ($0, try Self.names(before: $0, in: index)) }
    #expect(Dictionary(uniqueKeysWithValues: found) == table)
  }

  @Test func `each use leads to its declaration, whatever other block has the same name`() throws {
    let index = try Self.index(
      """
      steps:
        - set: {x: 1}
        - for: x
          in: [2]
          do: [{assert: ["${{ x == 2 }}"]}]
        - set: {x: 3}
        - assert: ["${{ x == 3 && x > 0 }}"]
      """)

    let found = index.uses.map { use in
      let declared = index.declarations[use.declaration].span?.start
      return "\(use.span.start.line):\(use.span.start.column)"
        + " -> \(declared?.line ?? 0):\(declared?.column ?? 0)"
    }
    #expect(found == ["7:25 -> 5:10", "8:11 -> 4:11", "9:19 -> 4:11", "9:29 -> 4:11"])
  }

  @Test func `a component has the places of its name in steps`() throws {
    let index = try Self.index(
      "steps:\n  - uses: p.count\n  - uses: s.none\n  - {await: p.ticked, timeout: 1s}\n")

    let found = index.components.map { component in
      "\(component.name) \(component.span.start.line): "
        + component.uses.map { "\($0.start.line):\($0.start.column)-\($0.end.column)" }
        .joined(separator: " ")
    }
    #expect(found == ["p 2: 4:11-12 6:13-14", "s 2: 5:11-12"])
  }

  @Test func `a scenario with errors has an index, too, and so has each that it includes`() throws {
    let analysis = try Self.analysis(
      ScenarioText.head + "steps:\n  - {id: a, uses: p.cuont}\n  - scenario: other.yaml\n",
      files: ["other.yaml": ScenarioText.head + "steps:\n  - {id: b, uses: p.count}\n"])

    #expect(analysis.plan == nil)
    #expect(analysis.diagnostics.map(\.line).count == 1)
    #expect(
      analysis.indexes.mapValues { $0.steps.map(\.path) } == [
        "test.yaml": ["a", "scenario"], "other.yaml": ["b"],
      ])
  }
}
