import FlowCore
import FlowGraphQL
import Foundation
import TestKit
import Testing

@Suite struct VerdictTests {
  private static let python = Python.having("graphql.utilities", in: "graphql")

  @Test(.enabled(if: python != nil, "no Python with graphql-core here"))
  func `graphql-core finds the same queries right and wrong`() throws {
    let python = try #require(Self.python)
    let cases = QueryCase.right + QueryCase.wrong
    let folder = try TemporaryFolder()
    let given: Value = .list([.string(Shop.schema), .list(cases.map { .string($0.query) })])
    try folder.write(given.json, to: "cases.json")

    let run = try ChildProcess(
      python, [ProjectFiles.root + "/Tests/FlowGraphQLTests/verdicts.py", "cases.json"],
      in: folder.directory.path
    ).ending()

    #expect(run.errors == "")
    let verdicts = try JSONDecoder().decode([Bool].self, from: Data(run.output.utf8))
    let differing = zip(cases, verdicts).filter { ($0.problem == nil) != $1 }.map(\.0.query)
    #expect(verdicts.count == cases.count)
    #expect(differing == [])
  }

  @Test func `the table has at least forty queries of each kind`() {
    #expect(QueryCase.right.count >= 40)
    #expect(QueryCase.wrong.count >= 40)
  }
}
