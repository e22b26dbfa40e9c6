import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import MCPPlugin

/// Servers behind a URL.
@Suite(.serialized) struct WebTests {
  struct Era: Sendable, CustomTestStringConvertible {
    let revision: Revision
    let streams: Bool
    var testDescription: String { "\(revision.rawValue), \(streams ? "streams" : "JSON")" }

    static let all = [Revision.july2026, .november2025, .june2025, .march2025].flatMap {
      [Era(revision: $0, streams: false), Era(revision: $0, streams: true)]
    }
  }

  private static let steps = """
      - {uses: it.act, with: {arguments: {a: 1}}, expect: {text: done}}
      - {uses: it.read, with: {uri: "test://ä"}, expect: {contents: [{uri: "test://ä", text: content}]}}
      - {uses: it.prompt, with: {name: greet, arguments: {who: Ann}}}
    """

  @Test(arguments: Era.all)
  func `a server behind a URL is called, recorded and replayed without it`(
    _ era: Era
  ) async throws {
    let server = try WebServer(
      TestServer(revision: era.revision.rawValue), streams: era.streams, hook: Self.plain,
      steps: Self.steps, settings: ", with: {subscribe: [\"test://a\"]}")

    let lock = try await server.project.lock()
    #expect(lock.code == .passed, "\(lock.output)\(lock.errors)")
    try server.forget()
    let run = try await server.project.flow("run", "@/s.yaml", "--record", "--quiet")
    #expect(run.errors == "")
    #expect(run.code == .passed)
    try Self.checkWire(of: server, era.revision)
    server.stop()
    let replay = try await server.project.flow("test", "@/s.yaml")
    #expect(replay.code == .passed, "\(replay.output)\(replay.errors)")
  }

  /// Decodes the header of a name beyond ASCII before it is compared.
  private static let plain = """
    name = self.headers.get("mcp-name", "")
    if name.startswith("=?base64?"):
        import base64
        self.headers.replace_header("mcp-name", base64.b64decode(name[9:-2]).decode())
    return False
    """

  private static func checkWire(of server: WebServer, _ revision: Revision) throws {
    let heads = try server.heads()
    #expect(heads.contains("POST tools/call"))
    #expect(heads.last == (revision.isStateless ? "POST prompts/get" : "DELETE "))
    #expect(heads.contains("GET ") == !revision.isStateless)
    let schemas = try OfficialSchemas.Revised(revision)
    for line in try server.project.folder.text("wire.jsonl").split(separator: "\n") {
      let value = try Value(json: Array(line.dropFirst().utf8))
      let method = value["method"]?.string
      let name = try method.map { try #require(schemas.name(of: $0), "\($0)") } ?? "JSONRPCMessage"
      #expect(try schemas.problems(value, as: name) == "")
    }
  }

  @Test func `a session that has expired is started again once, with its subscriptions`()
    async throws
  {
    let server = try WebServer(
      TestServer(revision: "2025-11-25"),
      hook: """
        if message.get("method") == "tools/call" and len(SESSIONS) == 1:
            SESSIONS.clear(); SESSIONS.add("other"); SESSIONS.add("third")
        return False
        """, steps: "  - {uses: it.act, expect: {text: done}}",
      settings: ", with: {subscribe: [\"test://a\"]}")
    _ = try await server.project.lock()
    try server.forget()

    let run = try await server.project.flow("run", "@/s.yaml", "-v")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
    #expect(
      (run.output + run.errors).contains("the server has ended the session, and a new one starts"))
    let calls = try server.heads(with: "mcp-session-id").drop { $0 != "POST tools/call: session-1" }
    #expect(
      Array(calls) == [
        "POST tools/call: session-1", "POST initialize: -",
        "POST notifications/initialized: session-3", "POST resources/subscribe: session-3",
        "POST tools/call: session-3", "DELETE : session-3",
      ])
  }

  @Test(arguments: [Revision.july2026, .november2025])
  func `changes of lists and resources are events`(_ revision: Revision) async throws {
    let call = """
      news({"method": "notifications/tools/list_changed"})
      news({"method": "notifications/resources/updated", "params": {"uri": "test://a"}})
      return text("done")
      """
    let server = try WebServer(
      TestServer(revision: revision.rawValue, call: call),
      steps: """
          - {uses: it.act}
          - {id: list, await: it.list_changed, timeout: 5s}
          - {id: part, await: it.resource_updated, timeout: 5s}
          - assert: "${{ steps.list.list == 'tools' && steps.part.uri == 'test://a' }}"
        """, settings: ", with: {subscribe: [\"test://a\"]}")
    _ = try await server.project.lock()

    let run = try await server.project.flow("run", "@/s.yaml", "--record")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
    #expect(try await server.project.flow("test", "@/s.yaml").code == .passed)
  }

  @Test func `tokens and headers reach the server, and no output`() async throws {
    let server = try WebServer(
      TestServer(call: "return text(local.handler.headers['authorization'], isError=True)"),
      declaration: ", headers: {X-Team: red}, secrets: {X-Key: key}, bearer: token",
      settings: ", with: {headers: {x-team: blue}}")
    let environment = ["FLOW_SECRET_TOKEN": "s3cr3t-t0ken", "FLOW_SECRET_KEY": "s3cr3t-k3y"]
    let lock = try await server.project.lock(environment: environment)
    #expect(lock.code == .passed, "\(lock.output)\(lock.errors)")

    let run = try await server.project.flow(
      "run", "@/s.yaml", "-vv", "--record", environment: environment)

    let output = run.output + run.errors
    #expect(output.contains("Bearer ${secret:token}"), "\(output)")
    #expect(!output.contains("s3cr3t"), "\(output)")
    let token = "POST tools/call: Bearer s3cr3t-t0ken"
    #expect(try server.heads(with: "authorization").last == token)
    #expect(try server.heads(with: "x-key").last == "POST tools/call: s3cr3t-k3y")
    #expect(try server.heads(with: "x-team").last == "POST tools/call: blue")
  }

  @Test func `a component has a token of its own`() async throws {
    let server = try WebServer(
      steps: "  - uses: it.act\ninputs: {mine: {type: string, secret: true}}",
      settings: ", with: {bearer: \"${{ inputs.mine }}\"}")
    _ = try await server.project.lock()

    let run = try await server.project.flow(
      "run", "@/s.yaml", environment: ["FLOW_SECRET_MINE": "s3cr3t-m1ne"])

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
    #expect(try server.heads(with: "authorization").last == "POST tools/call: Bearer s3cr3t-m1ne")
  }

  @Test(arguments: [
    (["--deny", "network"], "network"), (["--allow-host", "example.org"], "not among the allowed"),
  ])
  func `a run without the network does not reach a server`(
    _ options: [String], expected: String
  ) async throws {
    let server = try WebServer()
    _ = try await server.project.lock()
    try server.forget()

    let run = try await FlowCommandRun(
      ["run", "@/s.yaml"] + options, in: server.project.folder, components: [],
      families: [MCP.self])

    #expect(run.code != .passed)
    #expect((run.output + run.errors).contains(expected), "\(run.output)\(run.errors)")
    #expect(!server.project.folder.directory.contains("heads.jsonl"))
  }

  @Test(arguments: [
    (
      "self.whole(405, b'', None); return True",
      "the server answered 'initialize' with the status 405: there is no Streamable HTTP at this "
        + "URL, and flow does not speak the older HTTP+SSE of 2024-11-05"
    ),
    (
      "self.whole(401, b'', None); return True",
      "the server answered 'server/discover' with the status 401; give it 'bearer' or 'headers'"
    ),
    (
      "self.whole(503, b'<html>', 'text/html'); return True",
      "the server answered 'server/discover' with the status 503"
    ),
  ])
  func `a server that cannot be greeted is explained`(_ hook: String, expected: String) async throws
  {
    let server = try WebServer(hook: hook)

    let lock = try await server.project.lock()

    #expect(lock.code != .passed)
    #expect((lock.output + lock.errors).contains(expected), "\(lock.output)\(lock.errors)")
  }

  @Test(arguments: [
    (
      "self.whole(500, b'', None)",
      "unavailable: the server answered 'tools/call' with the status 500"
    ),
    (
      "self.whole(200, b'<html>', 'text/html')",
      "malformed: the answer to 'tools/call' has type 'text/html' and the status 200, not "
        + "'application/json' or 'text/event-stream'"
    ),
    (
      "self.whole(202, b'', None)",
      "malformed: the answer to 'tools/call' has no type and the status 202, not"
    ),
    (
      "self.whole(200, b'<x')",
      "malformed: the answer to 'tools/call' is not JSON (byte 1: expected a value): '<x'"
    ),
    (
      #"self.whole(200, b'{"jsonrpc": "2.0", "id": 4, "result": "\\ud83d"}')"#,
      "malformed: the answer to 'tools/call' is not JSON (byte 46: '\\ud83d' is half of a surrogate "
        + "pair): '{"
    ),
    (
      "self.whole(200, {'jsonrpc': '2.0', 'id': str(message['id']), 'result': {}})",
      "malformed: the answer to 'tools/call' has the id \""
    ),
    (
      "self.whole(200, {'jsonrpc': '2.0', 'id': 9, 'result': {}})",
      "malformed: the answer to 'tools/call' has no result: {"
    ),
    (
      "self.whole(200, {'jsonrpc': '2.0', 'id': None, 'error': {'code': 1, 'message': 'x\\ny'}})",
      "failed: x y (1)"
    ),
    (
      "self.whole(200, b' ' * (65 << 20))",
      "unavailable: URL: the response has more than 67108864 bytes, or its headers more than 256 KiB"
    ),
    ("self.open_stream()", "malformed: the stream ended without an answer to 'tools/call'"),
    (
      "self.open_stream(); self.write('data: {\\n\\n')",
      "malformed: an event of 'tools/call' is not JSON (byte 2: the text ends too early): '{'"
    ),
    (
      "self.open_stream()\nwhile True: self.write(': no event\\n\\n')",
      "timeout: no answer to 'tools/call' within 0.7s"
    ),
    (
      "while True: self.event({'jsonrpc': '2.0', 'method': 'notifications/other'})",
      "timeout: no answer to 'tools/call' within 0.7s"
    ),
    ("self.rfile.read(1)", "timeout: no answer to 'tools/call' within 0.7s"),
    (
      "self.connection.shutdown(2); self.close_connection = True",
      "unavailable: URL: the connection was closed without a response"
    ),
    (
      "self.send_response(307); self.send_header('Location', '/mcp'); "
        + "self.send_header('Content-Length', '0'); self.end_headers()",
      "unavailable: URL: more than 10 redirects"
    ),
  ])
  func `a hostile server gives its declared error`(_ act: String, expected: String) async throws {
    let server = try WebServer(
      hook: """
        if message.get("method") != "tools/call": return False
        \(act)
        return True
        """,
      steps: "  - {uses: it.act, with: {timeout: \(act.contains("65 <<") ? "60s" : "700ms")}}")
    _ = try await server.project.lock()

    let run = try await server.project.flow("run", "@/s.yaml")

    let parts = expected.split(separator: ": ", maxSplits: 1)
    let output = (run.output + run.errors).replacing(#/http://127\.0\.0\.1:\d+/mcp/#, with: "URL")
    #expect(run.code == .failed)
    #expect(output.contains("failed with the error '\(parts[0])'"), "\(output)")
    #expect(output.contains("note: \(parts[1])"), "\(output)")
  }

  @Test(arguments: [
    (
      "mcp: \"http://a b/\"", "the plugin 'test' cannot be declared like this: "
    ),
    (
      "mcp: \"http://a/\", env: {A: b}",
      "'env' is for a program, and 'mcp' is a URL, which can have 'headers'"
    ),
    ("mcp: [x], bearer: a", "'headers' and 'bearer' are for a URL, and 'mcp' is a program"),
    ("mcp: \"http://a/\", headers: {\"a b\": c}", "'a b' is not the name of a header"),
  ])
  func `a wrong declaration of a URL is an error of the project file`(
    _ fields: String, expected: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nplugins:\n  test: {\(fields)}\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: []\n", to: "s.yaml")

    let run = try await FlowCommandRun(
      ["check", "@/s.yaml"], in: folder, components: [], families: [MCP.self])

    #expect(run.code == .badInput)
    #expect(run.errors.contains(expected), "\(run.errors)")
  }
}
