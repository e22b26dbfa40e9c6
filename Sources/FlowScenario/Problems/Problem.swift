public import FlowCore
internal import FlowYAML

/// Everything that can be wrong with a scenario before it runs, as data; `Problem+Message` words it.
enum Problem {
  case unreadable(String)
  case yaml(String)
  case version(String?)
  case unknownKey(String, owner: String, near: [String])
  case missingKey(String, owner: String)
  case wrongKind(owner: String, expected: String, actual: String)
  case tag
  case invalidName(String, owner: String)
  case reservedName(String, owner: String)
  case duplicateID(String, first: Int)
  case noAction
  case manyActions([String])
  case notAllowed(String, with: String)
  case number(String, owner: String, range: ClosedRange<Int>)
  case unknownPlugin(String, near: [String])
  case unknownComponent(String, near: [String])
  case noOperation(String, component: String, known: [String])
  case unknownOperation(String, component: String, near: [String], elsewhere: [String])
  case unknownField(String, owner: String, near: [String], known: [String])
  case missingField(String, owner: String, type: ValueType, summary: String)
  case literalType(owner: String, expected: ValueType, actual: String, near: [String] = [])
  case unknownErrorCode(String, operation: String, near: [String], known: [String])
  case unknownType(String, near: [String])
  case expression(code: String, message: String, near: [String])
  case expressionType(owner: String, expected: String, actual: String)
  case notAnExpression(owner: String, isMapping: Bool)
  case unterminatedExpression
  case mayNotHaveRun(String, hasCondition: Bool)
  case noAnswer(String, error: String)
  case laterStep(String, line: Int)
  case ownAnswer(String)
  case otherBlock(String, line: Int)
  case unusedID(String)
  case unusedInput(String)
  case unusedComponent(String)
  case unknownInput(String, near: [String])
  case missingInput(String, type: ValueType)
  case inputValue(String, expected: ValueType, actual: String)
}

/// Collects the problems of one scenario file while it is read.
final class Problems {
  let file: String
  private(set) var diagnostics: [Diagnostic] = []

  init(file: String) {
    self.file = file
  }

  var isEmpty: Bool { diagnostics.isEmpty }

  func add(_ problem: Problem, at span: Span?) {
    diagnostics.append(problem.diagnostic(at: span.map { SourceSpan($0, file: file) }))
  }

  /// Throws the errors that were collected, in file order, when there are any.
  ///
  /// Warnings are left out then: what is unused may be so because of an error.
  func throwIfAny() throws(ScenarioError) {
    let errors = diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw ScenarioError(diagnostics: errors.sorted()) }
  }
}

extension SourceSpan {
  init(_ span: Span, file: String) {
    self.init(
      file: file, start: Position(line: span.start.line, column: span.start.column),
      end: Position(line: span.end.line, column: span.end.column))
  }
}

/// A scenario that cannot be run: all its problems in file order, never none.
public struct ScenarioError: Error, Sendable, Hashable {
  /// The problems.
  public let diagnostics: [Diagnostic]
}
