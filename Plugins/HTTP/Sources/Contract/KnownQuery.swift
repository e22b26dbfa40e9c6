internal import FlowCore
internal import FlowGraphQL

/// A query as far as it is known, with its mistakes.
struct KnownQuery {
  /// The operation of a right query, or nil.
  private(set) var operation: GraphQLOperation?
  /// The known variables.
  let variables: [String: Value]
  private(set) var problems: [ContractProblem]
  /// The place of the query's parts in the input, and of the data in the answer.
  private let places: Places

  /// The names of the parts of a query, inside of a field or not.
  private struct Places {
    /// The field of the body, or nil if the parts are fields themselves.
    var body: String?
    var operationName = "operation_name"

    func path(_ name: String) -> FieldPath {
      let path = FieldPath([.field(name)])
      return body.map { path.inside(.field($0)) } ?? path
    }
  }

  /// Reads the input of `graphql`, or a query that another program sends, or returns nil for another
  /// call, or for an unknown query.
  init?(_ fields: KnownFields, of call: ContractCall, _ schema: GraphQLSchema) {
    var (fields, places) = (fields, Places())
    if call.operation == "exchange", let body = fields.queryBody {
      (fields, places) = (body, Places(body: "json", operationName: "operationName"))
    } else if call.operation != "graphql" {
      return nil
    }
    guard case .string(let text)? = fields.values["query"] else { return nil }
    self.places = places
    variables = fields.entries["variables"] ?? [:]
    let query = GraphQLQuery(text, against: schema)
    problems = query.problems.map { problem in
      ContractProblem(
        in: .input, at: places.path("query"), problem.message,
        part: TextPart(problem.characters(in: text), from: problem.position(in: text)),
        actual: .string(text))
    }
    guard problems.isEmpty, !fields.unknown.contains(places.operationName) else { return }
    choose(fields, of: query)
    check(fields)
  }

  private mutating func choose(_ fields: KnownFields, of query: GraphQLQuery) {
    var name: String?
    if case .string(let text)? = fields.values[places.operationName] { name = text }
    operation = query.operation(named: name)
    if operation != nil { return }
    let names = query.operationNames
    let message =
      name.map {
        "the query has no operation '\($0.excerpt)'" + Suggestion.ending(for: $0, among: names)
      } ?? "the query has several operations; name one: \(names.joined(separator: ", "))"
    problems.append(
      ContractProblem(
        in: .input, at: places.path(name == nil ? "query" : places.operationName), message))
  }

  private mutating func check(_ fields: KnownFields) {
    guard let operation else { return }
    // Of an expression for all variables, nothing is known.
    let names = fields.names["variables"]
    if names == nil, fields.unknown.contains("variables") { return }
    problems += operation.problems(inVariables: variables, names: names ?? []).map { problem in
      ContractProblem(
        in: .input, at: FieldPath(places.path("variables").steps + problem.path.steps),
        problem.message, actual: problem.actual)
    }
  }

  /// Returns the contradictions of an answer, a record of the operation's output.
  func problems(inAnswer answer: Value) -> [ContractProblem] {
    guard let operation, case .record(let record) = answer else { return [] }
    var data = record["data"]
    if let body = places.body {
      guard case .map(let map)? = record[body] else { return [] }
      data = map["data"]
    }
    return operation.problems(inData: data ?? .null, variables: variables).map { problem in
      ContractProblem(
        in: .answer, at: FieldPath(places.path("data").steps + problem.path.steps),
        problem.message, actual: problem.actual, rule: problem.rule)
    }
  }
}

extension KnownFields {
  /// The parts of a query in a JSON body, or nil for another body.
  fileprivate var queryBody: KnownFields? {
    guard case .map(let body)? = values["json"], case .string? = body["query"],
      values["method"] == .string("POST")
    else { return nil }
    var variables = NamedValues()
    if case .map(let map)? = body["variables"] { variables = NamedValues(map) }
    return KnownFields(
      values: ["query": body["query"] ?? .null, "operationName": body["operationName"] ?? .null],
      entries: ["variables": variables.entries], names: ["variables": variables.names])
  }
}
