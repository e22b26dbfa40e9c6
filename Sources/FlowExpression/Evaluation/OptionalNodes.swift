internal import FlowCore

/// `optional.optMap(name, value)` and `optFlatMap`.
final class OptionalMapNode: Node {
  private let optional: any Node
  private let index: Int
  private let result: any Node
  private let isFlat: Bool
  private let span: Range<Int>

  init(
    _ optional: any Node, _ index: Int, _ result: any Node, isFlat: Bool, _ span: Range<Int>
  ) {
    self.optional = optional
    self.index = index
    self.result = result
    self.isFlat = isFlat
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try optional.value(&frame)
    guard case .optional(let wrapped) = value else { throw .notOptional(value, span) }
    guard let wrapped else { return value }
    frame.locals[index] = wrapped
    let result = try result.value(&frame)
    guard isFlat else { return .optional(result) }
    guard case .optional = result else { throw .notOptional(result, span) }
    return result
  }
}

/// `optional.or(optional)` and `optional.orValue(value)`: the second is evaluated when needed.
final class FallbackNode: Node {
  private let optional: any Node
  private let fallback: any Node
  private let isUnwrapping: Bool
  private let span: Range<Int>

  init(_ optional: any Node, _ fallback: any Node, isUnwrapping: Bool, _ span: Range<Int>) {
    self.optional = optional
    self.fallback = fallback
    self.isUnwrapping = isUnwrapping
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try optional.value(&frame)
    guard case .optional(let wrapped) = value else { throw .notOptional(value, span) }
    if let wrapped { return isUnwrapping ? wrapped : value }
    let other = try fallback.value(&frame)
    guard !isUnwrapping else { return other }
    guard case .optional = other else { throw .notOptional(other, span) }
    return other
  }
}
