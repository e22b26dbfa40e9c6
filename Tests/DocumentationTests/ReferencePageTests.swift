import Foundation
import TestKit
import Testing

/// The pages of the reference, compared with the declarations that `flow help --markdown` prints.
struct ReferencePageTests {
  private static let variable = "FLOW_WRITE_PAGES"

  @Test(arguments: ["commands", "plugins", "scenario", "project", "diagnostics"])
  func `a page of the reference is the one that the declarations make`(_ name: String) throws {
    let page = try ReferenceFile(name)
    let printed = try Tool.run(
      BuiltProgram.url("flow").path, ["help", "--markdown", name], in: ProjectFiles.root)
    let isWriting = ProcessInfo.processInfo.environment[Self.variable] != nil
    if isWriting { try page.write(printed) }

    #expect(
      page.body == printed,
      "write it anew with '\(Self.variable)=1 swift test --filter ReferencePageTests', and read it")
    // A run that wrote what it compares proves nothing.
    #expect(!isWriting, "the page was written; read it, and run the test again")
  }
}

/// A page with a written introduction, and a body that flow prints.
private struct ReferenceFile {
  private let path: String
  private let introduction: String
  let body: String

  init(_ name: String) throws {
    path = ProjectFiles.root + "/Docs/reference/\(name).md"
    let text = try ProjectFiles.text("Docs/reference/\(name).md")
    let mark = "<!-- below: flow help --markdown \(name) -->\n\n"
    let end = try #require(text.firstRange(of: mark), "'\(path)' has no line '\(mark)'")
    introduction = String(text[..<end.upperBound])
    body = String(text[end.upperBound...])
  }

  func write(_ body: String) throws {
    try Data((introduction + body).utf8).write(to: URL(filePath: path))
  }
}
