import Dispatch
import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Streams of events, as scenarios see them.
@Suite struct ListenTests {
  @Test func `each event of a stream can be awaited`() async throws {
    let server = try TestServer { _, connection in
      connection.send(Self.head() + "id: 1\ndata: one\n\nevent: add\ndata: a\ndata: b\n\n")
      connection.waitForEnd()
      return false
    }
    defer { server.close() }

    let run = try await Self.run(
      """
      - uses: web.listen
        with: {query: {from: now}}
        expect: {status: 200, headers: {content-type: text/event-stream}}
      - id: event1
        await: web.received
        timeout: 1h
      - assert: ["${{ steps.event1.event == 'message' && steps.event1.data == 'one' && steps.event1.id == '1' }}"]
      - id: event2
        await: web.received
        timeout: 1h
      - assert: ["${{ steps.event2.event == 'add' && steps.event2.data == 'a\\\\nb' && steps.event2.id == '1' }}"]
      """, server)

    #expect(run.failures == "")
    #expect(server.requests.map(\.line) == ["GET /?from=now"])
    #expect(server.requests.first?.headers["accept"] == "text/event-stream")
    #expect(server.requests.first?.headers["last-event-id"] == nil)
  }

  @Test func `a stream that is cut is opened again behind the latest event`() async throws {
    let server = try TestServer { request, connection in
      let id = (request.headers["last-event-id"].flatMap { Int($0) } ?? 0) + 1
      // The second event of each is cut in the middle.
      connection.send(Self.head() + "retry: 5000\nid: \(id)\ndata: \(id)\n\nid: 9\ndata: 9\nda")
      if id == 3 { connection.waitForEnd() }
      return false
    }
    defer { server.close() }

    let run = try await Self.run(
      """
      - uses: web.listen
      - for: number
        in: ${{ [1, 2, 3] }}
        do:
          - id: event3
            await: web.received
            timeout: 1h
          - assert: ["${{ steps.event3.data == string(number) && steps.event3.id == string(number) }}"]
      """, server, isVirtualTime: true)

    #expect(run.failures == "")
    #expect(server.requests.map { $0.headers["last-event-id"] } == [nil, "1", "2"])
  }

  @Test func `a stream begins behind the event that the step names`() async throws {
    let server = try TestServer { request, connection in
      connection.send(Self.head() + "data: \(request.headers["last-event-id"] ?? "-")\n\n")
      connection.waitForEnd()
      return false
    }
    defer { server.close() }

    let run = try await Self.run(
      """
      - uses: web.listen
        with: {last_event_id: a7}
      - id: event4
        await: web.received
        timeout: 1h
      - assert: ["${{ steps.event4.data == 'a7' && steps.event4.id == 'a7' }}"]
      - uses: web.listen
        with: {last_event_id: "a\\n7"}
        expect: {error: invalid}
      """, server)

    #expect(run.failures == "")
  }

  static let endings: [(id: String, connections: Int)] = [
    ("nothing", 11), ("refusal", 2), ("page", 2), ("endless line", 2), ("reset", 11),
  ]

  @Test(arguments: endings.indices)
  func `a stream that is not worth another connection has ended`(_ index: Int) async throws {
    let ending = Self.endings[index]
    let server = try TestServer { request, connection in
      if request.headers["last-event-id"] != nil { return connection.end(ending.id) }
      connection.send(Self.head() + "id: 1\ndata: 1\n\n")
      return false
    }
    defer { server.close() }

    // In virtual time, an hour is over when nothing else is left to do.
    let run = try await Self.run(
      """
      - uses: web.listen
      - await: web.received
        timeout: 1h
      - wait: 1h
      """, server, with: "max_bytes: 100000, timeout: 1h", isVirtualTime: true)

    #expect(run.failures == "")
    #expect(server.connectionCount == ending.connections)
  }

  @Test(arguments: [
    ("json: {a: 1}", "POST {\"a\":1}"), ("method: POST", "POST "),
    ("method: PUT, body: barn", "PUT barn"),
  ])
  func `a request with an effect opens a stream once`(_ input: String, sent: String) async throws {
    let server = try TestServer { _, connection in
      connection.send(Self.head() + "id: 1\ndata: 1\n\n")
      return false
    }
    defer { server.close() }

    let run = try await Self.run(
      """
      - uses: web.listen
        with: {\(input)}
      - await: web.received
        timeout: 1h
      - wait: 1h
      """, server, isVirtualTime: true)

    #expect(run.failures == "")
    #expect(server.requests.map { "\($0.method) \($0.text)" } == [sent])
  }

  static let answers: [(id: String, head: String, text: String)] = [
    ("a status is data", "404 Not Found", "{status: 404, url: \"URL/\"}"),
    ("no content", "204 No Content", "{status: 204, url: \"URL/\"}"),
    (
      "another type", "200 OK\r\nContent-Type: application/json",
      "protocol: URL/: the response has the Content-Type 'application/json', not 'text/event-stream'"
    ),
    (
      "no type", "200 OK",
      "protocol: URL/: the response has no Content-Type, not 'text/event-stream'"
    ),
    (
      "a type with parameters", "200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8",
      "{status: 200, url: \"URL/\"}"
    ),
    ("garbage", "", "protocol: URL/: the response is not HTTP"),
  ]

  @Test(arguments: answers.indices)
  func `what is no stream is an answer with its status, or an error`(_ index: Int) async throws {
    let answer = Self.answers[index]
    let server = try TestServer { _, connection in
      connection.send(answer.head.isEmpty ? "SSH-2.0\r\n" : "HTTP/1.1 \(answer.head)\r\n\r\n")
      connection.waitForEnd()
      return false
    }
    defer { server.close() }

    let text = try await HTTP.with(["base": server.url]) {
      await $0.fields(["status", "url"], "listen")
    }

    #expect(text.replacing(server.url, with: "URL") == answer.text)
  }

  @Test func `a head that does not come is a timeout, and a silent stream is not`() async throws {
    let go = DispatchSemaphore(value: 0)
    let server = try TestServer { request, connection in
      switch request.path {
      case "/go":
        go.signal()
        return connection.send(TestServer.answer())
      case "/events":
        // One that breaks would be opened again.
        let isFirst = request.headers["last-event-id"] == nil
        connection.send(Self.head() + (isFirst ? "id: 1\n\n" : "data: again\n\n"))
        go.wait()
        // For another one whose head came too late.
        go.signal()
        return connection.send("data: 1\n\n")
      default:
        connection.waitForEnd()
        return false
      }
    }
    defer { server.close() }

    // A slow machine may need more than one attempt.
    let run = try await Self.run(
      """
      - uses: web.listen
        with: {path: events}
        retry: {attempts: 100, on: [timeout]}
      - uses: web.listen
        with: {path: silent}
        expect: {error: timeout}
      - uses: web.get
        with: {path: go}
        retry: {attempts: 100, on: [timeout]}
      - id: event
        await: web.received
        timeout: 1h
      - assert: ["${{ steps.event.data == '1' }}"]
      """, server, with: "timeout: 150ms")

    #expect(run.failures == "")
  }

  @Test func `the end of a component ends its streams`() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let server = try TestServer { _, connection in
      connection.send(Self.head())
      connection.waitForEnd()
      end.yield()
      return false
    }
    defer { server.close() }

    try await HTTP.with(["base": server.url]) { _ = try await $0.call("listen") }

    _ = await ends.first { true }
    #expect(server.connectionCount == 1)
  }

  @Test func `a redirect leads to a stream, whatever its own body`() async throws {
    let server = try TestServer { request, connection in
      if request.path == "/" {
        // More than a stream keeps for its task.
        let body = String(repeating: "elsewhere ", count: 100_000)
        return connection.send(TestServer.answer("302 Found", ["Location: /events"], body))
      }
      connection.send(Self.head() + "data: 1\n\n")
      connection.waitForEnd()
      return false
    }
    defer { server.close() }

    let text = try await HTTP.with(["base": server.url]) {
      await $0.fields(["status", "url"], "listen")
    }

    #expect(text.replacing(server.url, with: "URL") == #"{status: 200, url: "URL/events"}"#)
  }

  @Test func `many events that nothing takes do not hold up other requests`() async throws {
    let server = try TestServer { request, connection in
      guard request.path == "/events" else { return connection.send(TestServer.answer()) }
      connection.send(Self.head())
      while connection.send("data: \(String(repeating: "a", count: 5000))\n\n") {}
      return false
    }
    defer { server.close() }

    try await HTTP.with(["base": server.url]) { http in
      _ = try await http.call("listen", ["path": "events"])
      for _ in 0..<20 { #expect(await http.fields(["status"], "get") == "{status: 200}") }
    }
  }

  @Test func `an event that comes drop by drop is one event`() async throws {
    let server = try TestServer { _, connection in
      connection.send(Self.head())
      for byte in "id: 1\r\ndata: é\r\ndata: 2\r\n\r\n".utf8 { connection.send([byte]) }
      connection.waitForEnd()
      return false
    }
    defer { server.close() }

    let run = try await Self.run(
      """
      - uses: web.listen
      - id: event5
        await: web.received
        timeout: 1h
      - assert: ["${{ steps.event5.event == 'message' && steps.event5.data == 'é\\\\n2' && steps.event5.id == '1' }}"]
      """, server)

    #expect(run.failures == "")
  }

  @Test func `a secret in an event is in no transcript`() async throws {
    let server = try TestServer { request, connection in
      connection.send(Self.head() + "data: \(request.headers["authorization"] ?? "-")\n\n")
      connection.waitForEnd()
      return false
    }
    defer { server.close() }

    let run = try await Self.run(
      """
      - uses: web.listen
        with: {headers: {Authorization: "Bearer ${{ inputs.token }}"}}
      - await: web.received
        where: ${{ event.data == 'Bearer ' + inputs.token }}
        timeout: 1h
      """, server, secrets: ["token": "s3cr&t-tøken"])

    #expect(run.failures == "")
    let transcript = String(decoding: run.transcript, as: UTF8.self)
    #expect(transcript.contains(#""data":"Bearer ${secret:token}""#))
    #expect(!transcript.contains("s3cr"))
  }

  @Test func `virtual time passes while a stream is silent`() async throws {
    let server = try TestServer { _, connection in
      connection.send(Self.head())
      connection.waitForEnd()
      return false
    }
    defer { server.close() }

    let run = try await Self.run(
      """
      - uses: web.listen
        retry: {attempts: 100, on: [timeout]}
      - wait: 1000h
      - await: web.received
        timeout: 1s
        continue-on-error: true
      """, server, with: "timeout: 100ms", isVirtualTime: true)

    #expect(run.failures == "")
  }

  /// The head of a stream.
  private static func head() -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
  }

  private static func run(
    _ steps: String, _ server: TestServer, with setting: String = "timeout: 1h",
    isVirtualTime: Bool = false, secrets: [String: String] = [:]
  ) async throws -> ScenarioRun {
    let folder = try TemporaryFolder()
    let lines = steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    try folder.write(
      """
      flow: 1
      name: Listen
      inputs:
        base: {type: string}\(secrets.isEmpty ? "" : "\n  token: {type: string, secret: true}")
      components: {web: {plugin: http, with: {base: "${{ inputs.base }}", \(setting)}}}
      steps:
      \(lines)
      """, to: "listen.yaml")
    var options = LiveOptions()
    options.isVirtualTime = isVirtualTime
    options.secrets = secrets
    return try await ScenarioFile(folder.path("listen.yaml")).attempt(
      try Registry([HTTP.self]), inputs: ["base": server.url], options: options)
  }
}

extension TestServer.Connection {
  /// Answers a listener who comes again so that it need not come once more.
  fileprivate func end(_ how: String) -> Bool {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    switch how {
    case "refusal": return send("HTTP/1.1 204 No Content\r\n\r\n")
    case "page": send(TestServer.answer("200 OK", ["Content-Type: text/html"], "<p>"))
    case "endless line":
      send(head + "data: ")
      while send([UInt8](repeating: 0x61, count: 10_000)) {}
    case "reset":
      send("HTTP/1.1 200 OK\r\nContent-Le")
      reset()
    default: send(head + "retry: 0\n: nothing\n\n")
    }
    return false
  }
}
