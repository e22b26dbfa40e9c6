import FlowCore
import FlowEngine
import FlowTranscript
import TestKit
import Testing

/// The steps to which requests from outside belong, and their order.
@Suite struct ArrivalTests {
  private static let world = OutsideWorld()
  private static let advice = "it was recorded just now, so this run cannot be replayed"

  /// Sends a request for each path during the steps, groups one after the other.
  private static func sending(_ groups: [String: [[String]]]) -> OutsideWorld.Work {
    { program, step in
      for group in groups[step] ?? [] {
        _ = try? await program.send(all: group.map { Wire(path: $0) })
      }
      return "done"
    }
  }

  private static func record(_ groups: [String: [[String]]]) async throws
    -> OutsideWorld.RecordedRun
  {
    let meetings = Meetings(groups.values.joined())
    let recording = try await world.record(sending(groups)) { wire in
      await meetings.meet(wire.path)
      return Reply(text: wire.path)
    }
    #expect(recording.report.passed)
    return recording
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let recorded: [String: [[String]]]
    let now: [String: [[String]]]
    let findings: [String]
  }

  private static let call = "'components/port#1/serve#1/server.exchange#1'"

  private static func line(_ number: Int, _ path: String, during step: String = "") -> String {
    "line \(number): \(call) called 'server.exchange' with {path: \"\(path)\", headers: {}, items: []}"
      + step
  }

  private static func unexpected(_ path: String) -> [String] {
    [
      "F3001: \(call) is not in the transcript",
      "it calls 'server.exchange' with {path: \"\(path)\", key: null, created: null, headers: {}, "
        + "items: [], pin: null}",
      "it came during 'pay#1'",
    ]
  }

  private static let early = [
    "F3010: \(call) came before \(call), recorded before it", line(12, "a"), line(14, "b"),
    anyOrder,
    advice,
  ]
  private static let anyOrder =
    "if the program may send them in any order, declare 'order: any' under 'varies'"

  @Test(arguments: [
    Sample(
      testDescription: "during another step", recorded: ["pay": [["a"]], "look": [["b"]]],
      now: ["pay": [["a"], ["b"]]],
      findings: [
        "F3010: \(call) came during another step than recorded", line(14, "b"),
        "recorded during 'look#1', now during 'pay#1'",
        "if the program may send it at any time, declare 'order: any' under 'varies'", advice,
      ]),
    Sample(
      testDescription: "left out before others", recorded: ["pay": [["a"], ["b"], ["c"]]],
      now: ["pay": [["a"], ["c"]]],
      findings: [
        "F3006: 1 recorded call was never made", line(14, "b", during: " during 'pay#1'"), advice,
      ]),
    Sample(
      testDescription: "left out, and another one added",
      recorded: ["pay": [["a"], ["b"], ["c"]]], now: ["pay": [["a"], ["c"], ["c"]]],
      findings: [
        "F3006: 1 recorded call was never made", line(14, "b", during: " during 'pay#1'"), advice,
        "F3001: 'components/port#1/serve#1/server.exchange#2' is not in the transcript",
        "it calls 'server.exchange' with {path: \"c\", key: null, created: null, headers: {}, "
          + "items: [], pin: null}",
        "it came during 'pay#1'", "recorded but not yet used: \(call)",
        "the same call is recorded on line 16 at \(call), but is already used", advice,
      ]),
    // The only one that waits until no request is to be expected any more.
    Sample(
      testDescription: "missing", recorded: ["pay": [["a"]], "look": [["b"], ["c"]]],
      now: ["pay": [["a"]], "look": [["b"]]],
      findings: [
        "F3006: 1 recorded call was never made", line(16, "c", during: " during 'look#1'"), advice,
      ]),
    Sample(
      testDescription: "unexpected", recorded: ["pay": [["a"]]], now: ["pay": [["a"], ["b"]]],
      findings: unexpected("b") + [
        "the most similar call is on line 12, \(call), but is already used",
        #"path: recorded "a", now "b""#, advice,
      ]),
    Sample(
      testDescription: "unexpected, and others missing",
      recorded: ["pay": [["a"], ["b"]], "look": [["c"]]], now: ["pay": [["a"], ["x"]]],
      findings: unexpected("x") + [
        "recorded but not yet used: \(call)", "the most similar call is on line 14, \(call)",
        #"path: recorded "b", now "x""#, advice,
      ]),
    Sample(
      testDescription: "a swallowed miss", recorded: ["pay": [["a"]]],
      now: ["pay": [["wrong"], ["a"]]],
      findings: unexpected("wrong") + [
        "recorded but not yet used: \(call)", "the most similar call is on line 12, \(call)",
        #"path: recorded "a", now "wrong""#, advice,
      ]),
    Sample(
      testDescription: "early", recorded: ["pay": [["a"], ["b"]]], now: ["pay": [["b"], ["a"]]],
      findings: early),
    Sample(
      testDescription: "early in another part of the step",
      recorded: ["pay": [["a", "c"], ["b"]]],
      now: ["pay": [["a"], ["b"], ["c"]]],
      findings: [
        "F3010: \(call) came before \(call), recorded before it", line(14, "c"), line(16, "b"),
        anyOrder, advice,
      ]),
    Sample(
      testDescription: "once more", recorded: ["pay": [["a"], ["a"]]],
      now: ["pay": [["a"], ["a"], ["a"]]],
      findings: [
        "F3001: 'components/port#1/serve#1/server.exchange#3' is not in the transcript"
      ] + unexpected("a").dropFirst() + [
        "the same call is recorded on line 12 at \(call), but is already used", advice,
      ]),
  ]) func `a request that comes otherwise fails`(_ sample: Sample) async throws {
    let recording = try await Self.record(sample.recorded)
    let findings = try await Self.world.replay(
      recording.transcript, Self.sending(sample.now))

    #expect(findings == sample.findings)
  }

  @Test func `requests in any order have no groups`() async throws {
    let world = OutsideWorld(varies: "{server.exchange: {order: any}}")
    let recorded = try await world.record(Self.sending(["pay": [["b"], ["a"]]])) { wire in
      Reply(text: wire.path)
    }

    let lines = recorded.requests.filter { $0.contains("invoke") }
    #expect(lines.allSatisfy { $0.hasSuffix(#","during":"pay#1","turn":0}"#) })
    #expect(lines.map { $0.contains(#""path":"a""#) } == [true, false])
    for groups in [[["a"], ["b"]], [["b"], ["a"]], [["a", "b"]]] {
      let findings = try await world.replay(
        try recorded.transcript, Self.sending(["pay": groups]))
      #expect(findings == [])
    }
  }

  @Test(arguments: [["look": [["a"]]], ["pay": [["a"]]]])
  func `requests in any order come during any step`(_ now: [String: [[String]]]) async throws {
    let world = OutsideWorld(varies: "{server.exchange: {order: any}}")
    let recorded = try await world.record(Self.sending(["pay": [["a"]]]))

    #expect(try await world.replay(try recorded.transcript, Self.sending(now)) == [])
  }

  @Test func `a request that was answered after its step may come during a later one`() async throws
  {
    let recorded = try await Self.record(["pay": [["a"]], "look": [["b"]]])
    let transcript = try recorded.changed(
      (#""items":[]},"during":"pay#1"}"#, #""items":[]},"during":"pay#1","late":true}"#))

    for now in [
      ["look": [["a"], ["b"]]], ["look": [["b"], ["a"]]], ["pay": [["a"]], "look": [["b"]]],
    ] {
      #expect(try await Self.world.replay(transcript, Self.sending(now)) == [])
    }
    #expect(
      try await Self.world.replay(transcript, Self.sending(["look": [["b"]]])) == [
        "F3006: 1 recorded call was never made", Self.line(12, "a", during: " during 'pay#1'"),
        Self.advice,
      ])
  }

  @Test(arguments: [
    ([["a"], ["b"]], [[]]), ([["a"], ["b"]], [["b"]]), ([["a"], ["b"]], [["a"], ["a"], ["b"]]),
  ])
  func `an optional request may be left out and repeated`(
    _ recorded: [[String]], _ now: [[String]]
  ) async throws {
    let world = OutsideWorld(
      scenario: """
        flow: 1
        components:
          server: {plugin: server}
          port: {plugin: port, using: {server: server}, optional: [server.exchange]}
          program: {plugin: program}
        steps:
          - {id: pay, uses: program.act, with: {name: pay}}

        """)
    let recording = try await world.record(Self.sending(["pay": recorded]))

    let findings = try await world.replay(
      recording.transcript, Self.sending(["pay": now.filter { !$0.isEmpty }]))

    #expect(findings == [])
  }

  @Test func `the order of groups is recorded, and that inside of a group is not`() async throws {
    let recording = try await Self.record(["pay": [["b", "a"], ["c"]], "look": [["b"]]])

    let moments = recording.requests.filter { $0.contains("invoke") }
      .map {
        $0.matches(of: /"(?:path|during)":"([^"]*)"|"turn":([0-9]+)/).map { $0.1 ?? $0.2 ?? "" }
      }
    #expect(
      moments == [
        ["a", "pay#1"], ["b", "pay#1"], ["c", "pay#1", "2"], ["b", "look#1"],
      ])
    let transcript = try recording.transcript
    for group in [["a", "b"], ["b", "a"]] {
      let now = ["pay": [group, ["c"]], "look": [["b"]]]
      #expect(try await Self.world.replay(transcript, Self.sending(now)) == [])
    }
    // Also one after the other.
    let single = ["pay": [["b"], ["a"], ["c"]], "look": [["b"]]]
    #expect(try await Self.world.replay(transcript, Self.sending(single)) == [])
  }

  @Test func `requests at the same time are recorded with the same bytes, in whatever order`()
    async throws
  {
    let names = ["a", "b", "c"]
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    var texts: Set<String> = []
    for order in orders + orders.prefix(4) {
      let meeting = Meeting(of: 3)
      let recording = try await Self.world.record { program, step in
        guard step == "pay" else { return "" }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for name in order.map({ names[$0] }) {
            group.addTask { _ = try await program.send(Wire(path: name)) }
            await meeting.untilCame(name)
          }
          try await group.waitForAll()
        }
        return ""
      } _: { wire in
        await meeting.meet(wire.path)
        return Reply(text: wire.path)
      }
      texts.insert(recording.text)
    }
    #expect(texts.count == 1)
  }

  @Test func `an error of the server is recorded and served`() async throws {
    let work: OutsideWorld.Work = { program, step in
      do { return try await program.send(Wire(path: step)).text } catch { return "\(error)" }
    }
    let recording = try await Self.world.record(work) { wire in
      if wire.path == "pay" { throw ComponentError(OutsideServer.down, "closed") }
      return Reply(text: "open")
    }
    #expect(recording.requests.count == 4)
    #expect(recording.requests[1].contains(#""error":"down","message":"closed""#))
    #expect(try await Self.world.replay(recording.transcript, work) == [])
  }
}
