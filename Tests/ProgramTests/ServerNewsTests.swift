import Foundation
import TestKit
import Testing

/// What an MCP server says by itself, on its way to an agent behind `flow stand-in`.
@Suite(.enabled(if: PluginProgram.has("python3"), "python3 is not installed"))
struct ServerNewsTests {
  /// A server that writes a log, tells its progress, asks the agent and gets another tool.
  private static let server = #"""
    import json, sys
    tools = [{"name": "act", "description": "Acts.", "inputSchema": {
        "type": "object", "properties": {"n": {"type": "integer"}}}}]
    def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    level = "none"
    for line in sys.stdin:
        message = json.loads(line)
        if "method" not in message or "id" not in message: continue
        (id, method, params) = (message["id"], message["method"], message.get("params", {}))
        if method == "initialize":
            asks = "sampling" in params["capabilities"]
            send(id=id, result={"protocolVersion": "2025-11-25", "capabilities": {
                "tools": {"listChanged": True}, "logging": {}, "resources": {"subscribe": True}},
                "serverInfo": {"name": "news", "version": "1"}})
        elif method == "tools/list": send(id=id, result={"tools": tools})
        elif method == "logging/setLevel":
            level = params["level"]
            send(id=id, result={})
        elif method == "tools/call":
            send(method="notifications/message", params={"level": "info", "data": "at " + level})
            token = params.get("_meta", {}).get("progressToken")
            send(method="notifications/progress", params={"progressToken": token, "progress": 1})
            text = "done"
            if asks:
                send(id="q", method="sampling/createMessage", params={"messages": [], "maxTokens": 9})
                text = json.loads(sys.stdin.readline())["result"]["model"]
            if params["arguments"]["n"] == 2:
                tools.append({"name": "more", "inputSchema": {"type": "object"}})
                send(method="notifications/tools/list_changed")
            send(id=id, result={"content": [{"type": "text", "text": text}]})
        else: send(id=id, error={"code": -32601, "message": "Method not found"})
    """#

  /// An agent that prints what it hears, and answers each question.
  private static let agent = #"""
    import json, subprocess, sys
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    count = 0
    def send(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
    def ask(method, **params):
        global count
        count += 1
        send({"id": count, "method": method, "params": params})
        while True:
            message = json.loads(server.stdout.readline())
            if message.get("id") == count and "method" not in message: return message["result"]
            print(message["method"], json.dumps(message.get("params"), sort_keys=True))
            if "id" in message: send({"id": message["id"], "result": {"model": "m"}})
    hello = ask("initialize", protocolVersion="2025-11-25", capabilities={"sampling": {}})
    print(json.dumps(hello["capabilities"], sort_keys=True))
    ask("logging/setLevel", level="debug")
    for number in (1, 2):
        meta = {"_meta": {"progressToken": "p"}} if number == 1 else {}
        print(ask("tools/call", name="act", arguments={"n": number}, **meta)["content"][0]["text"])
        print([tool["name"] for tool in ask("tools/list")["tools"]])
    """#

  private static let heard = """
    {"logging": {}, "resources": {"subscribe": true}, "tools": {"listChanged": true}}
    notifications/message {"data": "at debug", "level": "info"}
    notifications/progress {"progress": 1, "progressToken": "p"}
    sampling/createMessage {"maxTokens": 9, "messages": []}
    m
    ['act']
    notifications/message {"data": "at debug", "level": "info"}
    sampling/createMessage {"maxTokens": 9, "messages": []}
    notifications/tools/list_changed null
    m
    ['act', 'more']

    """

  private static func folder(
    _ argv: String, expecting output: String
  ) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(server, to: "server.py")
    try folder.write(agent, to: "agent.py")
    try folder.write(
      "flow: 1\nplugins:\n  news: {mcp: [python3, server.py], state: memory}\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      components:
        news: {plugin: news, with: {offers: [sampling]}}
        agents: {plugin: stand-in, live: true, using: {news: news}}
        programs: {plugin: process, live: true}
      steps:
        - {id: place, uses: agents.environment}
        - id: agent
          uses: programs.run
          with: {argv: [\(argv)], env: "${{ steps.place.variables }}"}
          expect:
            status: 0
            stdout: |
      \(output.split(separator: "\n").map { "        " + $0 }.joined(separator: "\n"))

      """, to: "s.yaml")
    let locked = try await BuiltProgram.run("flow", ["plugin", "lock"], in: folder)
    #expect(locked.code == 0, "\(locked.errors)")
    return folder
  }

  private static var standIn: String { "\(BuiltProgram.url("flow").path), stand-in, news" }

  /// Records the agent, and runs it again without the server.
  private static func check(_ folder: TemporaryFolder) async throws {
    let recorded = try await BuiltProgram.run("flow", ["run", "--record", "s.yaml"], in: folder)
    try FileManager.default.removeItem(atPath: folder.path("server.py"))
    let replayed = try await BuiltProgram.run("flow", ["test", "s.yaml"], in: folder)

    #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
    #expect(replayed.code == 0, "\(replayed.output)\(replayed.errors)")
  }

  @Test func `an agent hears its server in the recorded order, without the server`() async throws {
    let folder = try await Self.folder(
      "python3, agent.py, \(Self.standIn)", expecting: Self.heard)

    try await Self.check(folder)

    let transcript = try folder.text("s.transcript.jsonl")
    #expect(
      transcript.contains(
        #""emit":"news.said","payload":{"method":"notifications/progress","params":{"progress":1},"request":{"method":"tools/call","params":{"arguments":{"n":1},"name":"act"}}},"after":3,"open":1}"#
      ), "\(transcript)")
    #expect(
      transcript.contains(
        #""invoke":"news.exchange-answer","input":{"number":1,"result":{"model":"m"}}"#))
  }

  @Test func `another answer to a question of the server fails a test`() async throws {
    let folder = try await Self.folder(
      "python3, agent.py, \(Self.standIn)", expecting: Self.heard)
    _ = try await BuiltProgram.run("flow", ["run", "--record", "s.yaml"], in: folder)
    try folder.write(
      Self.agent.replacing(#""result": {"model": "m"}"#, with: #""result": {"model": "n"}"#),
      to: "agent.py")

    let run = try await BuiltProgram.run("flow", ["test", "s.yaml"], in: folder)

    #expect(run.code == 1)
    #expect(
      run.errors.contains(
        "added components/agents#1/reply#1/news.exchange-answer.1#1, news.exchange-answer"),
      "\(run.errors)")
  }

  /// The official client, with a function for each kind of news.
  private static let official = #"""
    import asyncio, os, sys
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.types import CreateMessageResult, TextContent
    async def log(params): print("log", params.data)
    async def progress(done, total, message): print("progress", done)
    async def sample(context, params):
        content = TextContent(type="text", text="hm")
        return CreateMessageResult(role="assistant", content=content, model="m")
    async def main(*command):
        target = os.environ["FLOW_STAND_IN"]
        server = StdioServerParameters(
            command=command[0], args=command[1:], env={"FLOW_STAND_IN": target})
        target = target + "/news" if command[0] == "http" else stdio_client(server)
        async with Client(
            target, mode="legacy", logging_callback=log, sampling_callback=sample) as client:
            result = await client.call_tool("act", {"n": 1}, progress_callback=progress)
            print(result.content[0].text)
    asyncio.run(main(*sys.argv[1:]))
    """#

  @Test(
    .enabled(if: Python.having("mcp") != nil, "no Python with the module 'mcp' here"),
    arguments: [standIn, "http"])
  func `the official client hears its server, too`(_ command: String) async throws {
    let python = try #require(Python.having("mcp"))
    let folder = try await Self.folder(
      "\(python), agent.py, \(command)", expecting: "log at none\nprogress 1.0\nm\n")
    try folder.write(Self.official, to: "agent.py")

    try await Self.check(folder)
  }

  /// What a careless client writes, a line each, and the id of the last request.
  private static let careless = #"""
    import json, subprocess, sys
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lines = [b"\xff\xfe\x00 no text", b"{", b"[" * 100_000, b'"' + b"x" * (1 << 20) + b'"', b"7",
        b'{"jsonrpc": "2.0", "id": null, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": [1], "method": "ping"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]',
        b'{"jsonrpc": "2.0", "id": "flow-1", "result": {}}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}']
    for line in lines: server.stdin.write(line + b"\n")
    server.stdin.write(b'{"jsonrpc": "2.0", "id": "last", "method": "ping"}\n')
    server.stdin.close()
    answers = [json.loads(line) for line in server.stdout]
    # An answer of another thread may come first.
    for answer in answers:
        if "error" in answer: print(answer.get("id"), answer["error"]["code"])
    print(answers[-1])
    """#

  @Test func `garbage of a client has errors, and does not end the conversation`() async throws {
    let folder = try await Self.folder(
      "python3, agent.py, \(Self.standIn)",
      expecting: """
        None -32700
        None -32700
        None -32700
        None -32700
        None -32600
        None -32600
        1 -32600
        None -32600
        {'jsonrpc': '2.0', 'id': 'last', 'result': {}}

        """)
    try folder.write(Self.careless, to: "agent.py")

    let run = try await BuiltProgram.run("flow", ["run", "s.yaml"], in: folder)

    #expect(run.code == 0, "\(run.output)\(run.errors)")
  }

  /// A client that reads nothing while it asks more than is allowed, with an id that is in use.
  private static let greedy = #"""
    import json, subprocess, sys, time
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    def ask(id, name):
        message = {"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": name, "arguments": {"n": 0}}}
        server.stdin.write(json.dumps(message).encode() + b"\n")
    for id in range(300): ask(id % 150, "act")
    server.stdin.close()
    answers = [json.loads(line) for line in server.stdout]
    answers = [answer for answer in answers if "method" not in answer]
    refused = [answer for answer in answers if "error" in answer]
    print(len(answers), all(answer["error"]["code"] == -32600 for answer in refused))
    """#

  @Test func `a client that asks more than is allowed has an answer to each request`()
    async throws
  {
    let folder = try await Self.folder(
      "python3, agent.py, \(Self.standIn)", expecting: "300 True\n")
    try folder.write(Self.greedy, to: "agent.py")
    try folder.write(
      folder.text("s.yaml").replacing(", with: {offers: [sampling]}", with: ""), to: "s.yaml")

    let run = try await BuiltProgram.run("flow", ["run", "s.yaml"], in: folder)

    #expect(run.code == 0, "\(run.output)\(run.errors)")
  }
}
