import Foundation
import TestKit
import Testing

/// Agents that start `flow stand-in` in place of their MCP server, which is in Python.
@Suite struct StandInTests {
  /// An agent without a library: the argument is a number for the tool, `http` or the command of its
  /// server follows.
  private static let agent = #"""
    import json, os, subprocess, sys, urllib.request
    amount, command = int(sys.argv[1]), sys.argv[2:]
    count = 0
    def post(message):
        url = os.environ["FLOW_STAND_IN"] + "/counting"
        body = json.dumps(message).encode()
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).read()
    if command != ["http"]:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    def send(message):
        if command == ["http"]: return post(message)
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        if "id" in message: return server.stdout.readline()
    def ask(method, **params):
        global count
        count += 1
        message = json.loads(send({"jsonrpc": "2.0", "id": count, "method": method, "params": params}))
        return message.get("result") or message["error"]
    hello = ask("initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "a"})
    send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    print(hello["protocolVersion"], hello["serverInfo"]["name"], hello["capabilities"])
    for _ in range(2): print(*[tool["name"] for tool in ask("tools/list")["tools"]])
    result = ask("tools/call", name="add", arguments={"amount": amount})
    print(result.get("structuredContent") or result["message"])
    print(ask("tools/call", name="add", arguments={"amount": -70})["content"][0]["text"])
    """#

  private static func folder(_ command: String, amount: Int = 5) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["counter.py", "flow.yaml", "flow.lock"] {
      try folder.write(ProjectFiles.text("Plugins/MCP/Scenarios/\(name)"), to: name)
    }
    try folder.write(agent, to: "agent.py")
    try folder.write(scenario(command, amount: amount), to: "s.yaml")
    return folder
  }

  private static func scenario(_ command: String, amount: Int) -> String {
    """
    flow: 1
    components:
      counter: {plugin: counter}
      agents: {plugin: stand-in, live: true, using: {counting: counter}}
      programs: {plugin: process, live: true}
    steps:
      - {id: place, uses: agents.environment}
      - uses: programs.run
        with:
          argv: [python3, agent.py, "\(amount)", \(command)]
          env: "${{ steps.place.variables }}"
        volatile: [stdout, stderr]
        expect: {status: 0}

    """
  }

  private static func flow(
    _ arguments: String..., in folder: TemporaryFolder
  ) async throws -> BuiltProgram {
    try await BuiltProgram.run("flow", arguments, in: folder)
  }

  private static var program: String { "\(BuiltProgram.url("flow").path), stand-in, counting" }

  @Test(arguments: [program, "http"])
  func `a recorded agent runs without its server`(_ command: String) async throws {
    let folder = try Self.folder(command)

    let recorded = try await Self.flow("run", "--record", "s.yaml", in: folder)
    try FileManager.default.removeItem(atPath: folder.path("counter.py"))
    let replayed = try await Self.flow("test", "s.yaml", in: folder)

    #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
    #expect(replayed.code == 0, "\(replayed.output)\(replayed.errors)")
    let transcript = try folder.text("s.transcript.jsonl")
    let said =
      #"2025-03-26 counter {'tools': {}}\nadd\nadd\n{'count': 5}\n-70 is more than the count of 5\n"#
    #expect(transcript.contains(said), "\(transcript)")
    // The list is asked for once, and the token is nowhere.
    let calls = transcript.split(separator: "\n").filter {
      $0.contains(#""invoke":"counter.exchange""#)
    }
    #expect(
      calls.map { $0.split(separator: "counting.exchange.")[1].prefix { $0 != "\"" } } == [
        "initialize#1", "tools-list#1", "add#1", "add#1",
      ])
    #expect(transcript.contains("/${secret:agents.token}"))
  }

  @Test func `an agent gets the members of a result in the order of its server`() async throws {
    let folder = try Self.folder(Self.program)
    // As an agent that writes a result into its next prompt.
    try folder.write(
      Self.agent
        + "\nopen('said', 'w').write(json.dumps(ask('tools/list')) + json.dumps(result))\n",
      to: "agent.py")
    let recorded = try await Self.flow("run", "--record", "s.yaml", in: folder)
    let said = try folder.text("said")

    let replayed = try await Self.flow("test", "s.yaml", in: folder)

    #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
    #expect(replayed.code == 0, "\(replayed.output)\(replayed.errors)")
    #expect(said.contains(#"{"content": [{"type": "text", "text": "5"}]"#), "\(said)")
    #expect(try folder.text("said") == said)
  }

  @Test func `a changed argument is named, and the agent gets an error`() async throws {
    let folder = try Self.folder(Self.program)
    _ = try await Self.flow("run", "--record", "s.yaml", in: folder)
    try folder.write(
      Self.agent.replacing("int(sys.argv[1])", with: "3 * int(sys.argv[1])")
        .replacing(
          "print(result", with: #"assert result["message"].startswith("flow: '"); print(result"#),
      to: "agent.py")

    let run = try await Self.flow("test", "s.yaml", in: folder)

    #expect(run.code == 1)
    #expect(
      run.errors.contains(
        "'components/agents#1/serve#1/counting.exchange.add#1' is not in the transcript [F3001]"),
      "\(run.errors)")
    #expect(run.errors.contains("params.arguments.amount: recorded 5, now 15"), "\(run.errors)")
    // The assertion of the agent holds.
    #expect(!run.errors.contains("F2001"), "\(run.errors)")
  }

  @Test func `a tape has the calls of its agent`() async throws {
    let folder = try Self.folder("http")
    try folder.write(
      """
      flow: 1
      inputs: {command: {type: list(string), default: [python3, agent.py, "6", http]}}
      components:
        counter: {plugin: counter}
        agents: {plugin: stand-in, live: true, using: {counting: counter}}
        programs: {plugin: process, live: true}
      steps:
        - {id: place, uses: agents.environment}
        - uses: programs.run
          with:
            argv: "${{ inputs.command }}"
            env: "${{ steps.place.variables }}"
            foreground: true
          volatile: [stdout, stderr]
          expect: {status: 0}

      """, to: "tape.yaml")
    let command = ["python3", "agent.py", "6", "http"]

    let recorded = try await BuiltProgram.run("flow", ["tape", "--"] + command, in: folder)
    try FileManager.default.removeItem(atPath: folder.path("counter.py"))
    let served = try await BuiltProgram.run("flow", ["tape", "--"] + command, in: folder)

    #expect(recorded.code == 0, "\(recorded.errors)")
    #expect(
      recorded.errors.contains("tape.yaml: 1 server (counter), 4 requests\n")
        || recorded.output.contains("tape.yaml: 1 server (counter), 4 requests\n"),
      "\(recorded.output)\(recorded.errors)")
    #expect(served.code == 0, "\(served.errors)")
    #expect(
      served.output.contains("{'count': 6}\n-70 is more than the count of 6\n"), "\(served.output)")
  }

  /// The official client calls a tool three times at once, in an era of the protocol.
  private static let official = #"""
    import asyncio, os, sys
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client
    async def main(mode, *command):
        target = os.environ["FLOW_STAND_IN"]
        variables = {"FLOW_STAND_IN": target}
        server = StdioServerParameters(command=command[0], args=command[1:], env=variables)
        target = target + "/counting" if command[0] == "http" else stdio_client(server)
        async with Client(target, mode=mode) as client:
            print([tool.name for tool in (await client.list_tools()).tools])
            calls = [client.call_tool("add", {"amount": amount}) for amount in (3, 4, 9)]
            print(max(call.structured_content["count"] for call in await asyncio.gather(*calls)))
            print((await client.call_tool("add", {"amount": -100})).is_error)
    asyncio.run(main(*sys.argv[1:]))
    """#

  @Test(
    .enabled(if: Python.having("mcp") != nil, "no Python with the module 'mcp' here"),
    arguments: ["legacy", "auto", "2026-07-28"], [program, "http"])
  func `the official client runs without its server, in each era`(
    _ mode: String, _ command: String
  ) async throws {
    let python = try #require(Python.having("mcp"))
    let folder = try Self.folder(command)
    try folder.write(Self.official, to: "agent.py")
    try folder.write(
      Self.scenario(command, amount: 0).replacing(
        "python3, agent.py, \"0\"", with: "\(python), agent.py, \"\(mode)\""),
      to: "s.yaml")

    let recorded = try await Self.flow("run", "--record", "s.yaml", in: folder)
    try FileManager.default.removeItem(atPath: folder.path("counter.py"))
    let replayed = try await Self.flow("test", "s.yaml", in: folder)

    #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
    #expect(try folder.text("s.transcript.jsonl").contains(#"['add']\n16\nTrue\n"#))
    #expect(replayed.code == 0, "\(replayed.output)\(replayed.errors)")
  }

  @Test(
    arguments: [
      (
        nil,
        "no run has started this program: FLOW_STAND_IN is not set; "
          + "'environment' of a component 'stand-in' returns it"
      ),
      ("http://example.org/x", notURL), ("http://127.0.0.1:80", notURL),
      ("http://127.0.0.1:0/x", notURL), ("http://127.0.0.1:80/x/y", notURL),
      ("http://127.0.0.1:80/x y", notURL),
    ] as [(String?, String)]) func `a program without a run says so`(
      _ variable: String?, _ message: String
    ) async throws
  {
    let folder = try TemporaryFolder()
    let environment = variable.map { ["FLOW_STAND_IN": $0] } ?? [:]

    let run = try await BuiltProgram.run(
      "flow", ["stand-in", "counting"], in: folder, environment: environment)

    #expect(run.errors == "flow: \(message)\n")
    #expect(run.code == 64)
    #expect(run.output == "")
  }

  private static let notURL = "FLOW_STAND_IN is not the URL of a component 'stand-in'"
}
