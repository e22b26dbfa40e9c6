public import FlowCore
internal import FlowSchema

extension OpenAPIOperation {
  /// The type of the parameters of the query by their names, or nil for a query of any names.
  ///
  /// The values are sent as text, so that any value may be one of another type.
  public var queryType: ValueType? { type(keys: keyNames) { $0.place == .query } }

  /// The type of all parameters by their names, or nil for any names.
  public var parametersType: ValueType? { type { _ in true } }

  private func type(
    keys: [String] = [], _ isIncluded: (OpenAPIParameter) -> Bool
  ) -> ValueType? {
    let included = parameters.filter(isIncluded)
    // The members of an object are parameters of the query, too.
    if included.contains(where: \.hasOtherNames) { return nil }
    var names: Set<String> = []
    return .record(
      RecordType(
        included.filter { names.insert($0.name).inserted }.map {
          .described($0.name, .dynamic, isRequired: $0.isRequired, $0.summary)
        }
          + keys.filter { names.insert($0).inserted }.map {
            .described($0, .dynamic, isRequired: false, "the key of the security scheme")
          }))
  }
}

extension OpenAPIParameter {
  /// True for an object whose members are parameters of a query under their own names.
  fileprivate var hasOtherNames: Bool {
    guard place == .query, style == .deepObject || style == .form && explodes else { return false }
    switch type.unwrapped {
    case .record, .map: return true
    default: return false
    }
  }
}
