import FlowCore
import FlowTesting
import TestKit
import Testing

/// Failures that no answer reports.
@Suite struct NotedFailureTests {
  private static let text = """
    flow: 1
    components: {bell: {plugin: bell}}
    steps:
      - {uses: bell.ring, with: {text: "first"}}
      - {uses: bell.ring, with: {text: "second"}}

    """

  @Test func `a run fails by the first noted failure, after its steps`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.text, to: "bell.yaml")

    let run = try await ScenarioFile(folder.path("bell.yaml")).attempt(Registry([Bell.self]))

    #expect(run.problems.map(\.code) == ["F2011"])
    #expect(run.failures.contains("'bell' notes the error 'cracked': first [F2011]"))
    #expect(run.calls.map(\.name) == ["bell.ring", "bell.ring"])
  }

  @Test func `an open component shows what it notes`() async throws {
    let bell = try await OpenComponent(Bell.self)

    let answer = await bell.text("ring", ["text": "low"], at: "evening")

    #expect(answer == "{}")
    #expect(bell.events == ["evening#1 failed: cracked: low"])
  }
}

/// Notes a failure with every call.
private struct Bell: Component {
  static let plugin = Plugin(
    "bell", version: "1.0", "Rings, although it is cracked.", state: .none,
    operations: [
      Operation(
        "ring", "Rings.", Parameter<String>("text", "The reason."), answers: .none
      ) { _, context, text in
        context.fail(ComponentError(ErrorCode("cracked", "The bell is cracked."), text))
      }
    ]
  ) { _ in Bell() }
}
