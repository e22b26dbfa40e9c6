import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import MCPPlugin

/// The official conformance scenarios for clients that have no authorization
/// (https://github.com/modelcontextprotocol/conformance, `src/scenarios/client`), as tests of `mcp`.
@Suite(.serialized) struct ClientConformanceTests {
  @Test func `initialize: the handshake names the client and a known revision`() async throws {
    let server = try WebServer(TestServer(revision: "2025-11-25"))

    #expect(try await server.project.lock().code == .passed)

    let sent = try Self.messages(to: server).first { $0["method"]?.string == "initialize" }
    #expect(sent?["params"]?["protocolVersion"] == .string("2025-11-25"))
    #expect(sent?["params"]?["clientInfo"]?["name"] == .string("flow"))
    #expect(sent?["params"]?["clientInfo"]?["version"] == .string("1"))
  }

  @Test(arguments: [Revision.july2026, .november2025])
  func `tools_call: numbers arrive as numbers`(_ revision: Revision) async throws {
    let tools = """
      [{"name": "add_numbers", "description": "Add two numbers together", "inputSchema": {
        "type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"]}}]
      """
    let server = try WebServer(
      TestServer(
        revision: revision.rawValue, tools: tools,
        call: "return text(f'The sum of {a[\"a\"]} and {a[\"b\"]} is {a[\"a\"] + a[\"b\"]}')"),
      steps: """
          - uses: it.add_numbers
            with: {a: 5, b: 3}
            expect: {text: The sum of 5 and 3 is 8}
        """)
    _ = try await server.project.lock()

    let run = try await server.project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }

  @Test func `sse-retry: a stream that ends early is resumed after the server's pause`()
    async throws
  {
    let server = try WebServer(
      TestServer(revision: "2025-11-25"),
      hook: """
        global waiting, closed
        if message.get("method") != "tools/call": return False
        waiting = message["id"]
        self.open_stream(); self.write("id: event-1\\nretry: 300\\ndata: \\n\\n")
        closed = time.monotonic()
        return True
        """,
      get: """
        if "last-event-id" not in self.headers: self.whole(405, b"", None); return
        pause = time.monotonic() - closed
        self.head("pause %s" % (pause > 0.25)); self.open_stream()
        self.event({"jsonrpc": "2.0", "id": waiting, "result": text("resumed")})
        """, steps: "  - {uses: it.act, expect: {text: resumed}}")
    _ = try await server.project.lock()

    let run = try await server.project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
    #expect(try server.heads(with: "last-event-id").contains("GET pause True: event-1"))
  }

  @Test func `request-metadata: a refused revision is tried again, and all metadata is there`()
    async throws
  {
    let server = try WebServer(
      hook: """
        global refused
        if "refused" in globals(): return False
        refused = True
        self.refuse(400, -32022, "Unsupported protocol version", message["id"],
            data={"supported": ["2026-07-28"], "requested": "2026-07-28"})
        return True
        """)

    #expect(try await server.project.lock().code == .passed)

    let prefix = "io.modelcontextprotocol/"
    for message in try Self.messages(to: server) {
      let meta = message["params"]?["_meta"]
      #expect(meta?[prefix + "protocolVersion"] == .string("2026-07-28"))
      #expect(meta?[prefix + "clientInfo"]?["name"] == .string("flow"))
      #expect(meta?[prefix + "clientCapabilities"]?["elicitation"]?.map != nil)
    }
    let versions = try server.heads(with: "mcp-protocol-version")
    #expect(versions.first == "POST server/discover: 2026-07-28")
    #expect(versions.allSatisfy { $0.hasSuffix(": 2026-07-28") })
  }

  @Test func `mrtr: answers have a new number, the exact state, and nothing for other calls`()
    async throws
  {
    let ask = """
      if 'inputResponses' in params:
          return text(str([params.get('requestState'), id != asked, params['inputResponses']]))
      globals()['asked'] = id
      if name == 'plain': return text(str(sorted(params.keys())))
      state = {'requestState': 'a ä/='} if name == 'state' else {}
      return {'resultType': 'input_required', **state, 'inputRequests': {'ok': {
          'method': 'elicitation/create', 'params': {'message': 'Sure?', 'requestedSchema': {
          'type': 'object', 'properties': {'confirmed': {'type': 'boolean'}}}}}}}
      """
    let answers = "answers: {ok: {confirmed: true}}"
    let response = "{'ok': {'action': 'accept', 'content': {'confirmed': True}}}"
    let schema = #""inputSchema": {"type": "object", "properties": {}}"#
    let server = try WebServer(
      TestServer(
        tools: "["
          + ["state", "none", "plain"].map { "{\"name\": \"\($0)\", \(schema)}" }
          .joined(separator: ", ") + "]", call: ask),
      steps: """
          - {uses: it.state, with: {\(answers)}, expect: {text: "['a ä/=', True, \(response)]"}}
          - {uses: it.plain, expect: {text: "['_meta', 'arguments', 'name']"}}
          - {uses: it.none, with: {\(answers)}, expect: {text: "[None, True, \(response)]"}}
        """)
    _ = try await server.project.lock()

    let run = try await server.project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }

  @Test func `http-custom-headers: arguments are headers, encoded, and absent ones are not`()
    async throws
  {
    let server = try WebServer(
      TestServer(
        tools: """
          [{"name": "query", "inputSchema": {"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Method"},
            "deep": {"type": "object", "properties": {
              "on": {"type": "boolean", "x-mcp-header": "On"}}},
            "text": {"type": "string", "x-mcp-header": "Text"}, "other": {"type": "string"}}}}]
          """),
      steps: """
          - uses: it.query
            with: {region: us-west1, count: 42, deep: {on: false}, other: x}
          - uses: it.query
            with: {text: "line1\\nline2"}
        """)
    _ = try await server.project.lock()

    let run = try await server.project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
    let expected = [
      ("region", "us-west1", "-"), ("method", "42", "-"), ("on", "false", "-"), ("other", "-", "-"),
      ("text", "-", "=?base64?bGluZTEKbGluZTI=?="),
    ]
    for (name, first, second) in expected {
      let heads = try server.heads(with: "mcp-param-\(name)").filter { $0.contains("tools/call") }
      #expect(heads == ["POST tools/call: \(first)", "POST tools/call: \(second)"])
    }
    #expect(try server.heads(with: "mcp-method").last == "POST tools/call: tools/call")
  }

  @Test(arguments: [
    (#"{"type": "string", "x-mcp-header": ""}"#, #"is no name of a header: """#),
    (#"{"type": "string", "x-mcp-header": "a b"}"#, #"is no name of a header: "a b""#),
    (#"{"type": "string", "x-mcp-header": "a:b"}"#, #"is no name of a header: "a:b""#),
    (#"{"type": "string", "x-mcp-header": "ä"}"#, #"is no name of a header: "ä""#),
    (#"{"type": "object", "x-mcp-header": "D"}"#, "D' is at a type other than"),
    (#"{"type": "number", "x-mcp-header": "D"}"#, "D' is at a type other than"),
    (#"{"type": "null", "x-mcp-header": "D"}"#, "D' is at a type other than"),
    (
      #"{"type": "array", "items": {"type": "string", "x-mcp-header": "I"}}"#,
      "I' is not at a property"
    ),
    (#"{"type": "string", "x-mcp-header": "REGION"}"#, "REGION' is there twice"),
  ])
  func `http-invalid-tool-headers: tools with invalid headers are left out`(
    _ schema: String, expected: String
  ) async throws {
    let region = #""a": {"type": "string", "x-mcp-header": "Region"}"#
    let server = try WebServer(
      TestServer(
        tools: """
          [{"name": "good", "inputSchema": {"type": "object", "properties": {\(region)}}},
           {"name": "bad", "inputSchema": {"type": "object", "properties": {\(region),
             "b": \(schema)}}}]
          """))

    let lock = try await server.project.lock()

    let output = lock.output + lock.errors
    #expect(lock.code == .passed, "\(output)")
    #expect(output.contains("the tool 'bad' is left out: 'x-mcp-header"), "\(output)")
    #expect(output.contains(expected), "\(output)")
    let text = try server.project.folder.text("flow.lock")
    #expect(text.contains("good:") && !text.contains("bad:"))
  }

  @Test func `json-schema: no reference leads to the network, and schemas are kept whole`()
    async throws
  {
    let server = try WebServer(
      TestServer(
        tools: """
          [{"name": "look", "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
            "$defs": {"Id": {"$anchor": "id", "type": "string"}}, "additionalProperties": False,
            "properties": {"id": {"$ref": "#/$defs/Id"},
              "profile": {"$ref": "set by the hook"}},
            "allOf": [{"anyOf": [{"required": ["id"]}, {"required": ["profile"]}]}]}}]
          """, call: "return text(str(a))"),
      hook: """
        canary = {"$ref": f"http://127.0.0.1:{server.server_port}/canary.json"}
        TOOLS[0]["inputSchema"]["properties"]["profile"] = canary
        return False
        """,
      steps: "  - {uses: it.look, with: {arguments: {id: a}}, expect: {text: \"{'id': 'a'}\"}}")
    let lock = try await server.project.lock()
    #expect(lock.code == .passed, "\(lock.output)\(lock.errors)")

    let run = try await server.project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
    #expect(try !server.heads().contains { $0.hasPrefix("GET") })
    let text = try server.project.folder.text("flow.lock")
    for keyword in ["$schema", "$defs", "$anchor", "additionalProperties", "allOf", "anyOf"] {
      #expect(text.contains(keyword))
    }
  }

  /// The messages that a server has received.
  private static func messages(to server: WebServer) throws -> [Value] {
    try server.project.folder.text("wire.jsonl").split(separator: "\n")
      .filter { $0.hasPrefix("C") }.map { try Value(json: Array($0.dropFirst().utf8)) }
  }
}
