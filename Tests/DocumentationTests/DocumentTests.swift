import FlowCore
import FlowTesting
import TestKit
import Testing

/// The pages show whole files; those that are compiled here are the same ones.
@Suite struct DocumentTests {
  private static let compiled = "Tests/DocumentationTests/Counter"

  @Test func `every Swift file that the page shows is the one that is compiled`() throws {
    let page = MarkdownPage(try text("Docs/writing-a-plugin.md"))
    let shown = page.blocks.filter {
      $0.file.hasPrefix("Plugins/Counter/") && $0.file.hasSuffix(".swift")
    }

    #expect(
      shown.map(\.file) == [
        "Plugins/Counter/Sources/Counter.swift",
        "Plugins/Counter/Tests/CounterTests.swift",
        "Plugins/Counter/Tests/CounterChecksTests.swift",
      ])
    for block in shown {
      let file = Self.compiled + block.file.dropFirst("Plugins/Counter".count)
      #expect(try text(file) == Self.renamed(block.code), "\(file)")
    }
  }

  @Test func `the lines that settle what Foundation calls so, too, are compiled`() async throws {
    let page = MarkdownPage(try text("Docs/writing-a-plugin.md"))
    let block = try #require(page.blocks.first { $0.code.contains("typealias") })
    let meter = try await OpenComponent(Meter.self)

    #expect(try text("Tests/DocumentationTests/FoundationNames.swift").hasPrefix(block.code))
    #expect("\(try await meter.call("read"))" == "{value: 12.50}")
  }

  @Test func `the targets that the page shows are the ones that are built`() throws {
    let page = MarkdownPage(try text("Docs/writing-a-plugin.md"))
    let block = try #require(page.blocks.first { $0.file == "Package.swift" })

    let targets = Self.renamed(block.code)

    // A name of another length is wrapped at another place.
    #expect(Self.words(try text("Package.swift")).contains(Self.words(targets)))
  }

  @Test func `the scenario that the page shows is the one that the contract runs`() throws {
    let page = MarkdownPage(try text("Docs/writing-a-plugin.md"))
    let block = try #require(page.blocks.first { $0.file == "Plugins/Counter/count.yaml" })

    #expect(try text(Self.compiled + "/count.yaml") == block.code)
  }

  @Test func `the first scenario of the README is an example that is run`() throws {
    let example = try text("Examples/places/places.yaml")

    #expect(try text("README.md").contains("```yaml\n\(example)```"))
  }

  @Test func `every file that the page on testing shows is the one that is run`() throws {
    let page = MarkdownPage(try text("Docs/testing.md"))
    let shown = page.blocks.filter { $0.file.hasPrefix("Tests/SpendTests/") }

    #expect(
      shown.map(\.file) == [
        "Tests/SpendTests/Scenarios/spend.yaml", "Tests/SpendTests/SpendTests.swift",
        "Tests/SpendTests/SpendXCTests.swift",
      ])
    for block in shown {
      let file = "Tests/DocumentationTests/Spend" + block.file.dropFirst("Tests/SpendTests".count)
      #expect(try text(file) == block.code, "\(file)")
    }
  }

  @Test(arguments: [
    ("Docs/writing-a-plugin.md", "Plugins/Album/Sources/Album.swift", 2),
    ("Docs/testing.md", "Tests/FlowTestingTests/Live/LiveReplayTests.swift", 1),
    ("Docs/how-to/agents-tests.md", "Examples/agents/openai.yaml", 2),
  ])
  func `what a page shows of a file is a part of it`(
    _ page: String, _ file: String, _ count: Int
  ) throws {
    let shown = MarkdownPage(try text(page)).blocks.filter { $0.file == file }

    #expect(shown.count == count)
    for block in shown { #expect(try text(file).contains(block.code), "\(block.code)") }
  }

  /// The page's code with the folder and the module that it has here, so that a reader's own
  /// `CounterPlugin` can stand beside them.
  private static func renamed(_ code: String) -> String {
    code.replacing("\"Plugins/Counter", with: "\"\(compiled)")
      .replacing("CounterPlugin", with: "DocumentedCounter")
  }

  private static func words(_ code: String) -> String {
    code.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func text(_ path: String) throws -> String { try ProjectFiles.text(path) }
}
