internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// The check of a written call against the description of its service.
struct ContractCheck {
  private let contract: any CallContract
  private let operation: OperationReference
  private let step: WrittenCall
  private let known: KnownCall
  private let rules: CallRules

  /// Creates the check of a step's call, or nil if its component has no description.
  init?(_ step: WrittenCall, _ operation: OperationReference, _ input: Template) {
    guard let contract = operation.plugin.contract else { return nil }
    self.contract = contract
    self.operation = operation
    self.step = step
    let call = ContractCall(
      operation: operation.description.name,
      expected: Self.literals(of: step.expectation, operation.description.output))
    known = KnownCall(call, input: input.known)
    rules = contract.rules(for: known)
  }

  /// The call as the run judges it.
  var call: ContractCall { known.call }

  /// The fields of the answer with the types of the description, or nil for those of the operation.
  func output(_ output: RecordType) -> RecordType? {
    if rules.answer.isEmpty { return nil }
    return RecordType(
      output.fields.map { field in
        var copy = field
        copy.type = rules.answer[field.name] ?? field.type
        return copy
      })
  }

  /// Reports everything that the description does not allow.
  func report(_ templates: TemplateCompiler) {
    let before = templates.diagnostics.all.count
    for (name, type) in rules.input.sorted(by: { $0.key < $1.key }) {
      guard let node = step.input?[name] else { continue }
      _ = templates.value(node, as: type, owner: "'\(name)'")
    }
    // The types explain the same mistakes better, with the nearest name.
    if templates.diagnostics.all.count > before { return }
    for problem in rules.problems {
      templates.diagnostics.add(
        .contradictedContract(problem, of: operation.name, file: contract.file),
        at: span(of: problem))
    }
  }

  /// The place of a problem: the innermost written part around it.
  private func span(of problem: ContractProblem) -> Span {
    let root = problem.side == .input ? step.input : step.expectation
    guard var node = root else { return step.uses.span }
    if problem.path.isEmpty { return step.uses.span }
    for part in problem.path.steps {
      let next: Node? =
        switch part {
        case .field(let name): node[name]
        case .index(let index): node.items.dropFirst(index).first
        }
      guard let next else { break }
      node = next
    }
    return node.span == root?.span ? step.uses.span : node.span
  }

  /// The fields of an expected answer that are written without an expression.
  private static func literals(of node: Node?, _ output: RecordType) -> [String: Value] {
    var values: [String: Value] = [:]
    guard let node else { return values }
    for entry in node.entries where entry.value.kind == .scalar {
      guard !Interpolation.contains(entry.value.text), let field = output.field(entry.key.text),
        let value = Value(entry.value, as: field.type)
      else { continue }
      values[field.name] = value
    }
    return values
  }
}
