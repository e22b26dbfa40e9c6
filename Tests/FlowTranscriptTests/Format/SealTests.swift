import FlowCore
import FlowTranscript
import TestKit
import Testing

/// The digest at the end of a golden transcript.
@Suite struct SealTests {
  private static let transcript = """
    {"transcript":1,"scenario":"t.yaml","digest":"sha256:dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","plugins":{},"inputs":{},"seed":"0"}
    {"at":"p.echo#1","invoke":"p.echo","input":{"value":1}}
    {"at":"p.echo#1","ok":{"value":1}}
    {"at":"steps","end":"passed","outputs":{}}

    """

  @Test func `a sealed transcript reads as before`() throws {
    let sealed = Seal.sealed(Array(Self.transcript.utf8))
    let text = String(decoding: sealed, as: UTF8.self)

    // What sha256sum prints for the text without the brace and the newline at its end.
    #expect(
      text == Self.transcript.dropLast(2)
        + #","seal":"sha256:6a1f11d155ef5a83a35c02e5f2e4e7642e59a17996f9f3b3f33301452b97b6c4"}"#
        + "\n")
    #expect(try TranscriptReader.read(sealed, file: "t").passed)
    #expect(Seal.sealed(sealed) == sealed)
    #expect(text.unsealed == Self.transcript)
  }

  @Test func `a byte order mark before a transcript is skipped`() throws {
    let marked = Array("\u{FEFF}".utf8) + Seal.sealed(Array(Self.transcript.utf8))

    #expect(try TranscriptReader.read(marked, file: "t").passed)
    #expect(TranscriptReader.header(of: marked) != nil)
    #expect(BlobNames.areTranscript(marked))
    #expect(BlobNames(in: marked).damagedLine == nil)
  }

  @Test func `any changed byte breaks the seal or the transcript`() {
    let sealed = Seal.sealed(Array(Self.transcript.utf8))

    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: TranscriptError.self, "byte \(index)") {
        try TranscriptReader.read(changed, file: "t")
      }
    }
  }

  @Test func `a broken seal says what to do`() {
    let sealed = String(decoding: Seal.sealed(Array(Self.transcript.utf8)), as: UTF8.self)
    let changed = sealed.replacing(existing: #""ok":{"value":1}"#, with: #""ok":{"value":2}"#)

    let error = #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(Array(changed.utf8), file: "t")
    }

    #expect(error?.diagnostic.code == "F3117")
    #expect(error?.diagnostic.span?.start.line == 4)
    #expect(
      error?.diagnostic.message
        == "the transcript has changed since it was recorded; if that is intended, accept it with 'flow transcript seal'"
    )
  }
}
