import FlowCore
import FlowGraphQL
import Testing

/// The type of the data that a query selects, and the check of data.
@Suite struct AnswerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let query: String
    let type: String

    var testDescription: String { query }
  }

  static let types = [
    Case(
      query: "{ user(id: 1) { id name kind born } }",
      type:
        "{user: {id: string, name: string?, kind: 'ADMIN' or 'STAFF' or 'GUEST', born: any value}?}"
    ),
    Case(query: "{ a: user(id: 1) { n: name } }", type: "{a: {n: string?}?}"),
    Case(
      query: "{ users { email friends { id } } }",
      type: "{users: [{email: string, friends: [{id: string}?]?}]}"),
    Case(
      query: "{ order(number: 1) { number total lines } price }",
      type: "{order: {number: int, total: decimal, lines: [[int]]?}?, price: decimal}"),
    Case(
      query: "query($x: Boolean!) { price @include(if: $x) users { id @skip(if: $x) } }",
      type: "{price?: decimal?, users: [{id?: string?}]}"),
    Case(
      query: "{ price @skip(if: true) users { id @include(if: true) } }",
      type: "{users: [{id: string}]}"),
    Case(
      query: "{ search(text: \"\") { __typename ... on User { name } ... on Order { id } } }",
      type: "{search: [{__typename: string, name?: string?, id?: string?}]}"),
    Case(
      query: "{ search(text: \"\") { ... on Node { id } ... on User { email } } }",
      type: "{search: [{id: string, email?: string?}]}"),
    Case(
      query: "{ node(id: 1) { id ...F } } fragment F on Named { name id }",
      type: "{node: {id: string, name?: string?}?}"),
    Case(
      query: "{ users { boss { id } boss { name } ...F } } fragment F on User { boss { email } }",
      type: "{users: [{boss: {id: string, name: string?, email: string}?}]}"),
    Case(
      query: "mutation { addUser(user: {name: \"\", email: \"\"}) { id } }",
      type: "{addUser: {id: string}}"),
    Case(query: "{ __schema { types { name } } }", type: "{__schema: {types: [{name: string?}]}}"),
  ]

  @Test(arguments: types)
  func `data has the type that its query selects`(_ example: Case) throws {
    let query = GraphQLQuery(example.query, against: try Shop.described())
    let operation = try #require(query.operation(named: nil), "\(query.problems)")

    #expect(operation.dataType.shown == example.type)
  }

  struct DataCase: Sendable, CustomTestStringConvertible {
    let query: String
    var variables: [String: Value] = [:]
    let data: String
    var problems: [String] = []

    var testDescription: String { "\(query) \(data)" }
  }

  static let data = [
    DataCase(query: "{ user(id: 1) { id name } }", data: #"{"user":{"id":"1","name":null}}"#),
    DataCase(query: "{ user(id: 1) { id name } }", data: #"{"user":null}"#),
    DataCase(
      query: "{ user(id: 1) { id name } }", data: #"{"user":{"id":null}}"#,
      problems: ["user.id: null, expected 'ID!'", "user.name: missing, expected 'String'"]),
    DataCase(
      query: "{ order(number: 1) { number total lines } }",
      data: #"{"order":{"number":2147483648,"total":1,"lines":[[1],null,[null]]}}"#,
      problems: [
        "order.number: expected 'Int!', got 2147483648",
        "order.lines[1]: null, expected '[Int!]!'", "order.lines[2][0]: null, expected 'Int!'",
      ]),
    DataCase(
      query: "query($x: Boolean = false) { price @include(if: $x) users { id @skip(if: $x) } }",
      data: #"{"users":[{"id":"1"}]}"#),
    DataCase(
      query: "query($x: Boolean = false) { price @include(if: $x) users { id @skip(if: $x) } }",
      variables: ["x": .bool(true)], data: #"{"users":[{"id":"1"}]}"#,
      problems: ["price: missing, expected 'Float!'", "users[0].id: the query does not select it"]),
    DataCase(
      query: "{ search(text: \"\") { __typename ... on User { name } ... on Order { id } } }",
      data: #"{"search":[{"__typename":"User","name":"A"},{"__typename":"Order","name":"B"}]}"#,
      problems: [
        "search[1].id: missing, expected 'ID!'", "search[1].name: the query does not select it",
      ]),
    DataCase(
      query: "{ search(text: \"\") { ... on User { name } ... on Order { id } } }",
      data: #"{"search":[{"name":"A"},{"id":"7"},{}]}"#),
    DataCase(
      query: "{ user(id: 1) { born } }", data: #"{"user":{"born":{"any":["thing"]}}}"#),
    DataCase(
      query: "{ users { kind } }",
      data: #"{"users":[{"kind":"ADMIN"},{"kind":"BOSS"},{"kind":1}]}"#,
      problems: [
        #"users[1].kind: "BOSS" is no value of 'Kind'"#, "users[2].kind: 1 is no value of 'Kind'",
      ]),
    DataCase(
      query: "{ users { id } }", data: #"[1]"#, problems: [": expected an object, got [1]"]),
  ]

  @Test(arguments: data)
  func `data is compared with what its query selects`(_ example: DataCase) throws {
    let query = GraphQLQuery(example.query, against: try Shop.described())
    let operation = try #require(query.operation(named: nil), "\(query.problems)")
    let data = try Value(json: Array(example.data.utf8))

    let problems = operation.problems(inData: data, variables: example.variables)

    #expect(problems.map { "\($0.path): \($0.message)" } == example.problems)
  }

  @Test func `a query uses fields and arguments`() throws {
    let query = GraphQLQuery(
      "{ user(id: 1) { friends(first: 1) { ...F } } } fragment F on Node { id ... on User { name } }",
      against: try Shop.described())

    #expect(
      try #require(query.operation(named: nil)).usedParts.sorted() == [
        "Node.id", "Query.user", "Query.user id", "User.friends", "User.friends first", "User.name",
      ])
  }
}

extension ValueType {
  /// The type with its fields, and `?` behind the name of one that may be absent.
  var shown: String {
    switch self {
    case .record(let type):
      "{"
        + type.fields.map { "\($0.name)\($0.isRequired ? "" : "?"): \($0.type.shown)" }
        .joined(separator: ", ") + "}"
    case .list(let element): "[\(element.shown)]"
    case .optional(let wrapped): wrapped.shown + "?"
    default: description
    }
  }
}
