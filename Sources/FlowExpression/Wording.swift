internal import FlowCore

// Every sentence of this module that a user can see stands in this file.

extension ExpressionProblem {
  typealias Name = SyntaxNode.Name
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
    Self(.syntax, "unexpected '\(Wording.cut(text))', expected \(expected)", span)
  }

  static func unexpectedEnd(_ expected: String, _ span: Span) -> Self {
    Self(.syntax, "the expression ends too early, expected \(expected)", span)
  }

  static func strayCharacter(_ text: String, _ span: Span) -> Self {
    Self(.syntax, "'\(text)' has no meaning here", span)
  }

  static func reserved(_ text: String, _ span: Span) -> Self {
    Self(.syntax, "'\(text)' is a reserved word", span)
  }

  static func message(_ span: Span) -> Self {
    Self(.unsupported, "protocol buffer messages are not supported, use a map", span)
  }

  static func badQuotedName(_ span: Span) -> Self {
    Self(.syntax, "a quoted name is made of letters, digits, '_', '.', '-', '/' and spaces", span)
  }

  static func badNumber(_ span: Span) -> Self {
    Self(.invalidLiteral, "the number is malformed", span)
  }

  static func numberRange(_ text: String, _ span: Span) -> Self {
    Self(.invalidLiteral, "the number '\(Wording.cut(text))' is out of range", span)
  }

  static func openString(_ span: Span) -> Self {
    Self(.invalidLiteral, "the string does not end", span)
  }

  static func badEscape(_ text: String, _ span: Span) -> Self {
    Self(.invalidLiteral, "'\(text)' is not a valid escape", span)
  }

  // MARK: - Names

  static func undeclared(_ name: String, _ span: Span, _ near: [String] = []) -> Self {
    Self(.undeclaredReference, "'\(Wording.cut(name))' is not declared", span, near)
  }

  static func incomplete(_ name: String, _ span: Span) -> Self {
    Self(.undeclaredReference, "'\(Wording.cut(name))' is a group of names, not a value", span)
  }

  static func undeclaredFunction(_ name: String, _ span: Span, _ near: [String]) -> Self {
    Self(.undeclaredFunction, "there is no function '\(Wording.cut(name))'", span, near)
  }

  static func wrongStyle(_ name: String, isMember: Bool, _ span: Span) -> Self {
    let form = isMember ? "\(name)(x)" : "x.\(name)()"
    return Self(.undeclaredFunction, "'\(name)' is called as '\(form)'", span)
  }

  static func argumentCount(_ name: String, _ counts: [Int], _ given: Int, _ span: Span) -> Self {
    let isOpen = counts.count > 3
    let expected =
      isOpen ? "at least \(counts[0])" : counts.map(String.init).joined(separator: " or ")
    let noun = counts == [1] || isOpen ? "argument" : "arguments"
    return Self(.argumentCount, "'\(name)' takes \(expected) \(noun), got \(given)", span)
  }

  static func unknownField(_ field: Name, of record: RecordType) -> Self {
    let near = Suggestion.nearest(to: field.text, among: record.fields.map(\.name))
    return Self(
      .unknownField, "the record has no field '\(Wording.cut(field.text))'", field.span, near,
      of: record)
  }

  static func noFields(_ field: Name, _ type: ExpressionType) -> Self {
    Self(
      .unknownField, "\(Wording.article(type)) has no field '\(Wording.cut(field.text))'",
      field.span)
  }

  static func unknownName(_ text: String, _ names: [String], _ span: Span) -> Self {
    let near = Suggestion.nearest(to: text, among: names)
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return Self(.unknownName, "'\(Wording.cut(text))' is none of \(list)", span, near)
  }

  // MARK: - Types

  static func noOverload(
    _ function: CallName, _ types: [ExpressionType], _ signatures: [Signature]
  ) -> Self {
    let isMixed = types.contains(.decimal) && types.contains(.double)
    let list = ExpressionType.list(types)
    var message = "'\(function.name)' is not defined for \(list)"
    if isMixed, ["+", "-", "*", "/", "%"].contains(function.name) {
      message += ", convert one with 'decimal()' or 'double()'"
    } else if signatures.count == 1 {
      message =
        "'\(function.name)' takes \(ExpressionType.list(signatures[0].parameters)), got \(list)"
    }
    return Self(.noMatchingOverload, message, function.span)
  }

  static func notBool(_ name: String, _ type: ExpressionType, _ span: Span) -> Self {
    Self(.typeMismatch, "'\(name)' asks for a bool, got \(type)", span)
  }

  static func differentArms(_ types: [ExpressionType], _ span: Span) -> Self {
    let list = types.map(\.description).joined(separator: " and ")
    return Self(.typeMismatch, "the two results of '?:' are of different types, \(list)", span)
  }

  static func notOptional(_ type: ExpressionType, _ span: Span) -> Self {
    Self(.typeMismatch, "an optional must stand here, got \(type)", span)
  }

  static func badKey(_ type: ExpressionType, _ span: Span) -> Self {
    Self(.typeMismatch, "a key is a bool, int, uint or string, not \(Wording.article(type))", span)
  }

  static func notIterable(_ type: ExpressionType, _ span: Span) -> Self {
    Self(.typeMismatch, "a list or map must stand here, got \(type)", span)
  }

  static func notMap(_ type: ExpressionType, _ span: Span) -> Self {
    Self(.typeMismatch, "the result must be a map, got \(type)", span)
  }

  static func badHas(_ span: Span) -> Self {
    Self(.invalidMacro, "'has' asks for a field, as in 'has(a.b)'", span)
  }

  static func badVariable(_ macro: String, _ span: Span) -> Self {
    Self(.invalidMacro, "'\(macro)' asks for a new name here", span)
  }

  static func invalidArgument(_ message: String, _ span: Span) -> Self {
    Self(.invalidArgument, message, span)
  }
}

/// Helpers of the sentences above and of those in `Wording+Evaluation.swift`.
enum Wording {
  /// The user's text, short enough for one line.
  static func cut(_ text: String) -> String {
    text.unicodeScalars.count <= 60 ? text : String(text.unicodeScalars.prefix(59)) + "…"
  }

  /// `an int`, `a list(string)`.
  static func article(_ type: ExpressionType) -> String {
    let name = type.description
    return ("aeiou".contains(name.prefix(1)) && !name.hasPrefix("uint") ? "an " : "a ") + name
  }
}
