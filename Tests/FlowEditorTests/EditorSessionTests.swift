import FlowSystem
import Synchronization
import Testing

@testable import FlowEditor

struct EditorSessionTests {
  private static let start = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#
  private static let end = #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#
  private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#

  @Test(arguments: [
    ([start, end, exit], [1, 2], true), ([start, exit], [1], false), ([start], [1], false),
    ([], [], false),
  ])
  func `a session ends with exit or with its input`(
    _ lines: [String], _ answered: [Int], _ wasShutDown: Bool
  ) async throws {
    let answers = Mutex<[JSON]>([])
    let (parts, input) = AsyncStream.makeStream(of: MessageStream.Part.self)
    for line in lines { input.yield(.message(try JSONParser.parse(Array(line.utf8)[...]))) }
    input.finish()

    let ended = await EditorSession.serve(parts, by: try EditorDesk.server()) { message in
      answers.withLock { $0.append(message) }
    }

    #expect(ended == wasShutDown)
    #expect(answers.withLock { $0 }.compactMap { $0["id"]?.int } == answered)
  }

  @Test func `a text is checked while messages come`() async throws {
    let (parts, input) = AsyncStream.makeStream(of: MessageStream.Part.self)
    let (seen, found) = AsyncStream.makeStream(of: JSON.self)
    let open = JSON.fields([
      "jsonrpc": .string("2.0"), "method": .string("textDocument/didOpen"),
      "params": .fields([
        "textDocument": .fields([
          "uri": .string("file:///nowhere/a.yaml"), "languageId": .string("flow"),
          "version": .int(1), "text": .string("flow: 2\nsteps: []\n"),
        ])
      ]),
    ])
    input.yield(.message(try JSONParser.parse(Array(Self.start.utf8)[...])))
    input.yield(.message(open))
    let server = try EditorDesk.server()

    async let ended = EditorSession.serve(parts, by: server) { found.yield($0) }
    let published = await seen.first { $0["method"] != nil }
    input.finish()

    #expect(await ended == false)
    #expect(
      published?.at("params", "diagnostics")?.elements.compactMap { $0["code"]?.string }
        == ["F1101"])
  }
}
