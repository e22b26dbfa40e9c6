import FlowTranscript
import PluginHarness
import Testing

/// What a replay says when a recorded event is not the one that a step waits for.
@Suite struct AwaitedEventTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {uses: p.count, with: {by: 3}}
      - id: seen
        await: p.counted
        where: ${{ event.value > 2 }}
        timeout: 1s

    """

  @Test func `an event that the condition does not accept any more fails the replay`()
    async throws
  {
    let recorded = try await Recorded(Self.scenario)
    let same = try await recorded.replay(recorded.text)
    let failures = try await recorded.replay(
      recorded.text, Self.scenario.replacing(existing: "> 2", with: "> 3"))

    #expect(same == "")
    #expect(
      failures == """
        test.yaml:5:5: error: what 'seen#1' received is not what it waits for [F3011]
            5 |   - id: seen
              |     ^^^^^^^^
          note: recorded {value: 3}
          note: record again with --record if the change is meant

        """)
  }

  @Test func `a recorded event that was changed by hand fails the replay`() async throws {
    let recorded = try await Recorded(Self.scenario)
    let failures = try await recorded.replay(
      recorded.text.replacing(
        existing: #"{"at":"seen#1","ok":{"value":3}}"#, with: #"{"at":"seen#1","ok":{"value":2}}"#))

    #expect(
      failures.hasPrefix(
        "test.yaml:5:5: error: what 'seen#1' received is not what it waits for [F3011]\n"))
    #expect(failures.contains("  note: recorded {value: 2}\n"))
  }
}
