import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import WebSocketPlugin

/// Messages, pings and the end of connections, as scenarios see them.
@Suite struct MessageTests {
  @Test func `messages of each kind return`() async throws {
    let server = try WebSocketServer()

    let run = try await WebSocketRun.run(
      """
      - uses: it.connect
      - uses: it.send
        with: {json: {a: [1, 2.50, null]}}
      - id: first
        await: it.message
        timeout: 1h
      - assert:
          - ${{ steps.first.connection == '/#1' && steps.first.json.a[1] == 2.5 }}
          - ${{ steps.first.text == '{"a":[1,2.50,null]}' && steps.first.bytes == null }}
      - uses: it.send
        with: {text: "42"}
      - id: second
        await: it.message
        timeout: 1h
      - assert: ["${{ steps.second.text == '42' && steps.second.json == null }}"]
      - uses: it.send
        with: {bytes: "${{ bytes('héllo') }}"}
      - id: third
        await: it.message
        timeout: 1h
      - assert: ["${{ string(steps.third.bytes) == 'héllo' && steps.third.text == null }}"]
      """, server)

    #expect(run.failures == "")
  }

  @Test func `pings of both sides are answered`() async throws {
    let server = try WebSocketServer()

    let run = try await WebSocketRun.run(
      """
      - uses: it.connect
      - uses: it.ping
      - uses: it.send
        with: {text: ping}
      - id: pong
        await: it.message
        timeout: 1h
      - assert: ["${{ steps.pong.text == 'pong are you there?' }}"]
      """, server)

    #expect(run.failures == "")
  }

  @Test func `a step names one of several connections`() async throws {
    let server = try WebSocketServer()

    let run = try await WebSocketRun.run(
      """
      - uses: it.send
        with: {text: nobody}
        expect: {error: invalid, message: "no connection is open; 'connect' opens one"}
      - {id: a, uses: it.connect, with: {path: room}}
      - {id: b, uses: it.connect, with: {path: room}}
      - uses: it.send
        with: {text: to whom}
        expect:
          error: invalid
          message: "several connections are open; name one in 'connection': /room#1, /room#2"
      - uses: it.send
        with: {text: to b, connection: "${{ steps.b.connection }}"}
      - id: answer
        await: it.message
        timeout: 1h
      - assert: ["${{ steps.answer.connection == '/room#2' }}"]
      - uses: it.close
        with: {connection: /room#2}
        expect: {code: 1000, reason: ""}
      - uses: it.send
        with: {text: to a}
      - id: last
        await: it.message
        timeout: 1h
      - assert: ["${{ steps.last.connection == '/room#1' }}"]
      - uses: it.send
        with: {text: a, connection: "/room#3"}
        expect: {error: invalid, message: "'/room#3' is not a connection"}
      """, server)

    #expect(run.failures == "")
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    let code: Int
    let reason: String
  }

  static let endings = [
    Ending(
      testDescription: "a close frame",
      steps: "- {uses: it.connect}\n- {uses: it.send, with: {text: bye}}",
      code: 4001, reason: "as asked"),
    Ending(
      testDescription: "a close frame without a code",
      steps: "- {uses: it.connect, with: {path: \"bytes?8800\"}}", code: 1005, reason: ""),
    Ending(
      testDescription: "a lost connection",
      steps: "- {uses: it.connect}\n- {uses: it.send, with: {text: drop}}", code: 1006, reason: ""),
    Ending(
      testDescription: "a violation of the protocol",
      steps: "- {uses: it.connect, with: {path: \"bytes?f100\"}}", code: 1002,
      reason: "a frame has a reserved bit"),
    Ending(
      testDescription: "a text that is not UTF-8",
      steps: "- {uses: it.connect, with: {path: \"bytes?8101ff\"}}", code: 1007,
      reason: "a text is not UTF-8"),
    Ending(
      testDescription: "a message above the limit",
      steps: "- {uses: it.connect, with: {path: \"bytes?827f0000000001000001\"}}", code: 1009,
      reason: "a message has more than 16777216 bytes"),
  ]

  @Test(arguments: endings)
  func `the end of a connection is an event`(_ ending: Ending) async throws {
    let server = try WebSocketServer()

    let run = try await WebSocketRun.run(
      """
      \(ending.steps)
      - id: end
        await: it.closed
        timeout: 1h
      - assert: ["${{ steps.end.code == \(ending.code) && steps.end.reason == inputs.lines }}"]
      - uses: it.send
        with: {text: late}
        expect: {error: closed}
      """, server, lines: ending.reason)

    #expect(run.failures == "")
  }

  @Test func `a message right behind the response is not lost`() async throws {
    let server = try WebSocketServer()

    let run = try await WebSocketRun.run(
      """
      - {uses: it.connect, with: {path: "bytes?8102486981024f6b"}}
      - {id: a, await: it.message, timeout: 1h}
      - {id: b, await: it.message, timeout: 1h}
      - assert: ["${{ steps.a.text == 'Hi' && steps.b.text == 'Ok' }}"]
      """, server)

    #expect(run.failures == "")
  }

  @Test func `time stands still until the next message`() async throws {
    let server = try WebSocketServer()

    let run = try await WebSocketRun.run(
      """
      - {uses: it.connect, with: {path: "count?100"}}
      - for: number
        in: ${{ lists.range(100) }}
        do:
          - {id: each, await: it.message, timeout: 1h}
          - assert: ["${{ steps.each.json.number == number }}"]
      """, server, isVirtualTime: true)

    #expect(run.failures == "")
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let operation: String
    let input: [String: any FieldValue]
    let expected: String
    var testDescription: String { "\(operation) \(input)" }
  }

  static let wrong = [
    Wrong(
      operation: "send", input: [:],
      expected: "invalid: a message needs one of 'json', 'text' and 'bytes'"),
    Wrong(
      operation: "send", input: ["text": "a", "json": 1],
      expected: "invalid: a message has one content: 'json' and 'text' cannot be combined"),
    Wrong(
      operation: "close", input: ["code": 1006],
      expected: "invalid: 1006 is no code of a close frame"),
    Wrong(
      operation: "close", input: ["reason": String(repeating: "a", count: 124)],
      expected: "invalid: the reason has more than 123 bytes"),
    Wrong(
      operation: "piece", input: ["stream": "/a#1"],
      expected: "invalid: the stream '/a#1' is not open, or is being read"),
  ]

  @Test(arguments: wrong)
  func `a wrong input is refused`(_ wrong: Wrong) async throws {
    let server = try WebSocketServer()

    let answer = try await WebSocket.with(server) { socket in
      _ = await socket.text("connect")
      return await socket.text(wrong.operation, wrong.input)
    }

    #expect(answer == wrong.expected)
  }

  @Test func `a deaf server is too slow for a pong and for the end`() async throws {
    let server = try WebSocketServer()

    let answers = try await WebSocket.with(server, ["timeout": Duration.milliseconds(50)]) {
      socket in
      // The limit also holds for the connection, which a busy machine may take longer for.
      while await socket.text("connect", ["path": "deaf"]).hasPrefix("timeout") {}
      return [await socket.text("ping"), await socket.text("close"), await socket.text("ping")]
    }

    #expect(
      answers.map { $0.replacing(server.url, with: "URL") } == [
        "timeout: URL/deaf: no pong within 0.05s",
        "timeout: URL/deaf: the server did not close the connection within 0.05s",
        "closed: URL/deaf: the connection is closed: the connection was lost without a close frame",
      ])
  }
}
