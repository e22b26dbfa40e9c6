import TestKit
import Testing

/// Messages of a replay about a recorded event other than the awaited one.
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
        test.yaml:5:5: error: the event recorded for 'seen#1' does not fit its condition [F3011]
            5 |   - id: seen
              |     ^^^^^^^^
          note: recorded {value: 3}
          note: if the change is intended, record again with '--record'

        """)
  }

  @Test func `an event is found behind however many with matchers`() async throws {
    let recorded = try await Recorded(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {for: i, in: "${{ lists.range(1500) }}", do: [{uses: p.count}]}
        - {id: seen, await: p.counted, where: "${{ event.value == 1400 }}", timeout: 1s}
      """)
    let matched = recorded.text.replacing(/"payload":{"value":(\d+)}/) { match in
      #""payload":{"value":{"$near":[\#(match.1),0]}}"#
    }

    #expect(matched != recorded.text)
    #expect(try await recorded.replay(matched) == "")
  }

  @Test func `a recorded event that was changed by hand fails the replay`() async throws {
    let recorded = try await Recorded(Self.scenario)
    let failures = try await recorded.replay(
      recorded.text.replacing(
        existing: #"{"at":"seen#1","ok":{"value":3}}"#, with: #"{"at":"seen#1","ok":{"value":2}}"#))

    #expect(
      failures.hasPrefix(
        "test.yaml:5:5: error: the event recorded for 'seen#1' does not fit its condition [F3011]\n"
      ))
    #expect(failures.contains("  note: recorded {value: 2}\n"))
  }

  /// Changes of a transcript that is sealed again.
  static let contradictions: [(id: String, old: String, new: String)] = [
    (
      "the event is missing",
      #"{"at":"p.count#1","emit":"p.counted","payload":{"value":3}}"# + "\n", ""
    ),
    ("the event is another one", #""payload":{"value":3}"#, #""payload":{"value":4}"#),
    (
      "something else was received", #"{"at":"seen#1","ok":{"value":3}}"#,
      #"{"at":"seen#1","ok":{"value":5}}"#
    ),
  ]

  @Test(arguments: contradictions.indices)
  func `a recorded event that nobody reported fails the replay`(_ index: Int) async throws {
    let recorded = try await Recorded(Self.scenario)
    let change = Self.contradictions[index]
    let text = recorded.text.replacing(change.old, with: change.new)
    try #require(text != recorded.text)

    #expect(
      try await recorded.replay(text) == """
        error: 'seen#1' received an event, but no component is recorded as reporting it [F3012]
          note: line \(change.new.isEmpty ? 7 : 8): it received 'p.counted'
          note: if the change is intended, record again with '--record'

        """, "\(change.id)")
  }

  @Test func `an event is received once`() async throws {
    let twice = Self.scenario.replacing(
      "  - id: seen", with: "  - {uses: p.count}\n  - {await: p.counted, timeout: 1s}\n  - id: seen"
    )
    let recorded = try await Recorded(twice)
    let text = recorded.text.replacing(
      #"{"at":"seen#1","ok":{"value":4}}"#, with: #"{"at":"seen#1","ok":{"value":3}}"#)
    try #require(text != recorded.text)

    #expect(try await recorded.replay(recorded.text) == "")
    #expect(try await recorded.replay(text).hasPrefix("error: 'seen#1' received an event, but"))
  }

  @Test func `events may be received in another order than they were reported`() async throws {
    let scenario = """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - repeat: {while: "${{ loop.index < 50 }}", limit: 60}
          do: [{uses: p.count, with: {by: 1}}]
        - id: down
          repeat: {while: "${{ loop.index < 50 }}", limit: 60}
          do:
            - {id: seen, await: p.counted, where: "${{ event.value == 50 - loop.index }}", timeout: 1s}

      """
    let recorded = try await Recorded(scenario)
    let first = #"{"at":"down/seen#1","ok":{"value":50}}"#
    let twice = recorded.text.replacing(
      existing: #"{"at":"down/seen#2","ok":{"value":49}}"#,
      with: #"{"at":"down/seen#2","ok":{"value":50}}"#)

    #expect(recorded.text.contains(first))
    #expect(try await recorded.replay(recorded.text) == "")
    #expect(
      try await recorded.replay(
        twice, scenario.replacing(existing: "event.value ==", with: "event.value > 0 || 0 ==")
      ).hasPrefix(
        "error: 'down/seen#2' received an event, but no component is recorded as reporting it"))
  }

  @Test func `an event may be received before the call that reported it is made again`()
    async throws
  {
    let branches = """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - parallel:
            first: [{id: seen, await: p.counted, timeout: 9s}]
            second: [{wait: 1s}, {uses: p.count, with: {by: 3}}]

      """
    let recorded = try await Recorded(branches)

    #expect(recorded.text.contains(#"{"at":"parallel/first/seen#1","ok":{"value":3}}"#))
    #expect(try await recorded.replay(recorded.text) == "")
  }

  @Test func `a matcher takes the place of what was reported or received`() async throws {
    let recorded = try await Recorded(Self.scenario)
    let varying = #"{"value":{"$any":"int","example":7}}"#
    for line in [#""payload":{"value":3}"#, #"{"at":"seen#1","ok":{"value":3}"#] {
      let text = recorded.text.replacing(line, with: line.replacing(#"{"value":3}"#, with: varying))
      try #require(text != recorded.text)

      #expect(try await recorded.replay(text) == "")
    }
  }
}
