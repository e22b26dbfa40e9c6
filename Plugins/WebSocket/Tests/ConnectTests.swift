import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import WebSocketPlugin

/// Opening a connection, and the responses that open none.
@Suite struct ConnectTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let input: [String: any FieldValue]
    var settings: [String: any FieldValue] = [:]
    let expected: String

    init(
      _ id: String, _ input: [String: any FieldValue], settings: [String: any FieldValue] = [:],
      _ expected: String
    ) {
      (testDescription, self.input, self.settings, self.expected) = (id, input, settings, expected)
    }
  }

  static let examples = [
    Example(
      "a path", ["path": "rooms/7?a=b"],
      #"{status: 101, headers: {x-server: "flow"}, protocol: null, text: null, connection: "/rooms/7#1"}"#
    ),
    Example(
      "the base alone", [:],
      #"{status: 101, headers: {x-server: "flow"}, protocol: null, text: null, connection: "/#1"}"#),
    Example(
      "a protocol", ["protocols": ["other", "chat"]],
      #"{status: 101, headers: {x-server: "flow"}, protocol: "chat", text: null, connection: "/#1"}"#
    ),
    Example(
      "a protocol of the settings", [:], settings: ["protocols": ["chat"]],
      #"{status: 101, headers: {x-server: "flow"}, protocol: "chat", text: null, connection: "/#1"}"#
    ),
    Example(
      "an interim response", ["path": "interim"],
      #"{status: 101, headers: {}, protocol: null, text: null, connection: "/interim#1"}"#),
    Example("a refusal", ["path": "refuse"], refusal),
    Example("a refusal in chunks", ["path": "refuse-in-chunks"], refusal),
    Example("a refusal up to the end", ["path": "refuse-and-close"], refusal),
    Example(
      "no HTTP", ["path": "no-http"], "protocol: URL/no-http: the response is not HTTP"),
    Example(
      "no response", ["path": "nothing"],
      "protocol: URL/nothing: the connection was closed without a response"),
    Example(
      "a wrong key", ["path": "wrong-key"],
      "protocol: URL/wrong-key: the response has a wrong 'sec-websocket-accept'"),
    Example(
      "a long refusal", ["path": "refuse"], settings: ["max_bytes": 9],
      "too_large: URL/refuse: the response has more than 9 bytes, or its headers more than 256 KiB"),
    Example(
      "no protocol", ["protocols": ["a b"]],
      "invalid: 'protocols': 'a b' is not the name of a protocol"),
    Example(
      "a header with a line break", ["headers": ["X": "a\nb"]],
      "invalid: the header 'X' has a line break or a control character"),
  ]

  private static let refusal =
    #"{status: 401, headers: {content-type: "text/plain"}, protocol: null, text: "who is it?", connection: null}"#

  @Test(arguments: examples)
  func `a response opens a connection or says why not`(_ example: Example) async throws {
    let server = try WebSocketServer()

    let answer = try await WebSocket.with(server, example.settings) { socket in
      await socket.text("connect", example.input)
    }

    #expect(answer.replacing(server.url, with: "URL") == example.expected)
  }

  @Test func `the request has the headers of the step and of the settings`() async throws {
    let server = try WebSocketServer()

    let run = try await WebSocketRun.run(
      """
      - uses: it.connect
        with: {path: headers, query: {room: 7}, headers: {x-a: step}}
      - id: lines
        await: it.message
        timeout: 1h
      - assert: ["${{ steps.lines.text == inputs.lines }}"]
      """, server,
      with: "user: ann, password: open sesame, headers: {X-A: settings, Cookie: a=b}",
      lines: """
        /headers?room=7
        host: \(server.host)
        user-agent: flow
        authorization: Basic YW5uOm9wZW4gc2VzYW1l
        cookie: a=b
        x-a: step
        sec-websocket-version: 13
        """)

    #expect(run.failures == "")
  }

  @Test func `a server that is not there is unreachable`() async throws {
    let server = try WebSocketServer()
    let port = try freePort()

    let answer = try await WebSocket.with(server, ["base": "ws://127.0.0.1:\(port)"]) {
      await $0.text("connect")
    }

    #expect(answer == "unreachable: ws://127.0.0.1:\(port)/: cannot connect")
  }

  @Test func `a server that does not answer is too slow`() async throws {
    let server = try WebSocketServer()

    let answer = try await WebSocket.with(server, ["timeout": Duration.milliseconds(20)]) {
      await $0.text("connect", ["path": "silence"])
    }

    #expect(
      answer.replacing(server.url, with: "URL")
        == "timeout: URL/silence: no complete response within 0.02s")
  }

  @Test func `a host that the run does not allow is not asked`() async throws {
    let server = try WebSocketServer()
    var options = LiveOptions()
    options.network = try Network(allowing: ["example.org"])

    let answer = try await WebSocket.with(server, options: options) { await $0.text("connect") }

    #expect(
      answer.replacing(server.host, with: "HOST")
        == "forbidden: ws://HOST/: 'HOST' is not among the allowed hosts")
  }
}
