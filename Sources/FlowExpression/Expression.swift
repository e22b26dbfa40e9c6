public import FlowCore
internal import FlowSystem

/// An expression of CEL, the Common Expression Language, checked and compiled.
///
///     var environment = Environment()
///     environment.declare("steps.load.balance", type: .decimal, slot: Slot(level: 0, index: 0))
///     let rest = try Expression("steps.load.balance - 12.50", in: environment)
///     print(try rest.evaluate(Activation(levels: [[.decimal(Decimal("100.00")!)]])))   // 87.50
///
/// The language is that of the CEL language definition (github.com/google/cel-spec) with its
/// extensions for strings, math, encoders, bindings, optionals, lists and two-variable
/// comprehensions. Protocol buffer messages are left out, and `decimal` is added: exact numbers, next
/// to which a literal such as `12.50` is one too.
public struct Expression: Sendable {
  /// The text, as it was written.
  public let text: String
  /// The type of the values it evaluates to.
  public let type: ExpressionType
  /// The variables it reads, in text order, once for each use.
  public let references: [Reference]
  private let root: Code
  private let localCount: Int
  private let parts: [(stretch: Stretch, code: Code)]

  /// Parses and checks an expression.
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - environment: What it may refer to.
  ///   - expected: What the value is for: where that is a decimal, a number literal alone is one,
  ///     exactly as written. The expression's type need not be the expected one otherwise.
  /// - Throws: `ExpressionErrors` with every independent problem, or with the first one when the
  ///   text is not an expression at all.
  public init(
    _ text: String, in environment: Environment, expecting expected: ValueType? = nil
  ) throws(ExpressionErrors) {
    var checker = Checker(environment, isLenient: false)
    try self.init(text, expected, &checker)
  }

  /// Parses an expression without checking it.
  ///
  /// Every type is `dyn`, and mistakes for the checker fail during evaluation.
  init(unchecked text: String, in environment: Environment) throws(ExpressionErrors) {
    var checker = Checker(environment, isLenient: true)
    try self.init(text, nil, &checker)
  }

  fileprivate init(
    _ text: String, _ expected: ValueType?, _ checker: inout Checker
  ) throws(ExpressionErrors) {
    let syntax = try Parser.parse(text)
    let checked = checker.check(syntax, expecting: expected)
    guard checker.problems.isEmpty else { throw ExpressionErrors(checker.sortedProblems) }
    self.text = text
    type = checker.relations.resolved(checked.type)
    references = checker.names.references
    localCount = checker.names.localCount
    parts = checker.operands.map { (Stretch($0.span), $0.code) }
    root = checker.constantRoot(checked.code)
  }

  /// Returns true if a name is used in a text other than as a field.
  ///
  /// False for a text that is no expression.
  package static func hasIdentifier(_ name: String, in text: String) -> Bool {
    var (lexer, follows) = (Lexer(text), false)
    // Most texts have none of it.
    guard lexer.bytes.contains(Array(name.utf8)) else { return false }
    while let token = try? lexer.next(), token.kind != .end {
      if !follows, token.kind == .identifier, lexer.bytes[token.bytes].elementsEqual(name.utf8) {
        return true
      }
      follows = token.kind == .dot
    }
    return false
  }

  /// The value of a constant expression, or nil.
  public var constant: Value? { root.constant }

  /// The conditions known where this expression is true, or false.
  ///
  /// These are the expression itself, and the parts that `&&`, `||` and `!` join in it.
  public func conditions(where holds: Bool) -> [Reference.Condition] {
    // Parsed once more: few ask for it, and kept the tree would be the largest part of an expression.
    (try? Parser.parse(text)).map { Names.conditions($0, holds) } ?? []
  }

  /// Computes the value.
  ///
  /// - Throws: `EvaluationError` with the span of the part that fails.
  public func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    if let constant = root.constant { return constant }
    return try value(of: root, activation)
  }

  private func value(of code: Code, _ activation: Activation) throws(EvaluationError) -> Value {
    var frame = Frame(activation, locals: localCount, steps: Limits.evaluationSteps)
    do throws(EvaluationError) { return try frame.result(of: code) } catch {
      throw error.path.map { error.following(EvaluationError.path(text(at: $0))) } ?? error
    }
  }

  private func text(at span: Range<Int>) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.dropFirst(span.lowerBound).prefix(span.count)))
  }

  /// The subjects of the expression with their values, for the message of a failed assertion.
  ///
  /// Subjects are the sides of comparisons, the arguments of calls, or a single name, inside `&&`,
  /// `||`, `!` and `?:`. Constants are left out. The cost does not matter.
  public func operands(_ activation: Activation) -> [Operand] {
    parts.map { part in
      Operand(
        span: part.stretch.range, text: text(at: part.stretch.range),
        result: Result { () throws(EvaluationError) in try value(of: part.code, activation) })
    }
  }
}

extension [UInt8] {
  /// True if other bytes, at least one, occur in it in sequence.
  fileprivate func contains(_ bytes: [UInt8]) -> Bool {
    indices.contains { self[$0] == bytes[0] && self[$0...].starts(with: bytes) }
  }
}

/// The last compiled expressions, because scenarios repeat the same ones.
package final class ExpressionCache {
  private struct Entry {
    let expression: Expression
    let expected: ValueType?
    let found: [Environment.Binding]
    let absent: [String]
  }

  /// Each text has one place for the latest expression there.
  ///
  /// The count is a power of two.
  private var entries = [Entry?](repeating: nil, count: 256)

  package init() {}

  /// The compiled expression of a text, from the cache if all its names still have the same
  /// meaning.
  ///
  /// - Throws: `ExpressionErrors` as `Expression.init` does.
  package func expression(
    _ text: String, in environment: Environment, expecting expected: ValueType? = nil
  ) throws(ExpressionErrors) -> Expression {
    let place = text.hashValue & (entries.count - 1)
    if let entry = entries[place], entry.expression.text.isIdentical(to: text),
      entry.expected == expected, environment.hasMeanings(entry.found, absent: entry.absent)
    {
      return entry.expression
    }
    var checker = Checker(environment, isLenient: false)
    let expression = try Expression(text, expected, &checker)
    entries[place] = Entry(
      expression: expression, expected: expected, found: checker.names.found,
      absent: checker.names.absent)
    return expression
  }
}

/// A part of an expression and its value, for the message of a failed assertion.
public struct Operand: Sendable {
  /// The place of the part, in unicode scalars from 0.
  public let span: Range<Int>
  /// The part's text, as it was written.
  public let text: String
  /// The part's value, or why it has none.
  public let result: Result<Value, EvaluationError>
}
