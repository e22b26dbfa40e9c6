internal import FlowCore
internal import FlowOpenAPI

/// The rules of an OpenAPI description for the requests of a component.
struct HTTPContract: CallContract {
  let description: OpenAPIDescription
  let parts: [ContractPart]
  private let setting: ContractSetting
  private let server: ContractServer
  /// The position of each part by its name.
  private let positions: [String: Int]

  var file: String { setting.file }
  /// The mistakes in operations are told where a step calls them.
  var warnings: [String] {
    let told = Set(description.operations.flatMap(\.partFaults))
    return description.warnings.filter { !told.contains($0) }.map(\.description)
  }

  /// Reads the description that the settings name, or returns nil if they name none.
  ///
  /// - Throws: `ComponentError` for a description that cannot be read, with its problems.
  init?(_ settings: KnownFields, reading read: @escaping (String) throws -> Document) throws {
    if settings.unknown.contains("contract") {
      throw ComponentError(
        .settings, "'contract' cannot have an expression: it is read before the run")
    }
    guard let value = settings.values["contract"], value != .null else { return nil }
    setting = try ContractSetting(value)
    server = ContractServer(settings)
    do { description = try OpenAPIDescription(setting.file, reading: read) } catch {
      throw ComponentError(.settings, "'contract': \(error)")
    }
    var parts: [ContractPart] = []
    var positions: [String: Int] = [:]
    for operation in description.operations {
      for part in operation.parts {
        positions[part.name] = parts.count
        parts.append(part)
      }
    }
    self.parts = parts
    self.positions = positions
  }

  func rules(for call: KnownCall) -> CallRules {
    var rules = CallRules()
    guard let request = DescribedRequest(call.input, of: call.call.operation, server, description)
    else { return rules }
    let isRefused = call.call.expectsRefusal
    if let operation = request.operation {
      rules.faults = operation.faults(
        requests: setting.coversRequests && !isRefused, answers: setting.coversAnswers)
    }
    if !rules.faults.isEmpty { return rules }
    if setting.coversRequests, !isRefused {
      rules.input = request.types
      rules.judged = ["json"]
      rules.problems = request.problems
    }
    guard setting.coversAnswers else { return rules }
    let status = call.call.status
    if let status {
      rules.problems += request.operations.commonProblems { $0.problems(ofStatus: status) }
    }
    if let operation = request.operation, call.call.operation != "exchange" {
      let type = operation.jsonType(status: status)
      if type != .dynamic { rules.answer["json"] = type }
    }
    return rules
  }

  func problems(inInput input: Value, of call: ContractCall) -> [ContractProblem] {
    guard setting.coversRequests, !call.expectsRefusal,
      let request = request(input, call)
    else { return [] }
    return request.problems
  }

  func problems(
    inAnswer answer: Value, to input: Value, of call: ContractCall
  ) -> [ContractProblem] {
    guard setting.coversAnswers, let request = request(input, call),
      let operation = request.operation, let response = DescribedResponse(answer, to: request)
    else { return [] }
    return response.problems(of: operation)
  }

  func descriptions(
    ofAnswer answer: Value, to input: Value, of call: ContractCall
  ) -> [String: any DescribedValues] {
    guard setting.coversAnswers, let request = request(input, call),
      let operation = request.operation, let response = DescribedResponse(answer, to: request),
      let schema = operation.jsonSchema(of: response.value)
    else { return [:] }
    return ["json": schema]
  }

  func parts(coveredBy input: Value, answer: Value?, of call: ContractCall) -> Set<Int> {
    guard let request = request(input, call), let operation = request.operation else { return [] }
    let response = answer.flatMap { DescribedResponse($0, to: request)?.value }
    return Set(operation.covered(by: request.value, response).compactMap { positions[$0.name] })
  }

  /// The path that leads from the component's base to an operation.
  func path(to operation: OpenAPIOperation, _ path: String) -> String {
    server.path(to: operation, path)
  }

  private func request(_ input: Value, _ call: ContractCall) -> DescribedRequest? {
    DescribedRequest(KnownFields(input), of: call.operation, server, description)
  }
}

extension OpenAPIOperation {
  /// The contradiction of an expected status that is not declared.
  fileprivate func problems(ofStatus status: Int) -> [ContractProblem] {
    problems(in: OpenAPIResponseValue(status: status)).filter { $0.field == "status" }.map {
      ContractProblem(
        in: .answer, at: FieldPath([.field("status")]), $0.message, actual: $0.actual, rule: $0.rule
      )
    }
  }
}

extension ContractCall {
  /// The expected status, or nil if it is not written.
  var status: Int? { if case .int(let status)? = expected["status"] { status } else { nil } }

  /// True for a request that is sent in order to be refused.
  var expectsRefusal: Bool { status.map { 400..<500 ~= $0 } ?? false }
}
