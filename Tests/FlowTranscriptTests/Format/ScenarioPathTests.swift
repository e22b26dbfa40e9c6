import FlowCore
import FlowTranscript
import TestKit
import Testing

/// The chosen scenario among those named by a header.
@Suite struct ScenarioPathTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for path in ["s.yaml", "other/s.yaml", ".flow/recorded/x"] { try folder.write("", to: path) }
  }

  /// The path that a transcript in `.flow/recorded` leads to, or the code of its error.
  private func path(_ scenario: String, or folders: [String] = []) throws -> String {
    let file = folder.path(".flow/recorded/s.transcript.jsonl")
    let text = """
      {"transcript":1,"scenario":"\(scenario)","digest":"sha256:dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","plugins":{},"inputs":{},"seed":"0"}
      {"at":"steps","end":"passed","outputs":{}}

      """
    let header = try TranscriptReader.read(Array(text.utf8), file: file).header
    do throws(TranscriptError) {
      return try header.scenarioPath(beside: file, or: folders)
    } catch {
      return error.diagnostic.code.name
    }
  }

  @Test func `what a job recorded leads back into the project`() throws {
    let project = folder.directory.path

    #expect(
      try path("../../s.yaml", or: [project]) == project + "/.flow/recorded/../../s.yaml")
    #expect(try path("../../s.yaml") == "F3120")
  }

  @Test func `an absolute path is one`() throws {
    let scenario = folder.path("other/s.yaml")

    #expect(try path(scenario, or: [folder.path("other")]) == scenario)
    #expect(try path(scenario) == "F3120")
    #expect(try path("/etc/hostname") == "F3120")
  }

  @Test func `a folder that begins like another is not below it`() throws {
    #expect(try path("../../other/s.yaml", or: [folder.path("oth")]) == "F3120")
  }

  @Test func `a folder that is not there allows nothing`() throws {
    #expect(try path("../../s.yaml", or: [folder.path("none"), ""]) == "F3120")
  }
}
