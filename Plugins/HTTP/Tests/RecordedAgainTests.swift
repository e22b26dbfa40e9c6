import FlowCommand
import FlowCore
import Synchronization
import TestKit
import Testing

@testable import HTTPPlugin

/// A recording over an older one of a server that gives new ids.
@Suite struct RecordedAgainTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The ids that the server gives in the two runs.
    let ids: [Int]
    let isVolatile: Bool
    /// The id in all answers and requests of the second recording.
    let recorded: Int
  }

  @Test(arguments: [
    Row(testDescription: "a short id", ids: [1, 62], isVolatile: false, recorded: 62),
    Row(testDescription: "a longer id", ids: [5_600, 5_701], isVolatile: false, recorded: 5_701),
    Row(testDescription: "a short volatile id", ids: [1, 62], isVolatile: true, recorded: 1),
    Row(testDescription: "a volatile id", ids: [5_600, 5_701], isVolatile: true, recorded: 5_600),
  ])
  func `an answer kept from the older one has no id that its request has not`(
    _ row: Row
  ) async throws {
    let id = Mutex(row.ids[0])
    let server = try TestServer(answering: { request in
      let id = id.withLock { $0 }
      let name = request.path.split(separator: "/").last ?? ""
      return request.method == "POST"
        ? TestServer.answer(
          "201 Created", ["Content-Type: application/json"], #"{"notes":[{"id":\#(id)}]}"#)
        : TestServer.answer(
          "200 OK", ["Content-Type: application/json"], #"{"keys":["\#(name)"],"id":\#(id)}"#)
    })
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {api: {plugin: http, with: {base: "\(server.url)", timeout: 60m}}}
      steps:
        - id: note
          uses: api.post
          with: {path: notes, json: {title: hello}}
          volatile: [\(row.isVolatile ? "'json.notes[*].id'" : "elapsed")]
        - uses: api.get
          with: {path: "notes/${{ steps.note.json.notes[0].id }}"}

      """, to: "n.yaml")

    for next in row.ids {
      id.withLock { $0 = next }
      let run = try await FlowCommandRun(
        ["run", "--record", "@/n.yaml"], in: folder, components: [HTTP.self])
      try #require(run.code == .passed, "\(run.errors)")
    }

    let ids = try folder.text("n.transcript.jsonl")
      .matches(of: /"id":(?:{"\$any":"int","example":)?(\d+)|notes\/(\d+)|"keys":\["(\d+)"\]/)
      .map { [$0.1, $0.2, $0.3].compactMap(\.self).joined() }
    #expect(ids == Array(repeating: "\(row.recorded)", count: 5))
  }
}
