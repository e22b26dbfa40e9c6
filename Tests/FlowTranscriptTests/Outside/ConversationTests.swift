import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Conversations with programs: messages in both directions, in an order relative to each other.
@Suite struct ConversationTests {
  private static let world = ChatWorld()

  /// A program that says texts one by one, and waits for as many messages before each of them.
  private static func talking(
    _ lines: [(after: Int, text: String)], until end: Int, path: String = "/chat"
  ) -> ChatWorld.Work {
    { program in
      let talk = await program.open(path)
      var heard: [String] = []
      for line in lines {
        while heard.count < line.after { heard.append(await talk.hear() ?? "nothing") }
        talk.say(line.text)
      }
      while heard.count < end { heard.append(await talk.hear() ?? "nothing") }
      talk.leave()
      return heard.joined(separator: " ")
    }
  }

  @Test func `a message of the server is recorded behind what the program had said`() async throws {
    let run = try await Self.world.record(
      Self.talking([(1, "a"), (2, "b")], until: 4),
      ChatScript(greeting: ["hello"]) { $0 == "b" ? ["b!", "end"] : ["a!"] })

    #expect(run.report.passed)
    #expect(
      run.lines(of: "server.") == [
        #"{"at":"CHAT/server.say#1","invoke":"server.say","input":{"stream":"/chat#1","text":"a"},"during":"talk#1"}"#,
        #"{"at":"CHAT/server.say#1","ok":{}}"#,
        #"{"at":"CHAT/server.say#1","invoke":"server.say","input":{"stream":"/chat#1","text":"b"},"during":"talk#1","turn":2}"#,
        #"{"at":"CHAT/server.say#1","ok":{}}"#,
        #"{"at":"CHAT/server.hear#1","invoke":"server.hear","input":{"stream":"/chat#1"}}"#,
        #"{"at":"CHAT/server.hear#1","ok":{"text":"hello","end":false}}"#,
        #"{"at":"CHAT/server.hear#2","invoke":"server.hear","input":{"stream":"/chat#1"},"after":1}"#,
        #"{"at":"CHAT/server.hear#2","ok":{"text":"a!","end":false}}"#,
        #"{"at":"CHAT/server.hear#3","invoke":"server.hear","input":{"stream":"/chat#1"},"after":2}"#,
        #"{"at":"CHAT/server.hear#3","ok":{"text":"b!","end":false}}"#,
        #"{"at":"CHAT/server.hear#4","invoke":"server.hear","input":{"stream":"/chat#1"},"after":2}"#,
        #"{"at":"CHAT/server.hear#4","ok":{"text":"end","end":false}}"#,
        #"{"at":"components/port#1/serve#1/server.open#1","invoke":"server.open","input":{"path":"/chat"},"during":"talk#1"}"#,
        #"{"at":"components/port#1/serve#1/server.open#1","ok":{"stream":"/chat#1"}}"#,
      ])
  }

  @Test func `a replay serves a message only after what the program had said before it`()
    async throws
  {
    let transcript = try await Self.world.record(
      Self.talking([(1, "a"), (2, "b")], until: 3),
      ChatScript(greeting: ["hello"]) { ["\($0)!"] }
    ).transcript

    let findings = try await Self.world.replay(transcript) { program in
      let talk = await program.open("/chat")
      let greeting = await talk.hear()
      // Nothing may come before the program says the text that the message answers.
      let early = talk.waiting
      talk.say("a")
      let answer = await talk.hear()
      let alsoEarly = talk.waiting
      talk.say("b")
      let last = await talk.hear()
      talk.leave()
      return [greeting, early, answer, alsoEarly, last].compactMap(\.self).joined(separator: " ")
    }

    #expect(findings == [])
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let now: ChatWorld.Work
    let findings: [String]
  }

  private static let address =
    "'components/port#1/serve#1/+-chat-1-g1muxk#1/server.say#1'"
  private static let advice = "it was recorded just now, so this run cannot be replayed"

  @Test(arguments: [
    Sample(
      testDescription: "the same", now: talking([(1, "a"), (2, "b")], until: 3), findings: []),
    Sample(
      testDescription: "without waiting", now: talking([(0, "a"), (0, "b")], until: 3), findings: []
    ),
    Sample(
      testDescription: "another text", now: talking([(1, "a"), (2, "c")], until: 2),
      findings: [
        "F3001: \(address) is not in the transcript",
        "it calls 'server.say' with {stream: \"/chat#1\", text: \"c\"}", "it came during 'talk#1'",
        "recorded but not yet used: \(address)",
        "the most similar call is on line 12, \(address)", "text: recorded \"b\", now \"c\"",
        advice,
      ]),
    Sample(
      testDescription: "another order", now: talking([(1, "b"), (1, "a")], until: 1),
      findings: [
        "F3010: \(address) comes after \(address), but was recorded before its end", advice,
      ]),
    Sample(
      testDescription: "less", now: talking([(1, "a")], until: 2),
      findings: ["F3006: 1 recorded call was never made", advice]),
  ]) func `a program is held to what it said`(_ sample: Sample) async throws {
    let transcript = try await Self.world.record(
      Self.talking([(1, "a"), (2, "b")], until: 3),
      ChatScript(greeting: ["hello"]) { ["\($0)!"] }
    ).transcript

    let findings = try await Self.world.replay(transcript, sample.now)

    #expect(findings.filter { !$0.hasPrefix("line ") } == sample.findings)
  }

  @Test func `a conversation in which nothing more is said waits for the program`() async throws {
    let transcript = try await Self.world.record(
      Self.talking([(0, "a")], until: 1), ChatScript { ["\($0)!"] }
    ).transcript

    let findings = try await Self.world.replay(
      transcript,
      { program in
        let talk = await program.open("/chat")
        talk.say("a")
        let heard = await talk.hear()
        // The wait that would end an answer that is read on is what is tested.
        try await Task.sleep(for: Patience.requestsInDoubt + .milliseconds(100))
        talk.leave()
        return heard ?? "nothing"
      }, allowing: [.unused])

    #expect(findings == [])
  }

  @Test func `conversations at the same time are ordered each for itself`() async throws {
    let both: @Sendable ([String]) -> ChatWorld.Work = { order in
      { program in
        let talks = ["/a": await program.open("/a"), "/b": await program.open("/b")]
        var heard: [String: String] = [:]
        for path in order {
          talks[path]?.say("\(path) now")
          heard[path, default: ""] += await talks[path]?.hear() ?? "nothing"
        }
        for talk in talks.values { talk.leave() }
        return ["/a", "/b"].compactMap { heard[$0] }.joined(separator: " ")
      }
    }
    let run = try await Self.world.record(both(["/a", "/b", "/a"]), ChatScript { ["\($0)!"] })

    let findings = try await Self.world.replay(run.transcript, both(["/b", "/a", "/a"]))

    #expect(findings == [])
  }
}
