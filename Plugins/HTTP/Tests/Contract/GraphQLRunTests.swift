import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import HTTPPlugin

/// Queries and answers of a run, and of recordings, beside a GraphQL schema.
@Suite struct GraphQLRunTests {
  private static let step = """
    - id: all
      uses: api.graphql
      with:
        query: "query All($n: Int = 3) { users(limit: $n) { name kind ... on Node { id } } }"
        variables: {n: "${{ inputs.n }}"}
    """

  private static func server(_ body: String, _ status: String = "200 OK") throws -> TestServer {
    try TestServer { _, connection in
      connection.send(
        TestServer.answer(status, ["Content-Type: application/graphql-response+json"], body))
    }
  }

  private static func run(
    _ server: TestServer, _ step: String = step, n: String = "2", options: [String] = []
  ) async throws -> (TemporaryFolder, FlowCommandRun) {
    let folder = try DescribedQueries.folder(step, base: server.url + "/graphql")
    var text = try folder.text("shop.yaml")
    text.replace("flow: 1\n", with: "flow: 1\ninputs: {n: {type: any, default: 2}}\n")
    try folder.write(text, to: "shop.yaml")
    let run = try await FlowCommandRun(
      ["run", "@/shop.yaml", "--input", "n=\(n)"] + options, in: folder, components: [HTTP.self])
    return (folder, run)
  }

  private static let good = #"{"data":{"users":[{"name":"Ann","kind":"ADMIN","id":"1"}]}}"#

  struct Answer: Sendable, CustomTestStringConvertible {
    let data: String
    let note: String

    var testDescription: String { note }
  }

  static let answers = [
    Answer(
      data: #"{"users":[{"name":null,"kind":"ADMIN","id":"1"}]}"#,
      note: "data.users[0].name: null, expected 'String!' (shop.graphql:19)"),
    Answer(
      data: #"{"users":[{"name":"Ann","kind":"OWNER","id":"1"}]}"#,
      note: #"data.users[0].kind: "OWNER" is no value of 'Kind' (shop.graphql:20)"#),
    Answer(
      data: #"{"users":[{"name":"Ann","kind":"ADMIN","id":1}]}"#,
      note: "data.users[0].id: expected 'ID!', got 1 (shop.graphql:15)"),
    Answer(
      data: #"{"users":[{"name":"Ann","id":"1"}]}"#,
      note: "data.users[0].kind: missing, expected 'Kind!' (shop.graphql:20)"),
    Answer(
      data: #"{"users":[{"name":"Ann","kind":"ADMIN","id":"1","born":null}]}"#,
      note: "data.users[0].born: the query does not select it"),
    Answer(
      data: #"{"users":{"name":"Ann"}}"#,
      note: #"data.users: expected '[User!]!', got {name: "Ann"} (shop.graphql:3)"#),
  ]

  @Test(arguments: answers)
  func `an answer that the schema does not allow fails its step`(_ answer: Answer) async throws {
    let server = try Self.server(#"{"data":\#(answer.data)}"#)
    defer { server.close() }

    let (_, run) = try await Self.run(server)

    #expect(
      run.errors.hasPrefix(
        "@/shop.yaml:7:9: error: the answer to 'all#1' contradicts 'shop.graphql' [F2012]\n"))
    #expect(run.errors.contains("  note: \(answer.note)\n"))
    #expect(run.code == .failed)
  }

  @Test func `a variable that the schema does not allow is not sent`() async throws {
    let server = try Self.server(Self.good)
    defer { server.close() }

    let (_, run) = try await Self.run(server, n: "1.5")

    #expect(
      run.errors.hasPrefix(
        "@/shop.yaml:7:9: error: the request of 'all#1' contradicts 'shop.graphql' [F2012]\n"))
    #expect(run.errors.contains("  note: variables.n: expected 'Int', got 1.5\n"))
    #expect(server.requests.count == 0)
  }

  @Test func `the query, its variables and its operation are sent as JSON`() async throws {
    let server = try Self.server(Self.good)
    defer { server.close() }

    let (_, run) = try await Self.run(server, Self.step + "\n    operation_name: All")

    #expect(run.errors == "")
    #expect(server.requests.map(\.line) == ["POST /graphql"])
    #expect(
      server.requests.map(\.text) == [
        #"{"query":"query All($n: Int = 3) { users(limit: $n) { name kind ... on Node { id } } }","#
          + #""variables":{"n":2},"operationName":"All"}"#
      ])
    #expect(
      server.requests.map { $0.headers["accept"] } == [
        "application/graphql-response+json, application/json;q=0.9"
      ])
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: String
    var status = "200 OK"
    var expectation = ""
    /// The note of a failed step, or nil for one that passes.
    let note: String?
  }

  static let failures = [
    Failure(
      testDescription: "errors that nothing expects",
      body: #"{"data":null,"errors":[{"message":"no shop","path":["users",0]},{"message":"b"}]}"#,
      note:
        #"errors: the query failed: "no shop" at 'users.0' and 1 more; expect 'errors' to allow it"#
    ),
    Failure(
      testDescription: "errors beside an expected status",
      body: #"{"data":null,"errors":[{"message":"no shop"}]}"#, expectation: "{status: 200}",
      note: #"errors: the query failed: "no shop"; expect 'errors' to allow it"#),
    Failure(
      testDescription: "expected errors",
      body: #"{"data":null,"errors":[{"message":"no shop"}]}"#,
      expectation: "{errors: [{message: no shop}]}", note: nil),
    Failure(
      testDescription: "errors that a condition allows",
      body: #"{"data":null,"errors":[{"message":"no shop"}]}"#,
      expectation: "${{ it.data == null }}", note: nil),
    Failure(
      testDescription: "other errors",
      body: #"{"data":null,"errors":[{"message":"no shop"}]}"#,
      expectation: "{errors: [{message: closed}]}",
      note: #"errors[0].message: expected "closed", got "no shop""#),
    Failure(
      testDescription: "a page of a proxy", body: "<html>", status: "502 Bad Gateway",
      note:
        "data: the response with status 502 of type 'application/graphql-response+json' has neither 'data' nor 'errors'"
    ),
    Failure(
      testDescription: "an expected page of a proxy", body: "<html>", status: "502 Bad Gateway",
      expectation: "{status: 502}", note: nil),
  ]

  @Test(arguments: failures)
  func `errors fail a step that does not expect them, and a status is a result`(
    _ failure: Failure
  ) async throws {
    let server = try Self.server(failure.body, failure.status)
    defer { server.close() }
    let expectation = failure.expectation.isEmpty ? "" : "\n  expect: \(failure.expectation)"

    let (folder, run) = try await Self.run(server, Self.step + expectation, options: ["--record"])
    server.close()
    let replayed = try await FlowCommandRun(
      ["test", "@/shop.yaml"], in: folder, components: [HTTP.self])

    if let note = failure.note {
      #expect(run.errors.contains(note))
      #expect(run.code == .failed)
    } else {
      #expect(run.errors == "")
      #expect(replayed.code == .passed)
    }
  }

  @Test func `a recording is compared with another schema in what it uses`() async throws {
    let server = try Self.server(Self.good)
    defer { server.close() }
    let (folder, run) = try await Self.run(server, options: ["--record"])
    try #require(run.code == .passed, "\(run.errors)")
    server.close()
    let schema = try DescribedQueries.schema()
    try folder.write(
      schema.replacing("email: String\n", with: "").replacing("GUEST }", with: "STAFF }")
        .replacing("union Hit = User | Order", with: "union Hit = Order")
        .replacing("= GUEST", with: "= STAFF"),
      to: "unused.graphql")
    try folder.write(
      schema.replacing("{ ADMIN GUEST }", with: "{ OWNER GUEST }"), to: "answer.graphql")
    try folder.write(
      schema.replacing("  name: String!\n", with: "  title: String\n"), to: "query.graphql")

    let same = try await Self.check("unused.graphql", folder)
    let answer = try await Self.check("answer.graphql", folder)
    let query = try await Self.check("query.graphql", folder)

    #expect(same.output == "1 recorded call in 1 transcript compared, no contradictions\n")
    #expect(
      answer.errors.split(separator: "\n").first
        == "@/shop.yaml:7:9: error: the recorded answer to 'all#1' (@/shop.transcript.jsonl:5): 'data.users[0].kind': \"ADMIN\" is no value of 'Kind' [F1223]"
    )
    #expect(
      query.errors.split(separator: "\n").first
        == "@/shop.yaml:7:9: error: the recorded request of 'all#1' (@/shop.transcript.jsonl:4): 'query': 'User' has no field 'name'; there are id, title, kind, born, email, boss, orders (line 1, column 45) [F1223]"
    )
    #expect([same, answer, query].map(\.code) == [.passed, .failed, .failed])
  }

  private static func check(_ file: String, _ folder: TemporaryFolder) async throws
    -> FlowCommandRun
  {
    try await FlowCommandRun(
      ["check", "--contract", "@/\(file)", "@/shop.yaml"], in: folder, components: [HTTP.self])
  }

  @Test func `coverage counts the fields and the arguments of the schema`() async throws {
    let server = try Self.server(Self.good)
    defer { server.close() }
    let (folder, run) = try await Self.run(server, options: ["--record"])
    try #require(run.code == .passed, "\(run.errors)")
    server.close()

    let tested = try await FlowCommandRun(
      ["test", "@/shop.yaml", "--report", "contract=@/out.json"], in: folder,
      components: [HTTP.self])

    #expect(
      tested.output.contains(
        "shop.graphql: operations 1 of 4, parameters 1 of 6, properties 3 of 11 (1 call replayed, 0 live)"
      ))
  }

  @Test(arguments: [
    ("type Query { a: Strin }", "shop.graphql:1:17: unknown type 'Strin'"),
    ("type Query { a String }", "shop.graphql:1:16: expected ':', got 'String'"),
    ("{ users { id } }", "shop.graphql:1:1: '{' is a part of a query, not of a schema"),
    ("type User { id: ID }", "the schema has no type for queries"),
  ])
  func `a mistake in a schema is named with its place`(_ schema: String, _ message: String)
    async throws
  {
    let folder = try DescribedQueries.folder(
      "- {uses: api.graphql, with: {query: \"{ a }\"}}", schema: schema)

    let run = try await FlowCommandRun(
      ["check", "@/shop.yaml"], in: folder, components: [HTTP.self])

    #expect(run.errors.contains(message))
    #expect(run.code == .badInput)
  }
}
