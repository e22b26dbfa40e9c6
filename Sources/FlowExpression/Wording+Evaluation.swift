internal import FlowCore

extension EvaluationError {
  typealias Span = Range<Int>

  /// What a function throws for values of kinds it does not take; the call around it finds the words.
  static let noOverload = EvaluationError(.noMatchingOverload, "")

  static func noMatchingOverload(_ name: String, _ values: [Value], _ span: Span) -> Self {
    let kinds = values.map(\.kindName).joined(separator: ", ")
    return Self(.noMatchingOverload, "'\(name)' is not defined for (\(kinds))", span)
  }

  static func notBool(_ value: Value, _ span: Span) -> Self {
    Self(.noMatchingOverload, "the condition is \(value.kindName), not bool", span)
  }

  static func notOptional(_ value: Value, _ span: Span) -> Self {
    Self(.noMatchingOverload, "an optional must stand here, got \(value.kindName)", span)
  }

  static func notIterable(_ value: Value, _ span: Span) -> Self {
    Self(.noMatchingOverload, "a list or map must stand here, got \(value.kindName)", span)
  }

  static func notMap(_ value: Value, _ span: Span) -> Self {
    Self(.noMatchingOverload, "the result must be a map, got \(value.kindName)", span)
  }

  static func unbound(_ name: String, _ span: Span) -> Self {
    Self(.undeclared, "'\(name)' is declared but cannot be called", span)
  }

  static func undeclared(_ name: String, _ span: Span) -> Self {
    Self(.undeclared, "'\(name)' is not declared", span)
  }

  static func unset(_ name: String, _ span: Span) -> Self {
    Self(.unset, "'\(name)' has no value: it did not run", span)
  }

  // MARK: - Collections

  static func noSuchField(_ name: String, _ operand: Value, _ span: Span) -> Self {
    Self(.noSuchKey, "the \(operand.kindName) has no '\(Wording.cut(name))'", span)
  }

  static func noFields(_ name: String, _ operand: Value, _ span: Span) -> Self {
    let message = "'\(Wording.cut(name))' is selected from \(operand.kindName), which has no fields"
    return Self(.noMatchingOverload, message, span)
  }

  static func noSuchKey(_ key: Value, _ container: Value, _ span: Span) -> Self {
    let text = Wording.cut(key.interpolated)
    return Self(.noSuchKey, "the \(container.kindName) has no '\(text)'", span)
  }

  static func indexOutOfRange(_ index: Value, count: Int, _ span: Span) -> Self {
    let message = "the index \(index) is out of range, the list has \(count) elements"
    return Self(.outOfRange, message, span)
  }

  static func sliceOutOfRange(_ index: Int, count: Int) -> Self {
    Self(.outOfRange, "the index \(index) is out of range, the list has \(count) elements")
  }

  static func badKey(_ key: Value, _ span: Span) -> Self {
    Self(.invalidKey, "a key is a bool, int, uint or string, not \(key.kindName)", span)
  }

  static func duplicateKey(_ key: Value, _ span: Span) -> Self {
    Self(.invalidKey, "the key '\(Wording.cut(key.interpolated))' is there twice", span)
  }

  static let emptyOptional = Self(.emptyOptional, "the optional is empty")

  static let emptyList = Self(.invalidArgument, "the list is empty")

  static let notComparable = Self(
    .noMatchingOverload, "the values to sort are not of one comparable kind")

  static let negativeDepth = Self(.invalidArgument, "the depth is negative")

  // MARK: - Numbers

  static func overflow(_ type: String) -> Self {
    Self(.overflow, "\(type) overflow")
  }

  static func conversion(_ value: Value, to type: String) -> Self {
    let text = Wording.cut(value.interpolated)
    return Self(.invalidArgument, "'\(text)' is not \(Wording.article(type))")
  }

  static func range(_ value: Value, of type: String) -> Self {
    Self(.overflow, "\(value.summary()) is out of the range of \(type)")
  }

  static let divisionByZero = Self(.divisionByZero, "division by zero")

  static let negativeShift = Self(.invalidArgument, "the shift is negative")

  init(_ error: DecimalError) {
    switch error {
    case .overflow: self.init(.overflow, error.description)
    case .divisionByZero: self.init(.divisionByZero, error.description)
    case .inexact: self.init(.inexact, error.description)
    }
  }

  // MARK: - Text

  static func position(_ index: Int, count: Int) -> Self {
    Self(.outOfRange, "the position \(index) is out of range, the text has \(count) characters")
  }

  static func reversedRange(_ start: Int, _ end: Int) -> Self {
    Self(.outOfRange, "the range ends at \(end) before it begins at \(start)")
  }

  static let invalidUTF8 = Self(.invalidArgument, "the bytes are not UTF-8")

  static let invalidBase64 = Self(.invalidArgument, "the text is not base64")

  static func pattern(_ pattern: String, _ reason: String) -> Self {
    let text = Wording.cut(pattern)
    return Self(.invalidArgument, "'\(text)' is not a regular expression: \(reason)")
  }

  static let patternLimit = Self(.limit, "the pattern takes too many steps to match")

  static func formatClause(_ clause: String) -> Self {
    Self(.invalidArgument, "'\(Wording.cut(clause))' is not a format clause")
  }

  static func formatArgument(_ clause: String, _ value: Value) -> Self {
    Self(.invalidArgument, "'\(clause)' does not format \(value.kindName)")
  }

  static func formatCount(_ count: Int) -> Self {
    Self(.invalidArgument, "the format asks for more than the \(count) values given")
  }

  static func zone(_ name: String) -> Self {
    Self(.invalidArgument, "'\(Wording.cut(name))' is not a time zone")
  }

  static let tooManySteps = Self(.limit, "the evaluation takes too many steps")
}

extension Wording {
  static func article(_ name: String) -> String {
    ("aeio".contains(name.prefix(1)) ? "an " : "a ") + name
  }
}
