import FlowTranscript
import TestKit
import Testing

/// The messages about two different runs.
@Suite struct TranscriptDifferenceTests {
  private static let digest = "sha256:" + String(repeating: "d", count: 64)
  private static let otherDigest = "sha256:" + String(repeating: "e", count: 64)
  private static let header =
    #"{"transcript":1,"scenario":"s.yaml","digest":"\#(digest)","plugins":{"probe":"1.2"},"#
    + #""inputs":{"by":1},"seed":"0"}"#
  private static let lines = [
    header, #"{"at":"components/p#1","invoke":"p","input":{"start":0}}"#,
    #"{"at":"components/p#1","ok":{}}"#,
    #"{"at":"a#1","invoke":"p.count","input":{"by":1}}"#,
    #"{"at":"a#1","emit":"p.counted","payload":{"value":1}}"#, #"{"at":"a#1","ok":{"value":1}}"#,
    #"{"at":"b#1","invoke":"p.echo","input":{"value":{"list":[1,{"x":2}],"text":"t"}}}"#,
    #"{"at":"b#1","ok":{"value":null}}"#,
    #"{"at":"steps","end":"passed","outputs":{"total":{"$decimal":"1.50"}}}"#,
  ]

  private static func transcript(_ lines: [String]) throws -> Transcript {
    let text = lines.map { $0 + "\n" }.joined()
    return try TranscriptReader.read(Array(text.utf8), file: "t.jsonl")
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var old = ""
    var new = ""
    /// The numbers of the removed lines, from 0.
    var dropped: Set<Int> = []
    let difference: [String]
    var isSameRun = false
  }

  @Test(arguments: samples) func `a difference is told where it is`(_ sample: Sample) throws {
    let text = Self.lines.joined(separator: "\n")
    let changed =
      sample.old.isEmpty ? text : text.replacing(existing: sample.old, with: sample.new)
    let now = changed.split(separator: "\n").map(String.init).enumerated()
      .filter { !sample.dropped.contains($0.offset) }.map(\.element)
    let difference = TranscriptDifference(
      from: try Self.transcript(Self.lines), to: try Self.transcript(now))

    #expect(difference.lines == sample.difference)
    #expect(difference.isEmpty == sample.difference.isEmpty)
    #expect(difference.isSameRun == (sample.isSameRun || sample.difference.isEmpty))
  }

  static let samples = [
    Sample(testDescription: "nothing", difference: []),
    Sample(
      testDescription: "where the scenario lies", old: "s.yaml", new: "../x/s.yaml", difference: []),
    Sample(
      testDescription: "a value that is written otherwise", old: #""1.50""#, new: #""1.5""#,
      difference: []),
    Sample(
      testDescription: "the header", old: #"\#(digest)","plugins":{"probe":"1.2"}"#,
      new: #"\#(otherDigest)","plugins":{"probe":"1.3"}"#,
      difference: [
        "header", #"  digest: recorded "\#(digest)", now "\#(otherDigest)""#,
        #"  plugins.probe: recorded "1.2", now "1.3""#,
      ], isSameRun: true),
    Sample(
      testDescription: "an input of the scenario", old: #""inputs":{"by":1}"#,
      new: #""inputs":{"to":1}"#,
      difference: [
        "inputs", "  by: recorded 1, now nothing", "  to: recorded nothing, now 1",
      ]),
    Sample(
      testDescription: "an input", old: #""input":{"by":1}"#, new: #""input":{"by":2}"#,
      difference: ["calls", "  changed a#1, p.count", "    input.by: recorded 1, now 2"]),
    Sample(
      testDescription: "deep inside of an input", old: #"[1,{"x":2}]"#, new: #"[1,{"x":3},null]"#,
      difference: [
        "calls", "  changed b#1, p.echo", "    input.value.list[1].x: recorded 2, now 3",
        "    input.value.list[2]: recorded nothing, now null",
      ]),
    Sample(
      testDescription: "an answer", old: #""ok":{"value":1}"#, new: #""ok":{"value":1.5}"#,
      difference: ["calls", "  changed a#1, p.count", "    ok.value: recorded 1, now 1.5"]),
    Sample(
      testDescription: "an error instead of an answer", old: #""ok":{"value":1}"#,
      new: #""error":"too-many","message":"m""#,
      difference: [
        "calls", "  changed a#1, p.count", "    ok: recorded {value: 1}, now nothing",
        #"    error: recorded nothing, now "too-many""#, #"    message: recorded nothing, now "m""#,
      ]),
    Sample(
      testDescription: "a cancellation", old: #""ok":{"value":null}"#, new: #""cancelled":true"#,
      difference: [
        "calls", "  changed b#1, p.echo", "    ok: recorded {value: null}, now nothing",
        "    cancelled: recorded nothing, now true",
      ]),
    Sample(
      testDescription: "another operation", old: #""invoke":"p.echo""#, new: #""invoke":"p.fail""#,
      difference: [
        "calls", "  changed b#1, p.fail", #"    invoke: recorded "p.echo", now "p.fail""#,
      ]),
    Sample(
      testDescription: "an event", old: #""payload":{"value":1}"#, new: #""payload":{"value":2}"#,
      difference: [
        "calls", "  changed a#1, p.count", "    events[0].payload.value: recorded 1, now 2",
      ]),
    Sample(
      testDescription: "an event less", dropped: [4],
      difference: [
        "calls", "  changed a#1, p.count",
        #"    events[0]: recorded {emit: "p.counted", payload: {value: 1}}, now nothing"#,
      ]),
    Sample(
      testDescription: "a call less", dropped: [6, 7],
      difference: ["calls", "  removed b#1, p.echo"]),
    Sample(
      testDescription: "a renamed step", old: #""at":"b#1""#, new: #""at":"c#1""#,
      difference: ["calls", "  removed b#1, p.echo", "  added c#1, p.echo"]),
    Sample(
      testDescription: "an output", old: #"{"$decimal":"1.50"}"#, new: #"{"$decimal":"1.51"}"#,
      difference: ["outputs", "  total: recorded 1.50, now 1.51"]),
    Sample(
      testDescription: "the end", old: #""end":"passed","outputs":{"total":{"$decimal":"1.50"}}"#,
      new: #""end":"failed","outputs":{}"#,
      difference: [
        "outputs", "  total: recorded 1.50, now nothing",
        #"end: recorded "passed", now "failed""#,
      ]),
  ]

  @Test func `calls of one address are compared time by time`() throws {
    let call = Array(Self.lines[3...5])
    let other = [call[0].replacing(existing: #"{"by":1}"#, with: #"{"by":9}"#)] + call.dropFirst()
    let rest = [Self.lines[0]], end = [Self.lines[8]]
    let difference = TranscriptDifference(
      from: try Self.transcript(rest + call + call + end),
      to: try Self.transcript(rest + call + other + call + end))

    #expect(
      difference.lines == [
        "calls", "  changed a#1, attempt 2, p.count", "    input.by: recorded 1, now 9",
        "  added a#1, attempt 3, p.count",
      ])
  }

  @Test func `the order of calls of different addresses is free`() throws {
    let lines = Self.lines
    let swapped = [lines[0]] + lines[6...7] + lines[1...5] + [lines[8]]
    let difference = TranscriptDifference(
      from: try Self.transcript(lines), to: try Self.transcript(Array(swapped)))

    #expect(difference.isEmpty)
  }

  @Test func `with a plan values are compared by their types`() throws {
    let plan = try ProbeRun.plan(
      """
      flow: 1
      inputs: {price: {type: decimal}}
      components: {p: {plugin: probe}}
      steps: [{uses: p.types}, {uses: p.echo, with: {value: "${{ inputs.price }}"}}]
      """)
    let answer = { (price: String) in
      [
        Self.header.replacing(existing: #"{"by":1}"#, with: #"{"price":"\#(price)"}"#),
        #"{"at":"a#1","invoke":"p.types","input":{}}"#,
        #"{"at":"a#1","ok":{"decimal":"\#(price)","items":[{"name":"n","size":1.0}]}}"#,
        #"{"at":"steps","end":"passed","outputs":{}}"#,
      ]
    }
    let (old, new) = (try Self.transcript(answer("1.50")), try Self.transcript(answer("1.5")))

    #expect(TranscriptDifference(from: old, to: new, plan: plan).isEmpty)
    #expect(
      TranscriptDifference(from: old, to: new).lines == [
        "inputs", #"  price: recorded "1.50", now "1.5""#, "calls", "  changed a#1, p.types",
        #"    ok.decimal: recorded "1.50", now "1.5""#,
      ])
  }
}
