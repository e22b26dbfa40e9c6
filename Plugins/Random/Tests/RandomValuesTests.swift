import FlowCore
import FlowTesting
import Testing

@testable import RandomPlugin

@Suite struct RandomValuesTests {
  @Test(arguments: ComponentCheck.allCases)
  func `random values pass the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../Scenarios/draw.yaml")

    try await ComponentChecks(RandomValues.self, sample: sample).verify(check)
  }

  @Test(arguments: try Scenarios.all(in: "../Scenarios"))
  func `a scenario replays`(_ scenario: ScenarioFile) async throws {
    try await scenario.replay(try Registry([RandomValues.self]))
  }

  @Test func `the seed and the step decide what is drawn`() async throws {
    let random = try await open(seed: 1)
    let other = try await open(seed: 2)

    let first = await random.text("uuid", at: "key")
    #expect(await random.text("uuid", at: "key") == first)
    #expect(await random.text("uuid", at: "other key") != first)
    #expect(await other.text("uuid", at: "key") != first)
  }

  @Test func `a UUID has its version and its variant`() {
    var random = SeededGenerator(seed: 0, label: "")
    for _ in 0..<100 {
      #expect(
        RandomValues.uuid(using: &random).wholeMatch(
          of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }
  }

  @Test func `numbers, choices and bytes are within their bounds`() async throws {
    let random = try await open(seed: 1)
    var numbers: Set<String> = []
    for _ in 0..<200 { numbers.insert(await random.text("integer", ["min": -1, "max": 1])) }

    #expect(numbers == ["{value: -1}", "{value: 0}", "{value: 1}"])
    #expect(await random.text("integer", ["min": 5, "max": 5]) == "{value: 5}")
    #expect(
      await random.text("integer", ["min": Int.min, "max": Int.max]).hasPrefix("{value: "))
    #expect(
      await random.text("integer", ["min": 2, "max": 1])
        == "invalid: 'min' is 2, above 'max', 1")
    #expect(await random.text("choose", ["from": ["a"]]) == #"{value: "a"}"#)
    #expect(
      await random.text("choose", ["from": [Value]()])
        == "invalid: 'from' is empty")
    #expect(
      await random.text("bytes", ["count": -1])
        == "invalid: 'count' must be from 0 to 1048576, not -1")
    guard case .record(let bytes) = try await random.call("bytes", ["count": 16]),
      case .bytes(let content)? = bytes.values.first
    else { return #expect(Bool(false), "no bytes") }
    #expect(content.content.count == 16)
  }

  private func open(seed: UInt64) async throws -> OpenComponent {
    var options = LiveOptions()
    options.seed = seed
    return try await OpenComponent(RandomValues.self, options: options)
  }
}
