private import FlowPattern

/// A pattern of a schema: a regular expression of ECMA-262, run by RE2.
package struct SchemaPattern: Sendable {
  /// The pattern as the schema has it.
  package let source: String
  private let expression: RegularExpression
  /// Lookaheads at the start, of which each has to match, or not.
  private let conditions: [Condition]

  private struct Condition: Sendable {
    let expression: RegularExpression
    let isNegative: Bool
  }

  private static let longest = 10_000
  private static let memory = 8 << 20

  /// Translates and compiles a pattern.
  ///
  /// - Throws: `PatternProblem` for a pattern that is wrong, or has a construct without counterpart.
  init(_ source: String) throws(PatternProblem) {
    guard source.utf8.count <= Self.longest else { throw .tooLong(Self.longest) }
    self.source = source
    var translator = PatternTranslator(source)
    let translation = try translator.translate()
    if let construct = translation.unsupported { throw .unsupported(construct) }
    expression = try Self.compiled(translation.text)
    var conditions: [Condition] = []
    for condition in translation.conditions {
      conditions.append(
        Condition(
          expression: try Self.compiled(condition.text), isNegative: condition.isNegative))
    }
    self.conditions = conditions
  }

  /// True if a part of the text matches, nil if there is not enough memory.
  package func matches(_ text: String) -> Bool? {
    for condition in conditions {
      guard let isMatch = try? condition.expression.matches(text) else { return nil }
      if isMatch == condition.isNegative { return false }
    }
    return try? expression.matches(text)
  }

  /// True for a regular expression of ECMA-262, also one that RE2 cannot run.
  static func isValid(_ source: String) -> Bool {
    guard source.utf8.count <= longest else { return false }
    var translator = PatternTranslator(source)
    return (try? translator.translate()) != nil
  }

  /// Returns the reason why nothing can be checked by a pattern, although it is right, or nil.
  static func limit(of source: String) -> PatternProblem? {
    guard source.utf8.count <= longest else { return .tooLong(longest) }
    var translator = PatternTranslator(source)
    do throws(PatternProblem) {
      return try translator.translate().unsupported.map { .unsupported($0) }
    } catch {
      return error.isLimitation ? error : nil
    }
  }

  private static func compiled(_ text: String) throws(PatternProblem) -> RegularExpression {
    do throws(RegularExpression.Problem) {
      return try RegularExpression(text, memory: memory)
    } catch {
      switch error {
      case .syntax(let reason, _):
        throw reason == "pattern too large - compile failed" ? .tooLarge : .syntax(reason, "")
      case .memory: throw .tooLarge
      }
    }
  }
}

/// The reason why a pattern cannot be used.
enum PatternProblem: Error, Sendable, Hashable {
  /// Wrong by ECMA-262: the reason, and the wrong part.
  case syntax(String, String)
  /// A right construct that takes more than linear time, or that RE2 lacks.
  case unsupported(String)
  /// Longer than this, in bytes.
  case tooLong(Int)
  /// Too large for its memory.
  case tooLarge

  /// True for a right pattern that is known to be unsupported before it is compiled.
  var isLimitation: Bool {
    switch self {
    case .unsupported, .tooLong: true
    case .syntax, .tooLarge: false
    }
  }
}
