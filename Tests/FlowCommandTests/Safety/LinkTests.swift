import FlowCommand
import FlowCore
import TestKit
import Testing

/// Links in a project that lead from the files of `flow` to other files of the user.
@Suite struct LinkTests {
  private static let long = String(repeating: "long ", count: 1_000)
  private static let blob = "blobs/" + SHA256(Array(long.utf8)).hexadecimal

  private let suite: SuiteFolder
  /// The content that must not change.
  private let outside: TemporaryFolder

  init() throws {
    suite = try SuiteFolder()
    outside = try TemporaryFolder()
    try suite.writeReader(page: Self.long)
    try outside.write("mine", to: "file")
    try outside.write("mine", to: "folder/file")
  }

  private func test() async throws -> SuiteRun { try await suite.flow("test", "@/") }

  /// A test that records in a job.
  private func job() async throws -> SuiteRun {
    try await suite.flow("test", "@/", "--live", "--update", "missing", environment: ["CI": "1"])
  }

  private func link(_ path: String, to target: String) throws {
    try suite.folder.link(path, to: outside.path(target))
  }

  private func expectNothingIsTouched() throws {
    #expect(try outside.text("file") == "mine")
    #expect(try outside.names(in: "folder") == ["file"])
  }

  @Test func `a link in the place of the state is replaced`() async throws {
    try suite.folder.write("", to: ".flow/x")
    try link(".flow/last-failed", to: "file")

    #expect(try await test().errors == "")
    try expectNothingIsTouched()
    #expect(try suite.folder.text(".flow/last-failed").hasPrefix(#"{"flow-state":1}"#))
  }

  @Test func `a link in the place of the folder of the state is refused`() async throws {
    try link(".flow", to: "folder")

    #expect(
      try await test().errors
        == "warning: the list of failed scenarios was not saved: cannot write '@/.flow': it is a link, but flow writes only into a real folder\n"
    )
    try expectNothingIsTouched()
  }

  @Test func `a link in the place of a body is replaced`() async throws {
    try suite.folder.write("", to: "blobs/x")
    try link(Self.blob, to: "file")

    #expect(try await test().code == .passed)
    try expectNothingIsTouched()
    #expect(try suite.folder.text(Self.blob) == Self.long)
    #expect(try await test().output.hasPrefix("passed "))
  }

  @Test func `a link to the very body is replaced as well`() async throws {
    try outside.write(Self.long, to: "body")
    try suite.folder.write("", to: "blobs/x")
    try link(Self.blob, to: "body")

    _ = try await test()

    #expect(try await test().output.hasPrefix("passed "))
  }

  @Test func `a link in the place of the folder of bodies is refused`() async throws {
    try link("blobs", to: "folder")
    let test = try await test()
    let run = try await suite.flow("run", "@/reader.yaml", "--record")

    #expect(
      test.errors
        == "note: the transcript was not written: cannot write '@/blobs': it is a link, but flow writes only into a real folder\n"
    )
    #expect(run.errors.contains("cannot write '@/blobs': it is a link"))
    #expect([test.code, run.code] == [.cannotWrite, .cannotWrite])
    try expectNothingIsTouched()
  }

  @Test func `bodies are not read through a link in the place of their folder`() async throws {
    _ = try await test()
    try outside.write(Self.long, to: "folder/" + Self.blob.dropFirst(6))
    try suite.folder.remove("blobs")
    try link("blobs", to: "folder")

    #expect(try await test().errors.contains("/blobs' is a link [F3116]"))
  }

  @Test func `something that is no folder is told`() async throws {
    try suite.folder.write("", to: "blobs")

    #expect(try await test().errors.contains("cannot write '@/blobs': it is not a folder\n"))
  }

  @Test(arguments: [".flow", ".flow/recorded", ".flow/recorded/sub"])
  func `what a job records stays in the project`(_ path: String) async throws {
    try suite.writeReader("sub/reader.yaml", page: "x")
    try suite.folder.write("short", to: "sub/page.txt")
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    try suite.folder.write("", to: parent + "/x")
    try link(path, to: "folder")

    #expect(try await job().errors.contains("cannot write '@/\(path)': it is a link"))
    try expectNothingIsTouched()
  }

  @Test func `a link in the place of a job's recording is replaced`() async throws {
    try suite.folder.write("", to: ".flow/recorded/x")
    try link(".flow/recorded/reader.transcript.jsonl", to: "file")

    #expect(try await job().output.hasPrefix("recorded "))
    try expectNothingIsTouched()
  }

  @Test func `what the user names himself is written through a link`() async throws {
    try outside.write("", to: "file")
    try link("mine.jsonl", to: "file")

    _ = try await suite.flow("run", "@/reader.yaml", "--record=@/mine.jsonl")

    #expect(try outside.text("file").hasPrefix(#"{"transcript":1"#))
  }
}
