import FlowCore
import FlowGraphQL
import Testing

/// Queries that spell out much more than they have, or that lead a parser or a checker astray.
@Suite struct HostileQueryTests {
  struct Hostile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let query: String
    let problem: String?
  }

  @Test(arguments: all)
  func `a hostile query is judged after bounded work`(_ hostile: Hostile) throws {
    let query = GraphQLQuery(hostile.query, against: try Shop.described())

    #expect(query.problems.first?.message == hostile.problem)
    if hostile.problem == nil { _ = try #require(query.operation(named: nil)).dataType }
  }

  static let all = [
    Hostile(
      testDescription: "fragments that double forty times",
      query: bomb {
        "fragment F\($0) on User { a: boss { ...F\($0 + 1) } b: boss { ...F\($0 + 1) } }"
      },
      problem: nil),
    Hostile(
      testDescription: "fragments with the next one twice",
      query: bomb { "fragment F\($0) on User { ...F\($0 + 1) ...F\($0 + 1) }" }, problem: nil),
    Hostile(
      testDescription: "a thousand fragments in each other",
      query: bomb(1_000) { "fragment F\($0) on User { ...F\($0 + 1) }" },
      problem: "the fragments select deeper than 200 levels"),
    Hostile(
      testDescription: "a circle of a thousand fragments",
      query: "{ users { ...F0 } } "
        + listed(1_000) { "fragment F\($0) on User { ...F\(($0 + 1) % 1_000) }" },
      problem: "the fragment 'F0' contains itself"),
    Hostile(
      testDescription: "ten thousand times one field",
      query: "{ users { \(String(repeating: "name ", count: 10_000)) } }", problem: nil),
    Hostile(
      testDescription: "selections in selections",
      query: "{ users \(String(repeating: "{ boss ", count: 5_000))",
      problem: "deeper than 100 levels"),
    Hostile(
      testDescription: "lists in lists",
      query: "{ users(ids: \(String(repeating: "[", count: 50_000))",
      problem: "deeper than 100 levels"),
    Hostile(
      testDescription: "types in types",
      query: "query Q($a: \(String(repeating: "[", count: 50_000))",
      problem: "deeper than 100 levels"),
    Hostile(
      testDescription: "a hundred thousand tokens",
      query: "{ users { \(String(repeating: "a: name ", count: 34_000)) } }",
      problem: "the document has more than 50000 tokens"),
    Hostile(
      testDescription: "many aliases of one large fragment",
      query: "{ users { \(listed(3_000) { "a\($0): boss { ...F }" }) } } "
        + "fragment F on User { \(listed(3_000) { "b\($0): name" }) }",
      problem: "the document is too large to be checked"),
    Hostile(
      testDescription: "many operations with many fragments",
      query: listed(1_500) { "query Q\($0) { users { ...F } }" }
        + " fragment F on User { \(listed(1_000) { "...F\($0)" }) } "
        + listed(1_000) { "fragment F\($0) on User { id }" },
      problem: "the document is too large to be checked"),
  ]

  private static func bomb(_ count: Int = 40, _ fragment: (Int) -> String) -> String {
    "{ users { ...F0 } } " + listed(count, fragment) + " fragment F\(count) on User { id }"
  }

  private static func listed(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: " ")
  }
}
