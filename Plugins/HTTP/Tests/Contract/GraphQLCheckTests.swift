import FlowCommand
import FlowCore
import Foundation
import TestKit
import Testing

@testable import HTTPPlugin

/// The knowledge of `flow check` from a GraphQL schema.
@Suite struct GraphQLCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: String
    /// The first line of each error, from its line on, or none for a scenario without a mistake.
    var errors: [String] = []

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a right query",
      steps: """
        - id: ann
          uses: api.graphql
          with: {query: "query($id: ID!) { user(id: $id) { name kind } }", variables: {id: 1}}
        - assert: ${{ steps.ann.data.user.name == 'Ann' && steps.ann.data.user.kind == 'ADMIN' }}
        """),
    Case(
      name: "an unknown field in one line",
      steps: "- {uses: api.graphql, with: {query: \"{ users { nam } }\"}}",
      errors: [
        "5:48: error: 'api.graphql' contradicts 'shop.graphql': 'query': 'User' has no field 'nam'; did you mean 'name'? [F1223]"
      ]),
    Case(
      name: "an unknown field in a block",
      steps: """
        - uses: api.graphql
          with:
            query: |
              {
                users {
                  é: email nam
                }
              }
        """,
      errors: [
        "10:11: error: 'api.graphql' contradicts 'shop.graphql': 'query': unexpected character 'é' [F1223]"
      ]),
    Case(
      name: "a missing bracket in a block",
      steps: """
        - uses: api.graphql
          with:
            query: |
              {
                # é
                users { name kynd }
              }
        """,
      errors: [
        "10:22: error: 'api.graphql' contradicts 'shop.graphql': 'query': 'User' has no field 'kynd'; did you mean 'kind'? [F1223]"
      ]),
    Case(
      name: "a folded query, whose lines are others",
      steps: """
        - uses: api.graphql
          with:
            query: "{
              users { nam } }"
        """,
      errors: [
        "7:12: error: 'api.graphql' contradicts 'shop.graphql': 'query': 'User' has no field 'nam'; did you mean 'name'? (line 1, column 11) [F1223]"
      ]),
    Case(
      name: "a variable of another type",
      steps:
        "- {uses: api.graphql, with: {query: \"query($n: Int) { users(limit: $n) { id } }\", variables: {n: many}}}",
      errors: ["5:98: error: 'n': expected optional(int), got the string \"many\" [F1206]"]),
    Case(
      name: "a missing variable",
      steps:
        "- {uses: api.graphql, with: {query: \"query($id: ID!) { user(id: $id) { id } }\"}}",
      errors: [
        "5:10: error: 'api.graphql' contradicts 'shop.graphql': 'variables.id': '$id' of type 'ID!' is missing [F1223]"
      ]),
    Case(
      name: "an unknown variable",
      steps:
        "- {uses: api.graphql, with: {query: \"query($id: ID!) { user(id: $id) { id } }\", variables: {id: 1, ib: 2}}}",
      errors: ["5:100: error: 'variables' has no field 'ib'; did you mean 'id'? [F1204]"]),
    Case(
      name: "a wrong field of an input object",
      steps:
        "- {uses: api.graphql, with: {query: \"mutation($u: NewUser!) { addUser(user: $u) { id } }\", variables: {u: {nam: A}}}}",
      errors: ["5:108: error: 'u' has no field 'nam'; did you mean 'name'? [F1204]"]),
    Case(
      name: "an expression of another type in a variable",
      steps: """
        - {id: all, uses: api.graphql, with: {query: "{ users { name born } }"}}
        - uses: api.graphql
          with: {query: "query($n: Int) { users(limit: $n) { id } }", variables: {n: "${{ steps.all.data.users[0].name }}"}}
        """,
      errors: ["7:78: error: 'n': expected optional(int), the expression returns string [F1305]"]),
    Case(
      name: "a field of the data that the query does not select",
      steps: """
        - {id: all, uses: api.graphql, with: {query: "{ users { name } }"}}
        - assert: ${{ steps.all.data.users[0].kind == 'ADMIN' }}
        """,
      errors: ["6:39: error: the record has no field 'kind' [F1304]"]),
    Case(
      name: "an expected value that an enumeration does not have",
      steps:
        "- {uses: api.graphql, with: {query: \"{ users { kind } }\"}, expect: {data: {users: [{kind: ADMN}]}}}",
      errors: [
        "5:91: error: 'kind': expected 'ADMIN' or 'GUEST', got the string \"ADMN\"; did you mean 'ADMIN'? [F1206]"
      ]),
    Case(
      name: "several operations without a name",
      steps:
        "- {uses: api.graphql, with: {query: \"query A { users { id } } query B { users { name } }\"}}",
      errors: [
        "5:37: error: 'api.graphql' contradicts 'shop.graphql': 'query': the query has several operations; name one: A, B [F1223]"
      ]),
    Case(
      name: "an unknown operation",
      steps:
        "- {uses: api.graphql, with: {query: \"query Ab { users { id } }\", operation_name: Ac}}",
      errors: [
        "5:82: error: 'api.graphql' contradicts 'shop.graphql': 'operation_name': the query has no operation 'Ac'; did you mean 'Ab'? [F1223]"
      ]),
    Case(
      name: "a wrong query that is meant to be refused",
      steps: "- {uses: api.graphql, with: {query: \"{ users { nam } }\"}, expect: {status: 400}}"),
    Case(
      name: "data that errors may leave out",
      steps: """
        - {id: all, uses: api.graphql, with: {query: "{ users { name } }"}, expect: {errors: "${{ it != null }}"}}
        - assert: ${{ steps.all.data == null || steps.all.data.users[0].name == 'Ann' }}
        """),
  ]

  @Test(arguments: cases)
  func `a query is checked by the schema before the run`(_ example: Case) async throws {
    let folder = try DescribedQueries.folder(example.steps)

    let run = try await FlowCommandRun(
      ["check", "@/shop.yaml"], in: folder, components: [HTTP.self])

    let lines = run.errors.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(lines.map { String($0.drop { $0 != ":" }.dropFirst()) } == example.errors)
  }
}

/// Scenarios of the shop in `Scenarios/graphql`.
enum DescribedQueries {
  static let schemaPath = ProjectFiles.root + "/Plugins/HTTP/Scenarios/graphql/shop.graphql"

  static func schema() throws -> String { try String(contentsOfFile: schemaPath, encoding: .utf8) }

  /// A folder with the schema, and a scenario with these steps.
  static func folder(
    _ steps: String, base: String = "http://127.0.0.1:9", schema: String? = nil
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(try schema ?? self.schema(), to: "shop.graphql")
    try folder.write(
      """
      flow: 1
      components:
        api: {plugin: http, with: {base: "\(base)", schema: shop.graphql, timeout: 60m}}
      steps:
      \(steps)

      """, to: "shop.yaml")
    return folder
  }
}
