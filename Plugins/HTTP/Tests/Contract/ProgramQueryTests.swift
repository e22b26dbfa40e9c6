import FlowCore
import Testing

@testable import HTTPPlugin

/// The queries of programs, which a component passes on, beside a GraphQL schema.
@Suite struct ProgramQueryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let body: String
    var method = "POST"
    let answer: String
    var problems: [String] = []

    var testDescription: String { "\(method) \(body) \(answer)" }
  }

  static let cases = [
    Case(
      body: #"{"query":"{ users { name } }"}"#, answer: #"{"data":{"users":[{"name":"Ann"}]}}"#),
    Case(
      body: #"{"query":"{ users { nam } }"}"#, answer: #"{"errors":[{"message":"no"}]}"#,
      problems: ["input json.query: 'User' has no field 'nam'; did you mean 'name'?"]),
    Case(
      body: #"{"query":"query A($n: Int) { users(limit: $n) { name } }","variables":{"n":"1"}}"#,
      answer: #"{"data":null}"#,
      problems: [#"input json.variables.n: expected 'Int', got "1""#]),
    Case(
      body: #"{"query":"query A { users { id } }","operationName":"B"}"#, answer: "{}",
      problems: ["input json.operationName: the query has no operation 'B'; did you mean 'A'?"]),
    Case(
      body: #"{"query":"{ users { name } }"}"#, answer: #"{"data":{"users":[{"name":1}]}}"#,
      problems: ["answer json.data.users[0].name: expected 'String!', got 1"]),
    Case(body: #"{"query":"{ users { nam } }"}"#, method: "PUT", answer: "{}"),
    Case(body: #"{"text":"{ users { nam } }"}"#, answer: "{}"),
  ]

  @Test(arguments: cases)
  func `the query of a program is held to the schema`(_ example: Case) throws {
    let contract = try #require(
      try GraphQLContract(KnownFields(values: ["schema": .string("shop.graphql")])) {
        Document(path: $0, value: .string(try DescribedQueries.schema())) { _ in nil }
      })
    let input = try ExchangeInput.record.decode(
      .map(
        ValueMap([
          ("method", .string(example.method)), ("path", .string("/graphql")),
          ("json", try Value(json: Array(example.body.utf8))),
        ])))
    var answer = ExchangeAnswer(status: 200, headers: HeaderFields())
    answer.json = try Value(json: Array(example.answer.utf8))
    let call = ContractCall(operation: "exchange")
    let (given, returned) = (
      ExchangeInput.record.encode(input), ExchangeAnswer.record.encode(answer)
    )

    let problems =
      contract.problems(inInput: given, of: call)
      + contract.problems(inAnswer: returned, to: given, of: call)

    #expect(problems.map { "\($0.side) \($0.path): \($0.message)" } == example.problems)
  }
}
