import FlowCore
import FlowEngine
import Foundation
import TestKit
import Testing

@testable import FlowTranscript

/// A transcript that stays in its file during its replay.
@Suite struct LargeTranscriptTests {
  /// More than 2 MiB of lines, one of them longer than a page.
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: long, uses: p.echo, with: {value: "${{ lists.range(9000) }}"}}
      - for: number
        in: "${{ lists.range(320) }}"
        do:
          - id: it
            uses: p.echo
            with: {value: ["${{ number }}", "\(String(repeating: "a", count: 3_500))"]}
    """

  /// Once for all tests.
  private static let recording = Task { try await Recorded(scenario) }

  private let folder: TemporaryFolder
  private let recorded: Recorded
  private let path: String

  init() async throws {
    folder = try TemporaryFolder()
    recorded = try await Self.recording.value
    path = folder.path("t.jsonl")
    try folder.write(recorded.text, to: "t.jsonl")
  }

  private func replay(_ transcript: Transcript) async throws -> [String] {
    let report = await Replay(transcript, of: recorded.plan, acceptance: "--record").run(
      inputs: try transcript.header.inputValues(for: recorded.plan, file: path))
    #expect(report.passed == report.diagnostics.isEmpty)
    return report.diagnostics.map { "\($0.code.name) \($0.message)" }
  }

  @Test func `a byte order mark before it is skipped`() async throws {
    try folder.write("\u{FEFF}" + recorded.text, to: "t.jsonl")

    let transcript = try TranscriptReader.readForReplay(path)

    #expect(transcript.calls.count == 322)
    #expect(try await replay(transcript) == [])
  }

  @Test func `it says what it says in memory`() async throws {
    let bytes = Array(recorded.text.utf8)
    let inMemory = try TranscriptReader.read(bytes, file: path)

    let inFile = try TranscriptReader.readForReplay(path)

    #expect(bytes.count > 2 << 20)
    #expect(inFile.calls.count == 322)
    #expect(inFile.calls.hasLines(of: inMemory.calls))
    #expect(inMemory.calls.hasLines(of: inFile.calls))
    #expect(
      inFile.calls.indices.allSatisfy {
        inFile.calls.line(of: $0) == inMemory.calls.line(of: $0)
          && inFile.calls[$0].address == inMemory.calls[$0].address
          && inFile.calls[$0].input.json == inMemory.calls[$0].input.json
      })
    #expect(inFile.calls.lines.bytes.whole == bytes)
    #expect(try await replay(inFile) == [])
  }

  @Test func `what is not as recorded is found at its line`() async throws {
    let text = recorded.text.unsealed.replacing(
      existing: #""invoke":"p.echo","input":{"value":[318,"#,
      with: #""invoke":"p.echo","input":{"value":[319,"#)
    try folder.write(Seal.sealed(Array(text.utf8)), to: "t.jsonl")

    let found = try await replay(try TranscriptReader.readForReplay(path))

    let foundInMemory = try await replay(try TranscriptReader.read(path))
    #expect(found == foundInMemory)
    #expect(found.first?.hasPrefix("F3") == true)
  }

  /// Why it cannot be read; what was read is too much to be shown.
  private static func error(
    _ read: () throws(TranscriptError) -> Transcript
  ) -> TranscriptError? {
    do throws(TranscriptError) { _ = try read() } catch { return error }
    return nil
  }

  @Test(arguments: [
    "a byte", "an answer", "the end", "the last line's newline", "what follows",
  ])
  func `damage is found as in memory`(_ damage: String) throws {
    var bytes = Seal.sealed(Array(recorded.text.utf8))
    let middle = bytes[(bytes.count / 2)...].firstIndex(of: 0x0A) ?? 0
    switch damage {
    case "a byte": bytes[middle + 100] ^= 1
    case "an answer":
      let end = bytes[(middle + 1)...].firstIndex(of: 0x0A) ?? 0
      bytes.removeSubrange(middle..<end)
    case "the end": bytes.removeSubrange(middle...)
    case "the last line's newline": bytes.removeLast()
    default: bytes += Array("{}\n".utf8)
    }
    try folder.write(bytes, to: "t.jsonl")

    let inMemory = Self.error { () throws(TranscriptError) in try TranscriptReader.read(path) }
    let inFile = Self.error { () throws(TranscriptError) in
      try TranscriptReader.readForReplay(path)
    }

    #expect(inMemory != nil)
    #expect(inFile == inMemory)
  }

  @Test func `a replay of one that has changed meanwhile says so and nothing else`() async throws {
    let transcript = try TranscriptReader.readForReplay(path)
    // In place, as an editor may do it; a recording takes the place of the file, and the old one stays readable.
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    try handle.truncate(atOffset: 1_000)
    try handle.close()

    #expect(
      try await replay(transcript)
        == ["F3101 cannot read '\(path)': it changed while it was read"])
  }
}
