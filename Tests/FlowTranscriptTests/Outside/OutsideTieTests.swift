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

  @Test func `each answer is served once, whichever request comes first`() async throws {
    let world = OutsideWorld()
    let recording = try await Self.record(world, ["k", "k"]) { "answer \($1)" }

    #expect(!recording.text.contains("tied"))
    #expect(recording.run.warning == nil)
    let transcript = try recording.transcript
    #expect(try await world.replay(transcript, Self.both(["k", "k"])) == [])
    #expect(
      try await world.replay(transcript, Self.both(["k"])) == [
        "F3006: 1 recorded call was never made",
        "line 14: 'components/port#1/serve#1/server.exchange#2' called 'server.exchange' with "
          + #"{path: "x", key: "k", headers: {}, items: []} during 'pay#1'"#,
        "it was recorded just now, so this run cannot be replayed",
      ])
  }

  @Test func `an old mark of a tie means nothing`() async throws {
    let world = OutsideWorld()
    let recording = try await Self.record(world, ["k", "k"]) { "answer \($1)" }
    let old = try recording.changed(
      (#""items":[]},"during""#, #""items":[]},"tied":true,"during""#))

    #expect(try await world.replay(old, Self.both(["k", "k"])) == [])
  }

  @Test func `values that stay the same tell them apart`() async throws {
    let world = OutsideWorld(varies: "{server.exchange: {same: [key]}}")
    let recording = try await Self.record(world, ["key-one-1", "key-two-2"]) { "answer \($1)" }

    let transcript = try recording.transcript
    #expect(try await world.replay(transcript, Self.both(["key-six-6", "key-ten-9"])) == [])
  }

  private actor Counter {
    private var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }
}
