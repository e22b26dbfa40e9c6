internal import FlowCore

/// A part of a compiled expression: a value known in advance, or how to compute it.
enum Code: Sendable {
  /// Computes a value; called by the part around it, any number of times at once.
  ///
  /// - Throws: `EvaluationError` with the span of the part that fails.
  typealias Compute = @Sendable (_ frame: inout Frame) throws(EvaluationError) -> Value

  case constant(Value)
  case computed(Compute)

  /// The value, when it needs no variable; nil otherwise.
  var constant: Value? {
    if case .constant(let value) = self { return value }
    return nil
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    switch self {
    case .constant(let value): value
    case .computed(let compute): try compute(&frame)
    }
  }

  /// A part that can only fail: what the checker would have refused, in an expression not checked.
  static func failing(_ error: EvaluationError) -> Code {
    .computed { (_) throws(EvaluationError) in throw error }
  }

  // MARK: - Variables

  /// A variable of the environment.
  static func variable(_ name: String, _ slot: Slot, _ span: Range<Int>) -> Code {
    .computed { (frame) throws(EvaluationError) in
      guard let value = frame.activation[slot] else { throw .unset(name, span) }
      return value
    }
  }

  /// A variable of the environment, or nothing: `steps.?page`.
  static func optionalVariable(_ slot: Slot) -> Code {
    .computed { frame in .optional(frame.activation[slot]) }
  }

  /// Whether a variable of the environment was set: `has(steps.page)`.
  static func isSet(_ slot: Slot) -> Code {
    .computed { frame in .bool(frame.activation[slot] != nil) }
  }

  /// A variable of a macro.
  static func local(_ index: Int) -> Code {
    .computed { frame in frame.locals[index] }
  }

  /// `cel.bind(name, value, result)`.
  static func bind(_ index: Int, _ bound: Code, _ result: Code) -> Code {
    .computed { (frame) throws(EvaluationError) in
      frame.locals[index] = try bound.value(&frame)
      return try result.value(&frame)
    }
  }

  // MARK: - Calls

  typealias Unary = @Sendable (Value, inout Frame) throws(EvaluationError) -> Value
  typealias Binary = @Sendable (Value, Value, inout Frame) throws(EvaluationError) -> Value
  typealias Several = @Sendable ([Value], inout Frame) throws(EvaluationError) -> Value

  /// A call with one argument.
  static func call(_ name: CallName, _ argument: Code, _ body: @escaping Unary) -> Code {
    .computed { (frame) throws(EvaluationError) in
      let value = try argument.value(&frame)
      do throws(EvaluationError) { return try body(value, &frame) } catch {
        throw name.located(error, [value])
      }
    }
  }

  /// A call with two arguments, or an operator.
  static func call(
    _ name: CallName, _ first: Code, _ second: Code, _ body: @escaping Binary
  ) -> Code {
    .computed { (frame) throws(EvaluationError) in
      let left = try first.value(&frame)
      let right = try second.value(&frame)
      do throws(EvaluationError) { return try body(left, right, &frame) } catch {
        throw name.located(error, [left, right])
      }
    }
  }

  /// A call with any number of arguments.
  static func call(_ name: CallName, _ arguments: [Code], _ body: @escaping Several) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var values: [Value] = []
      values.reserveCapacity(arguments.count)
      for argument in arguments { values.append(try argument.value(&frame)) }
      do throws(EvaluationError) { return try body(values, &frame) } catch {
        throw name.located(error, values)
      }
    }
  }

  // MARK: - Logic

  /// Operands of `&&`, of which false decides, or `||`; one that decides absorbs the errors of others.
  static func logic(
    _ sign: String, deciding: Bool, _ operands: [Code], _ span: Range<Int>
  ) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var failure: EvaluationError?
      for operand in operands {
        do throws(EvaluationError) {
          let value = try operand.value(&frame)
          guard case .bool(let holds) = value else {
            throw .noMatchingOverload(sign, [value], span)
          }
          if holds == deciding { return value }
        } catch {
          // The limit is of the whole evaluation, not of the operand that reached it.
          if error.code == .limit { throw error }
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      return .bool(!deciding)
    }
  }

  /// `condition ? first : second`.
  static func conditional(
    _ condition: Code, _ first: Code, _ second: Code, _ span: Range<Int>
  ) -> Code {
    .computed { (frame) throws(EvaluationError) in
      let value = try condition.value(&frame)
      guard case .bool(let holds) = value else { throw .noMatchingOverload("?:", [value], span) }
      return try holds ? first.value(&frame) : second.value(&frame)
    }
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
