import Foundation
import TestKit
import Testing

/// The programs and modules that the site needs.
private enum SiteTools {
  static let areHere =
    ["python3", "cmark-gfm", "chromium", "chromedriver", "swift-symbolgraph-extract"]
    .allSatisfy { Tool.path($0) != nil }
    && FileManager.default.fileExists(
      atPath: ProjectFiles.root + "/.build/debug/Modules/FlowXCTest.swiftmodule")
}

/// The site that `Scripts/docs` writes, as a browser sees it.
@Suite(
  .enabled(
    if: SiteTools.areHere, "no python3, cmark-gfm, chromium, chromedriver or modules here"))
struct SiteTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The other links lead somewhere, and the searches find their pages: otherwise there are more lines.
  @Test func `a browser finds the faults that were put into the site, and no other`() async throws {
    let site = folder.path("site")
    #expect(try await docs([site]) == "\(site)/index.html\n")
    let page = URL(filePath: "\(site)/Docs/how-to/csrf.html")
    let text = try String(contentsOf: page, encoding: .utf8)
    let faults = """
      <a href="none.html">one</a> <a href="polling.html#none">two</a> <img src="none.png">
      <div style="width: 2000px">wide</div></main>
      """
    try #require(text.contains("</main>"))
    try Data(text.replacing("</main>", with: faults).utf8).write(to: page)

    // The first start finds the port in use.
    let driver = try #require(Tool.path("chromedriver"))
    try folder.write(
      """
      #!/bin/sh
      mkdir "\(folder.path("started"))" 2>/dev/null && echo 'IPv6 port not available. Exiting...' && exit 1
      exec '\(driver)' "$@"
      """, to: "bin/chromedriver")
    try folder.setMode(0o755, of: "bin/chromedriver")

    let lines = try await docs(["--check-site", site]).split(separator: "\n").map(String.init)

    #expect(lines.first?.wholeMatch(of: /\d{3,} pages, \d{4,} links followed, \d+ searches/) != nil)
    #expect(
      lines.dropFirst().map { $0.replacing(/\d+ pixels/, with: "N pixels") } == [
        "docs: Docs/how-to/csrf.html: the picture 'Docs/how-to/none.png' does not load",
        "docs: Docs/how-to/csrf.html: on a narrow screen the page is N pixels too wide",
        "docs: Docs/how-to/csrf.html: the link 'Docs/how-to/none.html' leads to no file of the site",
        "docs: Docs/how-to/csrf.html: the link 'Docs/how-to/polling.html#none' leads to no heading",
        "ended with 1",
      ])
  }

  /// Runs the script on a separate thread, because the pool's are for tests that do not wait.
  private func docs(_ arguments: [String]) async throws -> String {
    let path = try #require(ProcessInfo.processInfo.environment["PATH"])
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try Tool.run(
              "env", ["PATH=\(folder.path("bin")):\(path)", "python3", "Scripts/docs"] + arguments,
              in: ProjectFiles.root)
          })
      }
    }
  }
}
