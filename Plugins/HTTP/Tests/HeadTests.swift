import FlowCore
import FlowTesting
import Testing

@testable import HTTPPlugin

/// Heads of answers, and what follows a body.
@Suite struct HeadTests {
  static let heads: [(lines: [String], expected: String)] = [
    (["X-A: one", "  two: three", "\tfour", "X-B: 1"], "x-a=one two: three four|x-b=1"),
    (["X-A:", " one"], "x-a=one"),
    (["X-A: one", "   ", "X-B: 2"], "x-a=one|x-b=2"),
    (["X-A: 1", "X-B: 2", "X-A: 3", " 4"], "x-a=1, 3 4|x-b=2"),
    ([" X-A: 1", "X-B: 2"], "x-b=2"),
    (["X-A : 1"], "x-a=1"),
  ]

  @Test(arguments: heads.indices)
  func `a line that begins with a blank goes on with the one before`(_ index: Int) {
    let head =
      (["HTTP/1.1 200 OK"] + Self.heads[index].lines).joined(separator: "\r\n") + "\r\n\r\n"

    let fields = HeaderFields(head: Array(head.utf8)).fields

    #expect(
      fields.map { "\($0.name)=\($0.value)" }.joined(separator: "|") == Self.heads[index].expected)
  }

  @Test func `no byte of a value is lost`() {
    let fields = HeaderFields(head: Array("X-A: caf".utf8) + [0xE9] + Array("\r\nX-B: é\r\n".utf8))

    #expect(fields["x-a"] == "café")
    #expect(fields["x-b"] == "é")
  }

  @Test func `headers behind the body are not among those before it`() async throws {
    let server = try TestServer { request, connection in
      let isPlain = request.path == "/plain"
      return connection.send(
        "HTTP/1.1 200 OK\r\nX-Sum: 0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
          + (isPlain ? "" : "X-Sum: 7\r\nContent-Type: a/b\r\n x\r\n") + "\r\n")
    }
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url]) { http in
      [
        await http.fields(["text", "headers", "trailers"], "get"),
        await http.fields(["text", "trailers"], "get", ["path": "plain"]),
      ]
    }

    let headers = #"{x-sum: "0", transfer-encoding: "chunked"}"#
    #expect(
      texts == [
        #"{text: "ok", headers: \#(headers), trailers: {x-sum: "7", content-type: "a/b x"}}"#,
        #"{text: "ok", trailers: null}"#,
      ])
    #expect(server.connectionCount == 1)
  }

  @Test func `a change of the protocol is an answer, and the connection is not used again`()
    async throws
  {
    let server = try TestServer { request, connection in
      guard request.path == "/chat" else { return connection.send(TestServer.answer()) }
      return connection.send(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat/2\r\nConnection: Upgrade\r\n\r\nhello")
    }
    defer { server.close() }

    let texts = try await HTTP.with(["base": server.url, "connect_timeout": Duration.seconds(60)]) {
      [
        await $0.fields(
          ["status", "headers", "text"], "get",
          ["path": "chat", "headers": ["Connection": "Upgrade", "Upgrade": "chat/2"]]),
        await $0.fields(["status"], "get"),
      ]
    }

    #expect(
      texts == [
        #"{status: 101, headers: {upgrade: "chat/2", connection: "Upgrade"}, text: ""}"#,
        "{status: 200}",
      ])
    #expect(server.connectionCount == 2)
  }
}
