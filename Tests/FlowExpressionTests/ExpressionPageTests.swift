import FlowSystem
import Foundation
import TestKit
import Testing

@testable import FlowExpression

/// The page about every function, compared with the declarations.
struct ExpressionPageTests {
  private static let path = ProjectFiles.root + "/Docs/expressions.md"
  private static let variable = "FLOW_WRITE_PAGES"

  @Test func `the page of all functions is the one that their declarations make`() throws {
    let isWriting = ProcessInfo.processInfo.environment[Self.variable] != nil
    if isWriting {
      try FileSystem.replace(Self.path, with: Array(ExpressionPage.text.utf8))
    }
    let page = try String(
      decoding: FileSystem.contents(of: Self.path, limit: 1 << 20), as: UTF8.self)

    #expect(
      page == ExpressionPage.text,
      "write it anew with '\(Self.variable)=1 swift test --filter ExpressionPageTests', and read it"
    )
    // A run that wrote what it compares proves nothing.
    #expect(!isWriting, "the page was written; read it, and run the test again")
  }

  @Test func `the page explains every function, operator and macro once`() {
    let names = ExpressionPage.names
    let operators = Operators.arithmetic.keys.map(\.rawValue) + ["==", "!=", "!", "&&", "||", "?:"]

    #expect(names.count == Set(names).count)
    #expect(Set(Library.names + operators).subtracting(names).sorted() == [])
    #expect(
      names.filter { $0.contains(where: \.isLetter) && !Library.names.contains($0) } == ["in"])
  }

  @Test(arguments: ExpressionPage.sections.flatMap(\.entries).map(\.example))
  func `an example on the page has a value`(_ example: String) throws {
    _ = try Expression(example, in: ExpressionPage.environment).evaluate(Activation())
  }
}
