import Foundation
import TestKit
import Testing

/// The plugins of the page on writing plugins that are programs.
@Suite struct OtherLanguageTests {
  private static let module = "mcp.server.mcpserver"

  @Test(.enabled(if: Tool.path("python3") != nil, "python3 is not installed"))
  func `the server in Python runs, and is replayed without it`() throws {
    try verify("server.py", by: Tool.path("python3"))
  }

  @Test(.enabled(if: Python.having(module) != nil, "the package 'mcp' is not installed"))
  func `the server with the official package runs, and is replayed without it`() throws {
    try verify("sdk.py", by: Python.having(Self.module))
  }

  @Test(.enabled(if: Tool.path("node") != nil, "node is not installed"))
  func `the server in JavaScript runs, and is replayed without it`() throws {
    try verify("server.mjs", by: Tool.path("node"))
  }

  private func verify(_ file: String, by interpreter: String?) throws {
    let folder = try TemporaryFolder()
    for block in try blocks() { try folder.write(block.code, to: block.file) }
    let declared = try folder.text("counter/flow.yaml")
    let program = "[\(try #require(interpreter)), \(file)]"
    try folder.write(
      declared.replacing("[python3, server.py]", with: program), to: "counter/flow.yaml")

    let locked = try flow(["plugin", "lock"], in: folder)
    let recorded = try flow(["run", "counter.yaml", "--record"], in: folder)
    try folder.remove("counter/\(file)")
    let replayed = try flow(["test", "counter.yaml"], in: folder)

    #expect(locked == "counter: added\nwrote flow.lock; review it\n")
    #expect(recorded.hasSuffix("recorded counter.transcript.jsonl\n"), "\(recorded)")
    #expect(replayed.contains("scenarios 1 passed\nreplayed: counter\n"), "\(replayed)")
  }

  @Test func `the servers of the page are those of flow new plugin`() throws {
    let starters = [
      "counter/server.py": "server-python.txt", "counter/counter.yaml": "server-scenario.txt",
      "counter/server.mjs": "server-javascript.txt",
    ]
    let shown = try blocks().filter { starters[$0.file] != nil }

    #expect(shown.count == starters.count)
    for block in shown {
      let starter = try #require(starters[block.file])
      #expect(block.code == (try ProjectFiles.text("Sources/CTexts/Texts/\(starter)")))
    }
  }

  private func blocks() throws -> [MarkdownPage.Block] {
    MarkdownPage(try ProjectFiles.text("Docs/writing-a-plugin.md")).blocks
      .filter { $0.file.hasPrefix("counter/") }
  }

  private func flow(_ arguments: [String], in folder: TemporaryFolder) throws -> String {
    let ending = try ChildProcess(
      BuiltProgram.url("flow").path, arguments, in: folder.path("counter")
    ).ending()
    return ending.output + (ending.code == 0 ? "" : ending.errors)
  }
}
