import FlowCore
import FlowEngine
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Requests from outside in a run that is cut off and goes on with other varying values.
@Suite struct ResumedRequestTests {
  private static let world = OutsideWorld(
    varies: "{server.exchange: {same: [key], any: [created]}}")

  /// Pays twice with one key, and says if the answers repeated it.
  private static func paying(_ key: String) -> OutsideWorld.Work {
    { program, step in
      if step == "look" { return "looked" }
      for moment in ["1", "2"] {
        let wire = Wire(path: "pay \(moment)", key: key, created: "\(key) at \(moment)")
        let reply = try await program.send(wire)
        if reply.id != key { return "another id: \(reply.id ?? "none")" }
      }
      return "paid"
    }
  }

  @Test func `recorded requests are answered again, with the values of today`() async throws {
    let whole = try await Self.run(key: "key-of-may")
    #expect(whole.requests == ["pay 1", "pay 2"])

    let lines = whole.journal.split(separator: "\n", omittingEmptySubsequences: true)
    for count in 2..<lines.count {
      let cut = lines.prefix(count).map { $0 + "\n" }.joined()
      let resumed = try await Self.run(key: "key-of-june", resuming: cut)
      let answered = cut.matches(of: /exchange#1","ok"/).count

      let line = "cut after \(lines[count - 1])"
      #expect(resumed.problems == [], "\(line)")
      #expect(resumed.requests == Array(whole.requests.dropFirst(answered)), "\(line)")
      #expect((cut + resumed.journal).contains(#""ok":{"result":"paid"}"#), "\(line)")
    }
  }

  private static func run(
    key: String, resuming cut: String? = nil
  ) async throws -> (problems: [String], requests: [String], journal: String) {
    let requests = Mutex<[String]>([])
    let server: OutsideWorld.Server = { wire in
      requests.withLock { $0.append(wire.path) }
      return try await OutsideWorld.echo(wire)
    }
    let journal = try cut.map { try TranscriptReader.readJournal(Array($0.utf8), file: "j") }
    let output = OutputText()
    let recorder = JournalRecorder(scenario: "s.yaml", run: "r", resuming: journal) {
      output.append($0)
    }
    var options = Session.Options()
    options.name = "r"
    let session = Session(
      of: try world.plan(paying(key), server), sinks: [recorder], options: options)
    let caller = ResumingCaller(journal, in: session, recorder: recorder)
    let report = await session.run(inputs: [], through: caller)
    return (
      report.diagnostics.flatMap { [$0.message] + $0.notes }, requests.withLock { $0 }, output.text
    )
  }
}
