internal import FlowCore

/// The functions of the optionals extension; `optMap` and `optFlatMap` are macros.
enum OptionalFunctions {
  private static let element = ExpressionType.parameter(0)
  private static let optional = ExpressionType.optional(.parameter(0))

  static let all = [
    Function("optional.none", [generic([], optional)], .several(0) { _, _ in .optional(nil) }),
    Function(
      "optional.of", [generic([element], optional)], .unary { value, _ in .optional(value) }),
    Function(
      "optional.ofNonZeroValue", [generic([element], optional)],
      .unary { value, _ in .optional(isZero(value) ? nil : value) }),
    Function("optional.unwrap", [generic([.list(optional)], .list(element))], .unary(unwrap)),
    Function(
      "unwrapOpt", isMember: true, [generic([.list(optional)], .list(element))], .unary(unwrap)),
    Function("hasValue", isMember: true, [generic([optional], .bool)], .unary(hasValue)),
    Function("value", isMember: true, [generic([optional], element)], .unary(value)),
    Function(
      "or", isMember: true, [generic([optional, optional], optional)],
      .fallback(isUnwrapping: false)),
    Function(
      "orValue", isMember: true, [generic([optional, element], element)],
      .fallback(isUnwrapping: true)),
  ]

  private static func generic(
    _ parameters: [ExpressionType], _ result: ExpressionType
  ) -> Signature {
    Signature(parameters, result, typeParameterCount: 1)
  }

  private static func hasValue(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .optional(let wrapped) = value else { throw .noOverload }
    return .bool(wrapped != nil)
  }

  private static func value(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    guard case .optional(let wrapped) = value else { throw .noOverload }
    guard let wrapped else { throw .emptyOptional }
    return wrapped
  }

  private static func unwrap(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .list(let values) = value else { throw .noOverload }
    try frame.charge(values.count)
    var result: [Value] = []
    for value in values {
      guard case .optional(let wrapped) = value else { throw .noOverload }
      if let wrapped { result.append(wrapped) }
    }
    return .list(result)
  }

  /// The values that `ofNonZeroValue` takes for nothing.
  private static func isZero(_ value: Value) -> Bool {
    switch value {
    case .null, .bool(false), .int(0), .uint(0), .string(""): true
    case .double(let number): number == 0
    case .decimal(let number): number.significand == 0
    case .bytes(let bytes): bytes.content.isEmpty
    case .list(let values): values.isEmpty
    case .map(let map): map.isEmpty
    case .duration(let span): span == .zero
    case .timestamp(let instant): instant == .epoch
    case .optional(let wrapped): wrapped == nil
    default: false
    }
  }
}
