import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowSystem
import Synchronization
import TestKit
import Testing

@testable import FlowTranscript

/// Lists and objects in separate files, because a line with them would be too long.
@Suite struct LongValuesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records a run, with its bodies, in the folder.
  private func record(_ steps: String) async throws -> String {
    let plan = try ProbeRun.plan(Self.head + steps)
    let recorder = Recorder(scenario: "test.yaml", separatesBodies: true, isSealed: true)
    let report = await Session(of: plan, sinks: [recorder], options: .init(in: folder.directory))
      .run(inputs: try plan.inputValues(texts: []))
    #expect(report.passed && recorder.failure == nil, "\(String(describing: recorder.failure))")
    try recorder.storeBodies(beside: folder.path("t.jsonl"))
    try folder.write(recorder.text, to: "t.jsonl")
    return recorder.text
  }

  private static let head = "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n"

  private func echo(_ value: String) -> String {
    "  - {id: it, uses: p.echo, with: {value: \"${{ \(value) }}\"}}\n"
  }

  /// Replays a recording and returns the served answers, as JSON.
  private func replay(_ steps: String) async throws -> [JSON] {
    let plan = try ProbeRun.plan(Self.head + steps)
    let transcript = try TranscriptReader.read(folder.path("t.jsonl"))
    let report = await Replay(transcript, of: plan).run(inputs: [])
    #expect(report.passed, "\(report.diagnostics)")
    return served(by: transcript)
  }

  static let long: [(value: String, bodies: Int)] = [
    ("lists.range(250000)", 1),
    ("lists.range(60000).map(i, [i, decimal('0.5')])", 1),
    ("{'a': lists.range(200000), 'b': 'x', 'c': {'$k': lists.range(250000), '$literal': 1}}", 2),
    ("lists.range(12).map(i, lists.range(20000).map(j, i * 100000 + j))", 1),
    ("lists.range(30000).map(i, {'$blob': 'x', 'n': i, 'text': 'ü\\\\n'})", 1),
  ]

  @Test(arguments: long)
  func `a long value is in a file, and reads back`(_ row: (value: String, bodies: Int)) async throws
  {
    let steps = echo(row.value)

    let text = try await record(steps)
    let served = try await replay(steps)

    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.utf8.count < 1 << 20 })
    #expect(text.contains("\"encoding\":\"json\""))
    #expect(try folder.names(in: "blobs").count == row.bodies)
    #expect(try await served == inlined(steps))
  }

  /// The answers of a run recorded without files, as JSON.
  private func inlined(_ steps: String) async throws -> [JSON] {
    let plan = try ProbeRun.plan(Self.head + steps)
    let recorder = Recorder(scenario: "test.yaml")
    _ = await Session(of: plan, sinks: [recorder], options: .init(in: folder.directory))
      .run(inputs: [])
    return try served(by: TranscriptReader.read(recorder.recording.bytes, file: "test.yaml"))
  }

  private func served(by transcript: Transcript) -> [JSON] {
    transcript.calls.compactMap { call in
      if case .output(let output)? = call.answer { output.served["value"] } else { nil }
    }
  }

  @Test func `recording twice writes the same bytes`() async throws {
    let steps = echo("lists.range(250000)")

    #expect(try await record(steps) == (try await record(steps)))
  }

  @Test func `a value of less than a mebibyte stays in its line`() async throws {
    let text = try await record(echo("lists.range(150000)"))

    #expect(text.split(separator: "\n").contains { $0.utf8.count > 900_000 })
    #expect(try folder.names(in: "blobs") == [])
  }

  @Test func `what a long list names is in its file, which names no other`() async throws {
    let long = "'\(String(repeating: "long ", count: 1_000))'"
    let steps = echo("lists.range(300).map(i, [\(long), i])")

    _ = try await record(steps)
    let served = try await replay(steps)

    let names = try folder.names(in: "blobs")
    #expect(names.count == 1)
    #expect(!(try folder.text("blobs/\(names[0])")).contains("$blob"))
    #expect(BlobNames(in: Array(try folder.text("t.jsonl").utf8)).digests == Set(names))
    guard case .array(let elements)? = served.first else { return #expect(Bool(false)) }
    #expect(elements.count == 300)
  }

  // MARK: - Bodies of others

  private static func transcript(_ blob: String) -> String {
    """
    {"transcript":1,"scenario":"t.yaml","digest":"sha256:dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","plugins":{},"inputs":{},"seed":"0"}
    {"at":"p.echo#1","invoke":"p.echo","input":{"value":\(blob)}}
    {"at":"p.echo#1","ok":{"value":1}}
    {"at":"steps","end":"passed","outputs":{}}

    """
  }

  @Test(arguments: [
    ("[1,2", "F3116"), ("\"text\"", "F3116"), ("1", "F3116"), ("null", "F3116"), ("", "F3116"),
    ("{\"a\":1,\"a\":2}", "F3116"), ("[\u{FEFF}1]", "F3116"),
    (String(repeating: "[", count: 500) + String(repeating: "]", count: 500), "F3116"),
    ("[1,{\"$blob\":\"sha256:\(String(repeating: "a", count: 64))\",\"size\":1}]", "F3114"),
  ])
  func `a body that is no list or object, or names others, is an error`(
    _ content: String, _ code: String
  ) throws {
    let digest = SHA256(Array(content.utf8)).hexadecimal
    try folder.write(content, to: "blobs/\(digest)")
    let blob =
      #"{"$blob":"sha256:\#(digest)","size":\#(content.utf8.count),"encoding":"json"}"#
    try folder.write(Self.transcript(blob), to: "t.jsonl")

    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(folder.path("t.jsonl"))
    }

    #expect(error?.diagnostic.code.name == code)
    #expect(error?.diagnostic.span?.start.line == 2)
  }

  @Test func `a message about a line that is too long names its call and what helps`() async throws
  {
    let plan = try ProbeRun.plan(
      "flow: 1\ninputs: {text: {type: string}}\ncomponents: {p: {plugin: probe}}\nsteps:\n"
        + echo("[inputs.text, inputs.text]"))
    // Without files for bodies everything stays in the lines.
    let recorder = Recorder(scenario: "test.yaml")

    _ = await Session(of: plan, sinks: [recorder], options: .init(in: folder.directory))
      .run(inputs: [.string(String(repeating: "a", count: 9 << 20))])

    let message = "\(try #require(recorder.failure))"
    #expect(
      message.replacing(#/[0-9]{8}/#, with: "N")
        == "a line of 'it#1' would have N bytes, more than the limit of N; make the input and the answer of the step smaller, for example with 'max_bytes', or shorten the names of members"
    )
  }

  @Test func `equal bodies of several lines are in memory once`() {
    var encoder = ValueEncoder(separatesBodies: true)
    let places = (0..<2).map { _ -> UInt? in
      let value = Value.string(String(repeating: "word ", count: 1000))
      let recorded = encoder.separated(value, as: .string)
      _ = encoder.takeBodies()
      guard case .body(_, .string(let text)) = recorded else { return nil }
      return unsafe text.utf8.withContiguousStorageIfAvailable {
        UInt(bitPattern: $0.baseAddress)
      }
    }

    #expect(places[0] != nil)
    #expect(places[0] == places[1])
  }
}
