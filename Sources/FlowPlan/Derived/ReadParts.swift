package import FlowCore
internal import FlowExpression

/// The parts of the answers that a scenario reads or expects, by the paths of the steps.
///
/// An expression that names a part reads this part, and one that calls a function of an answer or has a computed index
/// reads everything from there on. Expressions count wherever they are: in later steps, in outputs, in
/// names, and in those of included scenarios for their own steps.
package struct ReadParts: Sendable {
  /// The steps of one scenario.
  private struct Steps: Sendable {
    /// The parts read of each step's answer.
    var parts: [String: [FieldPath]] = [:]
    /// The included scenarios by the paths of their steps.
    var inclusions: [(path: String, plan: String)] = []
  }

  private let main: String
  private var scenarios: [String: Steps] = [:]

  /// Finds the parts in a plan and in all scenarios that it includes.
  package init(_ plan: Plan) {
    main = plan.path
    for plan in [plan] + plan.allScenarios {
      var finder = ReadPartsFinder()
      finder.visit(plan)
      scenarios[plan.path] = Steps(parts: finder.parts, inclusions: finder.inclusions)
    }
  }

  /// Returns the parts read of the answers at a path of a run, which starts with the steps that include the scenario.
  package func parts(at path: String) -> [FieldPath] {
    var (plan, rest) = (main, path[...])
    while let steps = scenarios[plan] {
      if let parts = steps.parts[String(rest)] { return parts }
      guard let inclusion = steps.inclusions.first(where: { rest.hasPrefix($0.path + "/") }) else {
        return []
      }
      (plan, rest) = (inclusion.plan, rest.dropFirst(inclusion.path.count + 1))
    }
    return []
  }
}

/// Finds the parts that one scenario reads.
private struct ReadPartsFinder {
  private(set) var parts: [String: [FieldPath]] = [:]
  private(set) var inclusions: [(path: String, plan: String)] = []
  /// The steps whose answers are in the slots now.
  ///
  /// The slots of a block are used again by the next one.
  private var owners: [Slot: String] = [:]

  mutating func visit(_ plan: Plan) {
    visit(plan.invariants.steps)
    visit(plan.steps)
    visit(plan.finally)
    for output in plan.outputs { read(output.value.expressions) }
  }

  private mutating func visit(_ steps: [PlannedStep]) {
    for step in steps { visit(step) }
  }

  private mutating func visit(_ step: PlannedStep) {
    for block in step.blocks { visit(block.steps) }
    // The conditions and outputs of a loop read the answers of its steps.
    let content = step.action.content
    let options = step.options
    read(content.expressions + (options?.condition.map { [$0] } ?? []))
    read((options?.expressions ?? []) + (options?.nameText?.expressions ?? []))
    for slot in step.slots { owners[slot] = nil }
    switch step.action {
    case .call(let call):
      parts[step.path] = call.expectation?.parts ?? []
      own(step)
    case .await:
      parts[step.path] = []
      own(step)
    case .scenario(let inner): inclusions.append((step.path, inner.plan.path))
    case .loop, .block, .parallel, .set, .assert, .wait: break
    }
  }

  private mutating func own(_ step: PlannedStep) {
    if let slot = step.slot { owners[slot] = step.path }
  }

  private mutating func read(_ expressions: [PlannedExpression]) {
    for expression in expressions.map(\.expression) {
      for reference in expression.references {
        guard let owner = owners[reference.slot] else { continue }
        parts[owner, default: []].append(expression.part(readBy: reference))
      }
    }
  }
}

extension Expectation {
  /// The expected parts of an answer.
  fileprivate var parts: [FieldPath] {
    switch self {
    case .output(let matcher): matcher.parts(at: FieldPath())
    case .error: []
    }
  }
}

extension ExpectedValue {
  /// The expected parts of a value at a path.
  fileprivate func parts(at path: FieldPath) -> [FieldPath] {
    switch self {
    case .equal: [path]
    case .condition(let condition): condition.expression.parts(ofSubjectAt: path)
    case .fields(let type, let fields):
      fields.flatMap { $0.matcher.parts(at: path.appending(.field(type.fields[$0.index].name))) }
    case .entries(let entries):
      entries.flatMap { $0.matcher.parts(at: path.appending(.field($0.key))) }
    // A list of another length has other elements.
    case .elements: [path]
    case .schema: [path]
    case .written(let matcher, _): matcher.parts(at: path)
    }
  }
}

extension Expression {
  /// The parts that a condition reads of its subject.
  fileprivate func parts(ofSubjectAt path: FieldPath) -> [FieldPath] {
    references.filter { $0.name == ExpectedValue.subject }.map {
      FieldPath(path.steps + part(readBy: $0).steps)
    }
  }
}
