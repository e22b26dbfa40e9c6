import FlowCore
import FlowEngine
import TestKit
import Testing

@testable import FlowTranscript

/// The checksum at the end of each line of a journal.
@Suite struct ChecksumTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: a, uses: p.echo, with: {value: "é, \\u0001 and more than eight bytes"}}
      - {id: b, uses: p.count}

    """

  /// A journal with its end.
  private static func journal() async throws -> [UInt8] {
    let plan = try ProbeRun.plan(scenario)
    let output = OutputText()
    let recorder = JournalRecorder(scenario: "s.yaml", run: "r") { bytes in output.append(bytes)
    }
    let session = Session(of: plan, sinks: [recorder], options: .init(in: Directory(".")))
    let caller = ResumingCaller(nil, in: session, recorder: recorder)
    _ = await session.run(inputs: [], through: caller)
    return Array(output.text.utf8)
  }

  private static func isRefused(_ bytes: [UInt8]) -> Bool {
    (try? TranscriptReader.readJournal(bytes, file: "j")) == nil
  }

  @Test func `the checksum is the CRC-32 of everything before it`() {
    var checksum = Checksum()
    var (first, second) = (Array("{\"a\":1}\n".utf8), Array("{\"b\":\"a longer line\"}\n".utf8))
    checksum.sign(&first)
    checksum.sign(&second)

    // What Python's zlib.crc32 says.
    #expect(String(decoding: first, as: UTF8.self) == #"{"a":1,"crc":"a702fc6e"}"# + "\n")
    #expect(
      String(decoding: second, as: UTF8.self) == #"{"b":"a longer line","crc":"88804b04"}"# + "\n")
  }

  @Test func `a journal of a database is neither sealed anew nor looked for in a folder`() {
    let digest = String(repeating: "d", count: 64)
    let lines = [
      #"{"transcript":1,"scenario":"s.yaml","digest":"sha256:\#(digest)","plugins":{},"inputs":{},"#
        + #""seed":"0","run":"r"}"#,
      #"{"at":"a#1","invoke":"p.x","input":{"text":{"$blob":"sha256:\#(digest)","size":9}}}"#,
    ]
    var checksum = Checksum()
    var bytes = lines.map { line in
      var bytes = Array((line + "\n").utf8)
      checksum.sign(&bytes)
      return bytes
    }
    func problem() -> String? {
      let address = "postgres://host/db#run"
      let error = #expect(throws: TranscriptError.self) {
        try TranscriptReader.readJournal(Array(bytes.joined()), file: address, bodies: [:])
      }
      return error?.diagnostic.message
    }

    let missing = problem()
    bytes[1][10] = UInt8(ascii: "2")
    let changed = problem()

    #expect(missing == "the body 'sha256:\(digest)' is missing")
    #expect(changed == "the line has changed since it was written, or an earlier one is missing")
  }

  @Test func `no changed byte of a journal passes`() async throws {
    let journal = try await Self.journal()

    // Without its last byte the last line is a torn one, which is dropped.
    for index in journal.indices.dropLast() {
      for bit in 0..<8 {
        var changed = journal
        changed[index] ^= 1 << UInt8(bit)
        #expect(Self.isRefused(changed), "byte \(index), bit \(bit)")
      }
    }
    #expect(!Self.isRefused(journal))
  }

  @Test func `no dropped, doubled or exchanged line of a journal passes`() async throws {
    let lines = try await Self.journal().split(separator: 0x0A).map { Array($0) + [0x0A] }

    for index in lines.indices.dropLast() {
      var (dropped, doubled, exchanged) = (lines, lines, lines)
      dropped.remove(at: index)
      doubled.insert(lines[index], at: index)
      exchanged.swapAt(index, index + 1)
      for changed in [dropped, doubled, exchanged] {
        #expect(Self.isRefused(Array(changed.joined())), "line \(index + 1)")
      }
    }
    #expect(!Self.isRefused(Array(lines.joined())))
  }

  @Test func `a journal that is signed again is as it was`() async throws {
    let journal = try await Self.journal()
    let unsealed = String(decoding: journal, as: UTF8.self).unsealed

    #expect(unsealed.utf8.count < journal.count)
    #expect(Checksum.signed(Array(unsealed.utf8)) == journal)
    #expect(Checksum.signed(journal) == journal)
    #expect(Checksum.signed(journal + Array("{\"at".utf8)) == journal + Array("{\"at".utf8))
  }
}
