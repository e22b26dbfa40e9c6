package import FlowCore
internal import FlowExpression
package import FlowRedaction

/// An iteration of a loop with `cases`, as far as it is known without a run.
package struct PlannedCase: Sendable {
  /// The name in reports: `Hamburg / rain`.
  package let name: String
  /// The place of its element if it is written in the scenario, and else of the value of `cases`.
  package let span: SourceSpan

  /// Creates a case from its parts.
  package init(name: String, span: SourceSpan) {
    self.name = name
    self.span = span
  }
}

extension Plan {
  /// Returns the cases whose elements and names the scenario itself has, in file order.
  ///
  /// A loop over an answer has its cases only in a run. Inputs have their defaults. The names have
  /// placeholders for secrets known to the redactor.
  package func writtenCases(hidingBy redactor: Redactor) -> [PlannedCase] {
    var walk = CaseWalk(self, inputs.map(\.defaultValue), redactor)
    walk.add(allSteps)
    return walk.found
  }

  /// Returns the loop at a path of a run, also in an included scenario, with the loop's file, or nil.
  package func loop(at path: String) -> (loop: PlannedLoop, file: String)? {
    Self.step(at: path, in: self).flatMap { step, file in step.action.loop.map { ($0, file) } }
  }

  private static func step(at path: String, in plan: Plan) -> (step: PlannedStep, file: String)? {
    var steps = plan.allSteps
    while let step = steps.first(where: { $0.path == path || path.hasPrefix("\($0.path)/") }) {
      if step.path == path { return (step, plan.file) }
      if let inner = step.action.scenario {
        return Self.step(at: String(path.dropFirst(step.path.count + 1)), in: inner.plan)
      }
      steps = step.blocks.flatMap(\.steps)
    }
    return nil
  }
}

/// A walk through steps that opens the loops whose lists are known.
private struct CaseWalk {
  /// The most cases, as in reports.
  private static let most = 10_000

  private let file: String
  private let redactor: Redactor
  private var activation: Activation
  /// The name of the case around the steps, or nil.
  private var outer: String?
  private(set) var found: [PlannedCase] = []

  init(_ plan: Plan, _ inputs: [Value?], _ redactor: Redactor) {
    file = plan.file
    self.redactor = redactor
    activation = Activation(levels: [inputs])
  }

  mutating func add(_ steps: [PlannedStep]) {
    for step in steps where found.count < Self.most {
      if let loop = step.action.loop { add(loop) }
      if let inner = step.action.scenario { add(inner) }
      let blocks = step.action.loop == nil ? step.blocks.flatMap(\.steps) : step.options?.finally
      add(blocks ?? [])
    }
  }

  private mutating func add(_ loop: PlannedLoop) {
    guard case .each(let list) = loop.kind, case .list(let elements)? = value(list) else { return }
    let (levels, around) = (activation.levels, outer)
    defer { (activation.levels, outer) = (levels, around) }
    // The levels between have no values before a run.
    let gap = Array(repeating: [Value?](), count: max(0, loop.level - levels.count))
    var names = CaseNames()
    for (index, element) in elements.enumerated() where found.count < Self.most {
      var variables = [Value?](repeating: nil, count: loop.variableCount)
      (variables[0], variables[1]) = (.int(index), element)
      activation.levels = levels.prefix(loop.level) + gap + [variables]
      if let cases = loop.cases, let places = loop.casePlaces {
        guard let text = value(cases)?.interpolated else { return }
        let written = redactor.redacted(text)
        let name = names.unique(written.isEmpty ? "iteration \(index + 1)" : written)
        outer = around.map { "\($0) / \(name)" } ?? name
        found.append(PlannedCase(name: outer ?? name, span: places.place(at: index).span(in: file)))
      }
      add(loop.steps)
    }
  }

  private mutating func add(_ scenario: PlannedScenario) {
    guard case .record(let inputs)? = value(scenario.input) else { return }
    var inner = CaseWalk(scenario.plan, inputs.values, redactor)
    inner.outer = outer
    inner.add(scenario.plan.allSteps)
    found += inner.found.prefix(Self.most - found.count)
  }

  /// Returns a value, or nil if it depends on a run.
  ///
  /// The reason is worthless: a run tells it at its place.
  private func value(_ template: Template) -> Value? { try? template.evaluate(activation) }
}

/// The names of a loop's cases.
package struct CaseNames {
  private var counts: [String: Int] = [:]

  package init() {}

  /// Returns the name, with a number if another case has it: `rain (2)`.
  package mutating func unique(_ name: String) -> String {
    var (number, numbered) = (counts[name] ?? 0, name)
    if number > 0 {
      repeat {
        number += 1
        numbered = "\(name) (\(number))"
      } while counts[numbered] != nil
      counts[name] = number
    }
    counts[numbered] = 1
    return numbered
  }
}
