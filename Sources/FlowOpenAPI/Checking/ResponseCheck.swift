internal import FlowCore
public import FlowSchema
internal import FlowSystem

extension OpenAPIOperation {
  /// Returns every contradiction of a response, in the order status, headers, body.
  public func problems(in response: OpenAPIResponseValue) -> [CallProblem] {
    var check = ContractCheck(self, .response)
    if responses.isEmpty { return [] }
    guard let declared = self.response(for: response.status) else {
      let names = responses.map(\.status.description)
      check.add(
        .status(response.status, names), in: "status", actual: .int(response.status))
      return check.problems
    }
    check.checkHeaders(response, declared)
    check.checkBody(response, declared)
    return check.problems
  }

  /// Returns the schema of the JSON in a response, or nil without one, or if it cannot be compiled.
  public func jsonSchema(of response: OpenAPIResponseValue) -> Schema? {
    guard case .json = response.body,
      let contents = self.response(for: response.status)?.contents,
      let mediaType = response.contentType ?? response.headers.contentType
        ?? response.body.usualMediaType
    else { return nil }
    // A schema that cannot be compiled is reported by the check.
    return try? contents.content(for: mediaType)?.schema?.schema(in: .response)
  }

  /// True if the answers of a status have no body whatever the description says.
  fileprivate func hasNoBody(_ status: Int) -> Bool {
    method == "HEAD" || status == 204 || status == 304 || status / 100 == 1
  }
}

extension ContractCheck {
  fileprivate mutating func checkHeaders(
    _ response: OpenAPIResponseValue, _ declared: OpenAPIResponse
  ) {
    for header in declared.headers where header.name.lowercased() != "content-type" {
      let name = header.name.lowercased()
      let texts = response.headers.filter { $0.name.lowercased() == name }.map(\.value)
      if texts.isEmpty {
        guard header.isRequired else { continue }
        add(.lacks("header", header.name), in: "headers." + name, at: rule(header.origin))
      } else {
        check(texts, header, in: "headers." + name)
      }
    }
  }

  private mutating func check(_ texts: [String], _ header: OpenAPIHeader, in field: String) {
    let text = texts.joined(separator: ",")
    if let mediaType = header.mediaType {
      return check(text, as: mediaType, header.schema, in: field)
    }
    let reader = ParameterText(
      name: header.name, style: .simple, explodes: header.explodes, reader: reader(header.schema),
      place: .header)
    guard let value = reader.value(of: text) else {
      return add(
        .style("simple", explodes: header.explodes), in: field, actual: .string(text),
        at: rule(header.origin))
    }
    check(value, header.schema, in: field)
  }

  fileprivate mutating func checkBody(
    _ response: OpenAPIResponseValue, _ declared: OpenAPIResponse
  ) {
    // Without `content`, the description says nothing of a body.
    guard let contents = declared.contents, !operation.hasNoBody(response.status) else { return }
    let (names, place) = (contents.map(\.mediaType), rule(declared.origin))
    guard response.hasBody else {
      if !names.isEmpty { add(.noBody(names), in: "body", at: place) }
      return
    }
    guard !contents.isEmpty else {
      return add(.undeclaredBody("\(response.status)"), in: response.body.field, at: place)
    }
    let given = response.contentType ?? response.headers.contentType
    guard let mediaType = given ?? response.body.usualMediaType else {
      return add(.noMediaType(names), in: "headers.content-type", at: place)
    }
    guard let content = contents.content(for: mediaType) else {
      return add(
        .mediaType(mediaType, names), in: "headers.content-type", actual: .string(mediaType),
        at: place)
    }
    switch response.body {
    case .none: return
    case .undecoded(let reason): add(.undecoded(reason), in: "body", at: place)
    case .bytes:
      // Without a schema, nothing is known of a text in an unknown charset.
      let kind = MediaType(mediaType)
      if kind.isJSON || kind.isText && content.schema != nil {
        add(.undecoded("it is not text"), in: "body", at: place)
      }
    case .json(let value): check(value, content.schema, in: "json")
    case .text(let text):
      let kind = MediaType(mediaType)
      if kind.isJSON || kind.isText { check(text, as: mediaType, content.schema, in: "text") }
    }
  }
}

extension OpenAPIResponseValue.Body {
  fileprivate var field: String {
    switch self {
    case .json: "json"
    case .text: "text"
    case .none, .bytes, .undecoded: "body"
    }
  }

  fileprivate var usualMediaType: String? {
    if case .json = self { "application/json" } else { nil }
  }
}
