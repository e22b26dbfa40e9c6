import FlowCommand
import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// The scenario beside `Scenarios/graphql/server.py`, whose answers come from graphql-core.
@Suite struct GraphQLServerTests {
  private static let python = Python.having("graphql.utilities", in: "graphql")
  private static let folder = ProjectFiles.root + "/Plugins/HTTP/Scenarios/graphql"

  @Test(.enabled(if: python != nil, "no Python with graphql-core here"))
  func `a real server answers as it did when the scenario was recorded`() async throws {
    let python = try #require(Self.python)
    let server = try ChildProcess(python, ["server.py", "0"], in: Self.folder)
    let port = server.firstLine()

    let run = try await FlowCommandRun(
      ["run", Self.folder + "/users.yaml", "--input", "base=http://127.0.0.1:\(port)"],
      components: [HTTP.self])

    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `the recording replays fifty times without the server`() async throws {
    let scenario = try ScenarioFile("../../Scenarios/graphql/users.yaml")
    let registry = try Registry([HTTP.self])

    for _ in 1...50 { try await scenario.replay(registry) }
  }

  @Test(.enabled(if: python != nil, "no Python with graphql-core here"))
  func `the answer to an introspection is a schema`() async throws {
    let python = try #require(Self.python)
    let script = """
      import graphql, json, sys
      schema = graphql.build_schema(open(sys.argv[1]).read())
      print(json.dumps({"data": graphql.introspection_from_schema(schema)}))
      """
    let made = try ChildProcess(python, ["-c", script, DescribedQueries.schemaPath]).ending()
    let steps = """
      - uses: api.graphql
        with: {query: "{ users { nam } }"}
      - uses: api.graphql
        with: {query: "mutation($u: NewUser!) { addUser(user: $u) { id } }", variables: {u: {}}}
      """
    let folder = try DescribedQueries.folder(steps)
    try folder.write(made.output, to: "schema.json")
    let text = try folder.text("shop.yaml").replacing("shop.graphql", with: "schema.json")
    try folder.write(text, to: "shop.yaml")

    let run = try await FlowCommandRun(
      ["check", "@/shop.yaml"], in: folder, components: [HTTP.self])

    let lines = run.errors.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(
      lines == [
        "@/shop.yaml:6:28: error: 'api.graphql' contradicts 'schema.json': 'query': 'User' has no field 'nam'; did you mean 'name'? [F1223]",
        "@/shop.yaml:8:87: error: 'u' needs the field 'name', string [F1205]",
      ])
  }
}
