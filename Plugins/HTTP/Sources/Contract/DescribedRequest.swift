internal import FlowCore
internal import FlowOpenAPI

/// A request in the terms of a description, with its operation there.
///
/// Before the run, some of its parts may be unknown.
struct DescribedRequest {
  /// The operation, or several that the unknown parts decide, or none.
  let operations: [OpenAPIOperation]
  /// The request, with placeholders for unknown parts.
  let value: OpenAPIRequest
  /// The method in upper case.
  let method: String
  /// True for the operation `call`, which places its parameters itself.
  private let isCall: Bool
  private let mismatch: ContractProblem?
  private let body: DescribedBody
  private let address: DescribedAddress
  /// True if its header 'content-type' is not known.
  private let hasUnknownType: Bool

  /// Creates a request from the fields of an operation's input, or nil for one that the description
  /// is not about.
  init?(
    _ fields: KnownFields, of operation: String, _ server: ContractServer,
    _ description: OpenAPIDescription
  ) {
    isCall = operation == "call"
    body = DescribedBody(fields)
    hasUnknownType = Self.hasUnknownType(fields)
    if isCall {
      guard case .string(let id)? = fields.values["operation"] else { return nil }
      let found = description.operation(named: id)
      operations = found.map { [$0] } ?? []
      mismatch =
        found == nil ? Self.problem(at: "operation", description.reason(againstName: id)) : nil
      method = found?.method ?? ""
      address = DescribedAddress(parameters: fields, of: found)
    } else {
      guard let method = Self.method(operation, fields),
        let address = DescribedAddress(fields, server)
      else { return nil }
      (self.method, self.address) = (method, address)
      (operations, mismatch) = Self.operations(method, address, server, description)
    }
    var headers = DescribedAddress.headers(fields)
    if fields.isGiven("auth") || fields.unknown.contains("auth") {
      headers.append(("authorization", ""))
    }
    value = OpenAPIRequest(
      path: address.path, query: address.query,
      headers: headers + address.headers
        + server.headers.filter { own in !headers.contains { Header.isSame($0.name, own.name) } },
      contentType: headers.first { Header.isSame($0.name, "content-type") }?.value,
      body: body.value)
  }

  /// Returns the method of an operation, or nil if it is unknown, or the operation sends no such
  /// request.
  private static func method(_ operation: String, _ fields: KnownFields) -> String? {
    switch operation {
    case "request", "exchange":
      guard case .string(let method)? = fields.values["method"] else { return nil }
      return method.uppercased()
    case "get", "head", "post", "put", "patch", "delete": return operation.uppercased()
    case "listen":
      guard !fields.unknown.contains("method") else { return nil }
      if case .string(let method)? = fields.values["method"] { return method.uppercased() }
      return ["json", "form", "body"].contains(where: fields.isGiven) ? "POST" : "GET"
    default: return nil
    }
  }

  /// True if the header 'content-type' has an expression, or nothing is known of the headers.
  private static func hasUnknownType(_ fields: KnownFields) -> Bool {
    guard fields.unknown.contains("headers") else { return false }
    guard let names = fields.names["headers"] else { return true }
    return names.contains {
      Header.isSame($0, "content-type") && fields.entries["headers"]?[$0] == nil
    }
  }

  /// The operation, or nil if there is none, or more than one.
  var operation: OpenAPIOperation? { operations.count == 1 ? operations[0] : nil }

  /// Finds the operations, or the reason that there is none.
  private static func operations(
    _ method: String, _ address: DescribedAddress, _ server: ContractServer,
    _ description: OpenAPIDescription
  ) -> ([OpenAPIOperation], ContractProblem?) {
    var reason: OpenAPIMatch.Mismatch?
    for segments in address.segments(server) {
      switch description.match(method: method, path: segments) {
      case .one(let operation): return ([operation], nil)
      case .several(let operations): return (operations, nil)
      case .none(let mismatch): reason = reason?.pathExists == true ? reason : mismatch
      }
    }
    return (
      [], reason.map { Self.problem(at: "path", $0.reason(against: method, address.shownPath)) }
    )
  }

  private static func problem(at field: String, _ message: String) -> ContractProblem {
    ContractProblem(in: .input, at: FieldPath([.field(field)]), message)
  }

  /// The contradictions that hold whatever the unknown parts are.
  ///
  /// A request that may be one of several operations contradicts all of them, or nothing.
  var problems: [ContractProblem] {
    if let mismatch { return [mismatch] }
    let unwritable = address.problems.map { problem in
      ContractProblem(
        in: .input, at: FieldPath([.field("parameters"), .field(problem.name)]), problem.message)
    }
    if !unwritable.isEmpty { return unwritable }
    return operations.commonProblems { problems(of: $0) }
  }

  private func problems(of operation: OpenAPIOperation) -> [ContractProblem] {
    operation.problems(in: value).filter { !isUnknown($0.field) }.map {
      let place = place(of: $0)
      return ContractProblem(
        in: .input, at: place, message(of: $0, at: place), actual: $0.actual, rule: $0.rule)
    }
  }

  /// Returns true if an answer came from the URL of the request, not from that of a redirect.
  func isAnswered(from url: String) -> Bool {
    guard let address = try? WebAddress(url) else { return true }
    let path = address.rest.prefix { $0 != "?" }
    return path.hasSuffix(value.path) || value.path.hasSuffix(path)
  }

  /// The types of the written fields.
  var types: [String: ValueType] {
    guard let operation else { return [:] }
    var types: [String: ValueType] = [:]
    if body.field == "json" {
      types["json"] = hasUnknownType ? nil : operation.jsonBodyType(as: value.contentType)
    }
    if isCall {
      types["parameters"] = operation.parametersType
    } else if !address.hasWrittenQuery {
      types["query"] = operation.queryType
    }
    return types
  }

  /// True for a part of the request that is not known.
  private func isUnknown(_ field: String) -> Bool {
    let (part, name) = field.parts
    switch part {
    case "path": return address.hasUnknownPath
    case "query": return address.unknownQuery?.contains(name) ?? true
    case "headers", "cookies": return address.hasUnknownHeaders
    default: return body.isUnknown
    }
  }

  /// The message, with the parameter's name unless its place has it.
  private func message(of problem: CallProblem, at place: FieldPath) -> String {
    let (part, name) = problem.field.parts
    guard place.steps.count == 1, !name.isEmpty, !problem.message.contains("'\(name)'") else {
      return problem.message
    }
    return "the \(part == "cookies" ? "cookie" : part) parameter '\(name)': \(problem.message)"
  }

  /// The place in the input of the operation.
  private func place(of problem: CallProblem) -> FieldPath {
    let (part, name) = problem.field.parts
    switch part {
    case "path", "query", "cookies", "headers":
      if isCall { return FieldPath([.field("parameters"), .field(name)]) }
      if part == "query", !name.isEmpty, !address.hasWrittenQuery {
        return FieldPath([.field("query"), .field(name)])
      }
      if part == "headers" { return FieldPath([.field("headers"), .field(name)]) }
      return FieldPath([.field(part == "cookies" ? "headers" : "path")])
    default:
      return FieldPath([.field(body.field ?? "json")] + problem.steps)
    }
  }
}

extension [OpenAPIOperation] {
  /// Returns the problems with the first operation, none if another one has none.
  func commonProblems(_ problems: (OpenAPIOperation) -> [ContractProblem]) -> [ContractProblem] {
    var first: [ContractProblem]?
    for operation in self {
      let found = problems(operation)
      if found.isEmpty { return [] }
      first = first ?? found
    }
    return first ?? []
  }
}

extension String {
  /// The part before the first point, and the rest.
  fileprivate var parts: (String, String) {
    guard let point = utf8.firstIndex(of: UInt8(ascii: ".")) else { return (self, "") }
    return (String(self[..<point]), String(self[utf8.index(after: point)...]))
  }
}

extension CallProblem {
  /// The steps into the field.
  var steps: [FieldPath.Step] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
      UInt32(token).map { .index(Int($0)) }
        ?? .field(String(token).replacing("~1", with: "/").replacing("~0", with: "~"))
    }
  }
}
