import FlowCore
import FlowEngine
import FlowPlan
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Bodies in separate files.
@Suite struct BlobTests {
  private static let scenario = """
    flow: 1
    inputs: {text: {type: string}, data: {type: bytes}}
    components: {p: {plugin: probe}}
    steps:
      - {uses: p.echo, with: {value: "${{ inputs.text }}"}}
      - {uses: p.echo, with: {value: {deep: ["${{ inputs.data }}", "${{ inputs.text + 'x' }}"]}}}
      - {id: last, uses: p.echo, with: {value: "${{ inputs.data }}"}}
    outputs: {text: "${{ inputs.text }}", data: "${{ steps.last.value }}"}

    """

  private let folder: TemporaryFolder
  private let plan: Plan

  init() throws {
    folder = try TemporaryFolder()
    plan = try ProbeRun.plan(Self.scenario)
  }

  @Test(arguments: [4_096, 4_097])
  func `a body of more than four kilobytes stands in a file named by its digest`(size: Int)
    async throws
  {
    let text = String(repeating: "é", count: size / 2) + String(repeating: "a", count: size % 2)
    let data = [UInt8](repeating: 0xFF, count: size)

    let lines = try await record(text, data)

    // The text with one more letter is always too long.
    let bodies = [Array(text.utf8) + [0x78]] + (size > 4_096 ? [Array(text.utf8), data] : [])
    #expect(
      try folder.names(in: "blobs") == bodies.map { SHA256($0).hexadecimal }.sorted())
    #expect(lines.contains(text) == (size == 4_096))
  }

  @Test func `what was recorded reads back`() async throws {
    let text = String(repeating: "\"\n", count: 5_000)
    let data = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try folder.write(try await record(text, data), to: "t.jsonl")

    let transcript = try TranscriptReader.read(folder.path("t.jsonl"))
    let inputs = try transcript.header.inputValues(for: plan, file: "t.jsonl")
    let report = await Replay(transcript, of: plan).run(inputs: inputs)

    #expect(inputs == [.string(text), .bytes(Bytes(data))])
    #expect(report.passed)
  }

  @Test func `recording twice writes the same bytes and shares the files`() async throws {
    let text = String(repeating: "long ", count: 2_000)
    let first = try await record(text, [1])
    let names = try folder.names(in: "blobs")
    let second = try await record(text, [1])

    #expect(first == second)
    #expect(try folder.names(in: "blobs") == names)
  }

  @Test(arguments: ["a", "\u{301}"])
  func `bodies are beside a transcript of any name`(_ name: String) throws {
    #expect(BlobFolder(beside: "x/\(name)").path == "x/blobs")
  }

  // MARK: - What is wrong with a body

  private static let digest = SHA256(Array("body".utf8)).hexadecimal

  @Test(arguments: [
    (nil, "is missing in 'FOLDER/blobs'"),
    ("boby", "has content that does not match its name"),
    ("bod", "has content that does not match its name"),
    ("body and more", "has content that does not match its name"),
    ("", "is empty"),
    (
      "version https://git-lfs.github.com/spec/v1\noid sha256:\(digest)\nsize 4\n",
      "is a pointer of Git LFS; get the file itself with 'git lfs pull'"
    ),
    (
      "<!doctype html>404",
      "is an HTML page; the server may have refused to send the file"
    ),
  ])
  func `a body that is not what its name says is an error at its line`(
    content: String?, problem: String
  ) throws {
    if let content { try folder.write(content, to: "blobs/\(Self.digest)") }
    try folder.write(
      Self.transcript(#"{"$blob":"sha256:\#(Self.digest)","size":4}"#), to: "t.jsonl")

    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(folder.path("t.jsonl"))
    }

    let message = problem.replacing("FOLDER", with: folder.directory.path)
    #expect(error?.diagnostic.code == "F3116")
    #expect(error?.diagnostic.message == "the body 'sha256:\(Self.digest)' \(message)")
    #expect(error?.diagnostic.span?.start.line == 2)
  }

  @Test func `a body that is no text cannot stand for one`() throws {
    let digest = SHA256([0xFF]).hexadecimal
    try folder.write([0xFF], to: "blobs/\(digest)")
    try folder.write(Self.transcript(#"{"$blob":"sha256:\#(digest)","size":1}"#), to: "t.jsonl")

    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(folder.path("t.jsonl"))
    }

    #expect(error?.diagnostic.message == "the body 'sha256:\(digest)' is not text")
  }

  @Test(arguments: [
    #"{"$blob":"sha256:../../../../etc/passwd","size":4}"#,
    #"{"$blob":"sha256:../blobs/\#(digest)","size":4}"#,
    #"{"$blob":"sha256:\#(digest.uppercased())","size":4}"#,
    #"{"$blob":"\#(digest)","size":4}"#,
    #"{"$blob":"sha256:\#(digest)"}"#,
    #"{"$blob":"sha256:\#(digest)","size":-4}"#,
    #"{"$blob":"sha256:\#(digest)","size":4,"encoding":"none"}"#,
    #"{"size":4,"$blob":"sha256:\#(digest)"}"#,
  ])
  func `what names no digest reads no file`(_ json: String) throws {
    try folder.write("body", to: "blobs/\(Self.digest)")
    try folder.write(Self.transcript(json), to: "t.jsonl")

    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(folder.path("t.jsonl"))
    }

    #expect(error?.diagnostic.code == "F3114")
  }

  @Test func `bodies that make more of a transcript than it may have are an error`() throws {
    let body = [UInt8](repeating: 0x61, count: 1 << 20)
    let digest = SHA256(body).hexadecimal
    let blob = #"{"$blob":"sha256:\#(digest)","size":\#(body.count)}"#
    let transcript = { (count: Int) in
      Self.transcript("[" + [String](repeating: blob, count: count).joined(separator: ",") + "]")
    }
    try folder.write(body, to: "blobs/\(digest)")
    try folder.write(transcript(1_024), to: "most.jsonl")
    try folder.write(transcript(1_025), to: "more.jsonl")

    _ = try TranscriptReader.read(folder.path("most.jsonl"))
    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(folder.path("more.jsonl"))
    }

    #expect(error?.diagnostic.code == "F3118")
    #expect(
      error?.diagnostic.message
        == "the body 'sha256:\(digest)' makes all bodies together larger than 1 GiB; a body that is named twice counts twice"
    )
    #expect(error?.diagnostic.span?.start.line == 2)
  }

  @Test func `a body that is named twice counts twice`() async throws {
    let recorder = Recorder(scenario: "test.yaml", separatesBodies: true)
    _ = try await run(recorder, String(repeating: "a", count: 1 << 20), [1])
    let bodies = recorder.recording.bodies
    try recorder.storeBodies(beside: folder.path("t.jsonl"))
    let blob = try #require(bodies.keys.first { $0.size == 1 << 20 })
    let name = #"{"$blob":"sha256:\#(blob.digest)","size":\#(blob.size)}"#
    let list = [String](repeating: name, count: 1_025).joined(separator: ",")

    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(
        Array(Self.transcript("[\(list)]").utf8), file: folder.path("t.jsonl"))
    }

    #expect(error?.diagnostic.code == "F3118")
  }

  @Test func `a link in place of a body leads nowhere`() throws {
    let outside = try TemporaryFolder()
    try outside.write("body", to: "secret")
    try folder.write("", to: "blobs/other")
    try folder.link("blobs/\(Self.digest)", to: outside.directory.path + "/secret")
    try folder.write(
      Self.transcript(#"{"$blob":"sha256:\#(Self.digest)","size":4}"#), to: "t.jsonl")

    #expect(throws: TranscriptError.self) { try TranscriptReader.read(folder.path("t.jsonl")) }
  }

  private static func transcript(_ value: String) -> String {
    """
    {"transcript":1,"scenario":"t.yaml","digest":"sha256:dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","plugins":{},"inputs":{},"seed":"0"}
    {"at":"p.echo#1","invoke":"p.echo","input":{"value":\(value)}}
    {"at":"p.echo#1","ok":{"value":1}}
    {"at":"steps","end":"passed","outputs":{}}

    """
  }

  private func record(_ text: String, _ data: [UInt8]) async throws -> String {
    let recorder = Recorder(scenario: "test.yaml", separatesBodies: true)
    let result = try await run(recorder, text, data)
    #expect(result.passed && recorder.failure == nil)
    try recorder.storeBodies(beside: folder.path("t.jsonl"))
    return recorder.text
  }

  private func run(
    _ recorder: Recorder, _ text: String, _ data: [UInt8]
  ) async throws -> RunReport {
    await Session(of: plan, sinks: [recorder], options: .init(in: folder.directory))
      .run(inputs: [.string(text), .bytes(Bytes(data))])
  }
}
