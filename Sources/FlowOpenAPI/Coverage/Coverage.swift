public import FlowCore
internal import FlowSchema
internal import FlowSystem

extension OpenAPIOperation {
  /// Everything that tests can cover.
  ///
  /// It has the operation, its parameters, its request body, its statuses, and the properties of
  /// bodies and responses: at most 200 of each body, and at most 8 levels deep.
  public var parts: [ContractPart] { map.parts }

  /// Returns the parts that a call covers, in their order.
  ///
  /// A property is covered if it is present, whatever its value.
  public func covered(
    by request: OpenAPIRequest, _ response: OpenAPIResponseValue?
  ) -> [ContractPart] {
    var found: Set<String> = [name]
    for parameter in parameters where has(parameter, request) {
      found.insert(Self.name(of: parameter, name))
    }
    if request.body.field != nil { found.insert(name + " request") }
    map.note(request.body.members, name + " request", &found)
    if let response, let declared = self.response(for: response.status) {
      let name = name + " " + declared.status.description
      found.insert(name)
      if case .json(let value) = response.body { map.note(value, name, &found) }
    }
    return map.parts.filter { found.contains($0.name) }
  }

  private var map: CoverageMap { coverage.map { CoverageMap(of: self) } }

  static func name(of parameter: OpenAPIParameter, _ operation: String) -> String {
    operation + " " + parameter.place.rawValue + " " + parameter.name
  }

  private func has(_ parameter: OpenAPIParameter, _ request: OpenAPIRequest) -> Bool {
    switch parameter.place {
    case .path: true
    case .query:
      request.query.contains {
        $0.name.isIdentical(to: parameter.name) || $0.name.hasPrefix(parameter.name + "[")
      } || hasMembers(of: parameter, request)
    case .header:
      request.headers.contains { $0.name.lowercased() == parameter.name.lowercased() }
    case .cookie:
      request.headers.contains {
        $0.name.lowercased() == "cookie" && (" " + $0.value).contains(" \(parameter.name)=")
      }
    }
  }

  /// True if a query has members of an object that are parameters of their own.
  private func hasMembers(of parameter: OpenAPIParameter, _ request: OpenAPIRequest) -> Bool {
    guard parameter.style == .form, parameter.explodes,
      let reader = ContractCheck(self, .request).reader(parameter.schema),
      reader.isObject(reader.code.root)
    else { return false }
    let names = reader.names(of: reader.code.root)
    return request.query.contains { names.contains(where: $0.name.isIdentical) }
  }
}

extension CoverageMap {
  /// Finds the parts of an operation.
  init(of operation: OpenAPIOperation) {
    let name = operation.name
    add(.operation, name)
    for parameter in operation.parameters {
      add(.parameter, OpenAPIOperation.name(of: parameter, name))
    }
    if let body = operation.body {
      add(.body, name + " request")
      for content in body.contents where content.hasProperties {
        addProperties(of: content.schema, name + " request")
      }
    }
    for response in operation.responses {
      let name = name + " " + response.status.description
      add(.status, name)
      for content in response.contents ?? [] where content.hasProperties {
        addProperties(of: content.schema, name)
      }
    }
  }

  private mutating func addProperties(of schema: OpenAPISchema?, _ start: String) {
    guard let schema else { return }
    for pointer in PropertyPaths.all(of: schema) { addProperty(start, pointer) }
  }
}

extension OpenAPIContent {
  fileprivate var hasProperties: Bool {
    let type = MediaType(mediaType)
    return type.isJSON || type.isForm || type.isMultipart || type.type == "*"
      || type.type == "application" && type.subtype == "*"
  }
}

extension OpenAPIRequest.Body {
  /// The value, in which parts have no content.
  fileprivate var members: Value? {
    guard case .multipart(let names) = self else { return value }
    return .map(ValueMap(names.map { ($0, .null) }))
  }
}
