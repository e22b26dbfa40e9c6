internal import FlowCore
internal import FlowSystem

// Every message of this module is in this file.

extension ExpressionProblem {
  typealias Span = Range<Int>

  // MARK: - Syntax

  static var tooLong: Self {
    Self(.limit, "the expression is longer than \(Limits.textLength) bytes", 0..<0)
  }
  static func tooDeep(_ span: Span) -> Self {
    Self(.limit, "the expression is nested more than \(Limits.depth) levels deep", span)
  }
  static func tooLarge(_ span: Span) -> Self {
    Self(.limit, "the expression has more than \(Limits.nodes) parts", span)
  }
  static func unexpected(_ text: String, _ expected: String, _ span: Span) -> Self {
    Self(
      .syntax, "unexpected '\(Phrase.cut(text))', expected \(expected)", span,
      near: OtherWords.operators(like: text))
  }
  static func unexpectedEnd(_ expected: String, _ span: Span) -> Self {
    Self(.syntax, "the expression ends too early, expected \(expected)", span)
  }
  static func strayCharacter(_ text: String, before next: String, _ span: Span) -> Self {
    let note = OtherWords.note(onSign: text + next)
    return Self(
      .syntax, "unexpected character '\(text)'", span,
      near: note == nil ? OtherWords.operators(like: text) : [], note: note)
  }
  static func reserved(_ text: String, _ span: Span) -> Self {
    Self(.syntax, "'\(text)' is a reserved word", span)
  }
  static func message(_ span: Span) -> Self {
    Self(.unsupported, "protocol buffer messages are not supported, use a map", span)
  }
  static func badQuotedName(_ span: Span) -> Self {
    Self(
      .syntax, "a quoted name may contain only letters, digits, '_', '.', '-', '/' and spaces", span
    )
  }
  static func badNumber(_ text: String, _ span: Span) -> Self {
    let unit = text.drop { $0.isNumber || $0 == "." }
    let isDuration = ["ms", "s", "m", "h", "d"].contains(unit.lowercased())
    return Self(
      .invalidLiteral, "the number is malformed", span,
      note: isDuration ? "write a duration as duration('\(Phrase.cut(text))')" : nil)
  }
  static func numberRange(_ text: String, _ span: Span) -> Self {
    Self(.invalidLiteral, "the number '\(Phrase.cut(text))' is out of range", span)
  }
  static func openString(_ span: Span) -> Self {
    Self(.invalidLiteral, "unterminated string", span)
  }
  static func badEscape(_ text: String, _ span: Span) -> Self {
    Self(.invalidLiteral, "'\(text)' is not a valid escape", span)
  }

  // MARK: - Names

  static func undeclared(_ name: String, _ span: Span, _ near: [String] = []) -> Self {
    Self(.undeclaredReference, "'\(Phrase.cut(name))' is not declared", span, near: near)
  }
  static func incomplete(_ name: String, _ span: Span) -> Self {
    Self(.undeclaredReference, "'\(Phrase.cut(name))' is a group of names, not a value", span)
  }
  static func undeclaredFunction(_ name: String, _ span: Span, _ near: [String]) -> Self {
    Self(.undeclaredFunction, "there is no function '\(Phrase.cut(name))'", span, near: near)
  }

  static func wrongStyle(_ name: String, isMember: Bool, _ span: Span) -> Self {
    let form = isMember ? "\(name)(x)" : "x.\(name)()"
    return Self(.undeclaredFunction, "'\(name)' must be called as '\(form)'", span)
  }

  static func argumentCount(of name: String, _ counts: [Int], given: Int, _ span: Span) -> Self {
    let isOpen = counts.count > 3
    let expected =
      isOpen ? "at least \(counts[0])" : counts.map(String.init).joined(separator: " or ")
    let noun = counts == [1] || isOpen ? "argument" : "arguments"
    return Self(.argumentCount, "'\(name)' takes \(expected) \(noun), got \(given)", span)
  }

  static func unknownField(_ name: String, of record: RecordType, _ span: Span) -> Self {
    let near = Suggestion.nearest(to: name, among: record.fields.map(\.name))
    let note =
      record.others == .unsaid
      ? "its description does not declare the name; [\(JSON.string(name).text)] reads it anyway"
      : nil
    return Self(
      .unknownField, "the record has no field '\(Phrase.cut(name))'", span, near: near, of: record,
      note: note)
  }

  static func noFields(_ name: String, _ type: ExpressionType, _ span: Span) -> Self {
    Self(.unknownField, "\(Phrase.article("\(type)")) has no field '\(Phrase.cut(name))'", span)
  }

  static func unknownName(_ text: String, _ names: [String], _ span: Span) -> Self {
    let near = Suggestion.nearest(to: text, among: names)
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return Self(.unknownName, "'\(Phrase.cut(text))' is not one of \(list)", span, near: near)
  }

  // MARK: - Types

  static func noOverload(
    _ name: String, for types: [ExpressionType], among signatures: [Signature], _ span: Span
  ) -> Self {
    let isMixed = types.contains(.decimal) && types.contains(.double)
    let list = ExpressionType.list(types)
    var message = "'\(name)' is not defined for \(list)"
    if isMixed, ["+", "-", "*", "/", "%"].contains(name) {
      message += ", convert one with 'decimal()' or 'double()'"
    } else if signatures.count == 1 {
      message =
        "'\(name)' takes \(ExpressionType.list(signatures[0].parameters)), got \(list)"
    }
    return Self(
      .noMatchingOverload, message, span, note: OtherWords.note(on: name, between: types))
  }

  static func notBool(_ name: String, _ type: ExpressionType, _ span: Span) -> Self {
    Self(
      .typeMismatch, "'\(name)' expects a bool, got \(type)", span,
      note: OtherWords.note(onOperatorOfBools: name))
  }

  static func differentArms(_ types: [ExpressionType], _ span: Span) -> Self {
    let list = types.map(\.description).joined(separator: " and ")
    return Self(.typeMismatch, "the two results of '?:' are of different types, \(list)", span)
  }

  static func notOptional(_ type: ExpressionType, _ span: Span) -> Self {
    Self(.typeMismatch, "expected an optional such as 'a.?b', got \(type)", span)
  }

  static func badKey(_ type: ExpressionType, _ span: Span) -> Self {
    Self(
      .typeMismatch, "a key must be a bool, int, uint or string, not \(Phrase.article("\(type)"))",
      span
    )
  }

  static func notIterable(_ type: ExpressionType, _ span: Span) -> Self {
    Self(.typeMismatch, "expected a list or map, got \(type)", span)
  }
  static func notMap(_ type: ExpressionType, _ span: Span) -> Self {
    Self(.typeMismatch, "the result must be a map, got \(type)", span)
  }
  static func badHas(_ span: Span) -> Self {
    Self(.invalidMacro, "'has' expects a field, as in 'has(a.b)'", span)
  }
  static func badVariable(_ macro: String, _ span: Span) -> Self {
    Self(.invalidMacro, "'\(macro)' expects the name of a new variable", span)
  }
  static func invalidArgument(_ message: String, _ span: Span) -> Self {
    Self(.invalidArgument, message, span)
  }
  static func schemaName(_ span: Span) -> Self {
    Self(
      .invalidArgument,
      "'matches_schema' expects the path of a schema as a literal, such as 'order.schema.json'",
      span)
  }
}

private enum Phrase {
  /// The user's text, short enough for one line.
  static func cut(_ text: String) -> String { text.shortened(to: 60) }

  /// Returns the first line of a text, or a part of it.
  static func beginning(_ text: [UInt8]) -> String {
    let line = text.prefix(241).prefix { $0 != UInt8(ascii: "\n") }
    let isWhole = line.count == text.count
    return cut(isWhole ? String(decoding: line, as: UTF8.self) : String(beginning: line)).onOneLine
  }

  /// `it has name, price`: the first few names in a map or a record.
  static func names(in container: Value) -> String {
    let (count, names) =
      switch container {
      case .map(let map): (map.count, map.entries.prefix(8).map(\.key.interpolated))
      case .record(let record): (record.values.count, record.type.fields.prefix(8).map(\.name))
      default: (0, [])
      }
    guard count > 0 else { return "it is empty" }
    let list = names.map { cut($0).onOneLine }.joined(separator: ", ")
    return "it has \(list)" + (count > names.count ? " and \(count - names.count) more" : "")
  }

  /// `1 element`.
  static func elements(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }

  /// `it is null`, `it is a list with 3 elements`.
  static func kind(of value: Value) -> String {
    switch value {
    case .null: "it is null"
    case .list(let values): "it is a list with \(elements(values.count))"
    default: "it is \(article(value.kindName))"
    }
  }

  /// `an int`, `a list(string)`.
  static func article(_ name: String) -> String {
    ("aeiou".contains(name.prefix(1)) && !name.hasPrefix("uint") ? "an " : "a ") + name
  }
}

extension EvaluationError {
  typealias Span = Range<Int>

  /// The error of a function for values of unsupported kinds.
  ///
  /// The call around it finds the words.
  static let noOverload = EvaluationError(.noMatchingOverload, "")

  static func noMatchingOverload(
    _ name: String, _ values: [Value], _ span: Span, constant: Value? = nil
  ) -> Self {
    let message = "'\(name)' is not defined for (\(values.map(\.kindName).joined(separator: ", ")))"
    return Self(.noMatchingOverload, message + OtherWords.ending(on: constant, in: values), span)
  }

  static func notBool(_ value: Value, _ span: Span) -> Self {
    Self(.noMatchingOverload, "the condition is \(value.kindName), not bool", span)
  }
  static func notOptional(_ value: Value, _ span: Span) -> Self {
    Self(.noMatchingOverload, "expected an optional, got \(value.kindName)", span)
  }
  static func notIterable(_ value: Value, _ span: Span) -> Self {
    Self(.noMatchingOverload, "expected a list or map, got \(value.kindName)", span)
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
    Self(.unset, "'\(name)' has no value: its step did not run", span)
  }

  // MARK: - Collections

  /// The path to a part of a value on one line, cut at its end if it is long.
  static func path(_ text: String) -> String { text.shortened(to: 100).onOneLine }

  static func noSuchField(in operand: Value, _ place: PartPlace) -> Self {
    Self(.noSuchKey, "no such field; \(Phrase.names(in: operand))", place)
  }

  static func noFields(_ operand: Value, _ place: PartPlace) -> Self {
    Self(.noMatchingOverload, "no such field; \(Phrase.kind(of: operand))", place)
  }

  static func noSuchKey(in container: Value, _ place: PartPlace) -> Self {
    Self(.noSuchKey, "no such key; \(Phrase.names(in: container))", place)
  }

  static func noElements(_ container: Value, _ place: PartPlace) -> Self {
    Self(.noMatchingOverload, "no such element; \(Phrase.kind(of: container))", place)
  }

  static func noSuchElement(_ index: Value, count: Int, _ place: PartPlace) -> Self {
    let size = count == 0 ? "is empty" : "has \(Phrase.elements(count))"
    return Self(.outOfRange, "no element \(index); the list \(size)", place)
  }

  static func sliceOutOfRange(_ index: Int, count: Int) -> Self {
    Self(.outOfRange, "the index \(index) is out of range, the list has \(count) elements")
  }
  static func badKey(_ key: Value, _ span: Span) -> Self {
    Self(.invalidKey, "a key must be a bool, int, uint or string, not \(key.kindName)", span)
  }
  static func duplicateKey(_ key: Value, _ span: Span) -> Self {
    Self(.invalidKey, "the key '\(Phrase.cut(key.interpolated))' appears twice", span)
  }
  static let emptyOptional = Self(.emptyOptional, "the optional is empty")
  static let emptyList = Self(.invalidArgument, "the list is empty")

  static let notComparable = Self(
    .noMatchingOverload, "the values cannot be sorted: they must have one comparable type")
  static let negativeDepth = Self(.invalidArgument, "the depth is negative")

  // MARK: - Numbers

  static func overflow(_ type: String) -> Self { Self(.overflow, "\(type) overflow") }

  static func conversion(_ value: Value, to type: String) -> Self {
    let text = value.interpolated
    let edges = [text.unicodeScalars.first, text.unicodeScalars.last]
    let isPadded = edges.contains { $0?.properties.isWhitespace ?? false }
    return Self(
      .invalidArgument,
      "'\(Phrase.cut(text).onOneLine)' is not \(Phrase.article("\(type)"))"
        + (isPadded ? "; trim() removes the blanks around it" : ""))
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
    Self(.outOfRange, "the position \(index) is out of range, the string has \(count) characters")
  }
  static func reversedRange(_ start: Int, _ end: Int) -> Self {
    Self(.outOfRange, "the range ends at \(end), before its start at \(start)")
  }
  static let invalidUTF8 = Self(.invalidArgument, "the bytes are not UTF-8")
  static func unknownEncoding(_ label: String) -> Self {
    Self(.invalidArgument, "'\(Phrase.cut(label).onOneLine)' is not the name of an encoding")
  }
  static func notEncoded(_ label: String) -> Self {
    Self(.invalidArgument, "the bytes are not in the encoding '\(Phrase.cut(label).onOneLine)'")
  }
  /// With the beginning of the text: a secret of which the beginning was cut off would not be found in it.
  static func json(_ error: JSONError, in text: [UInt8]) -> Self {
    Self(
      .invalidArgument, "'\(Phrase.beginning(text))' is not JSON: \(error.description(in: text))")
  }

  static func excess(_ excess: Value.Excess) -> Self {
    switch excess {
    case .depth(let limit): Self(.limit, "the JSON is nested more than \(limit) levels deep")
    case .count(let limit): Self(.limit, "the JSON has more than \(limit) values")
    }
  }
  static let invalidBase64 = Self(.invalidArgument, "the string is not base64")
  static let invalidBase64URL = Self(.invalidArgument, "the string is not base64url")
  static let invalidEscape = Self(
    .invalidArgument, "the string has a '%' without two hexadecimal digits behind it")
  static let severalGroups = Self(
    .invalidArgument, "the pattern has more than one capturing group; write the others as '(?:…)'")
  /// A value that JSON cannot express, such as an infinite number.
  static func notInJSON(_ reason: String) -> Self { Self(.invalidArgument, reason) }

  /// Creates the problem of a pattern that RE2 refuses, with its reason and the part that it names.
  static func pattern(_ pattern: String, _ reason: String, _ part: String) -> Self {
    let place = part.isEmpty || part == pattern ? "" : ": '\(Phrase.cut(part))'"
    return Self(
      .invalidArgument,
      "'\(Phrase.cut(pattern))' is not a regular expression: \(reason)\(place)")
  }
  static func longPattern(_ limit: Int) -> Self {
    Self(.limit, "the pattern is longer than \(limit) bytes")
  }
  static let patternMemory = Self(.limit, "there is not enough memory for the pattern")
  static func formatClause(_ clause: String) -> Self {
    Self(.invalidArgument, "'\(Phrase.cut(clause))' is not a format clause")
  }
  static func formatArgument(_ clause: String, _ value: Value) -> Self {
    Self(.invalidArgument, "'\(clause)' cannot format \(value.kindName)")
  }
  static func formatCount(_ count: Int) -> Self {
    Self(.invalidArgument, "the format needs more values than the \(count) given")
  }
  static func zone(_ name: String) -> Self {
    Self(.invalidArgument, "'\(Phrase.cut(name))' is not a time zone")
  }
  static let noSchemas = Self(.invalidArgument, "the schema is unknown here")
  static func schema(_ problem: String) -> Self { Self(.limit, problem) }
  static let tooManySteps = Self(.limit, "the evaluation takes too many steps")
}
