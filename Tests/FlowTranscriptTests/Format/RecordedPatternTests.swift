import FlowCore
import FlowSystem
import TestKit
import Testing

@testable import FlowTranscript

/// Matchers written into a transcript by hand.
@Suite struct RecordedPatternTests {
  private static let scenario = """
    flow: 1
    components:
      p: {plugin: probe}
    steps:
      - id: echo
        uses: p.echo
        with: {value: {a: text, b: [1, 2.5]}}
      - id: first
        uses: p.count
      - uses: p.types
    outputs: {value: "${{ steps.first.value }}"}
    """

  @Test(arguments: RecordedPattern.Name.allCases)
  func `a value with the name of a matcher is not mistaken for one`(_ name: RecordedPattern.Name) {
    #expect(JSON.isReserved(name.rawValue))
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The replaced parts of the recording, with their replacements.
    let old: String
    let new: String
    /// The message of the replay, or an empty string if it passes.
    var problem = ""
  }

  @Test(arguments: inputs) func `a matcher in an input takes what the run gives`(
    _ sample: Sample
  ) async throws {
    try await check(sample)
  }

  static let inputs = [
    Sample(
      testDescription: "any string", old: #"{"a":"text","#, new: #"{"a":{"$any":"string"},"#),
    Sample(
      testDescription: "a whole value",
      old: #""input":{"value":{"a":"text","b":[1,{"$decimal":"2.5"}]}}"#,
      new: #""input":{"value":{"$any":"map"}}"#),
    Sample(testDescription: "an element", old: #"[1,{"$"#, new: #"[{"$any":"int"},{"$"#),
    Sample(
      testDescription: "a pattern", old: #"{"a":"text","#, new: #"{"a":{"$match":"^t.*t$"},"#),
    Sample(testDescription: "near", old: #"{"$decimal":"2.5"}"#, new: #"{"$near":[2.4,0.1]}"#),
    Sample(
      testDescription: "a known type", old: #""input":{"by":1}"#,
      new: #""input":{"by":{"$any":"int"}}"#),
    Sample(
      testDescription: "the same value", old: #"{"a":"text","#,
      new: #"{"a":{"$same":"string","example":"word"},"#),
    Sample(
      testDescription: "the same value of another type", old: #""input":{"by":1}"#,
      new: #""input":{"by":{"$same":"string","example":"1"}}"#,
      problem: "note: by: recorded the same string, now 1\n"),
    Sample(
      testDescription: "another type", old: #""input":{"by":1}"#,
      new: #""input":{"by":{"$any":"string"}}"#,
      problem: "note: by: recorded any string, now 1\n"),
    Sample(
      testDescription: "another text", old: #"{"a":"text","#, new: #"{"a":{"$match":"^x"},"#,
      problem: #"note: value.a: recorded a string like '^x', now "text""#),
    Sample(
      testDescription: "too far", old: #"{"$decimal":"2.5"}"#, new: #"{"$near":[2.3,0.1]}"#,
      problem: "note: value.b[1]: recorded 2.3 within 0.1, now 2.5\n"),
    Sample(
      testDescription: "what stands beside it still counts", old: #"{"a":"text","b":[1,"#,
      new: #"{"a":{"$any":"string"},"b":[7,"#, problem: "note: value.b[0]: recorded 7, now 1\n"),
  ]

  @Test(arguments: answers) func `a matcher in an answer is served by its example`(
    _ sample: Sample
  ) async throws {
    try await check(sample)
  }

  static let answers = [
    Sample(
      testDescription: "the same", old: #""ok":{"value":1}"#,
      new: #""ok":{"value":{"$any":"int","example":1}}"#),
    Sample(
      testDescription: "another", old: #""ok":{"value":1}"#,
      new: #""ok":{"value":{"$near":[5,3]}}"#, problem: "note: value: recorded 1, now 5\n"),
    Sample(
      testDescription: "typed", old: #""decimal":"-12.50""#,
      new: #""decimal":{"$near":["-12.50","0.01"]}"#),
    Sample(
      testDescription: "an event", old: #""payload":{"value":1}"#,
      new: #""payload":{"value":{"$any":"int","example":3}}"#),
    Sample(
      testDescription: "an example of another type", old: #""ok":{"value":1}"#,
      new: #""ok":{"value":{"$any":"string","example":"1"}}"#,
      problem: #"note: 'value': expected int, got "1""#),
    Sample(
      testDescription: "the outputs", old: #""outputs":{"value":1}"#,
      new: #""outputs":{"value":{"$any":"int"}}"#),
    Sample(
      testDescription: "other outputs", old: #""outputs":{"value":1}"#,
      new: #""outputs":{"value":{"$any":"bool"}}"#,
      problem: "note: value: recorded any bool, now 1\n"),
  ]

  private func check(_ sample: Sample) async throws {
    let recorded = try await Recorded(Self.scenario)
    let changed = recorded.text.replacing(
      existing: sample.old, with: sample.new, maxReplacements: 1)
    let failures = try await recorded.replay(changed)

    #expect(changed != recorded.text)
    #expect(failures.contains(sample.problem))
    #expect(failures.isEmpty == sample.problem.isEmpty)
  }

  // MARK: - What is no matcher

  struct Wrong: Sendable, CustomTestStringConvertible {
    /// The replacement for the value of an answer.
    let testDescription: String
    let message: String
    var column = 33
  }

  @Test(arguments: wrong) func `what is no matcher is an error where it stands`(
    _ sample: Wrong
  ) throws {
    let text = """
      {"transcript":1,"scenario":"s","digest":"sha256:dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","plugins":{},"inputs":{},"seed":"0"}
      {"at":"a#1","invoke":"p.count","input":{}}
      {"at":"a#1","ok":{"é":0,"value":\(sample.testDescription)}}
      {"at":"steps","end":"passed","outputs":{}}

      """
    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(Array(text.utf8), file: "t.jsonl")
    }

    #expect(error?.diagnostic.message == sample.message)
    #expect(error?.diagnostic.span?.start == Position(line: 3, column: sample.column))
  }

  static let wrong = [
    Wrong(
      testDescription: #"{"$any":"int"}"#,
      message: "cannot replay any int as an answer; give it an 'example'"),
    Wrong(
      testDescription: #"[1,{"$match":"a"}]"#,
      message: "cannot replay a string like 'a' as an answer; give it an 'example'", column: 36),
    Wrong(
      testDescription: #"{"x":{"$any":"itn","example":1}}"#,
      message: "'$any' has no type 'itn'; did you mean 'int'?", column: 38),
    Wrong(
      testDescription: #"{"$any":1}"#,
      message:
        "'$any' must be the name of a type: string, int, decimal, double, bool, bytes, timestamp, "
        + "duration, list, map, any"),
    Wrong(
      testDescription: #"{"$same":"int"}"#,
      message: "cannot replay the same int as an answer; give it an 'example'"),
    Wrong(
      testDescription: #"{"$same":"any"}"#,
      message: "cannot replay the same value as an answer; give it an 'example'"),
    Wrong(
      testDescription: #"{"$same":"strin","example":"x"}"#,
      message: "'$same' has no type 'strin'; did you mean 'string'?"),
    Wrong(
      testDescription: #"{"$same":["int"]}"#,
      message:
        "'$same' must be the name of a type: string, int, decimal, double, bool, bytes, "
        + "timestamp, duration, list, map, any"),
    Wrong(
      testDescription: #"{"$same":"int","example":true}"#,
      message: "the example is not the same int"),
    Wrong(
      testDescription: #"{"$same":"int","example":1,"$any":"int"}"#,
      message: "unknown member '$any' next to '$same'; only 'example' is allowed there"),
    Wrong(
      testDescription: #"{"$any":"int","example":"x"}"#, message: "the example is not any int"),
    Wrong(
      testDescription: #"{"$any":"list","example":[{"$any":"int","example":1}]}"#,
      message: "an example cannot contain matchers"),
    Wrong(
      testDescription: #"{"$match":"(","example":"x"}"#,
      message: "'(' is not a regular expression: missing )"),
    Wrong(
      testDescription: #"{"$match":"(?=a)","example":"x"}"#,
      message: "'(?=a)' is not a regular expression: invalid perl operator: '(?='"),
    Wrong(
      testDescription: #"{"$match":1}"#,
      message: "'$match' must be a string with a regular expression"),
    Wrong(
      testDescription: #"{"$match":"\#(String(repeating: "a", count: 1001))"}"#,
      message: "the pattern is longer than 1000 bytes"),
    Wrong(
      testDescription: #"{"$match":"^a$","example":"b"}"#,
      message: "the example is not a string like '^a$'"),
    Wrong(
      testDescription: #"{"$near":5}"#, message: "'$near' must be a list of a value and a tolerance"
    ),
    Wrong(
      testDescription: #"{"$near":[true,1]}"#,
      message: "'$near' must start with a number, a timestamp or a duration"),
    Wrong(
      testDescription: #"{"$near":[1e400,1]}"#,
      message: "'$near' must start with a number, a timestamp or a duration"),
    Wrong(
      testDescription: #"{"$near":[5,-1]}"#,
      message: "the tolerance must be a number of zero or more"),
    Wrong(
      testDescription: #"{"$near":["1s",1]}"#,
      message: "the tolerance must be a duration of zero or more"),
    Wrong(
      testDescription: #"{"$near":[5,1],"example":1}"#,
      message: "unknown member 'example' next to '$near'; nothing is allowed there"),
    Wrong(
      testDescription: #"{"$any":"int","$match":"a"}"#,
      message: "unknown member '$match' next to '$any'; only 'example' is allowed there"),
    Wrong(
      testDescription: #"{"$blob":"sha256:..","size":5}"#,
      message:
        "'$blob' must be 'sha256:' and 64 hexadecimal digits, with its 'size' in bytes next to it"),
    Wrong(
      testDescription: #"{"$literal":1}"#,
      message: "'$literal' must hold an object and be the only member"),
    Wrong(
      testDescription: #"{"$literal":{},"a":1}"#,
      message: "'$literal' must hold an object and be the only member"),
  ]

  @Test func `a matcher has no place in the header`() async throws {
    let recorded = try await Recorded(
      """
      flow: 1
      inputs: {n: {type: int, default: 1}}
      steps: [{assert: ["${{ inputs.n == 1 }}"]}]
      """)
    let changed = recorded.text.replacing(
      existing: #""inputs":{"n":1}"#, with: #""inputs":{"n":{"$any":"int","example":1}}"#)

    #expect(changed != recorded.text)
    await #expect(throws: TranscriptError.self) { _ = try await recorded.replay(changed) }
  }

  // MARK: - What looks like one

  @Test(arguments: [
    "$any", "$same", "$match", "$near", "$literal", "$map", "$decimal", "$", "a$any", "example",
  ])
  func `a map that looks like a matcher is recorded and replayed as it is`(
    _ key: String
  ) async throws {
    let recorded = try await Recorded(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - id: echo
          uses: p.echo
          with: {value: {\(key): string, inner: [{\(key): {\(key): {}}}, {\(key): a, b: 1}]}}
      outputs: {value: "${{ steps.echo.value }}"}
      """)

    #expect(try await recorded.replay(recorded.text) == "")
  }
}
