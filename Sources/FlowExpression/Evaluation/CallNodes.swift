internal import FlowCore

/// A call with one argument.
final class UnaryCallNode: Node {
  private let function: CallName
  private let body: Function.Unary
  private let argument: any Node

  init(_ function: CallName, _ body: @escaping Function.Unary, _ argument: any Node) {
    self.function = function
    self.body = body
    self.argument = argument
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try argument.value(&frame)
    do { return try body(value, &frame) } catch { throw function.located(error, [value]) }
  }
}

/// A call with two arguments, or an operator.
final class BinaryCallNode: Node {
  private let function: CallName
  private let body: Function.Binary
  private let first: any Node
  private let second: any Node

  init(
    _ function: CallName, _ body: @escaping Function.Binary, _ first: any Node, _ second: any Node
  ) {
    self.function = function
    self.body = body
    self.first = first
    self.second = second
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let left = try first.value(&frame)
    let right = try second.value(&frame)
    do { return try body(left, right, &frame) } catch {
      throw function.located(error, [left, right])
    }
  }
}

/// A call with any number of arguments.
final class CallNode: Node {
  private let function: CallName
  private let body: Function.Several
  private let arguments: [any Node]

  init(_ function: CallName, _ body: @escaping Function.Several, _ arguments: [any Node]) {
    self.function = function
    self.body = body
    self.arguments = arguments
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.value(&frame)) }
    do { return try body(values, &frame) } catch { throw function.located(error, values) }
  }
}

/// What a call needs to say where and why it failed.
struct CallName: Sendable {
  let name: String
  let span: Range<Int>

  /// The error with the place of the call, and with the values when they are of the wrong kinds.
  func located(_ error: EvaluationError, _ values: [Value]) -> EvaluationError {
    guard error == .noOverload else { return error.located(span) }
    return .noMatchingOverload(name, values, span)
  }
}
