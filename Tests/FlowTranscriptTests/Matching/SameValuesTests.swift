import FlowCore
import FlowEngine
import FlowTranscript
import TestKit
import Testing

/// Values that vary from run to run, and are equal where the recorded ones are.
@Suite struct SameValuesTests {
  private static let world = OutsideWorld(varies: "{server.exchange: {same: [key]}}")

  /// Makes requests one after the other, with these keys.
  private static func paying(_ keys: [String?]) -> OutsideWorld.Work {
    { program, step in
      if step == "look" { return "" }
      for key in keys { try await program.send(Wire(path: "pay", key: key)) }
      return "paid"
    }
  }

  private static let first = "aaaaaaaa-1111"
  private static let second = "bbbbbbbb-2222"

  @Test func `a value is recorded with its example, and left out of the address`() async throws {
    let recording = try await Self.world.record(Self.paying([Self.first]))

    #expect(recording.report.passed)
    #expect(
      recording.requests == [
        """
        {"at":"components/port#1/serve#1/server.exchange#1","invoke":"server.exchange",\
        "input":{"path":"pay","key":{"$same":"any","example":"aaaaaaaa-1111"},"headers":{},\
        "items":[]},"during":"pay#1"}
        """,
        """
        {"at":"components/port#1/serve#1/server.exchange#1",\
        "ok":{"text":"pay for aaaaaaaa-1111","id":"aaaaaaaa-1111","ids":[]}}
        """,
      ])
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let recorded: [String?]
    let now: [String?]
    var findings: [String] = []
  }

  private static let changed =
    "F3003: the input of 'components/port#1/serve#1/server.exchange#2' has changed"
  private static let changedFirst =
    "F3003: the input of 'components/port#1/serve#1/server.exchange#1' has changed"
  private static let advice = "it was recorded just now, so this run cannot be replayed"

  @Test(arguments: [
    Sample(testDescription: "the recorded values", recorded: ["k1", "k1"], now: ["k1", "k1"]),
    Sample(testDescription: "an equal value", recorded: ["k1", "k1"], now: ["k7", "k7"]),
    Sample(testDescription: "different values", recorded: ["k1", "k2"], now: ["k2", "k1"]),
    Sample(
      testDescription: "a retry with another value", recorded: ["k1", "k1"], now: ["k7", "k8"],
      findings: [
        changed, #"key: recorded the same as in another call, "k7", now "k8""#, advice,
      ]),
    Sample(
      testDescription: "one value for two", recorded: ["k1", "k2"], now: ["k7", "k7"],
      findings: [
        changed, #"key: recorded as a new value, now "k7", the same as in another call"#, advice,
      ]),
    Sample(
      testDescription: "a retry without a value", recorded: ["k1", "k1"], now: ["k7", nil],
      findings: [
        changed, #"key: recorded "k1", now null"#, advice,
      ]),
    Sample(testDescription: "no values", recorded: [nil, nil], now: [nil, nil]),
    Sample(testDescription: "one value of two", recorded: [nil, "k1"], now: [nil, "k7"]),
    Sample(
      testDescription: "no value for one", recorded: ["k1"], now: [nil],
      findings: [changedFirst, #"key: recorded "k1", now null"#, advice]),
    Sample(
      testDescription: "a value for none", recorded: [nil], now: ["k8"],
      findings: [changedFirst, #"key: recorded null, now "k8""#, advice]),
    Sample(
      testDescription: "values in another form of Unicode",
      recorded: ["\u{E9}", "e\u{301}"], now: ["e\u{301}", "\u{E9}"]),
    Sample(
      testDescription: "one form of Unicode for two", recorded: ["\u{E9}", "e\u{301}"],
      now: ["k7", "k7"],
      findings: [
        changed, #"key: recorded as a new value, now "k7", the same as in another call"#, advice,
      ]),
  ]) func `equal values stay equal, and different ones different`(_ sample: Sample) async throws {
    let recording = try await Self.world.record(Self.paying(sample.recorded)) { wire in
      Reply(text: "paid")
    }
    let findings = try await Self.world.replay(recording.transcript, Self.paying(sample.now))

    #expect(findings == sample.findings)
  }

  @Test func `values of requests at the same time may change places`() async throws {
    let meeting = Meeting(of: 2)
    let work: @Sendable (String, String) -> OutsideWorld.Work = { left, right in
      { program, step in
        guard step == "pay" else { return "" }
        let replies = try await program.send(all: [
          Wire(path: "left", key: left), Wire(path: "right", key: right),
        ])
        return "\(replies[0].text == "left for \(left)"), \(replies[1].id == right)"
      }
    }
    let recording = try await Self.world.record(work(Self.first, Self.second)) { wire in
      await meeting.meet(wire.path)
      return try await OutsideWorld.echo(wire)
    }

    let transcript = try recording.transcript
    for keys in [(Self.second, Self.first), ("cccccccc", Self.first), (Self.second, "dddddddd")] {
      #expect(try await Self.world.replay(transcript, work(keys.0, keys.1)) == [])
    }
    let equal = try await Self.world.replay(transcript, work(Self.first, Self.first))
    #expect(
      equal.first == "F3003: the input of 'components/port#1/serve#1/server.exchange#1' has changed"
    )
  }

  @Test func `an answer repeats the value of today, in its request and in later ones`()
    async throws
  {
    let work: @Sendable (String, String) -> OutsideWorld.Work = { first, second in
      { program, step in
        if step == "pay" {
          let reply = try await program.send(Wire(path: "pay", key: first))
          try await program.send(Wire(path: "pay", key: second))
          return "\(reply.text == "paid with \(first), no x\(Self.first)") \(reply.id == first)"
        }
        let list = try await program.send(Wire(path: "list"))
        return "\(list.text == "of \(first) and \(second)") \(list.ids == [second, "other", first])"
      }
    }
    let recording = try await Self.world.record(work(Self.first, Self.second)) { wire in
      guard let key = wire.key else {
        return Reply(
          text: "of \(Self.first) and \(Self.second)", ids: [Self.second, "other", Self.first])
      }
      return Reply(text: "paid with \(key), no x\(Self.first)", id: key)
    }

    let transcript = try recording.transcript
    #expect(recording.text.contains(#""ok":{"result":"true true"}"#))
    #expect(!recording.text.contains("false"))
    for keys in [("cccccccc-3333", "dddddddd-4444"), (Self.second, Self.first)] {
      #expect(try await Self.world.replay(transcript, work(keys.0, keys.1)) == [])
    }
  }

  @Test func `a value of one call is the same in another place`() async throws {
    let world = OutsideWorld(
      varies: "{server.exchange: {same: [key, 'headers.trace', 'items[*].id']}}")
    let work: @Sendable (String, String, String) -> OutsideWorld.Work = { key, trace, item in
      { program, step in
        guard step == "pay" else { return "" }
        try await program.send(Wire(path: "a", key: key))
        try await program.send(Wire(path: "b", headers: ["trace": .string(trace)]))
        let items = [WireItem(name: "x", id: item), WireItem(name: "y", id: "y-\(item)")]
        try await program.send(Wire(path: "c", items: items))
        return ""
      }
    }
    let recording = try await world.record(work("k1", "k1", "k1")) { _ in Reply(text: "") }

    let transcript = try recording.transcript
    #expect(try await world.replay(transcript, work("k5", "k5", "k5")) == [])
    let header = try await world.replay(transcript, work("k5", "k6", "k5"))
    #expect(
      header[1] == #"headers.trace: recorded the same as in another call, "k5", now "k6""#)
    let item = try await world.replay(transcript, work("k5", "k5", "k6"))
    #expect(item[1] == #"items[0].id: recorded the same as in another call, "k5", now "k6""#)
  }
}
