import FlowCore
import FlowEngine
import FlowTranscript
import TestKit
import Testing

/// Equal requests at the same time.
@Suite struct OutsideTieTests {
  /// Sends two requests that are equal except for their keys, and returns the answers in order.
  private static func both(_ keys: [String], as path: String = "x") -> OutsideWorld.Work {
    { program, step in
      guard step == "pay" else { return "" }
      let replies = try await program.send(all: keys.map { Wire(path: path, key: $0) })
      return replies.map(\.text).sorted().joined(separator: " ")
    }
  }

  /// Records them while both are in progress, with these texts as answers by key and number.
  private static func record(
    _ world: OutsideWorld, _ keys: [String], _ answer: @escaping @Sendable (String, Int) -> String
  ) async throws -> OutsideWorld.RecordedRun {
    let (meeting, counter) = (Meeting(of: 2), Counter())
    return try await world.record(both(keys)) { wire in
      let number = await counter.next()
      await meeting.meet("\(number)")
      return Reply(text: answer(wire.key ?? "", number))
    }
  }

  @Test func `different answers make a replay inconclusive`() async throws {
    let world = OutsideWorld()
    let recording = try await Self.record(world, ["k", "k"]) { "answer \($1)" }

    let marks = recording.requests.filter { $0.contains("invoke") }
      .map { $0.contains(#""tied":true,"during":"pay#1"}"#) }
    #expect(marks == [true, true])
    #expect(
      recording.run.warning == """
        'components/port#1/serve#1/server.exchange#1' and an equal call at the same time had \
        different answers: a replay with their caller live is inconclusive until the calls have \
        labels
        """)
    let findings = try await world.replay(recording.transcript, Self.both(["k", "k"]))
    #expect(
      findings == [
        """
        F3013: the replay is inconclusive: 'components/port#1/serve#1/server.exchange#1' cannot be \
        distinguished from an equal call
        """,
        "line 12: both called 'server.exchange' at the same time and had different answers",
        "give the calls labels with 'as:', and record again",
      ])
  }

  @Test func `equal answers do not`() async throws {
    let world = OutsideWorld()
    let recording = try await Self.record(world, ["k", "k"]) { key, _ in "answer \(key)" }

    #expect(!recording.text.contains("tied"))
    #expect(recording.run.warning == nil)
    #expect(try await world.replay(recording.transcript, Self.both(["k", "k"])) == [])
  }

  @Test func `values that stay the same tell them apart`() async throws {
    let world = OutsideWorld(varies: "{server.exchange: {same: [key]}}")
    let recording = try await Self.record(world, ["key-one-1", "key-two-2"]) { "answer \($1)" }

    #expect(!recording.text.contains("tied"))
    let transcript = try recording.transcript
    #expect(try await world.replay(transcript, Self.both(["key-six-6", "key-ten-9"])) == [])
  }

  @Test func `values of any kind do not tell them apart`() async throws {
    let world = OutsideWorld(varies: "{server.exchange: {any: [key]}}")
    let different = try await Self.record(world, ["key-one-1", "key-two-2"]) { "answer \($1)" }
    #expect(different.text.contains(#""tied":true"#))

    // What only repeats such a value is no different answer.
    let equal = try await Self.record(world, ["key-one-1", "key-two-2"]) { key, _ in "for \(key)" }
    #expect(!equal.text.contains("tied"))
  }

  private actor Counter {
    private var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }
}
