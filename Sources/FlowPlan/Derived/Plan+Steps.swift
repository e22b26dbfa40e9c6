// The steps of a plan and of the scenarios that it includes, by their paths.

extension Plan {
  /// Returns the step at a path of this scenario, or nil.
  package func step(at path: String) -> PlannedStep? {
    steps(to: path).last.flatMap { $0.path == path ? $0 : nil }
  }

  /// The steps around a path, from the outside in, and the step at it.
  package func steps(to path: String) -> [PlannedStep] {
    var found: [PlannedStep] = []
    var steps = allSteps
    while let step = steps.first(where: {
      path == $0.path || path.utf8.starts(with: "\($0.path)/".utf8)
    }) {
      found.append(step)
      steps = step.path == path ? [] : step.blocks.flatMap(\.steps)
    }
    return found
  }

  /// The way to a step of a run.
  package struct Way: Sendable {
    /// The scenario that has the step.
    package fileprivate(set) var plan: Plan
    /// The path of the step in that scenario.
    package fileprivate(set) var path: String
    /// The steps around it, also those of the scenarios that include it, from the outside in.
    package fileprivate(set) var around: [PlannedStep] = []
    /// The step, or nil if the path leads to none.
    package fileprivate(set) var step: PlannedStep?
  }

  /// Returns the way to a path of a run, which starts with the steps that include a scenario.
  package func way(to path: String) -> Way {
    var way = Way(plan: self, path: path)
    while true {
      let steps = way.plan.steps(to: way.path)
      guard let last = steps.last else { return way }
      if last.path == way.path {
        way.around += steps.dropLast()
        way.step = last
        return way
      }
      way.around += steps
      guard let inner = last.action.scenario else { return way }
      way.plan = inner.plan
      way.path = String(decoding: way.path.utf8.dropFirst(last.path.utf8.count + 1), as: UTF8.self)
    }
  }

  /// Returns the scenario whose step is at a path of a run, with its secret names.
  ///
  /// The path starts with the steps that include the scenario.
  package func scenario(around path: String) -> (plan: Plan, secrets: SecretNames) {
    var (plan, secrets, rest) = (self, SecretNames(of: self), path)
    while let step = plan.steps(to: rest).last, let inner = step.action.scenario,
      rest != step.path
    {
      secrets = SecretNames(of: inner.plan, given: secrets.given(to: inner))
      plan = inner.plan
      rest = String(decoding: rest.utf8.dropFirst(step.path.utf8.count + 1), as: UTF8.self)
    }
    return (plan, secrets)
  }
}
