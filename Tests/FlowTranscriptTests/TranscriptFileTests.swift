import FlowCore
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
        == "the recording has more than 256 MiB, which are the most, without the bodies in files; "
        + "record fewer steps, or split the scenario")
  }
}
