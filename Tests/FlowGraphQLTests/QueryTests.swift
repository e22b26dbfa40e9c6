import FlowCore
import FlowGraphQL
import Testing

@Suite struct QueryTests {
  @Test(arguments: QueryCase.right + QueryCase.wrong + QueryCase.recent)
  func `a query has the problem that the specification says`(_ example: QueryCase) throws {
    let query = GraphQLQuery(example.query, against: try Shop.described())

    let first = query.problems.first.map { problem in
      let place = problem.position(in: example.query)
      return "\(place.line):\(place.column) \(problem.message)"
    }
    #expect(first == example.problem)
  }
}
