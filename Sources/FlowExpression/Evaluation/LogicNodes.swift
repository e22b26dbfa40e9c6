internal import FlowCore

/// `&&` or `||` over two or more operands; an error is absorbed when another operand decides.
final class LogicNode: Node {
  private let sign: LogicOperator
  private let operands: [any Node]
  private let span: Range<Int>

  init(_ sign: LogicOperator, _ operands: [any Node], _ span: Range<Int>) {
    self.sign = sign
    self.operands = operands
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let deciding = sign == .or
    var failure: EvaluationError?
    for operand in operands {
      do throws(EvaluationError) {
        let value = try operand.value(&frame)
        guard case .bool(let holds) = value else {
          throw .noMatchingOverload(sign.rawValue, [value], span)
        }
        if holds == deciding { return value }
      } catch {
        // Running out of steps is no matter of the operand.
        if error.code == .limit { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return .bool(!deciding)
  }
}

/// `condition ? first : second`.
final class ConditionalNode: Node {
  private let condition: any Node
  private let first: any Node
  private let second: any Node
  private let span: Range<Int>

  init(_ condition: any Node, _ first: any Node, _ second: any Node, _ span: Range<Int>) {
    self.condition = condition
    self.first = first
    self.second = second
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try condition.value(&frame)
    guard case .bool(let holds) = value else { throw .noMatchingOverload("?:", [value], span) }
    return try holds ? first.value(&frame) : second.value(&frame)
  }
}
