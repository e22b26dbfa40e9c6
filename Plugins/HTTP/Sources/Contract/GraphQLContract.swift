internal import FlowCore
internal import FlowGraphQL

/// The rules of a GraphQL schema for the queries of a component.
struct GraphQLContract: CallContract {
  let file: String
  let warnings: [String]
  let parts: [ContractPart]
  private let schema: GraphQLSchema
  /// The position of each part by its name.
  private let positions: [String: Int]

  /// Reads the schema that the settings name, or returns nil if they name none.
  ///
  /// - Throws: `ComponentError` for a schema that cannot be read, with its problems.
  init?(_ settings: KnownFields, reading read: (String) throws -> Document) throws {
    if settings.unknown.contains("schema") {
      throw ComponentError(
        .settings, "'schema' cannot have an expression: it is read before the run")
    }
    guard case .string(let file)? = settings.values["schema"] else { return nil }
    do { schema = try GraphQLSchema(file, reading: read) } catch {
      throw ComponentError(.settings, "'schema': \(error)")
    }
    self.file = file
    warnings = schema.warnings
    parts = schema.parts
    positions = Dictionary(
      parts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The setting in which a schema, or another description, takes the place of the present one.
  static func setting(_ settings: KnownFields, _ file: String) -> String {
    let isSchema = [".graphql", ".graphqls", ".gql"].contains { file.lowercased().hasSuffix($0) }
    return isSchema || settings.isGiven("schema") ? "schema" : "contract"
  }

  func rules(for call: KnownCall) -> CallRules {
    var rules = CallRules()
    guard let query = KnownQuery(call.input, of: call.call, schema) else { return rules }
    if !call.call.expectsRefusal { rules.problems = query.problems }
    guard let operation = query.operation else { return rules }
    if !call.call.expectsRefusal {
      rules.input = ["variables": operation.variablesType]
      rules.judged = ["variables"]
    }
    let type = operation.dataType
    rules.answer["data"] = call.call.allowsErrors ? .optional(type) : type
    return rules
  }

  func problems(inInput input: Value, of call: ContractCall) -> [ContractProblem] {
    if call.expectsRefusal { return [] }
    return KnownQuery(KnownFields(input), of: call, schema)?.problems ?? []
  }

  func problems(
    inAnswer answer: Value, to input: Value, of call: ContractCall
  ) -> [ContractProblem] {
    guard let query = KnownQuery(KnownFields(input), of: call, schema),
      let operation = query.operation, case .record(let record) = answer, let data = record["data"]
    else { return [] }
    return operation.problems(inData: data, variables: query.variables).map { problem in
      ContractProblem(
        in: .answer, at: problem.path.inside(.field("data")), problem.message,
        actual: problem.actual, rule: problem.rule)
    }
  }

  func parts(coveredBy input: Value, answer: Value?, of call: ContractCall) -> Set<Int> {
    guard let operation = KnownQuery(KnownFields(input), of: call, schema)?.operation else {
      return []
    }
    return Set(operation.usedParts.compactMap { positions[$0] })
  }
}

/// A query as far as it is known, with its mistakes.
private struct KnownQuery {
  /// The operation of a right query, or nil.
  private(set) var operation: GraphQLOperation?
  /// The known variables.
  let variables: [String: Value]
  private(set) var problems: [ContractProblem]

  /// Reads the input of `graphql`, or returns nil for another call, or for an unknown query.
  init?(_ fields: KnownFields, of call: ContractCall, _ schema: GraphQLSchema) {
    guard call.operation == "graphql", case .string(let text)? = fields.values["query"] else {
      return nil
    }
    variables = fields.entries["variables"] ?? [:]
    let query = GraphQLQuery(text, against: schema)
    problems = query.problems.map { problem in
      ContractProblem(
        in: .input, at: FieldPath([.field("query")]), problem.message,
        part: TextPart(problem.characters(in: text), from: problem.position(in: text)),
        actual: .string(text))
    }
    guard problems.isEmpty, !fields.unknown.contains("operation_name") else { return }
    choose(fields, of: query)
    check(fields)
  }

  private mutating func choose(_ fields: KnownFields, of query: GraphQLQuery) {
    var name: String?
    if case .string(let text)? = fields.values["operation_name"] { name = text }
    operation = query.operation(named: name)
    if operation != nil { return }
    let names = query.operationNames
    let message =
      name.map {
        "the query has no operation '\($0.excerpt)'" + Suggestion.ending(for: $0, among: names)
      } ?? "the query has several operations; name one: \(names.joined(separator: ", "))"
    problems.append(
      ContractProblem(
        in: .input, at: FieldPath([.field(name == nil ? "query" : "operation_name")]), message))
  }

  private mutating func check(_ fields: KnownFields) {
    guard let operation else { return }
    // Of an expression for all variables, nothing is known.
    let names = fields.names["variables"]
    if names == nil, fields.unknown.contains("variables") { return }
    problems += operation.problems(inVariables: variables, names: names ?? []).map { problem in
      ContractProblem(
        in: .input, at: problem.path.inside(.field("variables")), problem.message,
        actual: problem.actual)
    }
  }
}

extension ContractCall {
  /// True for a call whose answer may have errors.
  fileprivate var allowsErrors: Bool {
    guard let expectedNames else { return true }
    return expectedNames.contains("errors") && expected["errors"] != .null
  }
}
