import Foundation
import TestKit
import Testing

/// `flow mcp` under the official Python client.
@Suite(.enabled(if: Python.having("mcp") != nil, "no Python with the module 'mcp' here"))
struct AssistantClientTests {
  @Test func `the official client uses every tool, in each era of the protocol`() throws {
    let python = try #require(Python.having("mcp"))
    let script = ProjectFiles.root + "/Scripts/assistant-client"

    let ending = try ChildProcess(python, [script, BuiltProgram.url("flow").path]).ending()

    #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
    #expect(
      ending.output.split(separator: "\n").count(where: { $0.contains(" tools check ") }) == 3)
  }
}
