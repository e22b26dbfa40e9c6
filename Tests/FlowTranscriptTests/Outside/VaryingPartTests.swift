import FlowCore
import FlowEngine
import FlowRedaction
import FlowTranscript
import TestKit
import Testing

/// Parts of requests and answers with any value.
@Suite struct VaryingPartTests {
  private static let address = "components/port#1/serve#1/server.exchange#1"

  /// Makes one request.
  private static func sending(_ wire: Wire) -> OutsideWorld.Work {
    { program, step in
      if step == "pay" { try await program.send(wire) }
      return "done"
    }
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    /// The places.
    let testDescription: String
    let recorded: Wire
    /// The input as it is recorded.
    let line: String
    /// Requests that the recording answers.
    let same: [Wire]
    /// Requests that it does not answer.
    let other: [Wire]
  }

  @Test(arguments: [
    Sample(
      testDescription: "created", recorded: Wire(path: "a", key: "k", created: "1 May"),
      line: """
        {"path":"a","key":"k","created":{"$any":"any","example":"1 May"},"headers":{},"items":[]}
        """,
      same: [Wire(path: "a", key: "k", created: "2 May"), Wire(path: "a", key: "k")],
      other: [
        Wire(path: "b", key: "k", created: "1 May"), Wire(path: "a", key: "l", created: "1 May"),
      ]),
    Sample(
      testDescription: "key, created", recorded: Wire(path: "a"),
      line: """
        {"path":"a","key":{"$any":"any","example":null},\
        "created":{"$any":"any","example":null},"headers":{},"items":[]}
        """,
      same: [Wire(path: "a", key: "x", created: "y"), Wire(path: "a", created: "y")],
      other: [Wire(path: "a", pin: "1234")]),
    Sample(
      testDescription: "'items[*].id'",
      recorded: Wire(path: "a", items: [.init(name: "x", id: "1"), .init(name: "y", id: "2")]),
      line: """
        {"path":"a","headers":{},"items":[{"name":"x","id":{"$any":"string","example":"1"}},\
        {"name":"y","id":{"$any":"string","example":"2"}}]}
        """,
      same: [Wire(path: "a", items: [.init(name: "x", id: "2"), .init(name: "y", id: "2")])],
      other: [
        Wire(path: "a", items: [.init(name: "x", id: "1")]),
        Wire(path: "a", items: [.init(name: "x", id: "1"), .init(name: "z", id: "2")]),
      ]),
    Sample(
      testDescription: "'items[1]'",
      recorded: Wire(path: "a", items: [.init(name: "x", id: "1"), .init(name: "y", id: "2")]),
      line: """
        {"path":"a","headers":{},"items":[{"name":"x","id":"1"},\
        {"$any":"map","example":{"name":"y","id":"2"}}]}
        """,
      same: [Wire(path: "a", items: [.init(name: "x", id: "1"), .init(name: "z", id: "9")])],
      other: [Wire(path: "a", items: [.init(name: "x", id: "2"), .init(name: "y", id: "2")])]),
    Sample(
      testDescription: "headers.trace",
      recorded: Wire(path: "a", headers: ["trace": .string("t"), "b": .int(1)]),
      line: #"{"path":"a","headers":{"b":1,"trace":{"$any":"string","example":"t"}},"items":[]}"#,
      same: [Wire(path: "a", headers: ["trace": .string("u"), "b": .int(1)])],
      other: [
        Wire(path: "a", headers: ["trace": .string("t"), "b": .int(2)]),
        Wire(path: "a", headers: ["b": .int(1)]),
      ]),
    Sample(
      testDescription: "headers", recorded: Wire(path: "a", headers: ["trace": .string("t")]),
      line: #"{"path":"a","headers":{"$any":"map","example":{"trace":"t"}},"items":[]}"#,
      same: [Wire(path: "a"), Wire(path: "a", headers: ["b": .int(2)])], other: [Wire(path: "b")]),
  ]) func `a part with any value is recorded as a matcher, and the rest is compared`(
    _ sample: Sample
  ) async throws {
    let world = OutsideWorld(varies: "{server.exchange: {any: [\(sample.testDescription)]}}")
    let recording = try await world.record(Self.sending(sample.recorded))

    #expect(
      recording.requests.first == """
        {"at":"\(Self.address)","invoke":"server.exchange","input":\(sample.line),"during":"pay#1"}
        """)
    let transcript = try recording.transcript
    for wire in [sample.recorded] + sample.same {
      #expect(try await world.replay(transcript, Self.sending(wire)) == [])
    }
    for wire in sample.other {
      let findings = try await world.replay(transcript, Self.sending(wire))
      #expect(findings.first == "F3001: '\(Self.address)' is not in the transcript")
    }
  }

  @Test func `varying parts are left out of the digest that tells calls apart`() async throws {
    let world = OutsideWorld(varies: "{server.exchange: {any: [created], same: [key]}}")
    func tags(_ wires: [Wire]) async throws -> Set<String> {
      let output = OutputText()
      let recorder = JournalRecorder(scenario: "s.yaml", run: "r") { output.append($0) }
      let plan = try world.plan(
        { program, step in
          if step == "pay" { for wire in wires { try await program.send(wire) } }
          return ""
        }, OutsideWorld.echo)
      #expect(await Session(of: plan, sinks: [recorder]).run(inputs: []).passed)
      #expect(!output.text.contains("$any") && !output.text.contains("$same"))
      let calls = output.text.split(separator: "\n").filter { $0.contains("\"server.exchange\"") }
      return Set(calls.compactMap { $0.firstMatch(of: /"call":"([^"]+)"/).map { String($0.1) } })
    }

    let equal = try await tags([
      Wire(path: "a", key: "k1", created: "1"), Wire(path: "a", key: "k2", created: "2"),
    ])
    let different = try await tags([
      Wire(path: "a", key: "k1", created: "1"), Wire(path: "b", key: "k1", created: "1"),
    ])
    #expect((equal.count, different.count) == (1, 2))
  }

  @Test func `varying answers are served as recorded, and their changes accepted`() async throws {
    let world = OutsideWorld(varies: "{server.exchange: {answer: [id, 'ids[*]']}}")
    let work: OutsideWorld.Work = { program, step in
      let reply = try await program.send(Wire(path: step))
      return "\(reply.text) \(reply.id ?? "none")"
    }
    let recording = try await world.record(work) { wire in
      Reply(text: wire.path, id: "id of \(wire.path)", ids: ["1", "2"])
    }

    #expect(
      recording.requests[1] == """
        {"at":"\(Self.address)","ok":{"text":"pay","id":{"$any":"any","example":"id of pay"},\
        "ids":[{"$any":"string","example":"1"},{"$any":"string","example":"2"}]}}
        """)
    #expect(try await world.replay(recording.transcript, work) == [])
  }

  @Test func `a varying part that is a secret stays hidden`() async throws {
    let world = OutsideWorld(varies: "{server.exchange: {same: [pin], any: [created]}}")
    let recording = try await world.record(
      Self.sending(Wire(path: "a", created: "with 93417-4", pin: "93417-4"))
    ) { wire in Reply(text: "pin \(wire.pin ?? "")") }

    #expect(!recording.text.contains("93417"))
    #expect(
      recording.requests.first?.contains(
        #""created":{"$any":"any","example":"with ${secret:server.pin}"}"#) == true)
    #expect(recording.requests.first?.contains(#""pin":{"$same":"any""#) == true)
    let transcript = try recording.transcript
    for pin in ["93417-4", "55555-5"] {
      let wire = Wire(path: "a", created: "with \(pin)", pin: pin)
      #expect(try await world.replay(transcript, Self.sending(wire)) == [])
    }
  }

  @Test func `a new recording keeps the examples of an old one if only varying parts differ`()
    async throws
  {
    let world = OutsideWorld(
      varies: "{server.exchange: {same: [key], any: [created], answer: [id]}}")
    func record(_ wires: [Wire]) async throws -> OutsideWorld.RecordedRun {
      try await world.record { program, step in
        if step == "pay" { for wire in wires { try await program.send(wire) } }
        return ""
      } _: { wire in
        Reply(text: "for \(wire.path)", id: wire.created)
      }
    }
    let old = try await record([
      Wire(path: "a", key: "k1", created: "1"), Wire(path: "b", key: "k1", created: "2"),
    ])
    let same = try await record([
      Wire(path: "a", key: "k5", created: "6"), Wire(path: "b", key: "k5", created: "7"),
    ])
    let other = try await record([
      Wire(path: "a", key: "k5", created: "6"), Wire(path: "b", key: "k6", created: "7"),
    ])
    let plan = try world.plan({ _, _ in "" }, OutsideWorld.echo)

    #expect(same.text != old.text)
    let kept = try old.transcript.keeping(in: same.transcript, of: plan)
    #expect(String(decoding: kept.bytes, as: UTF8.self) == old.text)
    let changed = try old.transcript.keeping(in: other.transcript, of: plan)
    let line = #"{"path":"b","key":{"$same":"any","example":"k6"}"#
    #expect(String(decoding: changed.bytes, as: UTF8.self).contains(line))
  }
}
