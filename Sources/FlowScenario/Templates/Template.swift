public import FlowCore
public import FlowExpression

/// A value of the scenario with its expressions compiled.
public enum Template: Sendable {
  /// No expression in it.
  case constant(Value)
  /// A whole value that is `${{ ... }}`; it keeps its type, or is widened to this one.
  case expression(PlannedExpression, as: ValueType)
  /// Text around expressions; their values become text.
  case text([Template])
  /// Elements in order.
  case list([Template])
  /// Keys and values in file order.
  case map([(key: String, value: Template)])
  /// One template a field, in the type's order.
  case record(RecordType, [Template])

  /// The value in a run's present state.
  ///
  /// - Throws: `EvaluationFailure` of the first expression that has no value.
  public func evaluate(_ activation: Activation) throws(EvaluationFailure) -> Value {
    switch self {
    case .constant(let value): return value
    case .expression(let expression, let type):
      return try expression.evaluate(activation, as: type)
    case .text(let parts): return .string(try Self.text(parts, activation))
    case .list(let elements): return .list(try Self.values(elements, activation))
    case .record(let type, let fields):
      return .record(RecordValue(type, try Self.values(fields, activation)))
    case .map(let entries):
      var map = ValueMap()
      for entry in entries { map[.string(entry.key)] = try entry.value.evaluate(activation) }
      return .map(map)
    }
  }

  /// The value when there is no expression in it.
  public var constant: Value? {
    if case .constant(let value) = self { return value }
    return nil
  }

  /// The parts of an expression with their values; none for other templates.
  func operands(_ activation: Activation) -> [OperandText] {
    guard case .expression(let expression, _) = self else { return [] }
    return expression.operands(activation)
  }

  private static func text(
    _ parts: [Template], _ activation: Activation
  ) throws(EvaluationFailure) -> String {
    var text = ""
    for part in parts {
      text += try part.evaluate(activation).interpolated
      guard text.utf8.count <= longestText else {
        throw EvaluationFailure(
          message: "the text is longer than \(longestText) bytes", place: part.place)
      }
    }
    return text
  }

  // A text that is doubled in a loop would otherwise fill the memory.
  private static let longestText = 16 << 20

  /// Where the template's expression stands; templates without one have no place.
  private var place: Place? {
    if case .expression(let expression, _) = self { return expression.place }
    return nil
  }

  private static func values(
    _ templates: [Template], _ activation: Activation
  ) throws(EvaluationFailure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(templates.count)
    for template in templates { values.append(try template.evaluate(activation)) }
    return values
  }
}

extension Template {
  /// A list, folded when all its elements are constants.
  static func folding(_ elements: [Template]) -> Template {
    constants(elements).map { .constant(.list($0)) } ?? .list(elements)
  }

  /// A record, folded when all its fields are constants.
  static func folding(_ type: RecordType, _ fields: [Template]) -> Template {
    constants(fields).map { .constant(.record(RecordValue(type, $0))) } ?? .record(type, fields)
  }

  /// A map, folded when all its values are constants.
  static func folding(_ entries: [(key: String, value: Template)]) -> Template {
    guard let values = constants(entries.map(\.value)) else { return .map(entries) }
    return .constant(.map(ValueMap(Array(zip(entries.map(\.key), values)))))
  }

  private static func constants(_ templates: [Template]) -> [Value]? {
    var values: [Value] = []
    for template in templates {
      guard let value = template.constant else { return nil }
      values.append(value)
    }
    return values
  }
}
