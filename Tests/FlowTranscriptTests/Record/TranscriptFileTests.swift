import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowSystem
import Foundation
import TestKit
import Testing

@testable import FlowTranscript

/// A transcript as a value, read from its file and written again.
@Suite struct TranscriptFileTests {
  private static let header =
    #"{"transcript":1,"scenario":"s.yaml","digest":"sha256:\#(String(repeating: "0", count: 64))","#
    + #""plugins":{"p":"1.0"},"inputs":{"text":{"a":[1.50,"é"]}},"seed":"7"}"#

  private static let blob =
    #"{"$blob":"sha256:\#(SHA256(Array("body".utf8)).hexadecimal)","size":4}"#

  static let lines = [
    #"{"at":"a#1","invoke":"p.a","input":{}}"#,
    #"{"at":"a#1","ok":{"value":[1,-0.5,2e10,true,null,{"b":""}]}}"#,
    #"{"at":"a#1","invoke":"p.a","input":{"text":"\"\\\n\t\u001fé☃"}}"#,
    #"{"at":"a#1","emit":"p.changed","payload":{"n":1}}"#,
    #"{"at":"a#1","error":"late","message":"too late"}"#,
    #"{"at":"b/c#2.5","invoke":"p.b","input":{"id":{"$same":"int","example":2}}}"#,
    #"{"at":"b/c#2.5/q.get#1","invoke":"q.get","input":{"a":1},"lane":1,"tied":true}"#,
    #"{"at":"b/c#2.5/q.get#1","cancelled":true}"#,
    #"{"at":"b/c#2.5","ok":{"at":{"$near":["2.50","0.01"]},"on":{"$any":"bool","example":true}}}"#,
    #"{"at":"d#1","invoke":"p.d","input":{"$literal":{"$any":"int","x":{"$match":"^a"}}},"#
      + #""added":{"date":"2026-01-02T03:04:05Z","from":"p 1.0"}}"#,
    #"{"at":"d#1","ok":{"whole":\#(blob),"list":[\#(blob),{"$any":"string","example":\#(blob)}]}}"#,
    #"{"at":"steps","end":"passed","outputs":{"one":{"$decimal":"1.0"}},"#
      + #""date":"2026-01-02T03:04:05Z"}"#,
  ]

  @Test func `it is written as it was read`() throws {
    let folder = try TemporaryFolder()
    try folder.write("body", to: "blobs/\(SHA256(Array("body".utf8)).hexadecimal)")
    let text = ([Self.header] + Self.lines).map { $0 + "\n" }.joined()
    let sealed = Seal.sealed(Array(text.utf8))

    let plain = try TranscriptReader.read(Array(text.utf8), file: folder.path("t.jsonl"))
    let whole = try TranscriptReader.read(sealed, file: folder.path("t.jsonl"))

    #expect(String(decoding: plain.bytes, as: UTF8.self) == text)
    #expect(whole.bytes == sealed)
    #expect(whole.bodies.map { String(decoding: $0.value, as: UTF8.self) } == ["body"])
    #expect(!whole.isSame(as: plain))
  }

  @Test func `blanks and escapes of another writer do not stay`() throws {
    let lines = [
      #"{"at": "a#1", "invoke": "p.a", "input": {"te\u0078t": "\u00e9\/"}}"#,
      #"{"at":"a#1","ok":{ }}"#, #"{"at":"steps","end":"failed","outputs":{}}"#,
    ]
    let text = ([Self.header] + lines).map { $0 + "\n" }.joined()

    let transcript = try TranscriptReader.read(Array(text.utf8), file: "t.jsonl")

    #expect(
      String(decoding: transcript.bytes, as: UTF8.self).split(separator: "\n").dropFirst() == [
        #"{"at":"a#1","invoke":"p.a","input":{"text":"é/"}}"#, #"{"at":"a#1","ok":{}}"#,
        #"{"at":"steps","end":"failed","outputs":{}}"#,
      ])
  }

  @Test func `each transcript of the project is written as it is`() throws {
    let enumerator = FileManager.default.enumerator(atPath: ProjectFiles.root)
    let paths = (enumerator?.compactMap { $0 as? String } ?? []).filter {
      $0.hasSuffix(".transcript.jsonl") && !$0.hasPrefix(".")
    }

    let different = try paths.filter { path in
      let content = try Data(contentsOf: URL(filePath: ProjectFiles.root + "/" + path))
      let transcript = try TranscriptReader.read(ProjectFiles.root + "/" + path)
      return transcript.bytes != Array(content)
    }

    #expect(paths.count > 20)
    #expect(different == [])
  }

  @Test func `a file above the limit is refused before it is read`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "t.jsonl")
    let handle = try FileHandle(forUpdating: URL(filePath: folder.path("t.jsonl")))
    try handle.truncate(atOffset: UInt64(TranscriptLine.mostBytes) + 1)
    try handle.close()

    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(folder.path("t.jsonl"))
    }

    #expect(
      error?.diagnostic.message
        == "cannot read '\(folder.path("t.jsonl"))': it has more than 256 MiB; record fewer steps, "
        + "or split the scenario")
  }

  // MARK: - What a file must not become

  @Test func `a body that could not be read is not written as an empty one`() throws {
    let folder = try TemporaryFolder()
    let lines = [
      #"{"at":"a#1","invoke":"p.a","input":{}}"#, #"{"at":"a#1","ok":{"text":\#(Self.blob)}}"#,
      #"{"at":"steps","end":"passed","outputs":{}}"#,
    ]
    let text = ([Self.header] + lines).map { $0 + "\n" }.joined()

    let (transcript, isWhole) = try TranscriptReader.readLeniently(
      Array(text.utf8), file: folder.path("t.jsonl"))

    #expect(!isWhole && !transcript.isWhole)
    #expect(transcript.bodies.isEmpty)
    #expect(String(decoding: transcript.bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [
    (#"{"$match":"^tok-[a-z]+$","example":"tok-secretvalue"}"#, "a string like '^tok-[a-z]+$'"),
    (#"{"$any":"int","example":73519284}"#, "any int"),
  ])
  func `an example that is hidden is still one of its matcher, or nothing is written`(
    _ value: String, _ matcher: String
  ) async throws {
    let plan = try ProbeRun.plan(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.echo, with: {value: 1}}]\n")
    let lines = [
      #"{"at":"p.echo#1","invoke":"p.echo","input":{"value":1}}"#,
      #"{"at":"p.echo#1","ok":{"value":\#(value)}}"#,
      #"{"at":"steps","end":"passed","outputs":{}}"#,
    ]
    let text = ([Self.header] + lines).map { $0 + "\n" }.joined()
    let transcript = try TranscriptReader.read(Array(text.utf8), file: "t.jsonl")
    let redactor = Redactor()
    try redactor.add("tok-secretvalue", named: "token")
    try redactor.add("73519284", named: "number")

    let error = #expect(throws: TranscriptError.self) {
      try RedactedTranscript(transcript, at: "t.jsonl", of: plan, redactor)
    }

    #expect(error?.diagnostic.message == "the example is not \(matcher)")
    #expect(error?.diagnostic.span?.start.line == 3)
  }

  @Test func `what is taken literally is text, whatever its name`() throws {
    let redactor = Redactor()
    try redactor.add("my-secret-value", named: "token")
    var redaction = ValueRedaction(redactor)
    var reader = RecordedValue.Reader()
    let value = try reader.value(
      try JSONParser.parse(Array(#"{"$literal":{"$bytes":"my-secret-value"}}"#.utf8)[...]))

    let hidden = redaction.value(value, as: .dynamic)

    #expect(hidden.json.text == #"{"$literal":{"$bytes":"${secret:token}"}}"#)
  }

  @Test func `inputs that are nested too deep are noticed before they are written`() async throws {
    let plan = try ProbeRun.plan("flow: 1\ninputs: {deep: {type: any}}\nsteps: [{set: {a: 1}}]\n")
    let deep = (0..<127).reduce(Value.int(1)) { value, _ in .list([value]) }
    let recorder = Recorder(of: plan)

    _ = await Session(of: plan, sinks: [recorder]).run(inputs: [deep])

    #expect(
      recorder.failure?.description
        == "a line of the run would be nested more than 128 levels deep")
  }
}
