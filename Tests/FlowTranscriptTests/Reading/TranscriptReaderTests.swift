import FlowCore
import FlowSystem
import Testing

@testable import FlowTranscript

@Suite struct TranscriptReaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let text: String
    let expected: String
    var testDescription: String { id }
  }

  private static let digest = "sha256:" + String(repeating: "d", count: 64)
  private static let header =
    #"{"transcript":1,"scenario":"s.yaml","digest":"\#(digest)","plugins":{},"inputs":{},"seed":"0"}"#
  private static let end = #"{"at":"steps","end":"passed","outputs":{}}"#
  private static let conflict =
    "the line is a merge conflict marker; keep one of the versions, or record the run again"
  private static let body = #"{"$blob":"\#(digest)","size":3}"#
  private static let invoke = #"{"at":"a#1","invoke":"p.x","input":{}}"#

  @Test(arguments: cases) func `a broken transcript is one clear error`(_ sample: Case) {
    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(Array(sample.text.utf8), file: "t.jsonl")
    }
    let place = error?.diagnostic.span.map { "\($0.start.line):\($0.start.column): " } ?? ""

    #expect(place + (error?.diagnostic.message ?? "") == sample.expected)
  }

  /// A request from outside with other properties than a line has.
  private static func request(_ properties: String) -> String {
    let request = #"{"at":"a#1/q.y#1","invoke":"p.x","input":{}"# + properties + "}"
    return [header, invoke, request, ""].joined(separator: "\n")
  }

  @Test(arguments: [
    #","during":"a#1""#, #","during":"a/b#2.1","turn":2"#,
    #","lane":3,"tied":true,"during":"a#1""#, #","during":"a#1","turn":10000000"#,
    #","during":"a#1","turn":0"#,
  ]) func `a request from outside has a step and perhaps a turn`(_ properties: String) {
    #expect(throws: Never.self) {
      let answers = [#"{"at":"a#1/q.y#1","ok":{}}"#, #"{"at":"a#1","ok":{}}"#, Self.end, ""]
      let text = Self.request(properties) + answers.joined(separator: "\n")
      _ = try TranscriptReader.read(
        Array(text.utf8), file: "t.jsonl")
    }
  }

  @Test(arguments: [
    #","during":1"#, #","during":"""#, #","during":"a""#, #","during":"a#01""#,
    #","during":"a#1/q.y#1""#, #","during":["a#1"]"#, #","turn":2"#, #","during":"a#1","turn":1"#,
    #","during":"a#1","turn":-2"#, #","during":"a#1","turn":2.5"#,
    #","during":"a#1","turn":"2""#, #","during":"a#1","turn":10000001"#,
    #","turn":2,"during":"a#1""#, #","during":"a#1","lane":1"#, #","during":"a#1","tied":true"#,
  ]) func `a malformed step or turn is refused`(_ properties: String) {
    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(Array(Self.request(properties).utf8), file: "t.jsonl")
    }
    #expect(error?.diagnostic.message == "the line is not valid in a transcript")
    #expect(error?.diagnostic.span?.start == Position(line: 3, column: 1))
  }

  static let cases: [Case] = [
    Case(id: "empty", text: "", expected: "1:1: the transcript is empty"),
    Case(
      id: "another file", text: "flow: 1\n",
      expected: "1:1: this is not a transcript: its first line is not JSON"),
    Case(
      id: "a broken line", text: header + "\nflow: 1\n",
      expected: "2:1: the line is not JSON: byte 1: expected a value"),
    Case(
      id: "another JSON", text: "{}\n",
      expected: "1:1: this is not a transcript: its first line has no 'transcript'"),
    Case(
      id: "another version", text: #"{"transcript":2}"# + "\n",
      expected: "1:1: unknown transcript version 2, expected 1"),
    Case(
      id: "incomplete header", text: #"{"transcript":1}"# + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a header with more", text: header.dropLast() + #","more":1}"# + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a version that is no text",
      text: header.replacing(#""plugins":{}"#, with: #""plugins":{"p":1}"#) + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "an empty digest", text: header.replacing(digest, with: "") + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a short digest", text: header.replacing(digest, with: "sha256:d") + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "no scenario", text: header.replacing("s.yaml", with: "") + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a seed with a sign",
      text: header.replacing(#""seed":"0""#, with: #""seed":"+0""#) + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a run without a name", text: header.dropLast() + #","run":""}"# + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a checksum without a run", text: header.dropLast() + #","crc":"00000000"}"# + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a column in scalars", text: header + "\n" + #"{"at":"ää",,}"# + "\n",
      expected: "2:12: the line is not JSON: byte 14: expected a name in double quotes"),
    Case(
      id: "no end", text: header + "\n",
      expected: "1:1: the transcript has no end; it was cut off after this line"),
    Case(
      id: "torn line", text: header + "\n" + end.dropLast(3),
      expected: "2:1: the transcript has no end; it was cut off after this line"),
    Case(
      id: "unanswered", text: [header, invoke, end, ""].joined(separator: "\n"),
      expected: "2:1: 'a#1' has a call but no answer"),
    Case(
      id: "called twice", text: [header, invoke, invoke, ""].joined(separator: "\n"),
      expected: "3:1: 'a#1' has a call but no answer"),
    Case(
      id: "uncalled", text: [header, #"{"at":"a#1","ok":{}}"#, end, ""].joined(separator: "\n"),
      expected: "2:1: 'a#1' has an answer but no call"),
    Case(
      id: "unknown line", text: [header, #"{"at":"a#1","what":1}"#, ""].joined(separator: "\n"),
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "a body in place of an address",
      text: header + "\n" + #"{"at":\#(body),"invoke":"p.x","input":{}}"# + "\n",
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "a body in place of what is called",
      text: header + "\n" + #"{"at":"a#1","invoke":\#(body),"input":{}}"# + "\n",
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "a body in place of a message",
      text: [header, invoke, #"{"at":"a#1","error":"late","message":\#(body)}"#, ""]
        .joined(separator: "\n"),
      expected: "3:1: the line is not valid in a transcript"),
    Case(
      id: "a body in place of a line", text: header + "\n" + body + "\n",
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "a body in place of the scenario",
      text: header.replacing(#""s.yaml""#, with: body) + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a scenario's path with a zero byte",
      text: header.replacing("s.yaml", with: #"s.yaml\u0000"#) + "\n",
      expected: "1:1: the first line is not a complete header"),
    Case(
      id: "a letter that looks like another one",
      text: header + "\n" + invoke.replacing("a#1", with: "\u{212A}#1") + "\n",
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "an address without an iteration",
      text: header + "\n" + invoke.replacing("a#1", with: "a") + "\n",
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "an address in other digits",
      text: header + "\n" + invoke.replacing("a#1", with: "a#01") + "\n",
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "a task of a step",
      text: [header, invoke.dropLast() + #","lane":1}"#, ""].joined(separator: "\n"),
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "a step during a step",
      text: [header, invoke.dropLast() + #","during":"a#1"}"#, ""].joined(separator: "\n"),
      expected: "2:1: the line is not valid in a transcript"),
    Case(
      id: "a call of nobody",
      text: [header, #"{"at":"a#1/q.y#1","invoke":"p.x","input":{}}"#, ""].joined(separator: "\n"),
      expected: "2:1: the caller of 'a#1/q.y#1' has no earlier call"),
    Case(
      id: "a call of nobody's task",
      text: [header, invoke, #"{"at":"b#1/poll#1/q.y#1","invoke":"p.x","input":{}}"#, ""]
        .joined(separator: "\n"),
      expected: "3:1: the caller of 'b#1/poll#1/q.y#1' has no earlier call"),
    Case(
      id: "a conflict of a merge", text: header + "\n<<<<<<< HEAD\n" + invoke + "\n",
      expected: "2:1: \(conflict)"),
    Case(
      id: "a conflict of a merge at the beginning", text: "<<<<<<< HEAD\n" + header + "\n",
      expected: "1:1: \(conflict)"),
    Case(
      id: "after the end", text: [header, end, end, ""].joined(separator: "\n"),
      expected: "3:1: there are lines after the end of the transcript"),
  ]

  @Test func `a scenario in place of a transcript is pointed to the command that takes it`() {
    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(Array("flow: 1\n".utf8), file: "shop.yaml")
    }

    #expect(
      error?.diagnostic.message
        == "this is a scenario, not a transcript; 'flow run' runs it, and 'flow test' replays its "
        + "transcript")
  }

  @Test(arguments: [
    #""call":1"#, #""call":null"#, #""call":"+1""#, #""call":"1~2""#, #""call":"""#, #""more":"1""#,
  ])
  func `a journal's line of a component's call says which one it is`(_ member: String) throws {
    let lines = [
      Self.header.dropLast() + #","run":"r"}"#, Self.invoke,
      #"{"at":"a#1/q.y#1","invoke":"q.y","input":{},\#(member)}"#,
    ]
    let right = lines.dropLast() + [lines[2].replacing(member, with: #""call":"1""#)]

    #expect(throws: Never.self) { try Self.readJournal(Array(right)) }
    #expect(throws: TranscriptError.self) { try Self.readJournal(lines) }
  }

  private static func readJournal(_ lines: [String]) throws -> Journal {
    var checksum = Checksum()
    let signed = lines.map { line in
      var bytes = Array((line + "\n").utf8)
      checksum.sign(&bytes)
      return bytes
    }
    return try TranscriptReader.readJournal(Array(signed.joined()), file: "j.jsonl")
  }

  @Test func `a task may have been started by another one, any number of times`() throws {
    let tasks = String(repeating: "/poll#1", count: 100_000)
    let text = [
      Self.header, Self.invoke, #"{"at":"a#1","ok":{}}"#,
      #"{"at":"a#1\#(tasks)/q.y#1","invoke":"p.x","input":{}}"#,
      #"{"at":"a#1\#(tasks)/q.y#1","ok":{}}"#, Self.end, "",
    ].joined(separator: "\n")

    let transcript = try TranscriptReader.read(Array(text.utf8), file: "t.jsonl")

    let address = transcript.calls[1].address
    #expect(address.calls.count == 100_001)
    #expect(address.caller?.outsideLane == Address("a#1"))
  }

  @Test func `a transcript cut anywhere is refused`() {
    let text = Array(
      [Self.header, Self.invoke, #"{"at":"a#1","ok":{}}"#, Self.end, ""]
        .joined(separator: "\n").utf8)

    for length in 0..<text.count {
      #expect(throws: TranscriptError.self, "cut after \(length) bytes") {
        try TranscriptReader.read(Array(text[..<length]), file: "t.jsonl")
      }
    }
    #expect(throws: Never.self) { try TranscriptReader.read(text, file: "t.jsonl") }
  }
}
