import CounterPlugin
import FlowCore
import FlowEngine
import FlowScenario
import Testing

/// `Docs/writing-a-plugin.md` shows whole files; those that are compiled here are the same ones.
@Suite struct DocumentTests {
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  private static let compiled = "Tests/DocumentationTests/Counter"

  @Test func `every Swift file that the page shows is the one that is compiled`() throws {
    let page = MarkdownPage(try text("Docs/writing-a-plugin.md"))
    let shown = page.blocks.filter { $0.file.hasPrefix("Plugins/Counter/") }

    #expect(
      shown.map(\.file) == [
        "Plugins/Counter/Sources/CounterModel.swift",
        "Plugins/Counter/Sources/CounterRecords.swift",
        "Plugins/Counter/Sources/Counter.swift",
        "Plugins/Counter/Tests/CounterTests.swift",
      ])
    for block in shown {
      let file = Self.compiled + block.file.dropFirst("Plugins/Counter".count)
      #expect(try text(file) == block.code, "\(file)")
    }
  }

  @Test func `the targets that the page shows are the ones that are built`() throws {
    let page = MarkdownPage(try text("Docs/writing-a-plugin.md"))
    let block = try #require(page.blocks.first { $0.file == "Package.swift" })

    // Here they stand in another folder, and nowhere else do they differ.
    let targets = block.code.split(separator: "\"Plugins/Counter").joined(
      separator: "\"\(Self.compiled)")

    #expect(try text("Package.swift").contains(targets))
  }

  @Test func `the scenario that the page shows passes`() async throws {
    let page = MarkdownPage(try text("Docs/writing-a-plugin.md"))
    let block = try #require(page.blocks.first { $0.file == "Scenarios/count.yaml" })
    let source = ScenarioSource(file: block.file, bytes: Array(block.code.utf8))
    let plan = try ScenarioLoader(registry: try Registry([Counter.self])).plan(source)
    let sinks = EventSinks([])
    let caller = LiveCaller(
      componentCount: plan.components.count,
      options: ContextServices.Options(directory: Directory(Self.root)), sinks: sinks)

    let result = await Runner(plan: plan, caller: caller, sinks: sinks).run(inputs: [])

    #expect(result.passed)
    #expect(result.failures.isEmpty)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Directory(Self.root).read(path), as: UTF8.self)
  }
}

/// The code blocks of a page, each under a line that holds its file's path in backticks and no more.
private struct MarkdownPage {
  struct Block {
    let file: String
    let code: String
  }

  private(set) var blocks: [Block] = []

  init(_ text: String) {
    var code: [Substring]?
    var file = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```"), let lines = code {
        blocks.append(Block(file: file, code: lines.map { $0 + "\n" }.joined()))
        code = nil
      } else if line.hasPrefix("```") {
        code = []
      } else if code != nil {
        code?.append(line)
      } else if !line.isEmpty {
        file = line.hasPrefix("`") && line.hasSuffix("`") ? String(line.dropFirst().dropLast()) : ""
      }
    }
  }
}
