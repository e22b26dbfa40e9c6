public import FlowCore
internal import FlowExpression
public import FlowPlan
package import FlowRedaction

/// A value that a scenario computed itself, and the values behind it.
public struct ComputedValue: Sendable {
  /// The use of a computed value.
  public enum Use: String, Sendable, CaseIterable {
    /// The value of a variable.
    case set
    /// The name of a step.
    case name
    /// The condition of a step.
    case condition = "if"
    /// The condition of a `repeat`, before or after an iteration.
    case `while`, until
    /// An expected value, or a condition for an answer.
    case expect
    /// An assertion.
    case assert
    /// An output of the scenario or of a loop's iteration.
    case output
    /// What a component shows of itself after a failed call.
    case evidence
  }

  /// A use, and the name in it.
  typealias Subject = (use: Use, name: String)

  /// The use of the value.
  public let use: Use
  /// The variable, the output or the place in the answer, or an empty string.
  public package(set) var name: String
  /// The value as the scenario writes it, with its expressions, or an empty string for a constant.
  public internal(set) var source: String
  /// The value.
  public package(set) var value: Value
  /// The parts of its expressions with their values, except for a part that is the whole of one.
  public package(set) var operands: [OperandText]
  /// The secret input behind the value, which is hidden whatever it looks like, or nil.
  var secret: String?
}

extension ComputedValue {
  /// Returns the value with placeholders for hidden text.
  package func redacted(by redactor: Redactor) -> ComputedValue {
    var copy = self
    copy.name = redactor.redacted(name)
    copy.source = redactor.redacted(source)
    copy.value = redactor.redacted(value)
    copy.operands = operands.map { $0.redacted(by: redactor) }
    // What an expression makes of a secret is not found by its text. A text around it stays readable.
    var isText = false
    if case .string = copy.value { isText = copy.value != value }
    if let secret, !isText, !copy.value.isHidden {
      copy.value = .string(Redactor.placeholder(for: secret))
    }
    return copy
  }
}

extension ComputedValue {
  /// The longest source, in characters, and the most operands.
  private static let (longestSource, mostOperands) = (1_000, 20)

  /// Creates a value of a template.
  init(
    _ subject: Subject, _ template: Template, _ value: Value, _ activation: Activation,
    _ secrets: SecretNames
  ) {
    self.init(use: subject.use, name: subject.name, source: "", value: value, operands: [])
    let expressions = template.expressions
    if expressions.isEmpty { return }
    source = template.text(limit: Self.longestSource).shortened(to: Self.longestSource)
    add(expressions, activation, secrets)
  }

  /// Creates a value of an expression, which may read a subject as `it`.
  init(
    _ subject: Subject, _ expression: PlannedExpression, _ value: Value, _ activation: Activation,
    _ secrets: SecretNames
  ) {
    self.init(use: subject.use, name: subject.name, source: "", value: value, operands: [])
    source = expression.text.shortened(to: Self.longestSource)
    add([expression], activation, secrets)
  }

  private mutating func add(
    _ expressions: [PlannedExpression], _ activation: Activation, _ secrets: SecretNames
  ) {
    let names = secrets.names(in: expressions)
    secret = names.first.flatMap(secrets.input)
    for expression in expressions where operands.count < Self.mostOperands {
      for var operand in expression.operands(activation)
      where "${{ \(operand.text) }}" != source {
        if let secret, operand.hides(names) { operand.value = Redactor.placeholder(for: secret) }
        if !operands.contains(operand) { operands.append(operand) }
      }
    }
    operands = Array(operands.prefix(Self.mostOperands))
  }
}

extension OperandText {
  /// True if it reads one of the names, and is no truth value, which gives away too little.
  fileprivate func hides(_ names: [String]) -> Bool {
    !["true", "false"].contains(value) && names.contains { text.contains($0) }
  }
}
