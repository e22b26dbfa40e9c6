import FlowCore
import TestKit
import Testing

/// Dead links and wide lines, which `Scripts/docs` finds.
@Suite(.enabled(if: Tool.path("python3") != nil, "no Python here"))
struct PageCheckTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the pages have no dead link and no wide line`() throws {
    #expect(try check(ProjectFiles.root).hasSuffix(" pages, no dead links, no wide lines\n"))
  }

  @Test func `a link that leads to nothing is an error at its line`() throws {
    try folder.write(
      """
      # A page

      [one](other.md#second-heading), [two](other.md#none), [three](https://example.org/none.md),
      `[four](code.md)`, [five
      ](none.md) and [![six](picture.png)](#a-page).

      ```
      [seven](code.md)
      ```

      | [eight](folder/) | [nine](../outside.md) |
      | [ten](picture.svg#part) | [eleven](other.md#with_code-and-a-link-1) |

      """, to: "page.md")
    try folder.write(
      """
      ## Second _heading_
      ## `with_code`, and a [link](page.md)
      ## With_code and a link
      ```
      # none
      ```

      """, to: "other.md")
    try folder.write("", to: "folder/file")
    try folder.write("", to: "picture.svg")

    #expect(
      try check(folder.directory.path) == """
        page.md:3: error: the link 'other.md#none' leads to no heading of 'other.md'
        page.md:5: error: the link 'none.md' leads to no file of the project
        page.md:5: error: the link 'picture.png' leads to no file of the project
        page.md:11: error: the link '../outside.md' leads to no file of the project
        page.md:12: error: the link 'picture.svg#part' has an anchor, and 'picture.svg' is no page
        ended with 1

        """)
  }

  @Test func `a line of prose over 100 columns is an error, unless it cannot be wrapped`() throws {
    let wide = String(repeating: "é", count: 99)
    let lines = [
      "x \(wide)", "\(wide) x", "- x \(wide)", "> \(wide) x", "\(wide)x", "- [x](https://\(wide))",
      "# Heading \(wide)", "| cell | \(wide) |", "<img src=\"\(wide)\">", "```", "x \(wide)", "```",
    ]
    try folder.write(lines.joined(separator: "\n\n") + "\n", to: "page.md")

    #expect(
      try check(folder.directory.path) == """
        page.md:1: error: the line has 101 columns; wrap it at 100
        page.md:3: error: the line has 101 columns; wrap it at 100
        page.md:5: error: the line has 103 columns; wrap it at 100
        page.md:7: error: the line has 103 columns; wrap it at 100
        ended with 1

        """)
  }

  private func check(_ folder: String) throws -> String {
    try Tool.run("python3", ["Scripts/docs", "--check", folder], in: ProjectFiles.root)
  }
}
