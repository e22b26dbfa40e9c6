public import FlowCore
internal import FlowSchema

extension OpenAPIOperation {
  /// The type of the JSON body of requests of a media type, or nil without one.
  ///
  /// Without a media type, it is that of the first one that is JSON.
  public func jsonBodyType(as mediaType: String?) -> ValueType? {
    let contents = body?.contents ?? []
    let content = mediaType.map { contents.content(for: $0) } ?? contents.json.first
    return content.map { $0.schema?.type(in: .request) ?? .dynamic }
  }

  /// The type of the JSON in responses.
  ///
  /// With a status, it is that of the status, `.dynamic` without one. Without a status, it is that
  /// of the successful ones, to which the fields of all other responses are added as optional ones.
  /// If no success is declared, the default response is one.
  /// A field whose types differ is dynamic.
  public func jsonType(status: Int? = nil) -> ValueType {
    if let status { return response(for: status)?.jsonType ?? .dynamic }
    let hasSuccess = responses.contains(where: \.status.isSuccess)
    let isSuccess = { (response: OpenAPIResponse) in
      hasSuccess ? response.status.isSuccess : response.status == .default
    }
    let success = responses.filter(isSuccess).compactMap(\.jsonType)
    let others = responses.filter { !isSuccess($0) }.compactMap(\.jsonType)
    guard let first = success.first else { return .dynamic }
    let type = success.dropFirst().reduce(first) { $0.joined(with: $1) }
    return others.reduce(type) { $0.adding($1) }
  }
}

extension OpenAPIResponse {
  /// The type of its JSON, nil without JSON.
  var jsonType: ValueType? {
    let types = (contents?.json ?? []).map { $0.schema?.type(in: .response) ?? .dynamic }
    guard let first = types.first else { return nil }
    return types.dropFirst().reduce(first) { $0.joined(with: $1) }
  }
}

extension ValueType {
  /// The type of answers that are of either type.
  fileprivate func joined(with other: ValueType) -> ValueType {
    guard case .record(let left) = self, case .record(let right) = other else {
      return self == other ? self : .dynamic
    }
    let common = left.fields.map { field in
      let second = right.field(field.name)
      return RecordType.Field.described(
        field.name, second.map { $0.type == field.type ? field.type : .dynamic } ?? field.type,
        isRequired: field.isRequired && second?.isRequired == true, field.summary)
    }
    return .record(
      RecordType(
        common + right.fields(notIn: left), others: left.others.joined(with: right.others)))
  }

  /// The type of a successful answer, with the fields of another answer.
  fileprivate func adding(_ other: ValueType) -> ValueType {
    guard case .record(let left) = self, case .record(let right) = other else { return self }
    let common = left.fields.map { field in
      guard let second = right.field(field.name), second.type.unwrapped != field.type.unwrapped
      else { return field }
      return RecordType.Field.described(
        field.name, .dynamic, isRequired: field.isRequired, field.summary)
    }
    return .record(
      RecordType(
        common + right.fields(notIn: left), others: left.others.joined(with: right.others)))
  }
}

extension RecordType {
  fileprivate func fields(notIn other: RecordType) -> [Field] {
    fields.filter { other.field($0.name) == nil }.map {
      .described($0.name, $0.type, isRequired: false, $0.summary)
    }
  }
}
