import FlowSystem
import Testing

@testable import FlowEditor

struct LanguageServerTests {
  @Test func `the server announces its abilities once`() throws {
    var server = try EditorDesk.server()

    let first = server.receive(.message(Self.initialize))
    let second = server.receive(.message(Self.initialize))

    let result = try #require(first.first?["result"])
    #expect(result.at("capabilities", "positionEncoding") == .string("utf-16"))
    #expect(result.at("capabilities", "textDocumentSync", "change") == .int(2))
    #expect(result.at("serverInfo", "name") == .string("flow"))
    #expect(
      second.map(\.text) == [
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"the server is initialized already"}}"#
      ])
  }

  private static let initialize = JSON.fields([
    "jsonrpc": .string("2.0"), "id": .int(1), "method": .string("initialize"),
    "params": .fields(["capabilities": .object([])]),
  ])

  @Test(arguments: [
    (#"{"prepareSupport": true}"#, #"{"prepareProvider":true}"#), ("{}", "true"),
  ])
  func `options of renaming are for clients that prepare it`(
    _ ability: String, _ offered: String
  ) throws {
    var server = try EditorDesk.server()
    let text =
      #"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": "#
      + #"{"textDocument": {"rename": \#(ability)}}}}"#

    let answers = server.receive(.message(try JSONParser.parse(Array(text.utf8)[...])))

    let capabilities = answers.first?.at("result", "capabilities")
    #expect(capabilities?["renameProvider"]?.text == offered)
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "2147483648"])
  func `a number beyond those of the protocol is none`(_ number: String) throws {
    var desk = try EditorDesk()
    try desk.open("a.yaml", "flow: 1\nsteps: []\n")
    let position = JSON.fields(["line": .int(0), "character": .number(number)])

    let answer = desk.request(
      "textDocument/hover",
      .fields(["textDocument": desk.document("a.yaml")["textDocument"], "position": position]))

    #expect(answer["message"] == .string("the position is missing"))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let part: MessageStream.Part
    let answer: String
    var testDescription: String { id }

    init(_ id: String, _ json: String, _ answer: String) throws {
      (self.id, self.answer) = (id, answer)
      part = .message(try JSONParser.parse(Array(json.utf8)[...]))
    }
  }

  @Test func `malformed and unknown messages are answered`() throws {
    let cases = [
      try Case(
        "an unknown method", #"{"jsonrpc":"2.0","id":"a","method":"x/y"}"#,
        #"{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"there is no method 'x/y'"}}"#),
      try Case("an unknown notification", #"{"jsonrpc":"2.0","method":"$/x"}"#, ""),
      try Case("a response", #"{"jsonrpc":"2.0","id":1,"result":null}"#, ""),
      try Case(
        "a list", "[]",
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not an object"}}"#),
      try Case(
        "another version", #"{"id":1,"method":"x"}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"not a message of JSON-RPC 2.0"}}"#
      ),
      try Case(
        "a text that is not open",
        #"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x"}}}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"the text is not open"}}"#),
    ]

    for sample in cases {
      let desk = try EditorDesk()
      var server = desk.server
      let answers = server.receive(sample.part).map(\.text).joined()
      #expect(answers == sample.answer, "\(sample.id)")
    }
  }

  @Test func `a message that is not JSON is answered without an id`() throws {
    var server = try EditorDesk.server()

    let answers = server.receive(.notJSON(JSONError(reason: .unexpectedEnd, offset: 3)))

    #expect(
      answers.map(\.text) == [
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON: byte 4: the text ends too early"}}"#
      ])
  }

  @Test func `nothing is served before initialize and after shutdown`() throws {
    var server = try EditorDesk.server()
    let hover = JSON.fields([
      "jsonrpc": .string("2.0"), "id": .int(7), "method": .string("textDocument/hover"),
      "params": .object([]),
    ])

    let early = server.receive(.message(hover))
    _ = server.receive(.message(Self.initialize))
    let shutdown = server.receive(
      .message(
        .fields(["jsonrpc": .string("2.0"), "id": .int(2), "method": .string("shutdown")])))
    let late = server.receive(.message(hover))
    _ = server.receive(
      .message(.fields(["jsonrpc": .string("2.0"), "method": .string("exit")])))

    #expect(early.first?.at("error", "code") == .int(-32002))
    #expect(shutdown.map(\.text) == [#"{"jsonrpc":"2.0","id":2,"result":null}"#])
    #expect(late.first?.at("error", "code") == .int(-32600))
    #expect(server.hasEnded && server.wasShutDown)
  }

  @Test func `a client that can watch files is asked to`() throws {
    var server = try EditorDesk.server()
    let capabilities = JSON.fields([
      "workspace": .fields([
        "didChangeWatchedFiles": .fields(["dynamicRegistration": .bool(true)])
      ])
    ])

    _ = server.receive(
      .message(
        .fields([
          "jsonrpc": .string("2.0"), "id": .int(1), "method": .string("initialize"),
          "params": .fields(["capabilities": capabilities]),
        ])))
    let messages = server.receive(
      .message(.fields(["jsonrpc": .string("2.0"), "method": .string("initialized")])))

    #expect(messages.map { $0["method"]?.string } == ["client/registerCapability"])
  }
}
