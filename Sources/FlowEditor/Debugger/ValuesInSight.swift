package import FlowCore
internal import FlowEngine
package import FlowExpression
package import FlowPlan
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem

/// The names in sight at a moment with their values, and the expressions over them.
package struct ValuesInSight: Sendable {
  /// A name with its value, which has its secrets hidden.
  package struct Entry: Sendable {
    /// The name as expressions have it: `inputs.amount`, `total`, `steps.load`.
    package let name: String
    /// The type.
    package let type: ExpressionType
    /// The place of the value in the run.
    package let slot: Slot
    /// The value, or nil before it is set.
    package let value: Value?
  }

  /// The value of an expression, with its secrets hidden.
  package struct Evaluated: Sendable {
    /// The value.
    package let value: Value
    /// The type.
    package let type: ExpressionType
    /// The parts of the expression with their values.
    package let operands: [OperandText]
  }

  /// An expression without a value: the problems in words, a line each.
  package struct Problem: Error {
    package let text: String
  }

  private var environment: Environment
  private let declarations: [ScenarioIndex.Declaration]
  private var activation: Activation
  private let secrets: SecretNames
  private let redactor: Redactor
  /// The names of the steps that have ended, in sight or not.
  private let ended: Set<String>
  /// The answer of the step that has ended, or nil.
  package let answer: Value?

  /// The name of the answer of the step that has ended.
  static let subject = "it"

  /// Finds the values at a moment, under the names known there, or at another moment `of` a step
  /// around it.
  init(
    at number: Int, of outer: Int? = nil, in timeline: Timeline, _ analysis: ScenarioAnalysis,
    _ redactor: Redactor
  ) {
    let moment = timeline.moments[outer ?? number]
    let index = analysis.indexes[moment.plan.path]
    let step = moment.step.flatMap { index?.step(at: $0.path) }
    let hasEnded = moment.kind.end != nil
    environment =
      step.map { hasEnded ? index?.environment(after: $0) : index?.environment(before: $0) }
      .flatMap(\.self) ?? Environment()
    activation = timeline.values(at: number)
    declarations = index?.declarations ?? []
    secrets = timeline.secretNames(at: outer ?? number)
    self.redactor = redactor
    ended = Set(
      timeline.moments[...number].filter { $0.kind.end != nil }
        .compactMap { $0.step?.path.split(separator: "/").last.map { "steps.\($0)" } })
    if hasEnded, case .answer(let answer)? = moment.call?.outcome {
      self.answer = answer
    } else {
      answer = nil
    }
    if let answer { declare(answer, of: moment) }
  }

  /// Makes the answer of a step known as `it`, and as the step's own if it failed.
  private mutating func declare(_ answer: Value, of moment: Timeline.Moment) {
    if let slot = moment.step?.slot, activation[slot] == nil { activation[slot] = answer }
    guard let call = moment.step?.action.call else { return }
    environment.declare(
      Self.subject, type: .record(call.operation.description.output),
      slot: Slot(level: activation.levels.count, index: 0))
    activation.levels.append([answer])
  }

  /// The names with their values, those of the innermost block last.
  package var entries: [Entry] {
    var (entries, known) = ([Entry](), Set<String>())
    for declaration in declarations {
      guard let binding = environment[declaration.name], binding.slot == declaration.slot,
        known.insert(declaration.name).inserted
      else { continue }
      let value = activation[binding.slot].map { hidden($0, of: declaration.name) }
      // The error of a step that has none.
      if value == nil, declaration.name.hasPrefix("steps."), declaration.name.hasSuffix(".error") {
        continue
      }
      entries.append(
        Entry(name: declaration.name, type: binding.type, slot: binding.slot, value: value))
    }
    return entries
  }

  private func compiled(_ text: String) throws(Problem) -> Expression {
    do throws(ExpressionErrors) {
      return try Expression(Self.inner(text), in: environment)
    } catch {
      throw Problem(text: awaited(in: text) ?? redactor.redacted("\(error)"))
    }
  }

  /// The problem with an expression that would fit at another place of the scenario, or nil.
  private func awaited(in text: String) -> String? {
    var everywhere = environment
    for declaration in declarations where environment[declaration.name] == nil {
      everywhere.declare(
        declaration.name, expressionType: declaration.type, slot: declaration.slot)
    }
    let names = (try? Expression(Self.inner(text), in: everywhere))?.references.map(\.name) ?? []
    guard
      let name = names.first(where: { environment[$0] == nil && everywhere[$0] != nil })
    else { return nil }
    guard name.hasPrefix("steps.") else { return "'\(name)' has no value here" }
    return "'\(name)' has no answer \(ended.contains(name) ? "here" : "yet")"
  }

  /// The variables and parts that an expression reads.
  func reads(of text: String) throws(Problem) -> [ValueRead] { try compiled(text).reads }

  /// Evaluates an expression, which may be written as `${{ expression }}`.
  package func evaluate(_ text: String) throws(Problem) -> Evaluated {
    let expression = try compiled(text)
    let names = expression.references.map(\.name)
    do throws(EvaluationError) {
      let value = try expression.evaluate(activation)
      let operands = expression.operands(activation).compactMap { operand -> OperandText? in
        guard case .success(let part) = operand.result, operand.text != expression.text else {
          return nil
        }
        return OperandText(
          text: redactor.redacted(operand.text),
          value: hidden(part, reading: names).summary(limit: OperandText.longest))
      }
      return Evaluated(
        value: hidden(value, reading: names), type: expression.type, operands: operands)
    } catch {
      throw Problem(text: redactor.redacted("\(error)"))
    }
  }

  /// The value of a name with its secrets hidden.
  ///
  /// A text around a secret is shown: `Bearer ${secret:token}`.
  private func hidden(_ value: Value, of name: String) -> Value {
    let redacted = redactor.redacted(value)
    if case .string = redacted, redacted != value { return redacted }
    return hidden(value, reading: [name])
  }

  /// The value with its secrets hidden, whatever an expression made of them.
  private func hidden(_ value: Value, reading names: [String]) -> Value {
    let redacted = redactor.redacted(value)
    guard !redacted.isHidden,
      let secret = names.lazy.compactMap({ secrets.input(behind: $0) }).first
    else { return redacted }
    return .string(Redactor.placeholder(for: secret))
  }

  /// The expression in `${{ expression }}`, or the text itself.
  static func inner(_ text: String) -> String {
    let trimmed = text.trimmed
    guard trimmed.hasPrefix("${{"), trimmed.hasSuffix("}}") else { return trimmed }
    return String(trimmed.dropFirst(3).dropLast(2)).trimmed
  }
}

extension Timeline {
  /// The names behind which there are secrets in the scenario of a moment.
  fileprivate func secretNames(at number: Int) -> SecretNames {
    let moment = moments[number]
    guard let container = moments[moment.scope].container,
      let inner = moments[container].step?.action.scenario
    else { return SecretNames(of: moment.plan) }
    return SecretNames(of: moment.plan, given: secretNames(at: container).given(to: inner))
  }
}

extension String {
  /// The text without spaces at its ends.
  var trimmed: String { String(trimming { [" ", "\t", "\r"].contains($0) }) }
}
