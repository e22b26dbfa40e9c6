import FlowCore
import FlowRedaction
import Testing

@testable import FlowTranscript

/// Calls read again from their lines.
@Suite struct CallListTests {
  private static let header =
    #"{"transcript":1,"scenario":"s.yaml","digest":"sha256:\#(String(repeating: "0", count: 64))","#
    + #""plugins":{},"inputs":{},"seed":"0"}"#
  private static let end = #"{"at":"steps","end":"passed","outputs":{}}"#

  private func read(_ lines: [String]) throws -> Transcript {
    let text = ([Self.header] + lines + [Self.end]).map { $0 + "\n" }.joined()
    return try TranscriptReader.read(Array(text.utf8), file: "s.jsonl")
  }

  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var input = #"{"n":1}"#
    let recorded: String
    let now: String
    let isSame: Bool
  }

  @Test(arguments: [
    Pair(testDescription: "the same", recorded: #"{"a":1}"#, now: #"{"a":1}"#, isSame: true),
    Pair(testDescription: "another value", recorded: #"{"a":1}"#, now: #"{"a":2}"#, isSame: false),
    Pair(
      testDescription: "another date", recorded: #"{"a":1,"d":{"$any":"string","example":"x"}}"#,
      now: #"{"a":1,"d":{"$any":"string","example":"y"}}"#, isSame: true),
    Pair(
      testDescription: "another value beside a date",
      recorded: #"{"a":1,"d":{"$any":"string","example":"x"}}"#,
      now: #"{"a":2,"d":{"$any":"string","example":"x"}}"#, isSame: false),
    Pair(
      testDescription: "one more element beside a date",
      recorded: #"{"a":[{"$any":"string","example":"x"}]}"#,
      now: #"{"a":[{"$any":"string","example":"x"},{"$any":"string","example":"x"}]}"#,
      isSame: false),
    Pair(
      testDescription: "a date of another type",
      recorded: #"{"d":{"$any":"string","example":"x"}}"#,
      now: #"{"d":{"$any":"int","example":1}}"#, isSame: false),
    Pair(
      testDescription: "values that must be equal",
      recorded: #"{"d":{"$same":"string","example":"x"}}"#,
      now: #"{"d":{"$same":"string","example":"y"}}"#, isSame: false),
    Pair(
      testDescription: "a part of a text",
      recorded: #"{"d":{"$any":"string","in":"a{x}","example":"a1"}}"#,
      now: #"{"d":{"$any":"string","in":"b{x}","example":"b1"}}"#, isSame: false),
    Pair(
      testDescription: "an input that varies", input: #"{"n":{"$any":"int","example":1}}"#,
      recorded: #"{"a":1}"#, now: #"{"a":1}"#, isSame: false),
  ]) func `lines are equal besides what has any value in both`(_ pair: Pair) throws {
    let runs = try [pair.recorded, pair.now].map { answer in
      try read([
        #"{"at":"a#1","invoke":"p.a","input":\#(pair.input)}"#, #"{"at":"a#1","ok":\#(answer)}"#,
      ]).calls
    }

    #expect(runs[0].hasLines(of: runs[1], besidesVarying: true) == pair.isSame)
    #expect(runs[1].hasLines(of: runs[0], besidesVarying: true) == pair.isSame)
  }

  @Test func `calls are found by their addresses in their order`() throws {
    let addresses = (1...3).flatMap { _ in (1...100).map { "browse/page#\($0)" } }
    let transcript = try read(
      addresses.flatMap {
        [#"{"at":"\#($0)","invoke":"p.load","input":{}}"#, #"{"at":"\#($0)","ok":{}}"#]
      })
    var waiting = transcript.calls.table

    let found = addresses.map { waiting.takeFirst(at: $0, in: transcript.calls.lines) }

    #expect(found == Array(addresses.indices))
    #expect(addresses.allSatisfy { waiting.takeFirst(at: $0, in: transcript.calls.lines) == nil })
    #expect(waiting.takeFirst(at: "browse/page#101", in: transcript.calls.lines) == nil)
  }

  @Test func `a call may report much, whatever stands in the place of its input`() throws {
    let numbers = 1...50_000
    let transcript = try read(
      [#"{"at":"a#1","invoke":"p.a","input":{"n":{"$any":"int","example":1}}}"#]
        + numbers.map { #"{"at":"a#1","emit":"p.e","payload":{"n":\#($0)}}"# }
        + [#"{"at":"a#1","ok":{}}"#])

    let payloads = transcript.calls[0].emitted.map(\.payload.json)

    #expect(payloads == numbers.map { .object([.init("n", .number("\($0)"))]) })
  }

  @Test func `inputs of one address are told apart by their bytes`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    func calls(_ texts: [String]) -> [String] {
      [#"{"at":"a#1","invoke":"p.a","input":{}}"#]
        + texts.flatMap {
          [
            #"{"at":"a#1/q.say#1","invoke":"q.say","input":{"text":"\#($0)"}}"#,
            #"{"at":"a#1/q.say#1","ok":{"text":"\#($0)"}}"#,
          ]
        } + [#"{"at":"a#1","ok":{}}"#]
    }
    let recorded = try read(calls([composed, decomposed]))

    let difference = TranscriptDifference(
      from: recorded, to: try read(calls([decomposed, composed])))

    #expect(difference.isEmpty)
  }

  @Test(arguments: [("key-2", true), ("key-3", false)])
  func `a call whose input has varied with an answer is the recorded one`(
    _ now: String, _ isSame: Bool
  ) throws {
    func calls(_ key: String, _ answer: String) -> [String] {
      [
        #"{"at":"a#1","invoke":"p.a","input":{}}"#, #"{"at":"a#1","ok":{"key":\#(answer)}}"#,
        #"{"at":"b#1","invoke":"p.b","input":{}}"#,
        #"{"at":"b#1/q.get#1","invoke":"q.get","input":{"path":"\#(key)"}}"#,
        #"{"at":"b#1/q.get#1","ok":{}}"#, #"{"at":"b#1","ok":{}}"#,
      ]
    }
    let recorded = try read(calls("key-1", #"{"$any":"string","example":"key-1"}"#))
    // Another order of the same calls: a difference looks at those of a list before it compares their answers.
    let present = try read(calls(now, #""key-2""#))
    var (finder, varied) = (CallFinder(recorded.calls), VariedValues())
    varied.learn(from: .pattern(try #require(Self.pattern(in: recorded))), .string("key-2"))

    let found = finder.take(
      at: try #require(Address("b#1/q.get#1")), present.calls[2].input.json, as: nil, &varied)

    #expect((found == 2) == isSame)
  }

  /// The pattern in the answer to the first call.
  private static func pattern(in transcript: Transcript) -> RecordedPattern? {
    guard case .output(.object(let members, _))? = transcript.calls[0].answer,
      case .pattern(let pattern)? = members.first?.value
    else { return nil }
    return pattern
  }

  @Test func `each of many calls finds the one with its input in other words`() throws {
    let numbers = Array(1...3_000)
    func calls(_ numbers: [Int], _ text: (Int) -> String) -> [String] {
      [#"{"at":"a#1","invoke":"p.a","input":{}}"#]
        + numbers.flatMap { number in
          [
            #"{"at":"a#1/q.pay#1","invoke":"q.pay","input":{"amount":\#(text(number))}}"#,
            #"{"at":"a#1/q.pay#1","ok":{"number":\#(number)}}"#,
          ]
        } + [#"{"at":"a#1","ok":{}}"#]
    }
    let recorded = try read(
      calls(numbers) { $0 == 7 ? #"{"$any":"decimal","example":"7"}"# : #""\#($0).0""# })
    let now = try read(calls(numbers.reversed()) { #""\#($0).00""# })
    var (finder, varied) = (CallFinder(recorded.calls), VariedValues())
    let type = ValueType.record(
      RecordType([
        .init(name: "amount", type: .decimal, summary: "How much.", defaultValue: nil)
      ]))

    let found = now.calls.indices.dropFirst().map { number in
      finder.take(
        at: now.calls.address(of: number), now.calls[number].input.json, as: type, &varied)
    }

    // What may be any amount is there for the one that finds no other.
    #expect(found == Array(numbers.reversed()))
  }

  @Test(arguments: [#"{"n":1}"#, #"{"n":{"$any":"int","example":1}}"#])
  func `a call is whole whichever of its lines have patterns`(_ second: String) throws {
    let transcript = try read([
      #"{"at":"a#1","invoke":"p.a","input":{}}"#,
      #"{"at":"b#1","invoke":"p.b","input":{"\u0062y":"é"}}"#,
      #"{"at":"b#1","emit":"p.first","payload":{"n":0}}"#,
      #"{"at":"a#1","emit":"p.other","payload":{}}"#,
      #"{"at":"b#1","emit":"p.second","payload":\#(second)}"#,
      #"{"at":"b#1","emit":"p.third","payload":{"n":2}}"#,
      #"{"at":"b#1","error":"late","message":"too late"}"#,
      #"{"at":"b#1","emit":"p.last","payload":{}}"#,
      #"{"at":"a#1","cancelled":true}"#,
    ])
    var text = ""
    transcript.write(limit: .max, Redactor()) { text += $0 }

    #expect(
      text.split(separator: "\n").dropFirst().joined(separator: "\n") == """
        a#1  p.a {}
          emits p.other {}
          cancelled
        b#1  p.b {"by":"é"}
          emits p.first {"n":0}
          emits p.second {"n":1}
          emits p.third {"n":2}
          emits p.last {}
          error late: too late
        passed
        """)
    #expect(transcript.calls.map(\.line) == [2, 3])
    #expect(transcript.calls.map(\.answerLine) == [10, 8])
  }
}
