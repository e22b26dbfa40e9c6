internal import FlowCore

/// `operand[index]` and `operand[?index]`.
final class IndexNode: Node {
  private let operand: any Node
  private let index: any Node
  private let isOptional: Bool
  private let span: Range<Int>

  init(_ operand: any Node, _ index: any Node, isOptional: Bool, _ span: Range<Int>) {
    self.operand = operand
    self.index = index
    self.isOptional = isOptional
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let container = try operand.value(&frame)
    let key = try index.value(&frame)
    guard case .optional(let wrapped) = container else {
      let element = try element(of: container, key)
      if isOptional { return .optional(element) }
      guard let element else { throw missing(key, container) }
      return element
    }
    guard let wrapped else { return container }
    return .optional(try element(of: wrapped, key))
  }

  private func element(of container: Value, _ key: Value) throws(EvaluationError) -> Value? {
    switch (container, key) {
    case (.list(let values), _):
      guard let position = Self.position(key) else {
        throw .noMatchingOverload("[]", [container, key], span)
      }
      return values.indices.contains(position) ? values[position] : nil
    case (.map(let map), _) where MapKey.isPossible(key): return map[key]
    case (.record(let record), .string(let name)): return record[name]
    default: throw .noMatchingOverload("[]", [container, key], span)
    }
  }

  /// A whole number of any kind.
  private static func position(_ key: Value) -> Int? {
    switch key {
    case .int(let number): number
    case .uint(let number): Int(exactly: number)
    case .double(let number): Int(exactly: number)
    default: nil
    }
  }

  private func missing(_ key: Value, _ container: Value) -> EvaluationError {
    guard case .list(let values) = container else { return .noSuchKey(key, container, span) }
    return .indexOutOfRange(key, count: values.count, span)
  }
}
