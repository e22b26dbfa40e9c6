import FlowCommand
import FlowSystem
import TestKit
import Testing

/// The messages of commands about files of another kind than expected.
@Suite struct StrangerCommandTests {
  private static let pointer =
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 812\n"

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [
    (["replay", "@/x.jsonl"], "@/x.jsonl:1:1", "a transcript or a journal", "F3105"),
    (["resume", "@/x.journal"], "@/x.journal:1:1", "a transcript or a journal", "F3105"),
    (["transcript", "show", "@/x"], "@/x:1:1", "a transcript or a journal", "F3105"),
    (["check", "@/x.yaml"], "@/x.yaml:1:1", "a scenario", "F1002"),
    (["run", "@/x.json"], "@/x.json:1:1", "a scenario", "F1002"),
    (["config", "@/flow.yaml"], "@/flow.yaml:1:1", "a project file", "F1602"),
  ]) func `a pointer of Git LFS is known everywhere`(
    _ arguments: [String], _ place: String, _ noun: String, _ code: String
  ) async throws {
    let file = String(arguments.last?.dropFirst(2) ?? "")
    try folder.write(Self.pointer, to: file)
    let run = try await FlowCommandRun(arguments, in: folder)

    let message =
      "this is a pointer of Git LFS, not \(noun); get the file itself with 'git lfs pull'"
    #expect(run.errors.hasPrefix("\(place): error: \(message) [\(code)]\n"), "\(run.errors)")
    #expect(run.code == .badInput)
  }

  @Test(arguments: [
    ([0x1F, 0x8B, 0x08] + Array("\nx".utf8), "a gzip file", "unpack it first"),
    (Array("PK\u{3}\u{4}".utf8), "a ZIP file", "unpack it first"),
    (
      Array("<!doctype html>\n<p>404".utf8), "an HTML page",
      "the server may have refused to send the file"
    ),
  ]) func `other strangers have words of their own`(
    _ content: [UInt8], _ name: String, _ remedy: String
  ) async throws {
    try folder.write(content, to: "x.jsonl")
    try folder.write(content, to: "x.yaml")
    let replay = try await FlowCommandRun(["replay", "@/x.jsonl"], in: folder)
    let check = try await FlowCommandRun(["check", "@/x.yaml"], in: folder)

    #expect(
      replay.errors.contains("this is \(name), not a transcript or a journal; \(remedy) [F3105]"))
    #expect(check.errors.contains("this is \(name), not a scenario; \(remedy) [F1002]"))
  }

  @Test func `text in UTF-16 is a scenario, but no transcript`() async throws {
    let text = "flow: 1\nsteps: [{wait: 0s}]\n".utf16.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    try folder.write([0xFF, 0xFE] + text, to: "x.yaml")
    try folder.write([0xFF, 0xFE] + text, to: "x.jsonl")
    let check = try await FlowCommandRun(["check", "@/x.yaml"], in: folder)
    let replay = try await FlowCommandRun(["replay", "@/x.jsonl"], in: folder)

    #expect(check.errors == "")
    #expect(
      replay.errors.contains(
        "this is text in UTF-16, not a transcript or a journal; save it as UTF-8 [F3105]"))
  }

  @Test func `a folder is no transcript`() async throws {
    try folder.write("", to: "x.jsonl/inner")
    let run = try await FlowCommandRun(["replay", "@/x.jsonl"], in: folder)

    #expect(run.errors.contains("cannot read '@/x.jsonl': not a file, but a folder [F3101]"))
  }
}
