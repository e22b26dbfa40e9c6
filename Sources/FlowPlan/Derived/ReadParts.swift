internal import FlowCore
package import FlowExpression

/// The parts of the answers that a scenario reads or expects, by the paths of the steps.
///
/// This is the one rule for what a live run compares only where it is read (`FieldComparison`):
///
/// - An expression that names a part reads this part. One that calls a function of an answer or has a
///   computed index reads everything from there on.
/// - `has` and `hasValue` read only the presence of a part. Of a step itself that is nothing: an
///   answer has no part that says that there is one.
/// - Expressions count wherever the run depends on them: in later steps, conditions, loops and
///   outputs, and in those of included scenarios for their own steps. The names of steps are
///   for reports and do not count.
package struct ReadParts: Sendable {
  /// The steps of one scenario.
  private struct Steps: Sendable {
    /// The parts read of each step's answer.
    var parts: [String: [ReadPart]] = [:]
    /// The same without what a step expects itself.
    var elsewhere: [String: [ReadPart]] = [:]
    /// The paths of the steps with answers, and of those that include a scenario, in file order.
    var paths: [(path: String, plan: String?)] = []
  }

  private let main: String
  private var scenarios: [String: Steps] = [:]

  /// Finds the parts in a plan and in all scenarios that it includes.
  package init(_ plan: Plan) {
    main = plan.path
    for plan in [plan] + plan.allScenarios {
      var finder = ReadPartsFinder()
      finder.visit(plan)
      scenarios[plan.path] = Steps(
        parts: finder.parts, elsewhere: finder.elsewhere, paths: finder.paths)
    }
  }

  /// Returns the parts read of the answers at a path of a run, which starts with the steps that include the scenario.
  package func parts(at path: String) -> [ReadPart] { parts(at: path, \.parts) }

  /// Returns the parts that anything but the step's own expectation may read of these answers.
  ///
  /// An expression before the step counts as if it read all of it, since it may read the answer of an
  /// earlier iteration.
  package func partsElsewhere(at path: String) -> [ReadPart] { parts(at: path, \.elsewhere) }

  private func parts(
    at path: String, _ parts: (Steps) -> [String: [ReadPart]]
  ) -> [ReadPart] {
    var (plan, rest) = (main, path[...])
    while let steps = scenarios[plan] {
      if steps.parts[String(rest)] != nil { return parts(steps)[String(rest)] ?? [] }
      guard
        let (path, inner) = steps.paths.first(where: {
          $0.plan != nil && rest.hasPrefix($0.path + "/")
        }), let inner
      else { return [] }
      (plan, rest) = (inner, rest.dropFirst(path.count + 1))
    }
    return []
  }

  /// All steps with answers by their paths, in file order, with the parts read of each.
  ///
  /// A part is named once, in the order of the expressions.
  package var all: [(path: String, parts: [ReadPart])] { all(in: main, prefix: "") }

  private func all(in plan: String, prefix: String) -> [(path: String, parts: [ReadPart])] {
    guard let steps = scenarios[plan] else { return [] }
    return steps.paths.flatMap { path, inner in
      if let inner { return all(in: inner, prefix: prefix + path + "/") }
      return [(prefix + path, (steps.parts[path] ?? []).unique)]
    }
  }
}

/// Finds the parts that one scenario reads.
private struct ReadPartsFinder {
  private(set) var parts: [String: [ReadPart]] = [:]
  private(set) var elsewhere: [String: [ReadPart]] = [:]
  private(set) var paths: [(path: String, plan: String?)] = []
  /// The slots that were read while no step's answer was known to be in them.
  private var early: Set<Slot> = []
  /// The steps whose answers are in the slots now.
  ///
  /// The slots of a block are used again by the next one.
  private var owners: [Slot: String] = [:]

  mutating func visit(_ plan: Plan) {
    visit(plan.invariants.steps)
    owners = [:]
    visit(plan.steps)
    visit(plan.finally)
    for output in plan.outputs { read(output.value.expressions) }
  }

  private mutating func visit(_ steps: [PlannedStep]) {
    for step in steps { visit(step) }
  }

  private mutating func visit(_ step: PlannedStep) {
    if let loop = step.action.loop { owners = owners.filter { $0.key.level < loop.level } }
    for block in step.blocks { visit(block.steps) }
    // The conditions and outputs of a loop read the answers of its steps.
    let options = step.options
    read(step.action.content.expressions + (options?.condition.map { [$0] } ?? []))
    read(options?.expressions ?? [])
    for slot in step.slots { owners[slot] = nil }
    switch step.action {
    case .call(let call):
      own(step, call.expectation?.parts ?? [])
    case .await: own(step, [])
    case .scenario(let inner): paths.append((step.path, inner.plan.path))
    case .loop, .block, .parallel, .set, .assert, .wait: break
    }
  }

  /// Notes a step with an answer of which it expects these parts itself.
  private mutating func own(_ step: PlannedStep, _ expected: [ReadPart]) {
    parts[step.path] = expected
    paths.append((step.path, nil))
    guard let slot = step.slot else { return }
    owners[slot] = step.path
    if early.contains(slot) { elsewhere[step.path] = [ReadPart(FieldPath())] }
  }

  private mutating func read(_ expressions: [PlannedExpression]) {
    for expression in expressions.map(\.expression) {
      for reference in expression.references {
        guard let owner = owners[reference.slot] else {
          early.insert(reference.slot)
          continue
        }
        let part = expression.read(by: reference)
        // An answer has no part that says that there is one.
        if part.isPresence, part.path.isEmpty { continue }
        parts[owner, default: []].append(part)
        elsewhere[owner, default: []].append(part)
      }
    }
  }
}

extension Expectation {
  /// The expected parts of an answer.
  fileprivate var parts: [ReadPart] {
    switch self {
    case .output(let matcher): matcher.parts(at: FieldPath())
    case .error: []
    }
  }
}

extension ExpectedValue {
  /// The expected parts of a value at a path.
  fileprivate func parts(at path: FieldPath) -> [ReadPart] {
    switch self {
    case .equal: [ReadPart(path)]
    case .condition(let condition): condition.expression.parts(ofSubjectAt: path)
    case .fields(let type, let fields):
      fields.flatMap { $0.matcher.parts(at: path.appending(.field(type.field(at: $0.index).name))) }
    case .entries(let entries):
      entries.flatMap { $0.matcher.parts(at: path.appending(.field($0.key))) }
    // A list of another length has other elements.
    case .elements: [ReadPart(path)]
    case .schema: [ReadPart(path)]
    case .written(let matcher, _): matcher.parts(at: path)
    }
  }
}

extension Expression {
  /// The parts that a condition reads of its subject.
  fileprivate func parts(ofSubjectAt path: FieldPath) -> [ReadPart] {
    references.filter { $0.name == ExpectedValue.subject }.map { read(by: $0).inside(path) }
  }
}
