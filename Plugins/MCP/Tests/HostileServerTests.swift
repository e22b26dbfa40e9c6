import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import MCPPlugin

/// A server that behaves badly during a call, and the error of the call.
struct HostileServer: Sendable, CustomTestStringConvertible {
  let name: String
  let call: String
  let error: String
  let timeout: String
  var output = #"{"type": "object", "properties": {"n": {"type": "integer"}}}"#
  var testDescription: String { name }

  init(_ name: String, _ call: String, _ error: String, timeout: String = "700ms") {
    (self.name, self.call, self.error, self.timeout) = (name, call, error, timeout)
  }

  /// Writes a line with the id of the request, whatever its result is.
  private static func answer(_ result: String) -> String {
    #"raw('{"jsonrpc": "2.0", "id": %d, "result": ' % id + \#(result) + '}\n')"#
  }

  static let silence = "timeout: no answer to 'tools/call' within 0.7s"

  static let all: [HostileServer] = [
    .init(
      "ends during a call", "sys.stderr.write('bad\\n'); sys.exit(3)",
      "unavailable: the server ended with status 3; its last lines: 'bad'"),
    .init(
      "is killed", "os.kill(os.getpid(), 9)", "unavailable: the server was ended by signal 9"),
    .init("hangs", "time.sleep(1000)", silence),
    .init(
      "hangs and ignores every signal",
      "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)", silence),
    .init(
      "leaves a grandchild", "note(subprocess.Popen(['sleep', '1000']).pid)\nsys.exit(0)",
      "unavailable: the server ended with status 0"),
    .init(
      "closes its output", "os.close(1)\ntime.sleep(1000)",
      "unavailable: the server has closed its standard output"),
    .init(
      "contradicts its schema", "return text('x', structuredContent={'n': 'one'})",
      "malformed: the answer contradicts the outputSchema: structuredContent/n: expected integer, "
        + "got string \"one\""),
    .init(
      "forgets its structured content", "return text('x')",
      "malformed: the answer has no 'structuredContent', though the tool has an outputSchema"),
    .init(
      "returns content of another form", "return {'content': 'x'}",
      "malformed: 'content' is not a list of blocks with a 'type': \"x\""),
    .init("returns nothing", "return {}", "malformed: the answer has no 'content': {"),
    .init(
      "refuses the call", "return error(-32602, 'no \\x1b[31mred')", "failed: no  [31mred (-32602)"),
    .init(
      "reports an error", "return text('it\\nfailed', isError=True)", "failed: it failed"),
    .init("answers another request", "send({'id': 999, 'result': text('x')})", silence),
    .init("writes no JSON", "raw('{\"id\": \\n')", silence),
    .init("writes a number that is none", "raw('{\"jsonrpc\": \"2.0\", \"id\": NaN}\\n')", silence),
    .init("nests deeply", "raw('[' * 100000 + '\\n')", silence),
    .init(
      "writes bytes that are no text",
      "sys.stdout.buffer.write(b'\\xff\\xfe\\n')\nsys.stdout.flush()", silence),
    .init(
      "writes an endless line", "raw('x' * (66 << 20))",
      "malformed: the server wrote a line of more than 64 MiB", timeout: "60s"),
    .init(
      "ignores SIGTERM, as does a grandchild with its output",
      "note(subprocess.Popen(['sh', '-c', 'trap : TERM; while :; do sleep 1000; done']).pid)\n"
        + "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)", silence),
    .init("stops itself", "os.kill(os.getpid(), signal.SIGSTOP)", silence),
    .init("closes its input", "os.close(0)\ntime.sleep(1000)", silence),
    .init(
      "ends within a line", "raw('{\"jsonrpc\"'); os._exit(0)",
      "unavailable: the server ended with status 0"),
    .init(
      "answers a text number", "send({'id': str(id), 'result': text('x')})",
      "malformed: the answer to 'tools/call' has the id \"5\", a string"),
    .init(
      "answers with deep JSON", answer("'[' * 100000 + ']' * 100000"),
      "malformed: the answer to 'tools/call' is not JSON (byte 166: nested more than 128 levels deep)"
    ),
    .init(
      "cuts a text in an emoji", answer(#"'{"text": "cut \\ud83d"}'"#),
      "malformed: the answer to 'tools/call' is not JSON "
        + #"(byte 59: '\ud83d' is half of a surrogate pair): '{"jsonrpc": "2.0", "id": 5, "#),
    .init(
      "answers with bytes that are no text",
      "line = b'{\"result\": \"\\xff\", \"jsonrpc\": \"2.0\", \"id\": %d}\\n' % id\n"
        + "sys.stdout.buffer.write(line)\nsys.stdout.flush()",
      "malformed: the answer to 'tools/call' is not JSON (byte 14: invalid UTF-8)"),
    .init(
      "answers with a number that is too large", answer("'1e400'"),
      "malformed: the answer to 'tools/call' is not JSON (byte 39: the number is too large for a "
        + "double)"),
    .init(
      "answers with a name that appears twice", answer(#"'{"a": "}", "a": 1}'"#),
      "malformed: the answer to 'tools/call' is not JSON (byte 57: the name 'a' appears twice)"),
    .init(
      "answers without a result", "send({'id': id})",
      "malformed: the answer to 'tools/call' has neither 'result' nor 'error'"),
    .init(
      "answers without a version", "raw(json.dumps({'id': id, 'result': text('x')}) + '\\n')",
      "malformed: the answer to 'tools/call' has no 'jsonrpc' with \"2.0\""),
    .init("writes a log with the id", "raw('{\"id\": %d, \"level\": 1}\\n' % id)", silence),
    .init(
      "notifies with a text cut in an emoji",
      #"raw('{"jsonrpc": "2.0", "id": 5, "method": "x", "params": "\\ud83d"}\n')"#, silence),
    .init(
      "answers with a number", "send({'id': id, 'result': 7})",
      "malformed: the answer has no 'content': 7"),
    .init("writes blank lines without end", "while True: raw('\\n' * 65536)", silence),
    .init(
      "notifies without end", "while True: send({'method': 'notifications/other'})", silence),
    .init(
      "reports progress without end",
      "while True: send({'method': 'notifications/progress', 'params': {'progressToken': id, "
        + "'progress': 1}})", silence),
    .init(
      "asks for a sample without end",
      "while True: send({'id': 77, 'method': 'sampling/createMessage'})", silence),
    .init(
      "asks a person",
      "return {'resultType': 'input_required', 'requestState': 's', 'inputRequests': {'who': "
        + "{'method': 'elicitation/create', 'params': {'message': 'Who?', 'requestedSchema': "
        + "{'type': 'object', 'properties': {'name': {'type': 'string'}}}}}}}",
      "input_required: the tool asks for input: 'who': Who? (name)"),
  ]
}

@Suite(.serialized) struct HostileServerTests {
  @Test(arguments: HostileServer.all)
  func `a hostile server gives its declared error and leaves nothing running`(
    _ server: HostileServer
  ) async throws {
    let tools = """
      [{"name": "act", "inputSchema": {"type": "object"}, "outputSchema": \(server.output)}]
      """
    let project = try ServerProject(
      TestServer(tools: tools, call: server.call),
      steps: "  - {uses: it.act, with: {timeout: \(server.timeout)}}")
    #expect(try await project.lock().code == .passed)

    let run = try await project.flow("run", "@/s.yaml")

    #expect(run.code == .failed)
    let output = run.output + run.errors
    let parts = server.error.split(separator: ": ", maxSplits: 1)
    #expect(output.contains("failed with the error '\(parts[0])'"), "\(output)")
    #expect(output.contains("note: \(parts[1])"), "\(output)")
    #expect(project.living == [])
  }

  @Test(arguments: [
    ("raw('Listening...\\n')\nreturn text('done')", "no message: 'Listening...'"),
    ("sys.stderr.write('x' * 5000000)\nreturn text('done')", ""),
    ("send({'id': 77, 'method': 'sampling/createMessage'})\nreturn text('done')", ""),
    ("send({'id': id, 'result': text('done')})\nreturn text('done')", ""),
    ("send({'id': 'a', 'method': 'ping'})\nreturn text('done')", ""),
    ("send({'id': 5, 'method': 'roots/list'})\nreturn text('done')", ""),
    ("raw('\\n' * 100000)\nreturn text('done')", ""),
    (
      "TOOLS.clear(); send({'method': 'notifications/tools/list_changed'})\nreturn text('done')", ""
    ),
    (
      "send({'method': 'notifications/progress', 'params': {'progressToken': id, 'progress': 1, "
        + "'total': 2}})\nreturn text('done')", "progress 1 of 2"
    ),
    (
      "send({'method': 'notifications/message', 'params': {'level': 'error', 'data': 'oh'}})\n"
        + "return text('done')", "error: oh"
    ),
  ])
  func `a noisy server is understood`(_ call: String, shown: String) async throws {
    let project = try ServerProject(
      TestServer(call: call), steps: "  - {uses: it.act, expect: {text: done}}")
    _ = try await project.lock()

    let run = try await project.flow("run", "@/s.yaml", "-v")

    let output = run.output + run.errors
    #expect(run.code == .passed, "\(output)")
    #expect(shown.isEmpty || output.contains(shown), "\(output)")
  }

  @Test(arguments: [
    (
      "sys.stderr.write('no database\\n'); sys.exit(7)",
      "the server ended with status 7; its last lines: 'no database'"
    ),
    (
      "sys.stderr.write('waiting\\n'); sys.stderr.flush(); time.sleep(1000)",
      "the server did not start within 1.5s; its last lines: 'waiting'"
    ),
  ])
  func `a server that does not start is explained`(_ start: String, expected: String) async throws {
    let project = try ServerProject(
      TestServer(), settings: ", with: {start_timeout: 1500ms}")
    _ = try await project.lock()
    try project.replace(TestServer(start: start))

    let run = try await project.flow("run", "@/s.yaml")

    let output = run.output + run.errors
    #expect(run.code == .failed)
    #expect(output.contains(expected), "\(output)")
    #expect(project.living == [])
  }

  @Test func `requests of a server are refused, except ping`() async throws {
    let call = """
      send({"id": "p", "method": "ping"})
      for method in ["sampling/createMessage", "roots/list", "elicitation/create"]:
          send({"id": method, "method": method})
      for _ in range(4): wire.write("C" + sys.stdin.readline())
      return text("done")
      """
    let project = try ServerProject(
      TestServer(call: call), steps: "  - {uses: it.act, expect: {text: done}}")
    _ = try await project.lock()

    let run = try await project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
    let answers = try project.folder.text("wire.jsonl").split(separator: "\n").filter {
      $0.hasPrefix("C") && !$0.contains("\"method\"")
    }
    let refusal = #""error":{"code":-32601,"message":"Method not found"}}"#
    #expect(
      answers == [
        #"C{"jsonrpc":"2.0","id":"p","result":{}}"#,
        #"C{"jsonrpc":"2.0","id":"sampling/createMessage",\#(refusal)"#,
        #"C{"jsonrpc":"2.0","id":"roots/list",\#(refusal)"#,
        #"C{"jsonrpc":"2.0","id":"elicitation/create",\#(refusal)"#,
      ])
  }

  @Test(arguments: [
    (
      "'tools/list': {'tools': [], 'nextCursor': 'x'}",
      "the list of 'tools' does not end after 1000 pages"
    ),
    (
      "'tools/list': {'tools': [{'name': str(n), 'inputSchema': {}} for n in range(10001)]}",
      "the server has more than 10000 tools"
    ),
    ("'tools/list': {'tools': TOOLS + TOOLS}", "'act' is twice among 'tools'"),
    (
      "'tools/list': {'tools': TOOLS, 'nextCursor': ''}",
      "'act' is twice among 'tools', again on the page of the cursor \"\""
    ),
    (
      "'tools/list': error(-32601, 'Method not found')",
      "the server refused 'tools/list': Method not found (-32601)"
    ),
    ("'tools/list': {'tools': {}}", "the answer of 'tools/list' has no list 'tools'"),
    ("'tools/list': {'tools': [7]}", "an element of 'tools' has no name"),
    (
      "'tools/list': {'tools': [{'name': 'a', 'inputSchema': {'allOf': [{'$ref': '#'}] * 9}}]}",
      "the server differs from flow.lock"
    ),
    (
      "'server/discover': {'supportedVersions': ['2099-01-01'], 'capabilities': {}}",
      "the server speaks 2099-01-01, and flow speaks"
    ),
    (
      "'server/discover': error(-32603, 'x\\ny')",
      "the server refused 'initialize': Method not found"
    ),
  ])
  func `a server that describes itself badly is refused`(
    _ replies: String, expected: String
  ) async throws {
    let project = try ServerProject(TestServer())
    _ = try await project.lock()
    try project.replace(
      TestServer(
        start: """
          replies, reply = {\(replies)}, answer
          def answer(method, params, id): return replies.get(method) or reply(method, params, id)
          """))

    let run = try await project.flow("run", "@/s.yaml")

    let output = run.output + run.errors
    #expect(run.code == .failed)
    #expect(output.contains(expected), "\(output)")
    #expect(project.living == [])
  }

  @Test func `answers in a step let a tool go on`() async throws {
    let call = """
      if 'inputResponses' in params:
          return text(params['inputResponses']['who']['content']['name'] + params['requestState'])
      return {'resultType': 'input_required', 'requestState': '!', 'inputRequests': {'who': {
          'method': 'elicitation/create', 'params': {'message': 'Who?', 'requestedSchema': {
          'type': 'object', 'properties': {'name': {'type': 'string'}}}}}}}
      """
    let project = try ServerProject(
      TestServer(call: call),
      steps: "  - {uses: it.act, with: {answers: {who: {name: Ann}}}, expect: {text: Ann!}}")
    _ = try await project.lock()

    let run = try await project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }
}
