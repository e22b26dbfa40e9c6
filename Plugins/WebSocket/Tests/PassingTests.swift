import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import WebSocketPlugin

/// Connections of other programs that are passed on.
@Suite struct PassingTests {
  @Test func `the request of a program is passed on without its handshake`() async throws {
    let server = try WebSocketServer()
    let headers = [
      "x-a": "program", "Sec-WebSocket-Key": "AAAA", "sec-websocket-extensions": "x",
      "upgrade": "websocket",
      "Connection": "Upgrade",
    ]

    let answers = try await WebSocket.with(server) { socket in
      [
        await socket.text(
          "exchange",
          [
            "path": "/headers?a=%2F&b", "headers": headers,
            "agent": "program/1", "aside": ["cookie": "c=d"],
          ]),
        await socket.text("piece", ["stream": "/headers#1"]),
      ]
    }

    #expect(
      answers.map { $0.replacing(server.host, with: "HOST") } == [
        #"{status: 101, headers: {}, protocol: null, text: null, bytes: null, stream: "/headers#1"}"#,
        #"{json: null, layout: null, text: "/headers?a=%2F&b\nhost: HOST\nuser-agent: program/1\ncookie: c=d\nx-a: program\nsec-websocket-version: 13", bytes: null, end: false, code: null, reason: null}"#,
      ])
  }

  @Test func `a program that named its server needs no base`() async throws {
    let server = try WebSocketServer()
    let socket = try await OpenComponent(WebSocket.self)

    let answer = await socket.text("exchange", ["path": "/a", "origin": server.url])
    await socket.close()

    #expect(
      answer
        == #"{status: 101, headers: {x-server: "flow"}, protocol: null, text: null, bytes: null, stream: "/a#1"}"#
    )
  }

  struct Sent: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let input: [String: any FieldValue]
    let expected: String
  }

  static let sent = [
    Sent(
      testDescription: "a text", input: ["text": "a"],
      expected:
        #"{json: null, layout: null, text: "a", bytes: null, end: false, code: null, reason: null}"#
    ),
    Sent(
      testDescription: "a number", input: ["text": "2"],
      expected:
        #"{json: null, layout: null, text: "2", bytes: null, end: false, code: null, reason: null}"#
    ),
    Sent(
      testDescription: "bytes", input: ["bytes": Bytes([255, 0])],
      expected:
        "{json: null, layout: null, text: null, bytes: 2 bytes, end: false, code: null, reason: null}"
    ),
    Sent(
      testDescription: "JSON in flow's form", input: ["json": json(#"{"b":1,"a":[true]}"#)],
      expected:
        #"{json: {a: [true], b: 1}, layout: null, text: null, bytes: null, end: false, code: null, reason: null}"#
    ),
    Sent(
      testDescription: "JSON in a layout",
      input: ["json": json(#"{"b":1,"a":2}"#), "layout": "{\"b\": #, \"a\": #}"],
      expected:
        #"{json: {b: 1, a: 2}, layout: "{\"b\": #, \"a\": #}", text: null, bytes: null, end: false, code: null, reason: null}"#
    ),
    Sent(
      testDescription: "JSON as the program wrote it",
      input: ["json": json(#"{"b":1}"#), "written": Bytes(Array("{ \"b\":1.0 }".utf8))],
      expected:
        #"{json: {b: 1.0}, layout: "{ \"b\":# }", text: null, bytes: null, end: false, code: null, reason: null}"#
    ),
  ]

  private static func json(_ text: String) -> Value {
    (try? Value(json: Array(text.utf8))) ?? .null
  }

  @Test(arguments: sent)
  func `messages are passed on in both directions`(_ sent: Sent) async throws {
    let server = try WebSocketServer()

    let answer = try await WebSocket.with(server) { socket in
      _ = await socket.text("exchange", ["path": "/echo"])
      let input = sent.input.merging(["stream": "/echo#1"]) { $1 }
      let problem = await socket.text("exchange-send", input)
      return problem == "{}" ? await socket.text("piece", ["stream": "/echo#1"]) : problem
    }

    #expect(answer == sent.expected)
  }

  @Test func `a server that is not read has to wait`() async throws {
    let server = try WebSocketServer()

    let answers = try await WebSocket.with(server) { socket in
      _ = await socket.text("exchange", ["path": "/count?20000"])
      var answers: [String] = []
      for _ in 0..<20_000 { answers.append(await socket.text("piece", ["stream": "/count#1"])) }
      return answers
    }

    #expect(
      answers
        == (0..<20_000).map {
          #"{json: {number: \#($0)}, layout: "{\"number\": #}", text: null, bytes: null, end: false, code: null, reason: null}"#
        })
  }

  @Test func `the end of the server ends the stream`() async throws {
    let server = try WebSocketServer()

    let answers = try await WebSocket.with(server) { socket in
      _ = await socket.text("exchange", ["path": "/bytes?88040fa1676f"])
      return [
        await socket.text("piece", ["stream": "/bytes#1"]),
        await socket.text("piece", ["stream": "/bytes#1"]),
        await socket.text("exchange-send", ["stream": "/bytes#1", "text": "late"]),
      ]
    }

    #expect(
      answers.map { $0.replacing(server.url, with: "URL") } == [
        #"{json: null, layout: null, text: null, bytes: null, end: true, code: 4001, reason: "go"}"#,
        "invalid: the stream '/bytes#1' is not open, or is being read",
        "closed: URL/bytes?88040fa1676f: the connection is closed: 4001 'go'",
      ])
  }

  struct End: Sendable, CustomTestStringConvertible {
    let code: Int?
    let expected: String
    var testDescription: String { code.map { "\($0)" } ?? "none" }
  }

  @Test(arguments: [
    End(code: 4000, expected: "code: 4000"), End(code: nil, expected: "code: 1005"),
    End(code: 1005, expected: "code: 1005"), End(code: 1006, expected: "code: 1006"),
  ])
  func `the end of the program is passed on`(_ end: End) async throws {
    let server = try WebSocketServer()

    let answer = try await WebSocket.with(server) { socket in
      _ = await socket.text("exchange", ["path": "/echo"])
      _ = await socket.text(
        "exchange-send",
        ["stream": "/echo#1", "end": true, "code": end.code] as [String: any FieldValue])
      return await socket.text("piece", ["stream": "/echo#1"])
    }

    #expect(answer.contains("end: true, \(end.expected), "), "\(answer)")
  }

  @Test func `a stream can be stopped`() async throws {
    let server = try WebSocketServer()

    let answers = try await WebSocket.with(server) { socket in
      _ = await socket.text("exchange", ["path": "/echo"])
      return [
        await socket.text("piece", ["stream": "/echo#1", "stop": true]),
        await socket.text("piece", ["stream": "/echo#1"]),
      ]
    }

    #expect(
      answers == [
        #"{json: null, layout: null, text: null, bytes: null, end: true, code: 1006, reason: ""}"#,
        "invalid: the stream '/echo#1' is not open, or is being read",
      ])
  }

  @Test func `a violation of the server is an error`() async throws {
    let server = try WebSocketServer()

    let answers = try await WebSocket.with(server, ["max_bytes": 100]) { socket in
      _ = await socket.text("exchange", ["path": "/bytes?f100"])
      _ = await socket.text("exchange", ["path": "/bytes?827e0100"])
      return [
        await socket.text("piece", ["stream": "/bytes#1"]),
        await socket.text("piece", ["stream": "/bytes#2"]),
      ]
    }

    #expect(
      answers.map { $0.replacing(server.url, with: "URL") } == [
        "protocol: URL/bytes?f100: a frame has a reserved bit",
        "too_large: URL/bytes?827e0100: a message has more than 100 bytes",
      ])
  }
}
