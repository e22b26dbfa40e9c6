import FlowSystem
import Foundation
import Synchronization
import TestKit
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

  @Test(.timeLimit(.minutes(30))) func `a session ends with the process of its client`()
    async throws
  {
    let client = try ChildProcess("/bin/cat", [], hasInput: true)
    let (parts, input) = AsyncStream.makeStream(of: MessageStream.Part.self)
    let start = Self.start.replacing(
      existing: #""params":{}"#, with: #""params":{"processId":\#(client.processID)}"#)
    input.yield(.message(try JSONParser.parse(Array(start.utf8)[...])))
    let server = try EditorDesk.server()

    let ended = await EditorSession.serve(parts, by: server) { _ in client.send(SIGKILL) }

    #expect(ended == false)
  }

  @Test func `a request that is cancelled before its turn is not performed`() throws {
    var server = try EditorDesk.server()
    let message = { (text: String) in
      MessageStream.Part.message(try JSONParser.parse(Array(text.utf8)[...]))
    }
    let hover = { (id: String) in
      try message(#"{"jsonrpc":"2.0","id":\#(id),"method":"textDocument/hover","params":{}}"#)
    }
    let cancel = try message(
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}"#)
    _ = server.receive(try message(Self.start))

    server.cancelled.note(cancel)
    let answers = server.receive(try hover(#""a""#)) + server.receive(try hover(#""b""#))
    _ = server.receive(cancel)
    server.cancelled.note(cancel)
    _ = server.receive(cancel)
    let later = server.receive(try hover(#""a""#))

    #expect(
      answers.first?.text
        == #"{"jsonrpc":"2.0","id":"a","error":{"code":-32800,"message":"the client has cancelled it"}}"#
    )
    #expect((answers.dropFirst() + later).allSatisfy { $0["error"]?["code"] != .number("-32800") })
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
