import FlowSystem
import TestKit
import Testing

@testable import FlowEditor

/// Texts after changes that cannot be read: unknown, and never changed at wrong places.
struct LostTextTests {
  private static let text = "flow: 1\n# \u{1F389}\nsteps: [{uses: nope}]\n"
  private static let reason =
    "a change could not be read, so the text is not known; close the file and open it again"

  private func desk(_ encoding: String = "utf-16") throws -> EditorDesk {
    let encodings = JSON.fields(["positionEncodings": .array([.string(encoding)])])
    var desk = try EditorDesk(
      ["a.yaml": Self.text, "b.yaml": Self.text], capabilities: .fields(["general": encodings]))
    for name in ["a.yaml", "b.yaml"] { try desk.open(name) }
    desk.work()
    return desk
  }

  private static func json(_ text: String) throws -> JSON {
    try JSONParser.parse(Array(text.utf8)[...])
  }

  private func change(_ desk: inout EditorDesk, _ changes: String, version: Int) throws {
    desk.notify(
      "textDocument/didChange",
      .fields([
        "textDocument": .fields([
          "uri": .string(desk.uri("a.yaml")), "version": .int(version),
        ]), "contentChanges": try Self.json(changes),
      ]))
    desk.work()
  }

  private func hover(_ desk: inout EditorDesk, _ name: String) -> String? {
    desk.request("textDocument/hover", desk.place(name, 0, 0))["message"]?.string
  }

  private static func range(_ start: String, _ end: String) -> String {
    #"{"range": {"start": \#(start), "end": \#(end)}, "text": "x"}"#
  }

  private static func at(_ line: String, _ character: String) -> String {
    #"{"line": \#(line), "character": \#(character)}"#
  }

  @Test(arguments: [
    range(at("0", "5.0"), at("0", "6")), range(at("0", "0"), at(#""0""#, "1")),
    range(at("0", "0"), at("0", "4294967295")), range(at("0", "-1"), at("0", "1")),
    range(at("2", "0"), at("0", "0")), range(at("0", "0"), "{}"), range("null", at("0", "1")),
    #"{"range": null, "text": "x"}"#, #"{"range": {}, "text": "x"}"#, #"{"text": 1}"#, "{}",
  ])
  func `a change that cannot be read makes its text unknown until it is sent whole`(
    _ change: String
  ) throws {
    var desk = try desk()

    try self.change(&desk, "[\(change)]", version: 2)
    let refusal = hover(&desk, "a.yaml")
    let problems = desk.listed("a.yaml")
    try self.change(&desk, "[\(Self.range(Self.at("0", "0"), Self.at("0", "1")))]", version: 3)
    let later = hover(&desk, "a.yaml")
    try self.change(&desk, #"[{"text": "flow: 2\nsteps: []\n"}]"#, version: 4)

    #expect(refusal == Self.reason && later == Self.reason)
    #expect(problems == [])
    #expect(desk.shown == ["'\(desk.path("a.yaml"))': \(Self.reason)"])
    #expect(hover(&desk, "a.yaml") == nil)
    #expect(desk.listed("a.yaml").map { $0.prefix(9) } == ["0:6 F1101"])
    #expect(hover(&desk, "b.yaml") == nil)
  }

  @Test(arguments: [
    ("utf-16", 3, true), ("utf-16", 2, false), ("utf-16", 4, false),
    ("utf-16", 2_147_483_647, false),
    ("utf-8", 3, true), ("utf-8", 5, true), ("utf-8", 6, false), ("utf-8", 9, false),
  ])
  func `a place inside of a character is none, and one beyond the line is its end`(
    _ encoding: String, _ column: Int, _ isLost: Bool
  ) throws {
    var desk = try desk(encoding)
    let place = Self.at("1", "\(column)")

    try change(&desk, "[\(Self.range(place, place))]", version: 2)

    #expect(desk.shown.isEmpty != isLost)
    #expect((hover(&desk, "a.yaml") == Self.reason) == isLost)
  }

  @Test(arguments: [
    MessageStream.Part.notJSON(JSONError(reason: .unexpectedEnd, offset: 3)), .tooLong(1 << 40),
    .brokenHeader("there is no Content-Length"), .message(.array([])),
    .message(.object([.init("method", .string("textDocument/didChange"))])),
    .message(
      .object([
        .init("jsonrpc", .string("2.0")), .init("method", .string("textDocument/didChange")),
        .init("params", .object([])),
      ])),
  ])
  func `a message that may be a change of any text makes all unknown until they are opened again`(
    _ part: MessageStream.Part
  ) throws {
    var desk = try desk()

    desk.send(part)
    desk.work()
    let refusals = [hover(&desk, "a.yaml"), hover(&desk, "b.yaml")]
    try desk.open("b.yaml")
    desk.work()

    #expect(refusals == [Self.reason, Self.reason])
    #expect(desk.shown.count == 2)
    #expect(desk.listed("a.yaml") == [])
    #expect(hover(&desk, "b.yaml") == nil)
    #expect(desk.listed("b.yaml") != [])
  }

  @Test func `half a pair of UTF-16 never moves later changes`() throws {
    var desk = try desk()
    let uri = desk.uri("a.yaml")
    let half =
      #"{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": "#
      + #"{"uri": "\#(uri)", "version": 2}, "contentChanges": [{"range": {"start": "#
      + #"{"line": 0, "character": 7}, "end": {"line": 0, "character": 7}}, "#
      + ##""text": "\n# \ud83d"}]}}"##
    var stream = MessageStream()

    let frame = "Content-Length: \(half.utf8.count)\r\n\r\n\(half)"
    for part in stream.parts(adding: Array(frame.utf8)) { desk.send(part) }
    let line = Self.range(Self.at("3", "15"), Self.at("3", "19"))
    try change(&desk, "[\(line)]", version: 3)

    // The half is a replacement character, or the text is unknown.
    let isKnown = hover(&desk, "a.yaml") == nil
    #expect(desk.listed("a.yaml").map { $0.prefix(5) } == (isKnown ? ["3:15 "] : []))
  }

  @Test func `an unknown text is that on the disk for other files`() throws {
    var desk = try EditorDesk([
      "main.yaml": "flow: 1\nsteps: [{scenario: part.yaml, with: {a: 1}}]\n",
      "part.yaml": "flow: 1\ninputs: {a: {type: int}}\nsteps: [{wait: 1ms}]\n",
    ])
    try desk.open("part.yaml", "flow: 1\nsteps: [{wait: 1ms}]\n")
    try desk.open("main.yaml")
    desk.work()
    let before = desk.listed("main.yaml")

    desk.send(.brokenHeader("there is no Content-Length"))
    try desk.open("main.yaml")
    desk.work()

    #expect(before != [])
    #expect(desk.listed("main.yaml") == [])
  }
}
