import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import UpstreamPlugin

/// A server in a role, which tells of the request that it gets.
private struct ToolServer: Component {
  static let plugin = Plugin(
    "tools", version: "1.0", "Repeats requests.", state: .none, reaches: [.network],
    operations: [
      Operation(
        "exchange", "Answers a request.", input: AgentRequest.record, answers: AgentAnswer.record,
        errors: [ErrorCode("malformed", "")]
      ) { _, _, request in
        let name = request.params["name"] ?? .null
        if name == .string("broken") {
          throw ComponentError(ErrorCode("malformed", ""), "it is broken")
        }
        if name == .string("unknown") { return .error(-32602, "there is no such tool") }
        return AgentAnswer(
          result: .map(
            ValueMap([("method", .string(request.method)), ("params", .map(request.params))])),
          failure: nil)
      }
    ]
  ) { _ in ToolServer() }
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
      "a method of another kind", message: #"{"jsonrpc":"2.0","id":7,"method":"logging/setLevel"}"#,
      #"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"flow passes no 'logging/setLevel' on"}} 200"#
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
    Exchange("a stream", ["URL/shop"], "flow: this is a port for POST requests of agents\n 405"),
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
