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
    guard let operation = query.operation, call.call.operation == "graphql" else { return rules }
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
    KnownQuery(KnownFields(input), of: call, schema)?.problems(inAnswer: answer) ?? []
  }

  func parts(coveredBy input: Value, answer: Value?, of call: ContractCall) -> Set<Int> {
    guard let operation = KnownQuery(KnownFields(input), of: call, schema)?.operation else {
      return []
    }
    return Set(operation.usedParts.compactMap { positions[$0] })
  }
}

extension ContractCall {
  /// True for a call whose answer may have errors, or no data for another reason.
  fileprivate var allowsErrors: Bool {
    guard let expectedNames, status.map({ 200..<300 ~= $0 }) ?? true else { return true }
    return expectedNames.contains("errors") && expected["errors"] != .null
  }
}
