import FlowCore
import FlowPlan
import FlowScenario
import TestKit
import Testing

/// Components with properties that follow from their settings.
@Suite struct TraitTests {
  private static func plan(_ components: String, files: [String: String] = [:]) throws -> Plan {
    let text = "flow: 1\ncomponents:\n\(components)steps: [{uses: mill.grind}]\n"
    return try ScenarioLoader(
      registry: try Registry([Mill.self, Miller.self]), files: ScenarioFiles(texts: files)
    ).plan(ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
  }

  private static let both = """
      mill: {plugin: mill, with: {kind: wind}, volatile: {grind: [flour]}}
      miller:
        plugin: miller
        using: {mill: mill}
        varies: {mill.grind: {any: [corn.name]}}

    """

  @Test func `settings that a scenario leaves out come from the properties`() throws {
    let plan = try Self.plan("  mill: {plugin: mill, with: {kind: wind}}\n")
    let written = try Self.plan("  mill: {plugin: mill, with: {kind: wind, place: hill}}\n")

    #expect(plan.components[0].settings.text() == #"{kind: "wind", place: "coast"}"#)
    #expect(written.components[0].settings.text() == #"{kind: "wind", place: "hill"}"#)
  }

  @Test func `named lists are those of the operation, and then those of the properties`() throws {
    let plan = try Self.plan(Self.both)

    let own = NamedList("sacks", element: "sack", names: ["label"])
    let more = NamedList("corn.bags", element: "bag", names: [])
    #expect(plan.namedLists(of: "mill.grind") == [own, more])
    #expect(plan.namedLists(of: "mill.stop") == [])
    #expect(plan.namedLists(of: "gone.grind") == [])
  }

  @Test func `what varies is what the scenario declares, and what the properties add`() throws {
    let plan = try Self.plan(Self.both)

    let role = try #require(plan.components[1].roles.first)
    let varying = try #require(role.calls["mill.grind"]?.varying)
    #expect(varying.any.map(\.text) == ["corn.name"])
    #expect(varying.same.map(\.text) == ["corn.id"])
    #expect(plan.components[0].volatile["grind"]?.map(\.text) == ["flour", "dust"])
    #expect(role.traits.environment == ["MILL": "{url}/wind"])
  }

  @Test func `expectations and expressions read a field that the properties add`() throws {
    let run = """
        mill: {plugin: mill, with: {kind: wind}}
      steps:
        - {id: a, uses: mill.grind, expect: {both: 2}}
        - assert: "${{ steps.a.both == 2 }}"

      """
    let loader = ScenarioLoader(registry: try Registry([Mill.self, Miller.self]))
    func problems(_ text: String) -> [String] {
      do {
        _ = try loader.plan(
          ScenarioSource(file: "t.yaml", bytes: Array(("flow: 1\ncomponents:\n" + text).utf8)))
        return []
      } catch { return error.diagnostics.map(\.message) }
    }

    #expect(problems(run) == [])
    #expect(
      problems(run.replacing("kind: wind", with: "kind: water")) == [
        "the answer of 'mill.grind' has no field 'both'", "the record has no field 'both'",
      ])
  }

  @Test func `a place that the component does not have is refused where the setting is`() throws {
    let mill = "  mill: {plugin: mill, with: {kind: broken}}\n"

    #expect(throws: ScenarioError.self) { try Self.plan(mill) }
    do { _ = try Self.plan(mill) } catch let error as ScenarioError {
      #expect(
        error.diagnostics.map(\.message) == [
          "'mill' cannot be opened with these settings: 'preset': mills.yaml:1:2: 'bran' is no place "
            + "such as 'json.items[*].id'"
        ])
    }
  }
}

/// A component whose setting chooses further properties.
private struct Mill: Component {
  struct Flour: Sendable {
    let flour: Int
    let dust: Int

    static let record = Record(
      Flour.init(flour:dust:), Field("flour", \.flour, "The flour."),
      Field("dust", \.dust, "The dust."))
  }

  static let plugin = Plugin(
    "mill", version: "1.0", "Grinds.", state: .none,
    settings: Parameter<String>("kind", "The kind."), Parameter<String?>("place", "The place."),
    operations: [
      Operation(
        "grind", "Grinds.", Parameter<Value?>("corn", "The corn."), answers: Flour.record
      ) { _, _, _ in Flour(flour: 1, dust: 1) }
      .naming([NamedList("sacks", element: "sack", names: ["label"])]),
      Operation("stop", "Stops.", answers: .none) { _, _ in },
    ]
  ) { _, _, _ in Mill() }
  .characterized { settings, _ in
    guard case .string(let kind)? = settings.values["kind"], kind != "water" else { return nil }
    var traits = ComponentTraits()
    traits.settings = ["place": .string("coast"), "kind": .string("never")]
    traits.environment = ["MILL": "{url}/wind"]
    traits.lists = ["grind": [NamedList("corn.bags", element: "bag", names: [])]]
    let place = kind == "broken" ? "bran" : "dust"
    traits.volatile = ["grind": [.init(place, from: "mills.yaml:1:2"), .init("flour", from: "")]]
    traits.varying["grind"] = .init()
    traits.varying["grind"]?.same = [.init("corn.id", from: "")]
    traits.varying["grind"]?.any = [.init("corn.name", from: "")]
    traits.outputs["grind"] =
      Flour.record.computing("both", "The sum.") { $0.flour + $0.dust }.type
    return traits
  }
}

/// A component that uses a mill.
private struct Miller: Component {
  private static let grind = Role("mill", "Grinds.").call(
    "grind", Parameter<Value?>("corn", "The corn."), answers: Record<Int>("flour", "The flour."))
  static let plugin = Plugin(
    "miller", version: "1.0", "Uses a mill.", state: .none, uses: [grind],
    operations: [
      Operation("work", "Works.", answers: Record<Int>("flour", "The flour.")) { _, context in
        try await grind(nil, in: context)
      }
    ]
  ) { _ in Miller() }
}
