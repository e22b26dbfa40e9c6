import FlowCore
import FlowGraphQL
import Testing

/// The values of variables against their types.
@Suite struct VariableTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let variables: String
    let values: String
    var problems: [String] = []

    var testDescription: String { "\(variables) \(values)" }
  }

  static let cases = [
    Case(variables: "$a: Int", values: "{}"),
    Case(variables: "$a: Int", values: #"{"a":null}"#),
    Case(variables: "$a: Int", values: #"{"a":3}"#),
    Case(variables: "$a: Int", values: #"{"a":3.0}"#),
    Case(variables: "$a: Int! = 3", values: "{}"),
    Case(
      variables: "$a: Int!", values: "{}", problems: ["a: '$a' of type 'Int!' is missing"]),
    Case(variables: "$a: Int!", values: #"{"a":null}"#, problems: ["a: expected 'Int!', got null"]),
    Case(variables: "$a: Int", values: #"{"a":1.5}"#, problems: ["a: expected 'Int', got 1.5"]),
    Case(
      variables: "$a: Int", values: #"{"a":2147483648}"#,
      problems: ["a: expected 'Int', got 2147483648"]),
    Case(variables: "$a: Int", values: #"{"a":"3"}"#, problems: [#"a: expected 'Int', got "3""#]),
    Case(
      variables: "$a: Int", values: #"{"a":1,"b":2}"#,
      problems: ["b: the operation has no variable '$b'; did you mean '$a'?"]),
    Case(variables: "$a: ID", values: #"{"a":3}"#),
    Case(variables: "$a: ID", values: #"{"a":"x"}"#),
    Case(variables: "$a: ID", values: #"{"a":1.5}"#, problems: ["a: expected 'ID', got 1.5"]),
    Case(variables: "$a: Float", values: #"{"a":3}"#),
    Case(variables: "$a: String", values: #"{"a":3}"#, problems: ["a: expected 'String', got 3"]),
    Case(variables: "$a: DateTime", values: #"{"a":{"any":[1]}}"#),
    Case(variables: "$a: Kind", values: #"{"a":"STAFF"}"#),
    Case(
      variables: "$a: Kind", values: #"{"a":"STAF"}"#,
      problems: ["a: 'Kind' has no value 'STAF'; did you mean 'STAFF'?"]),
    Case(variables: "$a: [Kind!]", values: #"{"a":"ADMIN"}"#),
    Case(
      variables: "$a: [Kind!]", values: #"{"a":["ADMIN",null]}"#,
      problems: ["a[1]: expected 'Kind!', got null"]),
    Case(
      variables: "$a: NewUser", values: #"{"a":{"name":"A","age":"4","mail":1}}"#,
      problems: [
        #"a.age: expected 'Int', got "4""#,
        "a.mail: 'NewUser' has no field 'mail'; did you mean 'email'?",
        "a: 'NewUser' needs the field 'email'",
      ]),
    Case(variables: "$a: UserFilter", values: #"{"a":{"not":{"not":{"kinds":["GUEST"]}}}}"#),
    Case(variables: "$a: Payment", values: #"{"a":{"card":"1"}}"#),
    Case(
      variables: "$a: Payment", values: #"{"a":{"card":"1","cash":2}}"#,
      problems: ["a: 'Payment' has exactly one field, which is not null"]),
    Case(
      variables: "$a: Payment", values: #"{"a":{"card":null}}"#,
      problems: ["a: 'Payment' has exactly one field, which is not null"]),
  ]

  @Test(arguments: cases)
  func `the values of variables are compared with their types`(_ example: Case) throws {
    // A scalar of the schema takes every value, so each variable has a place.
    let query = GraphQLQuery(
      "query Q(\(example.variables)) { price(at: [$a]) }",
      against: try Shop.described(accepting: example.variables))
    let operation = try #require(query.operation(named: "Q"), "\(query.problems)")
    guard case .map(let map) = try Value(json: Array(example.values.utf8)) else { return }
    let values = Dictionary(
      uniqueKeysWithValues: map.entries.map { ($0.key.interpolated, $0.value) })

    let problems = operation.problems(inVariables: values, names: values.keys)

    #expect(problems.map { "\($0.path): \($0.message)" } == example.problems)
  }

  @Test func `variables have the types of their definitions`() throws {
    let query = GraphQLQuery(
      """
      query Q($id: ID!, $n: Int = 3, $f: UserFilter) {
        user(id: $id) { id } users(limit: $n, filter: $f) { id }
      }
      """, against: try Shop.described())

    let type = try #require(query.operation(named: nil)).variablesType

    #expect(
      type.shown.hasPrefix(
        "{id: any value, n?: int?, f?: {name?: string?, kinds?: ['ADMIN' or 'STAFF' or 'GUEST']?, "
          + "born?: {from: any value, to?: any value}?, not?: {name?: string?, "))
  }
}

extension Shop {
  /// The schema, with an argument of the type of a variable.
  static func described(accepting variables: String) throws -> GraphQLSchema {
    let type = variables.split(separator: ":")[1].prefix { $0 != "=" }
    return try GraphQLSchema(
      schema.replacing("at: DateTime", with: "at: [\(type)]"), in: "shop.graphql")
  }
}
