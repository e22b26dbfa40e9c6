import FlowCore
import FlowTranscript
import TestKit
import Testing

/// Requests from outside in two recordings, as a live run compares them.
@Suite struct ComparedRequestTests {
  private static let world = OutsideWorld(
    varies: "{server.exchange: {same: [key], any: [created], answer: [id]}}")

  /// The groups of requests of the steps, each as a path, a key and a time.
  private typealias Groups = [String: [[(String, String, String)]]]

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The groups of requests: `pay: a/k1/9:30 b/k2/9:31, c/k1/9:32; look: d/k1/9:33`.
    let now: String
    var lines: [String] = []
  }

  private static let recorded = "pay: a/key-12345/1 b/key-23456/2, c/key-12345/3; look: d/key-1/4"
  private static let exchange = "components/port#1/serve#1/server.exchange#1, server.exchange"

  @Test(arguments: [
    Sample(testDescription: "the same", now: recorded),
    Sample(
      testDescription: "other varying values",
      now: "pay: a/key-98765/7 b/key-87654/8, c/key-98765/9; look: d/key-2/6"),
    Sample(
      testDescription: "a group one after the other",
      now: "pay: b/key-23456/2, a/key-12345/1, c/key-12345/3; look: d/key-1/4"),
    Sample(
      testDescription: "a retry with another key",
      now: "pay: a/key-98765/7 b/key-87654/8, c/key-55555/9; look: d/key-2/6",
      lines: [
        "calls", "  changed \(exchange)",
        #"    input.key: recorded "key-98765", now "key-55555""#,
      ]),
    Sample(
      testDescription: "another order of groups",
      now: "pay: c/key-12345/3, a/key-12345/1 b/key-23456/2; look: d/key-1/4",
      lines: ["calls", "  changed \(exchange)", "    turn: recorded 2, now 1"]),
    Sample(
      testDescription: "another step",
      now: "pay: a/key-12345/1 b/key-23456/2, c/key-12345/3, d/key-1/4",
      lines: [
        "calls", "  changed \(exchange)", #"    during: recorded "look#1", now "pay#1""#,
      ]),
  ]) func `the groups and the values that stay the same are compared`(_ sample: Sample)
    async throws
  {
    let plan = try Self.world.plan({ _, _ in "" }, OutsideWorld.echo)
    let recorded = try await Self.record(Self.recorded)
    let now = try await Self.record(sample.now)
    let difference = TranscriptDifference(from: recorded, to: now, plan: plan)
    let live = TranscriptDifference(ofAnswersIn: now, from: recorded, plan: plan)

    #expect(difference.lines == sample.lines)
    #expect(difference.isSameRun == sample.lines.isEmpty)
    #expect(live.lines == sample.lines)
  }

  /// Records these requests, those of a group while all of them are unanswered.
  private static func record(_ requests: String) async throws -> Transcript {
    let meetings = Meetings(groups(requests).values.joined().map { $0.map(\.0) })
    return try await world.record { program, step in
      for group in Self.groups(requests)[step] ?? [] {
        try await program.send(all: group.map { Wire(path: $0.0, key: $0.1, created: $0.2) })
      }
      return "done"
    } _: { wire in
      await meetings.meet(wire.path)
      return Reply(text: "\(wire.path) of \(wire.key ?? "")", id: wire.created)
    }.transcript
  }

  private static func groups(_ requests: String) -> Groups {
    let steps = requests.split(separator: "; ").map { step in
      let parts = step.split(separator: ": ")
      let groups = parts[1].split(separator: ", ").map { group in
        group.split(separator: " ").map { request in
          let words = request.split(separator: "/").map(String.init)
          return (words[0], words[1], words[2])
        }
      }
      return (String(parts[0]), groups)
    }
    return Dictionary(uniqueKeysWithValues: steps)
  }
}
