import FlowCore
import FlowSystem
import TestKit
import Testing

@testable import FlowTranscript

/// Inputs that repeat those of an earlier call, as each request of a conversation does.
@Suite struct RepeatedListsTests {
  private static let digest = "sha256:" + String(repeating: "d", count: 64)
  private static let header =
    #"{"transcript":1,"scenario":"s.yaml","digest":"\#(digest)","plugins":{},"inputs":{},"seed":"0"}"#
  private static let end = #"{"at":"steps","end":"passed","outputs":{}}"#

  /// A message that is long enough for its place to be shorter.
  private static func message(_ number: Int) -> String {
    #"{"role":"user","content":"\#(number) \#(String(repeating: "word ", count: 60))."}"#
  }

  /// The file with calls, each with its input and without anything of interest in its answer.
  private static func file(_ calls: [(at: String, line: String)]) -> String {
    let lines = calls.flatMap { [$0.line, #"{"at":"\#($0.at)","ok":{}}"#] }
    return ([header] + lines + [end]).map { $0 + "\n" }.joined()
  }

  private static func call(_ at: String, _ input: String) -> (at: String, line: String) {
    (at, #"{"at":"\#(at)","invoke":"m.post","input":\#(input)}"#)
  }

  private static func call(
    _ at: String, like other: String, _ input: String
  ) -> (at: String, line: String) {
    (at, #"{"at":"\#(at)","invoke":"m.post","like":"\#(other)","input":\#(input)}"#)
  }

  private static func conversation(_ messages: [String]) -> String {
    #"{"json":{"messages":[\#(messages.joined(separator: ","))],"model":"m"}}"#
  }

  private static func read(_ text: String) throws -> Transcript {
    try TranscriptReader.read(Array(text.utf8), file: "t.jsonl")
  }

  /// The file as it is written after it was read.
  private static func written(_ text: String) throws -> String {
    String(decoding: try read(text).bytes, as: UTF8.self)
  }

  private static func place(_ places: String) -> String { #"{"$like":"\#(places)"}"# }

  @Test func `a request has the places of the messages that an earlier one has`() throws {
    let messages = (0..<7).map(Self.message)
    let whole = Self.file([
      Self.call("a#1", Self.conversation(Array(messages[..<3]))),
      Self.call("b#1", Self.conversation(Array(messages[..<5]))),
      Self.call("c#1", Self.conversation(messages)),
    ])
    let short = Self.file([
      Self.call("a#1", Self.conversation(Array(messages[..<3]))),
      Self.call("b#1", like: "a#1", Self.conversation([Self.place("0-2")] + messages[3..<5])),
      Self.call("c#1", like: "b#1", Self.conversation([Self.place("0-4")] + messages[5...])),
    ])

    #expect(try Self.written(whole) == short)
    #expect(try Self.read(short).lines == Self.read(whole).lines)
    #expect(try Self.written(short) == short)
  }

  @Test func `a window that moves keeps its beginning and its end`() throws {
    let messages = (0..<9).map(Self.message)
    let window = [messages[0]] + messages[4...]
    let whole = Self.file([
      Self.call("a#1", Self.conversation(Array(messages[..<8]))),
      Self.call("b#1", Self.conversation(window)),
    ])

    #expect(
      try Self.written(whole)
        == Self.file([
          Self.call("a#1", Self.conversation(Array(messages[..<8]))),
          Self.call(
            "b#1", like: "a#1",
            Self.conversation([Self.place("0-0"), Self.place("4-7"), messages[8]])),
        ]))
  }

  @Test func `each of two conversations repeats its own`() throws {
    let (first, second) = ((0..<4).map(Self.message), (100..<104).map(Self.message))
    let whole = Self.file([
      Self.call("a#1", Self.conversation(Array(first[..<3]))),
      Self.call("b#1", Self.conversation(Array(second[..<3]))),
      Self.call("a#2", Self.conversation(first)), Self.call("b#2", Self.conversation(second)),
    ])

    let text = try Self.written(whole)

    #expect(text.contains(#""at":"a#2","invoke":"m.post","like":"a#1""#))
    #expect(text.contains(#""at":"b#2","invoke":"m.post","like":"b#1""#))
    #expect(try Self.read(text).lines == Self.read(whole).lines)
  }

  @Test func `a second attempt repeats the first one at its own address`() throws {
    let messages = (0..<4).map(Self.message)
    let whole = Self.file([
      Self.call("a#1", Self.conversation(Array(messages[..<3]))),
      Self.call("a#1", Self.conversation(messages)),
      Self.call("a#1", Self.conversation(Array(messages[1...]))),
    ])

    let text = try Self.written(whole)

    #expect(text.count { $0 == "\n" } == 8)
    #expect(text.contains(#""like":"a#1","input":{"json":{"messages":[{"$like":"1-3"}]"#))
    #expect(try Self.read(text).lines == Self.read(whole).lines)
  }

  @Test(arguments: [
    (
      "short inputs", #"{"json":{"messages":["one","two"]}}"#,
      #"{"json":{"messages":["one","two","three"]}}"#
    ),
    (
      "an input with such a name",
      conversation((0..<3).map(message)), conversation((0..<3).map(message) + [place("0-1")])
    ),
  ])
  func `some inputs stay as they are`(_ row: (id: String, first: String, second: String)) throws {
    let whole = Self.file([Self.call("a#1", row.first), Self.call("b#1", row.second)])

    #expect(try Self.written(whole) == whole)
  }

  @Test func `random conversations read back equal`() throws {
    var random = SeededGenerator(seed: 7, label: "conversations")
    for _ in 0..<150 {
      var messages: [String] = []
      var calls: [(at: String, line: String)] = []
      for turn in 1...12 {
        for _ in 0..<Self.number(4, &random) { messages.append(Self.random(&random)) }
        if !messages.isEmpty, Self.number(3, &random) == 0 {
          messages.remove(at: Self.number(messages.count, &random))
        }
        let name = Self.number(2, &random) == 0 ? "a" : "b"
        calls.append(Self.call("\(name)#\(turn)", Self.conversation(messages)))
      }
      let whole = Self.file(calls)
      let short = try Self.written(whole)

      #expect(try Self.read(short).lines == Self.read(whole).lines)
      #expect(try Self.written(short) == short)
      #expect(short.utf8.count <= whole.utf8.count)
    }
  }

  private static func number(_ limit: Int, _ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<limit, using: &random)
  }

  /// A message of any form and length, among them equal ones, lists and patterns.
  private static func random(_ random: inout SeededGenerator) -> String {
    switch number(5, &random) {
    case 0: message(number(3, &random))
    case 1: "[\(message(number(9, &random))),[1,2]]"
    case 2:
      #"{"id":{"$any":"string","example":"\#(number(9, &random))"},"m":{"$literal":{"$x":1}}}"#
    case 3: "null"
    default: message(number(1000, &random))
    }
  }

  @Test(arguments: [
    (
      call("b#1", like: "x#1", "{}"),
      "4:1: the line is like 'x#1', which no line before calls"
    ),
    (
      call("b#1", like: "b#1", "{}"),
      "4:1: the line is like 'b#1', which no line before calls"
    ),
    (
      call("b#1", like: "a#1", conversation([place("1-3")])),
      "4:1: 'input.json.messages' repeats elements that its call does not have: the list there has 3"
    ),
    (
      call("b#1", like: "a#1", #"{"form":[\#(place("0-0"))]}"#),
      "4:1: 'input.form' repeats elements that its call does not have: the list there has 0"
    ),
  ])
  func `a line that repeats what is not there is one clear error`(
    _ row: (call: (at: String, line: String), expected: String)
  ) throws {
    let first = Self.call("a#1", Self.conversation((0..<3).map(Self.message)))

    let error = #expect(throws: TranscriptError.self) {
      try Self.read(Self.file([first, row.call]))
    }

    #expect(error.map { "\($0.diagnostic.place)\($0.diagnostic.message)" } == row.expected)
  }

  @Test func `lines that double what they repeat end soon`() throws {
    var calls = [Self.call("a#1", Self.conversation([Self.message(0)]))]
    for number in 1...40 {
      let places = Self.place("0-\((1 << (number - 1)) - 1)")
      calls.append(
        Self.call("a#\(number + 1)", like: "a#\(number)", Self.conversation([places, places])))
    }

    let error = #expect(throws: TranscriptError.self) { try Self.read(Self.file(calls)) }

    #expect(
      error?.diagnostic.message == "the line is longer than 16777216 bytes with what it repeats")
  }

  @Test(arguments: ["0", "0-", "-1", "3-1", "00-1", "+0-1", " 0-1", "0-1-2"])
  func `what is no place stays as it is`(_ text: String) throws {
    let first = Self.call("a#1", Self.conversation((0..<3).map(Self.message)))
    let second = Self.call("b#1", like: "a#1", Self.conversation([Self.place(text)]))

    let calls = try Self.read(Self.file([first, second])).calls

    #expect(calls[1].input.json.text == Self.conversation([Self.place(text)]))
  }
}

extension Diagnostic {
  fileprivate var place: String {
    span.map { "\($0.start.line):\($0.start.column): " } ?? ""
  }
}
