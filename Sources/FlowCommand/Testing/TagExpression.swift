internal import FlowCore
internal import FlowExpression

/// A condition on the scenarios that are tested, by the tags, the name and the path of each.
struct TagExpression: Sendable {
  private static let variables: [(name: String, type: ValueType)] = [
    ("tags", .list(.string)), ("name", .string), ("path", .string),
  ]

  /// The text as it was given.
  let text: String
  private let option: String
  private let expression: Expression

  /// The condition that an option gives: an expression, or a tag alone.
  ///
  /// - Throws: `UsageError` when the text is no expression of type bool.
  init(_ text: String, option: String) throws(UsageError) {
    self.text = text
    self.option = option
    var environment = Environment()
    for (index, variable) in Self.variables.enumerated() {
      environment.declare(variable.name, type: variable.type, slot: Slot(level: 0, index: index))
    }
    do throws(ExpressionErrors) {
      let isTag = Self.isWord(text) && environment[text] == nil
      expression = try Expression(isTag ? "'\(text)' in tags" : text, in: environment)
    } catch {
      let hint = "a tag alone, or an expression such as 'smoke' in tags"
      throw .expression(
        option: option, problems: error.problems.map(\.description), hint: hint)
    }
    guard expression.type == .bool || expression.type == .dyn else {
      throw .malformed(option: option, value: text, expected: "a condition")
    }
  }

  /// Whether the condition holds for a scenario.
  ///
  /// - Throws: `UsageError` when it has no value for this one.
  func holds(tags: [String], name: String, path: String) throws(UsageError) -> Bool {
    let values: [Value?] = [.list(tags.map(Value.string)), .string(name), .string(path)]
    do throws(EvaluationError) {
      return try expression.evaluate(Activation(levels: [values])) == .bool(true)
    } catch {
      throw .expression(
        option: option, problems: [error.message], hint: "it has no value for '\(path)'")
    }
  }

  /// Letters, digits, `_`, `-` and `.`, a letter first.
  private static func isWord(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
    return text != "true" && text != "false"
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0"..."9" ~= $0 || "_-.".unicodeScalars.contains($0)
      }
  }
}
