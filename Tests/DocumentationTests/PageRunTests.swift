import FlowCore
import Foundation
import TestKit
import Testing

/// The commands of the pages, run by `Scripts/pages` as a reader would run them.
@Suite(.enabled(if: Tool.path("python3") != nil, "no Python here"))
struct PageRunTests {
  /// The pages of applications from PyPI, with the numbers of their commands and the programs that
  /// they start beside these.
  private static let withPackages: [(page: String, commands: Int, programs: [String])] = [
    ("Docs/tutorials/http.md", 22, []), ("Docs/how-to/graphql.md", 6, []),
    ("Docs/how-to/graphql-subscriptions.md", 2, []), ("Docs/how-to/socket-io.md", 2, []),
    ("Docs/how-to/small-protocols.md", 7, ["redis-server", "mosquitto"]),
  ]
  /// Pages with tests of their own (`RuleTests`, `SkillTests`), and one whose commands install flow.
  private static let others = ["Docs/rules.md", "Docs/SKILL.md", "Docs/installing.md"]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: pages)
  func `the commands of a page print what it shows`(_ page: String) async throws {
    let output = try await run([page])

    #expect(output.wholeMatch(of: /\S+: \d+ commands\n/) != nil, "\(output)")
  }

  @Test(
    .enabled(if: !installed.isEmpty, "no packages of the pages here"),
    arguments: installed)
  func `the commands of a page with packages print what it shows`(_ page: Int) async throws {
    let (path, commands, _) = Self.withPackages[page]

    #expect(try await run([path]) == "\(path): \(commands) commands\n")
  }

  @Test func `a page that shows something else is an error`() async throws {
    try folder.write(
      """
      `greeting.txt`

      ```text
      Hello
      ```

      ```console
      $ cat greeting.txt
      Hello
      $ cat greeting.txt; echo it took 3 s
      H...o
      it took 12 ms
      $ cat greeting.txt
      Hallo
      ```

      ```sh
      false
      true
      ```

      <!-- not run: it needs a server -->

      ```sh
      flow test --liv
      flow tset | cat
      flow test --live && false
      ```

      `wrong.yaml`

      ```yaml
      flow: 1
      steps:
        - uses: nothing.at_all
      ```

      """, to: "page.md")

    let output = try await run([folder.path("page.md")])

    #expect(
      output.replacing(folder.directory.path + "/", with: "")
        .split(separator: "\n").prefix(9).joined(separator: "\n") == """
          page.md: 4 commands
          page.md:13: error: 'cat greeting.txt' prints
              Hello
          and the page shows
              Hallo
          page.md:17: error: 'false
          true' ended with 1:
          page.md:24: error: 'flow test --liv': 'flow test' has no option '--liv'
          page.md: error: flow check: 1 scenario checked, 1 error
          """)
  }

  @Test(arguments: [
    "Shelf.swift": "Sources/ShelfPlugin", "ShelfTests.swift": "Tests/ShelfPluginTests",
  ])
  func `the component of the tutorial is the one that is compiled`(
    _ file: String, _ folder: String
  ) throws {
    let page = MarkdownPage(try ProjectFiles.text("Docs/tutorials/component.md"))
    let shown = page.blocks.filter { $0.file == "\(folder)/\(file)" }.map(\.code)

    let compiled = try ProjectFiles.text("Tests/DocumentationTests/\(file)")

    #expect(shown.map { $0.replacing("\n@testable import ShelfPlugin\n", with: "") } == [compiled])
  }

  /// The README and all pages of `Docs`, except the one with packages.
  private static var pages: [String] {
    let names = FileManager.default.enumerator(atPath: ProjectFiles.root + "/Docs")
    let paths = (names?.allObjects ?? []).compactMap { $0 as? String }
    return ["README.md"]
      + paths.filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }.sorted()
      .filter { path in
        !withPackages.contains { $0.page == path } && !others.contains(path)
          && !path.hasPrefix("Docs/decisions/")
      }
  }

  /// The positions of the pages with packages whose packages and programs are here.
  private static let installed = withPackages.indices.filter { index in
    let (page, _, programs) = withPackages[index]
    return programs.allSatisfy { Tool.path($0) != nil }
      && (try? Tool.run("python3", ["Scripts/pages", "--install", page], in: ProjectFiles.root))
        == ""
  }

  /// Runs the script on a separate thread, because the pool's are for tests that do not wait.
  private func run(_ pages: [String]) async throws -> String {
    let arguments = ["Scripts/pages", "--flow", BuiltProgram.url("flow").path] + pages
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try Tool.run("python3", arguments, in: ProjectFiles.root) })
      }
    }
  }
}
