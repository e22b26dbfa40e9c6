import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import UpstreamPlugin

/// A server in a role, which tells of the request that it gets.
private struct ToolServer: Component {
  static let plugin = Plugin(
    "tools", version: "1.0", "Repeats requests.", state: .none, reaches: [.network],
    events: [said, asked],
    operations: [
      Operation(
        "exchange", "Answers a request.", input: AgentRequest.record, answers: AgentAnswer.record,
        errors: [ErrorCode("malformed", ""), ErrorCode("timeout", "")]
      ) { _, context, request in
        let name = request.params["name"] ?? .null
        if name == .string("silent") { throw ComponentError(ErrorCode("timeout", ""), "") }
        if name == .string("news") {
          for message in news(request) { context.emit(said, message) }
        }
        if name == .string("question") {
          let question = ServerQuestion(number: 1, method: "roots/list", params: .null)
          context.emit(asked, question)
        }
        if name == .string("broken") {
          throw ComponentError(ErrorCode("malformed", ""), "it is broken")
        }
        if name == .string("unknown") { return .error(-32602, "there is no such tool") }
        return AgentAnswer(
          result: .map(
            ValueMap([("method", .string(request.method)), ("params", .map(request.params))])),
          failure: nil)
      },
      Operation(
        "exchange-answer", "Notes an answer.", input: AgentReply.record, answers: .none
      ) { _, context, reply in
        let text = reply.failure ?? reply.result ?? .null
        context.log("question \(reply.number) is answered with \(text)")
      },
    ]
  ) { _ in ToolServer() }

  static let said = EventKind("said", "A notification.", ServerMessage.record)
  static let asked = EventKind("asked", "A question.", ServerQuestion.record)

  /// A line of a log, the progress of a request, that of another one, and a changed list.
  private static func news(_ request: AgentRequest) -> [ServerMessage] {
    let own = ValueMap([
      ("method", .string(request.method)), ("params", .map(request.params)),
    ])
    let other = ValueMap([("method", .string("tools/call")), ("params", .map(ValueMap()))])
    let progress = Value.map(ValueMap([("progress", .int(1))]))
    return [
      ServerMessage(
        method: "notifications/message", params: .map(ValueMap([("data", .string("hm"))])),
        request: nil),
      ServerMessage(method: "notifications/progress", params: progress, request: .map(own)),
      ServerMessage(method: "notifications/progress", params: progress, request: .map(other)),
      ServerMessage(
        method: "notifications/tools/list_changed", params: .null, request: nil),
    ]
  }
}

/// The port for agents, asked by raw messages.
@Suite struct MCPStandInTests {
  struct Exchange: Sendable, CustomTestStringConvertible {
    let name: String
    /// The options of curl, with `URL` for that of the component.
    let options: [String]
    /// The answer with its status.
    let expected: String
    var testDescription: String { name }

    init(_ name: String, _ options: [String], _ expected: String) {
      (self.name, self.options, self.expected) = (name, options, expected)
    }

    /// A message to the server `shop`.
    init(_ name: String, message: String, _ expected: String) {
      self.init(name, ["-d", message, "URL/shop"], expected)
    }
  }

  private static func open() async throws -> (OpenComponent, StandInEnvironment) {
    let server = try await OpenComponent(ToolServer.self)
    let component = try await OpenComponent(MCPStandIn.self, using: ["shop": server])
    let answer = try await component.call("environment", ["add": ["LANG": "C"]])
    return (component, try StandInEnvironment.record.decode(answer))
  }

  private static func answer(_ options: [String], _ url: String) async throws -> String {
    let arguments = options.map { $0.replacing("URL", with: url) }
    let ending = try await run(
      "curl", ["-sS", "--noproxy", "*", "-w", " %{http_code}"] + arguments)
    return ending.output + ending.errors
  }

  private static let stateless =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#

  @Test(arguments: [
    Exchange(
      "a call of a tool",
      message:
        #"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"buy","arguments":{"count":3},"_meta":{"progressToken":1}}}"#,
      #"{"jsonrpc":"2.0","id":"a","result":{"method":"tools/call","params":{"name":"buy","arguments":{"count":3}}}} 200"#
    ),
    Exchange(
      "an error of the server",
      message: #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"unknown"}}"#,
      #"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"there is no such tool"}} 200"#),
    Exchange(
      "a revision without a handshake",
      message:
        #"{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"a",\#(stateless)}}"#,
      #"{"jsonrpc":"2.0","id":7,"result":{"method":"resources/read","params":{"uri":"a"},"resultType":"complete","ttlMs":0,"cacheScope":"private"}} 200"#
    ),
    Exchange(
      "the name and the abilities of an agent are not passed on",
      message:
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"x"},"capabilities":{}}}"#,
      #"{"jsonrpc":"2.0","id":0,"result":{"method":"initialize","params":{"protocolVersion":"2025-06-18"}}} 200"#
    ),
    Exchange(
      "a ping", message: #"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":7,"result":{}} 200"#),
    Exchange(
      "a method of another kind", message: #"{"jsonrpc":"2.0","id":7,"method":"tasks/list"}"#,
      #"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"flow passes no 'tasks/list' on"}} 200"#
    ),
    Exchange(
      "a notification", message: #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, " 202"),
    Exchange("a response", message: #"{"jsonrpc":"2.0","id":1,"result":{}}"#, " 202"),
    Exchange(
      "an id that is a list", message: #"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, noMessage),
    Exchange(
      "several messages", message: #"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, noMessage),
    Exchange("half of a message", message: #"{"jsonrpc":"2.0","id":1"#, noMessage),
    Exchange("another version", message: #"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, noMessage),
    Exchange(
      "news, for an agent that takes no stream",
      message: #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"news"}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{"method":"tools/call","params":{"name":"news"}}} 200"#),
    Exchange(
      "news, for an agent that takes a stream and asks for progress",
      [
        "-H", "Accept: application/json, text/event-stream", "-d",
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"news","_meta":{"progressToken":"p"}}}"#,
        "URL/shop",
      ],
      """
      data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"hm"}}

      data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":"p"}}

      data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}

      data: {"jsonrpc":"2.0","id":1,"result":{"method":"tools/call","params":{"name":"news"}}}

       200
      """),
    Exchange(
      "a log, for a request that says it wants none of it",
      [
        "-H", "Accept: text/event-stream", "-d",
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"news",\#(stateless)}}"#,
        "URL/shop",
      ],
      #"{"jsonrpc":"2.0","id":1,"result":{"method":"tools/call","params":{"name":"news"},"resultType":"complete"}} 200"#
    ),
    Exchange(
      "a question to an agent that cannot be asked",
      [
        "-H", "Accept: text/event-stream", "-d",
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"question"}}"#, "URL/shop",
      ],
      #"{"jsonrpc":"2.0","id":1,"result":{"method":"tools/call","params":{"name":"question"}}} 200"#
    ),
    Exchange(
      "an id that is null", message: #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, noMessage),
    Exchange(
      "an id that is a fraction", message: #"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
      noMessage),
    Exchange(
      "an id that is true", message: #"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, noMessage),
    Exchange(
      "an id of a quote", message: #"{"jsonrpc":"2.0","id":"\"\n","method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":"\"\n","result":{}} 200"#),
    Exchange(
      "a method that is no text", message: #"{"jsonrpc":"2.0","id":1,"method":7}"#, noMessage),
    Exchange(
      "JSON of a great depth",
      message: #"{"jsonrpc":"2.0","id":1,"method":"ping","params":"#
        + String(repeating: "[", count: 20_000), noMessage),
    Exchange("bytes that are no text", message: "\u{1}\u{7F}{{{", noMessage),
    Exchange(
      "the answer to a question that nobody has asked",
      message: #"{"jsonrpc":"2.0","id":"flow-9","result":{}}"#, " 202"),
    Exchange(
      "a request that is cancelled before it comes",
      message:
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#, " 202"),
    Exchange(
      "a stream of another name", ["-H", "Accept: text/event-stream", "URL/"],
      "flow: \(noName)\n 404"),
    Exchange("no stream", ["URL/shop"], "flow: this is a port for POST requests of agents\n 405"),
    Exchange("another token", ["-d", "{}", "URLx/shop"], noToken),
    Exchange("no token", ["-d", "{}", "URL/../shop"], noToken),
  ]) func `a request of an agent has an answer`(_ row: Exchange) async throws {
    let (component, place) = try await Self.open()

    let answer = try await Self.answer(row.options, place.url)
    await component.close()

    #expect(answer == row.expected)
  }

  private static let noMessage = "flow: the body is not a message of JSON-RPC 2.0\n 400"
  private static let noToken =
    "flow: refused a request of an agent: it does not have the token\n 403"

  @Test(arguments: [
    (
      "shop", #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"broken"}}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"flow: it is broken"}} 200"#,
      "stand-in#1/serve#1 failed: malformed: it is broken"
    ),
    (
      "bank", #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
      "flow: \(noBank)\n 404", "stand-in#1/serve#1 failed: unanswered: \(noBank)"
    ),
  ]) func `the run fails, whatever the agent makes of it`(
    _ name: String, _ message: String, _ expected: String, _ event: String
  ) async throws {
    let (component, place) = try await Self.open()

    let answer = try await Self.answer(["-d", message, "URL/\(name)"], place.url)
    await component.close()

    #expect(answer == expected)
    #expect(component.events == [event])
  }

  private static let noName =
    "an agent asked for '', and no component is in this role; write 'using: {NAME: …}' with a "
    + "component of 'mcp'"
  private static let noBank =
    "an agent asked for 'bank', and no component is in this role; write 'using: {NAME: …}' with a "
    + "component of 'mcp'"

  @Test func `the variable has the address with the token`() async throws {
    let (component, place) = try await Self.open()
    await component.close()

    #expect(place.token.count == 32)
    #expect(place.url.hasSuffix("/" + place.token))
    #expect(place.variables == ["FLOW_STAND_IN": place.url, "LANG": "C"])
  }
}
