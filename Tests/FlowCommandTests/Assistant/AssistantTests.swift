import FlowCore
import FlowSchema
import FlowSystem
import Synchronization
import TestKit
import Testing

@testable import FlowCommand

/// The tools of an assistant over the Model Context Protocol.
@Suite struct AssistantTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: a, uses: p.count, with: {by: 2}, expect: {value: 2}}

    """

  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    _ = try await FlowCommandRun(["run", "@/s.yaml", "--record"], in: folder)
  }

  /// Sends messages, and returns as many lines as answers are expected.
  private func talk(
    _ messages: [String], answers: Int, allowsWriting: Bool = false,
    given: [ParsedArguments.Given] = []
  ) async throws -> [String] {
    let process = ProcessEnvironment(output: { _ in }, errorOutput: { _ in })
    let flow = FlowCommand(registry: try Registry([Probe.self]), process: process)
    let tools = AssistantTools(
      flow, given: given, allowsWriting: allowsWriting, in: folder.directory.path)
    let (lines, input) = AsyncStream.makeStream(of: ClientLine.self)
    let written = Mutex<[String]>([])
    let server = AssistantServer(tools) { message in
      let count = written.withLock {
        $0.append(message.text)
        return $0.count
      }
      if count == answers { input.finish() }
    }
    for message in messages { input.yield(.text(Array(message.utf8))) }
    if answers == 0 { input.finish() }
    await server.serve(lines)
    return written.withLock { $0 }.map { $0.replacing(folder.directory.path + "/", with: "@/") }
  }

  private static let meta = """
    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
    "io.modelcontextprotocol/clientCapabilities":{}}
    """

  private static func initialize(_ version: String) -> String {
    """
    {"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"\(version)",\
    "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    """
  }

  private static func call(_ id: Int, _ tool: String, _ arguments: String) -> String {
    """
    {"jsonrpc":"2.0","id":\(id),"method":"tools/call","params":{\(meta),"name":"\(tool)",\
    "arguments":\(arguments)}}
    """
  }

  // MARK: - The protocol

  private static let requests: [(id: String, line: String, result: String)] = [
    ("list", #""method":"tools/list","params":{META}"#, "ListToolsResult"),
    (
      "check", #""method":"tools/call","params":{METAC"name":"check","arguments":{}}"#,
      "CallToolResult"
    ),
    (
      "explain",
      #""method":"tools/call","params":{METAC"name":"explain","arguments":{"code":"F1203"}}"#,
      "CallToolResult"
    ),
    (
      "run",
      #""method":"tools/call","params":{METAC"name":"run","arguments":{"scenario":"s.yaml"}}"#,
      "CallToolResult"
    ),
    (
      "test", #""method":"tools/call","params":{METAC"name":"test","arguments":{}}"#,
      "CallToolResult"
    ),
    (
      "mutate",
      #""method":"tools/call","params":{METAC"name":"mutate","arguments":{"scenario":"s.yaml"}}"#,
      "CallToolResult"
    ),
    (
      "refused",
      #""method":"tools/call","params":{METAC"name":"check","arguments":{"paths":["/etc"]}}"#,
      "CallToolResult"
    ),
  ]

  private static func lines(_ meta: String) -> [String] {
    requests.map { request in
      let params = request.line.replacing("METAC", with: meta.isEmpty ? "" : meta + ",")
        .replacing("META", with: meta)
      return #"{"jsonrpc":"2.0","id":"\#(request.id)",\#(params)}"#
    }
  }

  @Test(arguments: ProtocolSchema.versions) func `every line fits the schema of its version`(
    _ version: String
  ) async throws {
    let isStateless = version == "2026-07-28"
    let start =
      isStateless
      ? [#"{"jsonrpc":"2.0","id":"start","method":"server/discover","params":{\#(Self.meta)}}"#]
      : [Self.initialize(version), #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#]
    let unknown = [
      #"{"jsonrpc":"2.0","id":"unknown","method":"prompts/list","params":{\#(isStateless ? Self.meta : "")}}"#
    ]
    let messages = start + Self.lines(isStateless ? Self.meta : "") + unknown

    let answers = try await talk(messages, answers: Self.requests.count + 2)

    let message = try ProtocolSchema.named("JSONRPCMessage", version)
    var results = ["start": isStateless ? "DiscoverResult" : "InitializeResult"]
    for request in Self.requests { results[request.id] = request.result }
    #expect(answers.count == Self.requests.count + 2)
    for answer in answers {
      let json = try JSONParser.parse(Array(answer.utf8)[...])
      #expect(try message.accepts(Value(json: Array(answer.utf8))), "\(answer)")
      guard let name = results[json["id"]?.string ?? ""], let result = json["result"] else {
        #expect(json["id"] == .string("unknown"), "\(answer)")
        #expect(json["error"]?["code"] == .number("-32601"))
        continue
      }
      let schema = try ProtocolSchema.named(name, version)
      let violations = try schema.validate(Value(json: Array(result.text.utf8)))
      #expect(try schema.accepts(Value(json: Array(result.text.utf8))), "\(violations) \(answer)")
    }
  }

  @Test func `only the tools that start nothing are read only`() {
    let tools = AssistantTools.all

    #expect(tools.filter(\.isReadOnly).map(\.name) == ["check", "explain"])
    #expect(tools.filter { !$0.isReadOnly }.map(\.name) == ["run", "test", "mutate"])
  }

  @Test func `the official requests have an answer or an error of the protocol`() async throws {
    let text = try ProjectFiles.text("Tests/Protocols/mcp/2026-07-28.examples.json")
    guard case .object(let examples) = try JSONParser.parse(Array(text.utf8)[...]) else {
      throw SchemaMissing()
    }
    let schema = try ProtocolSchema.named("JSONRPCMessage", "2026-07-28")
    let requests = examples.map(\.value).filter { $0["method"] != nil && $0["jsonrpc"] != nil }
    let asked = requests.filter { $0["id"] != nil }

    let answers = try await talk(requests.map(\.text), answers: asked.count)

    #expect(examples.count == 129)
    #expect(asked.count == 10)
    for answer in answers {
      #expect(try schema.accepts(Value(json: Array(answer.utf8))), "\(answer)")
    }
  }

  struct SchemaMissing: Error {}

  /// The checks of the official scenario 'server-stateless' that need neither HTTP nor a tool of
  /// their own.
  @Test func `a client without a session is served as the conformance suite asks`() async throws {
    let discover = #""method":"server/discover","params":"#
    let capabilities = #""io.modelcontextprotocol/clientCapabilities":{}"#
    let version = #""io.modelcontextprotocol/protocolVersion":"2026-07-28""#
    let refused = [
      #"\#(discover){}"#, #"\#(discover){"_meta":{\#(capabilities)}}"#,
      #"\#(discover){"_meta":{\#(version)}}"#,
    ]
    let unknown = [
      "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
      "prompts/list", "subscriptions/listen",
    ].map { #""method":"\#($0)","params":{\#(Self.meta)}"# }
    let other = Self.meta.replacing("2026-07-28", with: "v999.0.0")
    let requests =
      refused + unknown + [#"\#(discover){\#(other)}"#, #"\#(discover){\#(Self.meta)}"#]
    let messages = requests.enumerated().map {
      #"{"jsonrpc":"2.0","id":\#($0.offset),\#($0.element)}"#
    }

    let answers = try await talk(messages, answers: messages.count)

    let json = try answers.map { try JSONParser.parse(Array($0.utf8)[...]) }
    #expect(json.map { $0["id"] } == messages.indices.map { .number("\($0)") })
    let codes = json.map { $0["error"]?["code"] }
    #expect(codes[..<3].allSatisfy { $0 == .number("-32602") })
    #expect(codes[3..<10].allSatisfy { $0 == .number("-32601") })
    let data = json[10]["error"]?["data"]
    #expect(data?["requested"] == .string("v999.0.0"))
    let result = try #require(json[11]["result"])
    #expect(data?["supported"] == result["supportedVersions"])
    let info = result["_meta"]?["io.modelcontextprotocol/serverInfo"]
    #expect(info?["name"] == .string("flow"))
    #expect(result["capabilities"] == .object([.init("tools", .object([]))]))
  }

  @Test(arguments: [
    ("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("2023-01-01", "2025-11-25"),
    ("2026-07-28", "2025-11-25"),
  ]) func `a session has the version of its client, or the newest`(
    _ wanted: String, _ version: String
  ) async throws {
    let answers = try await talk([Self.initialize(wanted)], answers: 1)

    #expect(answers[0].contains(#""protocolVersion":"\#(version)""#))
  }

  @Test(arguments: [
    ("{", "-32700"), (#"[]"#, "-32600"), (#"{"jsonrpc":"2.0","id":1}"#, "-32600"),
    (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "-32600"),
    (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "-32600"),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, "-32602"),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "-32602"),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}}"#,
      "-32022"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
      "-32602"
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x",\#(meta)}}"#, "-32602"),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm",\#(meta)}}"#, "-32602"),
    (#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{\#(meta)}}"#, "-32601"),
  ]) func `a wrong message has an error`(_ line: String, _ code: String) async throws {
    let answers = try await talk([line], answers: 1)

    #expect(answers.count == 1)
    #expect(answers[0].contains(#""error":{"code":\#(code),"#), "\(answers)")
  }

  @Test func `the version that has batches answers in one line`() async throws {
    let batch = """
      [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},\
      {"jsonrpc":"2.0","id":2,"method":"ping"}]
      """
    let answers = try await talk([Self.initialize("2025-03-26"), batch], answers: 2)

    #expect(
      answers.last
        == #"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]"#)
  }

  @Test func `a cancelled call has no answer, and the next one has`() async throws {
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps: [{uses: p.sleep, with: {span: 10m}}]

      """, to: "long.yaml")
    let messages = [
      Self.call(1, "run", #"{"scenario":"long.yaml"}"#), Self.call(2, "check", "{}"),
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,\#(Self.meta)}}"#,
    ]

    let answers = try await talk(messages, answers: 1)

    #expect(answers.count == 1)
    #expect(answers[0].hasPrefix(#"{"jsonrpc":"2.0","id":2,"result":"#))
  }

  @Test func `a batch with a cancelled call has the answers to the others`() async throws {
    try folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.sleep, with: {span: 10m}}]\n",
      to: "long.yaml")
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"scenario":"long.yaml"}}}"#
    let messages = [
      Self.initialize("2025-03-26"), #"[\#(call),{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    ]

    let answers = try await talk(messages, answers: 2)

    #expect(answers.last == #"[{"jsonrpc":"2.0","id":2,"result":{}}]"#)
  }

  @Test func `half of an emoji in a request does not lose it`() async throws {
    let answers = try await talk(
      [Self.call(1, "check", #"{"paths":["\ud83d.yaml"]}"#)], answers: 1)

    #expect(answers[0].hasPrefix(#"{"jsonrpc":"2.0","id":1,"result":"#), "\(answers)")
  }

  @Test func `the end of the input ends what runs`() async throws {
    try folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.sleep, with: {span: 10m}}]\n",
      to: "long.yaml")

    let answers = try await talk([Self.call(1, "run", #"{"scenario":"long.yaml"}"#)], answers: 0)

    #expect(answers == [])
  }

  // MARK: - The tools

  @Test func `the words about the tools are few`() async throws {
    let answers = try await talk(
      [#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{\#(Self.meta)}}"#], answers: 1)

    #expect(AssistantTools.all.map(\.name) == ["check", "explain", "run", "test", "mutate"])
    // A token is about four bytes of English and fewer of JSON.
    #expect(answers[0].utf8.count + AssistantTools.instructions.utf8.count < 6_000)
  }

  @Test func `a mistake is told as the command tells it`() async throws {
    try folder.write(Self.scenario.replacing(existing: "count", with: "cuont"), to: "s.yaml")
    let answers = try await talk([Self.call(1, "check", #"{"paths":["s.yaml"]}"#)], answers: 1)
    let result = try JSONParser.parse(Array(answers[0].utf8)[...])["result"]
    let verdict = try #require(result?["structuredContent"])

    #expect(verdict["verdict"] == .string("invalid"))
    #expect(verdict["next"] == .array([.string("flow check @/s.yaml --format json")]))
    #expect(result?["isError"] == .bool(false))
    guard case .array(let content)? = result?["content"] else { throw SchemaMissing() }
    #expect(content.first?["text"] == .string(verdict.text))
  }

  @Test(arguments: ["/etc/passwd", "../s.yaml", "a/../../b", "", "-", "out.yaml"])
  func `a path outside of the folder is refused`(_ path: String) async throws {
    let other = try TemporaryFolder()
    try other.write(Self.scenario, to: "s.yaml")
    try folder.link("out.yaml", to: other.path("s.yaml"))
    let answers = try await talk(
      [Self.call(1, "run", #"{"scenario":"\#(path)"}"#)], answers: 1)

    #expect(answers[0].contains("is not a path below the working folder"), "\(answers)")
    #expect(answers[0].contains(#""isError":true"#))
  }

  @Test(arguments: [
    ("check", #"{"path":["s.yaml"]}"#, "unknown argument 'path'; did you mean 'paths'?"),
    ("check", #"{"paths":"s.yaml"}"#, "'paths' has another type"),
    ("run", "{}", "'scenario' is missing"),
    ("explain", #"{"code":"F0000"}"#, "F0000"),
    ("test", #"{"update":"al"}"#, "'update' has another type"),
    ("run", #"{"scenario":"s.yaml","record":true}"#, "needs 'flow mcp --allow-write'"),
    ("test", #"{"update":"all"}"#, "needs 'flow mcp --allow-write'"),
  ]) func `wrong arguments are told in the result`(
    _ tool: String, _ arguments: String, _ message: String
  ) async throws {
    let answers = try await talk([Self.call(1, tool, arguments)], answers: 1)

    #expect(answers[0].contains(message), "\(answers)")
    #expect(answers[0].contains(#""isError":true"#))
  }

  @Test func `nothing is written unless asked and allowed`() async throws {
    try folder.write(Self.scenario.replacing(existing: "by: 2", with: "by: 3"), to: "s.yaml")
    try folder.write(Self.scenario, to: "new.yaml")
    let before = try folder.names
    let text = try folder.text("s.transcript.jsonl")
    _ = try await talk(
      [
        Self.call(1, "test", "{}"), Self.call(2, "run", #"{"scenario":"new.yaml"}"#),
        Self.call(3, "mutate", #"{"scenario":"s.yaml"}"#), Self.call(4, "check", "{}"),
      ], answers: 4, allowsWriting: true)

    #expect(try folder.names == before)
    #expect(try folder.text("s.transcript.jsonl") == text)

    _ = try await talk(
      [Self.call(1, "run", #"{"scenario":"new.yaml","record":true}"#)], answers: 1,
      allowsWriting: true)
    #expect(try folder.names == (before + ["new.transcript.jsonl"]).sorted())
  }

  @Test func `the permissions of the server hold for each call`() async throws {
    let answers = try await talk(
      [Self.call(1, "run", #"{"scenario":"s.yaml"}"#)], answers: 1,
      given: [.init(name: "deny", value: "nothing")])

    #expect(answers[0].contains("'--deny'"), "\(answers)")
    #expect(answers[0].contains(#""isError":true"#))
  }

  @Test func `an answer is bounded`() async throws {
    let wrong = (1...200).map { "  - {uses: p.cuont, name: \"\($0)\"}\n" }.joined()
    try folder.write(Self.scenario + wrong, to: "s.yaml")
    let answers = try await talk([Self.call(1, "check", "{}")], answers: 1)

    #expect(answers[0].utf8.count < 24 << 10)
    #expect(answers[0].contains(/"omitted_problems":19\d/))
  }

  @Test(arguments: [1, 7, 1 << 16]) func `lines are found in pieces of any length`(
    _ length: Int
  ) {
    let long = String(repeating: "x", count: ClientLine.longest + 1)
    let bytes = Array("one\r\n\n two\n\(long)\nthree\nrest".utf8)
    var splitter = LineSplitter()
    var lines: [String] = []
    for start in stride(from: 0, to: bytes.count, by: length) {
      let piece = Array(bytes[start..<min(start + length, bytes.count)])
      for line in splitter.parts(adding: piece) {
        switch line {
        case .text(let text): lines.append(String(decoding: text, as: UTF8.self))
        case .tooLong: lines.append("too long")
        }
      }
    }

    #expect(lines == ["one\r", " two", "too long", "three"])
  }
}
