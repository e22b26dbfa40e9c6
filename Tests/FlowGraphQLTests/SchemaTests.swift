import FlowCore
import FlowGraphQL
import Testing

/// What a file of a schema may have.
@Suite struct SchemaTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let schema: String
    let problems: [String]

    var testDescription: String { schema }
  }

  static let mistakes = [
    Mistake(schema: "", problems: ["s.graphql:1:1: the file is empty"]),
    Mistake(
      schema: "type Query {\n  a: Strin\n  b(x: Imt): In\n}",
      problems: [
        "s.graphql:2:6: unknown type 'Strin'", "s.graphql:3:8: unknown type 'Imt'",
        "s.graphql:3:14: unknown type 'In'",
      ]),
    Mistake(
      schema: "type Query { a: User } type User { id: ID } type User { id: ID }",
      problems: ["s.graphql:1:50: the type 'User' is defined twice"]),
    Mistake(
      schema: "type Query { a: Int } extend enum Query { B }",
      problems: ["s.graphql:1:35: 'Query' is extended as another kind of type"]),
    Mistake(
      schema: "schema { query: Root } type Query { a: Int }",
      problems: ["s.graphql:1:17: there is no object type 'Root'"]),
    Mistake(
      schema: "type User { id: ID }",
      problems: ["s.graphql:1:1: the schema has no type for queries"]),
    Mistake(
      schema: "query { a }",
      problems: ["s.graphql:1:1: 'query' is a part of a query, not of a schema"]),
    Mistake(schema: "type Query { a Int }", problems: ["s.graphql:1:16: expected ':', got 'Int'"]),
    Mistake(
      schema: "type Query { a: \(String(repeating: "[", count: 200)) }",
      problems: ["s.graphql:1:117: deeper than 100 levels"]),
  ]

  @Test(arguments: mistakes)
  func `the mistakes of a schema have their places`(_ mistake: Mistake) {
    let error = #expect(throws: GraphQLSchemaError.self) {
      _ = try GraphQLSchema(mistake.schema, in: "s.graphql")
    }

    #expect(error?.problems == mistake.problems)
  }

  @Test func `a field that is there twice is a warning, since published schemas have some`() throws
  {
    let schema = try GraphQLSchema("type Query {\n  a: Int\n  a: Int\n}", in: "s.graphql")

    #expect(
      schema.warnings == ["s.graphql:3:3: 'Query' has the field 'a' twice; the first one counts"])
  }

  @Test func `extensions add to their types`() throws {
    let schema = try GraphQLSchema(
      """
      type Query { a: Kind }
      enum Kind { A }
      extend type Query { b(x: Kind, y: New): U }
      extend enum Kind { B }
      union U
      extend union U = Query
      input New
      extend input New { c: Int }
      extend type Mutation @shared { d: Int }
      """, in: "s.graphql")

    let query = GraphQLQuery("{ a b(x: B, y: {c: 1}) { ... on Query { a } } }", against: schema)

    #expect(query.problems == [])
    #expect(
      schema.parts.map(\.name) == [
        "Query.a", "Query.b", "Query.b x", "Query.b y", "Mutation.d",
      ])
  }

  @Test func `an introspection without its parts is named with the place`() {
    let document = Document(
      path: "s.json",
      value: .map(ValueMap([("data", .map(ValueMap([("__schema", .map(ValueMap()))])))]))
    ) { _ in nil }

    let error = #expect(throws: GraphQLSchemaError.self) {
      _ = try GraphQLSchema("s.json") { _ in document }
    }

    #expect(error?.problems == ["s.json: 'types' of the introspection is missing"])
  }
}
