import Foundation
import TestKit
import Testing

/// Defects that tools for recording models and their tools are known for.
@Suite(.serialized) struct AgentDefectTests {
  private static let call =
    "'components/model#1/serve#1/server.exchange.POST-v1-chat-completions#1'"

  /// Records a program, and tests another one without a connection to its model.
  private static func replay(
    _ recorded: String, as now: String? = nil, scenario: String = ShopUpstream.agentScenario
  ) async throws -> BuiltProgram {
    let model = try ShopUpstream.agent(scenario)
    defer { model.stop() }
    let recording = try await model.record(recorded)
    try #require(recording.code == 0, "\(recording.errors)")
    let connections = model.connections
    #expect(connections > 0)

    let run = try await model.test(now ?? recorded)

    #expect(model.connections == connections)
    return run
  }

  private static func isMissed(_ run: BuiltProgram) {
    #expect(run.code == 1)
    #expect(run.errors.contains("\(call) is not in the transcript [F3001]"), "\(run.errors)")
  }

  /// Reported as CopilotKit/aimock#164.
  @Test func `an answer belongs to the whole conversation, not to its last question`() async throws
  {
    let conversation = """
      messages = [agent.user("weather Bern")]
      print(agent.loop(messages), [message["role"] for message in messages])
      """

    let run = try await Self.replay(conversation)
    let other = try await Self.replay(
      conversation, as: conversation.replacing("messages)", with: #"messages, lambda _: "sun")"#))

    // The scenario compares the output: the tool is called once, and the text comes after it.
    #expect(run.code == 0, "\(run.errors)")
    Self.isMissed(other)
    #expect(
      other.errors.contains(#"recorded "rain in Bern", now "sun""#), "\(other.errors)")
  }

  private static let conversations = [
    #"print(agent.ask([agent.user("hello")])["choices"][0]["message"])"#,
    #"print(agent.loop([{"role": "system", "content": "Be kind."}, agent.user("hello")]))"#,
    #"print(agent.loop([agent.user("weather Bern Basel")]))"#,
    """
    messages = [agent.user("weather Bern")]
    print(agent.loop(messages))
    messages.append(agent.user("thanks"))
    print(agent.loop(messages))
    messages.append(agent.user("weather Bern"))
    print(agent.loop(messages))
    """,
    """
    for _ in range(2): print(agent.loop([agent.user("weather Bern")]))
    """,
  ]

  /// Reported as CopilotKit/aimock#320.
  @Test(arguments: conversations) func `each turn of a conversation finds its own recording`(
    _ conversation: String
  ) async throws {
    let run = try await Self.replay(conversation)

    #expect(run.code == 0, "\(run.errors)")
  }

  private static let approval =
    ShopUpstream.agentScenario.replacing(
      "argv: [python3, client.py]", with: "argv: [python3, client.py, ask]"
    ) + """
        - name: A person approves the call, and the agent goes on in another process
          uses: programs.run
          with: {argv: [python3, client.py, "yes"], env: {MODEL: "${{ steps.model.url }}"}}
          expect: {status: 0}

      """
  private static let approved = """
    import json, sys
    if sys.argv[1] == "ask":
        messages = [agent.user("weather Bern")]
        messages.append(agent.ask(messages)["choices"][0]["message"])
        json.dump(messages, open("waiting.json", "w"))
    else:
        messages = json.load(open("waiting.json"))
        text = "approved: " + sys.argv[1]
        call = messages[-1]["tool_calls"][0]["id"]
        messages.append({"role": "tool", "tool_call_id": call, "content": text})
        print(agent.loop(messages))
    """

  /// Reported as CopilotKit/aimock#232.
  @Test func `an agent goes on after the approval of a person`() async throws {
    let run = try await Self.replay(Self.approved, scenario: Self.approval)
    let refused = try await Self.replay(
      Self.approved, as: Self.approved.replacing("+ sys.argv[1]", with: #"+ "no""#),
      scenario: Self.approval)

    #expect(run.code == 0, "\(run.errors)")
    Self.isMissed(refused)
    #expect(
      refused.errors.contains(#"recorded "approved: yes", now "approved: no""#),
      "\(refused.errors)")
  }

  /// Reported as litellm#38136.
  @Test func `a stream comes in its pieces, and breaks off where it did`() async throws {
    let run = try await Self.replay(
      """
      import http.client
      answer = agent.ask([agent.user("one two broken three")], stream=True)
      try:
          while piece := answer.read1():
              # The model goes on after this, so that no two pieces come as one.
              print(piece)
              agent.post("/seen", {})
          raise SystemExit("the stream ends as if it were whole")
      except (http.client.IncompleteRead, ConnectionError) as error:
          print("broken", type(error).__name__)
      """)

    #expect(run.code == 0, "\(run.errors)")
  }

  /// Reported as mergewatch#488.
  @Test func `a date in the system prompt does not end a recording`() async throws {
    let scenario = ShopUpstream.agentScenario.replacing(
      existing: "using: {server: api}}",
      with: """
        using: {server: api}, varies: {server.exchange: {any: ["json.messages[0].content=You help. Today is {date}."]}}}
        """)
    let prompt = """
      system = {"role": "system", "content": "You help. Today is 2026-01-01."}
      print(agent.loop([system, agent.user("hello")]))
      """

    let tomorrow = try await Self.replay(
      prompt, as: prompt.replacing("01-01", with: "01-02"), scenario: scenario)
    let other = try await Self.replay(
      prompt, as: prompt.replacing("You help", with: "You joke"), scenario: scenario)

    #expect(tomorrow.code == 0, "\(tomorrow.errors)")
    Self.isMissed(other)
    #expect(other.errors.contains("joke"), "\(other.errors)")
  }

  /// Reported as mergewatch#491.
  @Test func `an answer has its stop reason, its usage and its headers`() async throws {
    let run = try await Self.replay(
      """
      answer = agent.post("/v1/chat/completions", {"messages": [agent.user("a long story")]})
      print(answer.headers["X-Request-Id"], answer.headers["Content-Length"], answer.read())
      """)

    #expect(run.code == 0, "\(run.errors)")
  }

  private static func swallowed(_ question: String) -> String {
    """
    text = "You say: hello"
    for attempt in range(3):
        try:
            text = agent.loop([agent.user("\(question)")])
            break
        except Exception: pass
    print(text)
    """
  }

  /// Reported as posthog-js#4840.
  @Test func `a miss that an agent swallows fails the test`() async throws {
    let run = try await Self.replay(Self.swallowed("hello"), as: Self.swallowed("hello!"))

    Self.isMissed(run)
    #expect(
      run.errors.contains(#"json.messages[0].content: recorded "hello", now "hello!""#),
      "\(run.errors)")
    // What the agent prints is what the scenario expects.
    #expect(!run.errors.contains("F2001") && !run.errors.contains("F3009"), "\(run.errors)")
  }

  /// Reported as posthog-js#4840.
  @Test func `a miss does not reach the model, which is there`() async throws {
    let model = try ShopUpstream.agent()
    defer { model.stop() }
    let recording = try await model.record(Self.swallowed("hello"))
    try #require(recording.code == 0, "\(recording.errors)")
    let connections = model.connections

    let run = try await model.test(
      Self.swallowed("hello!") + "\n" + #"print(agent.loop([agent.user("more")]))"#)

    Self.isMissed(run)
    #expect(model.connections == connections)
  }

  /// Reported as agentic-org#1290.
  @Test func `one other word in a long conversation is shown with its message and its place`()
    async throws
  {
    let conversation = """
      prompt = " ".join(f"word{number}" for number in range(9000))
      messages = [{"role": "system", "content": prompt}, agent.user("weather Bern")]
      print(agent.loop(messages))
      """

    let run = try await Self.replay(
      conversation,
      as: conversation.replacing("range(9000))", with: #"range(9000)).replace("word4711", "werd")"#)
    )

    Self.isMissed(run)
    #expect(
      run.errors.contains(
        "json.messages[0].content: recorded 79889 characters, now 79885, first different at "
          + "character 41290: recorded …\" word4709 word4710 word4711 word4712 "),
      "\(run.errors)")
    #expect(run.errors.utf8.count < 2_000, "\(run.errors)")
  }

  /// Of each kind: a word of the prompt, a result of a tool, and a call too many.
  static let named: [(recorded: String, now: String, line: String)] = [
    (
      #"system", "content": "You help."#, #"system", "content": "You joke."#,
      #"message 1 (system), content: recorded "You help.", now "You joke.""#
    ),
    (
      "messages, tool)", #"messages, lambda city: tool(city).replace("rain", "snow"))"#,
      #"message 4 (tool, weather), content: recorded "rain in Bern", now "snow in Bern""#
    ),
    (
      #"agent.user("weather Bern")]"#, #"agent.user("weather Bern"), agent.user("now")]"#,
      #"message 3 (user): recorded nothing, now {content: "now", role: "user"}"#
    ),
  ]

  /// Reported as agentic-org#1290.
  @Test(arguments: named) func `a difference names the message`(
    _ row: (recorded: String, now: String, line: String)
  ) async throws {
    let scenario = ShopUpstream.agentScenario.replacing(
      existing: "{plugin: http, with: {", with: "{plugin: http, with: {preset: openai, ")
    let conversation = """
      tool = lambda city: "rain in " + city
      messages = [{"role": "system", "content": "You help."}, agent.user("weather Bern")]
      print(agent.loop(messages, tool))
      """

    let run = try await Self.replay(
      conversation, as: conversation.replacing(existing: row.recorded, with: row.now),
      scenario: scenario)

    #expect(run.code == 1)
    #expect(run.errors.contains("note: \(row.line)\n"), "\(run.errors)")
  }

  /// Seen in several formats.
  @Test func `a recording of twice as many turns is twice as long`() async throws {
    var sizes: [Int] = []
    for turns in [10, 20] {
      let model = try ShopUpstream.agent()
      defer { model.stop() }
      let recording = try await model.record(
        """
        messages = []
        for turn in range(\(turns)):
            messages.append(agent.user("word " * 200 + str(turn)))
            agent.loop(messages)
        """)
      try #require(recording.code == 0, "\(recording.errors)")
      sizes.append(try model.transcript.utf8.count)
      let run = try await model.test(
        """
        messages = []
        for turn in range(\(turns)):
            messages.append(agent.user("word " * 200 + str(turn)))
            agent.loop(messages)
        """)
      #expect(run.code == 0, "\(run.errors)")
    }

    #expect(Double(sizes[1]) < 2.5 * Double(sizes[0]), "\(sizes)")
  }

  private static let judged = """
    answer = "please wait"
    verdict = agent.loop([agent.user("polite? " + answer)])
    if verdict != "yes": raise SystemExit("the answer is rude")
    """

  /// Reported as sysknife#171.
  @Test func `a recorded verdict holds for the text that was judged, and for no other`()
    async throws
  {
    let run = try await Self.replay(
      Self.judged, as: Self.judged.replacing("please wait", with: "wait"))

    Self.isMissed(run)
    #expect(
      run.errors.contains(#"recorded "polite? please wait", now "polite? wait""#), "\(run.errors)")
  }

  /// Reported as sysknife#171.
  @Test func `a verdict that nothing looks at is found by mutation`() async throws {
    let looks = try await Self.unnoticed(Self.judged)
    let ignores = try await Self.unnoticed(
      Self.judged.replacing(#"verdict != "yes""#, with: "verdict is None"))

    let verdict = #"ok.json.choices[0].message.content: "yes" -> "#
    #expect(!looks.contains(verdict), "\(looks)")
    #expect(ignores.contains(verdict), "\(ignores)")
  }

  /// The output of `flow mutate` for a program.
  private static func unnoticed(_ program: String) async throws -> String {
    let model = try ShopUpstream.agent()
    let recording = try await model.record(program)
    model.stop()
    try #require(recording.code == 0, "\(recording.errors)")
    return try await BuiltProgram.run("flow", ["mutate", "scenario.yaml"], in: model.folder).output
  }

  private static let servers = #"""
    import json, os, subprocess
    server = json.load(open("mcp.json"))["mcpServers"]["counting"]
    program = subprocess.Popen(
        [server["command"], *server["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    def ask(number, method, **params):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        program.stdin.write(json.dumps(message) + "\n")
        program.stdin.flush()
        return json.loads(program.stdout.readline())["result"]
    ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "a"})
    print(ask(2, "tools/call", name="add", arguments={"amount": 7})["structuredContent"])
    """#
  private static let serversScenario = """
    flow: 1
    components:
      counter: {plugin: counter}
      agents: {plugin: stand-in, live: true, using: {counting: counter}}
      programs: {plugin: process, live: true}
    steps:
      - {id: place, uses: agents.environment}
      - uses: programs.run
        with: {argv: [python3, agent.py], env: "${{ steps.place.variables }}"}
        expect: {status: 0, stdout: "{'count': 7}\\n"}

    """

  /// Reported as waza#363.
  @Test func `a server that an agent starts itself is not needed in a test`() async throws {
    let folder = try TemporaryFolder()
    for name in ["counter.py", "flow.yaml", "flow.lock"] {
      try folder.write(ProjectFiles.text("Plugins/MCP/Scenarios/\(name)"), to: name)
    }
    try folder.write(Self.servers, to: "agent.py")
    try folder.write(Self.serversScenario, to: "s.yaml")
    let flow = BuiltProgram.url("flow").path
    try folder.write(
      #"{"mcpServers": {"counting": {"command": "\#(flow)", "args": ["stand-in", "counting"]}}}"#,
      to: "mcp.json")
    let recorded = try await BuiltProgram.run("flow", ["run", "--record", "s.yaml"], in: folder)
    try FileManager.default.removeItem(atPath: folder.path("counter.py"))

    let run = try await BuiltProgram.run(
      "flow", ["test", "s.yaml"], in: folder, environment: ["CI": "true"])

    #expect(recorded.code == 0, "\(recorded.errors)")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  /// Reported as waza#363.
  @Test func `a tape records the server that an agent starts itself, beside its model`()
    async throws
  {
    let model = try ShopUpstream.agent()
    defer { model.stop() }
    let folder = model.folder
    for name in ["counter.py", "flow.yaml", "flow.lock"] {
      try folder.write(ProjectFiles.text("Plugins/MCP/Scenarios/\(name)"), to: name)
    }
    let request = """
      import sys, urllib.request
      urllib.request.urlopen(urllib.request.Request(sys.argv[1] + "/seen", b"{}")).read()

      """
    try folder.write(request + Self.servers, to: "agent.py")
    let flow = BuiltProgram.url("flow").path
    try folder.write(
      #"{"mcpServers": {"counting": {"command": "\#(flow)", "args": ["stand-in", "counter"]}}}"#,
      to: "mcp.json")
    let agent = ["--", "python3", "agent.py", "http://127.0.0.1:\(model.port)"]

    let recorded = try await BuiltProgram.run(
      "flow", ["tape", "--mcp", "counter"] + agent, in: folder)
    model.stop()
    try FileManager.default.removeItem(atPath: folder.path("counter.py"))
    let run = try await BuiltProgram.run("flow", ["tape"] + agent, in: folder)

    #expect(recorded.code == 0, "\(recorded.errors)")
    #expect(recorded.output == "{'count': 7}\n")
    #expect(run.output == "{'count': 7}\n", "\(run.errors)")
    #expect(run.code == 0)
  }
}
