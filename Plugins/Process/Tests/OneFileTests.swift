import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import ProcessPlugin

/// Both outputs of a program in one file.
@Suite struct OneFileTests {
  private static let script =
    "for i in 1 2 3 4 5 6 7 8; do echo o$i; echo e$i >&2; done; echo end >&2"
  private static let expected = (1...8).map { "o\($0)\ne\($0)\n" }.joined() + "end\n"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("log", "log"), ("log", "./log"), ("log", "inner/../log"), ("folder/log", "log"),
  ])
  func `one file for both outputs keeps the order of the writes`(
    _ output: String, _ errors: String
  ) async throws {
    try folder.write("", to: "inner/x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.directory.path + "/folder", withDestinationPath: ".")
    let programs = try await OpenComponent(Processes.self, in: folder.directory.path)

    let answer = await programs.run([
      "argv": [Self.script], "shell": true, "to": output, "stderr_to": errors,
    ])

    #expect(try folder.text("log") == Self.expected)
    let shown = Self.expected.replacing("\n", with: "\\n")
    #expect(
      answer
        == #"{status: 0, signal: null, stdout: "\#(shown)", stderr: "", truncated: false}"#)
  }

  @Test func `two files have an output each`() async throws {
    let programs = try await OpenComponent(Processes.self, in: folder.directory.path)

    let answer = await programs.run([
      "argv": ["echo o; echo e >&2"], "shell": true, "to": "out", "stderr_to": "err",
    ])

    #expect(try [folder.text("out"), folder.text("err")] == ["o\n", "e\n"])
    #expect(answer.contains(#"stdout: "o\n", stderr: "e\n""#))
  }
}
