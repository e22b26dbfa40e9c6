public import FlowCore
public import FlowExpression

/// A compiled expression and where it stands.
public final class PlannedExpression: Sendable {
  /// What to evaluate.
  public let expression: Expression
  /// The text between `${{` and `}}`.
  public let place: Place

  init(_ expression: Expression, at place: Place) {
    self.expression = expression
    self.place = place
  }

  /// The expression's value.
  ///
  /// - Throws: `EvaluationFailure` with the expression's place.
  public func evaluate(_ activation: Activation) throws(EvaluationFailure) -> Value {
    do {
      return try expression.evaluate(activation)
    } catch {
      throw EvaluationFailure(message: "\(error)", place: place)
    }
  }

  /// What the expression is about, with the values, for the message of one that disappoints.
  public func operands(_ activation: Activation) -> [OperandText] {
    expression.operands(activation).compactMap { operand in
      // A part without a value is what the failure itself tells of.
      guard case .success(let value) = operand.result else { return nil }
      return OperandText(text: operand.text, value: value.summary())
    }
  }

  /// The value as another type.
  ///
  /// - Throws: `EvaluationFailure` when it cannot be evaluated or does not have the type.
  func evaluate(
    _ activation: Activation, as type: ValueType
  ) throws(EvaluationFailure) -> Value {
    let value = try evaluate(activation)
    do {
      return try value.converted(to: type)
    } catch {
      throw EvaluationFailure(message: "\(error)", place: place)
    }
  }
}

/// A part of an expression and its value, both as text.
public struct OperandText: Sendable, Hashable {
  /// The part as it is written.
  public let text: String
  /// Its value, shortened to a line.
  public internal(set) var value: String
}

/// An expression that has no value at run time.
public struct EvaluationFailure: Error, Sendable, Hashable {
  /// What went wrong: lower case, no full stop.
  public package(set) var message: String
  /// The expression's place; nil for the step's own.
  public let place: Place?

  /// A failure at a place.
  public init(message: String, place: Place?) {
    self.message = message
    self.place = place
  }
}
