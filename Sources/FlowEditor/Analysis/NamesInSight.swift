internal import FlowCore
internal import FlowExpression
internal import FlowScenario
internal import FlowSystem

/// The names that an expression at the cursor may use.
struct NamesInSight {
  let environment: Environment

  init(_ site: CursorSite, _ facts: ScenarioFacts, _ shift: LineShift) {
    guard let index = facts.index else {
      environment = Environment()
      return
    }
    var environment = Self.environment(site, index, shift)
    Self.addLocals(site, facts, &environment)
    self.environment = environment
  }

  private static func environment(
    _ site: CursorSite, _ index: ScenarioIndex, _ shift: LineShift
  ) -> Environment {
    if site.path.first == "outputs" { return index.outputsEnvironment }
    if site.path == ["trials", "limit"] { return index.limitEnvironment }
    guard let (own, before) = site.stepLine else { return index.settingsEnvironment }
    let inFlow = site.context.isFlow ? index.step(around: site.context.place, shift) : nil
    if let step = inFlow ?? index.step(atLine: own, shift) {
      // The end of a loop sees the names of its steps.
      let seesInner = ["repeat", "outputs", "cases"].contains(site.stepKey)
      let inner = seesInner ? index.lastInner(of: step) : nil
      return inner.map(index.environment(after:)) ?? index.environment(before: step)
    }
    let sibling = before.flatMap { index.step(atLine: $0, shift) }
    return sibling.map(index.environment(after:)) ?? index.settingsEnvironment
  }

  /// Adds the names that one key alone declares.
  private static func addLocals(
    _ site: CursorSite, _ facts: ScenarioFacts, _ environment: inout Environment
  ) {
    let slot = Slot(level: 0, index: 0)
    switch site.stepKey {
    case "expect":
      if case .value(let type) = site.expected {
        environment.declare("it", type: type, slot: slot)
      }
    case "where":
      let event = facts.event(site.step?.text(of: "await"))
      if let event { environment.declare("event", type: .record(event.payload), slot: slot) }
    default: break
    }
  }
}

extension ScenarioIndex {
  /// Returns the step that starts on a line of the present text, from 0, or nil for a new one.
  fileprivate func step(atLine line: Int, _ shift: LineShift) -> Step? {
    guard let earlier = shift.earlier(line) else { return nil }
    return steps.first { $0.span.start.line == earlier + 1 }
  }

  /// Returns the innermost step around a place of the present text, or nil outside of steps.
  fileprivate func step(around place: Position, _ shift: LineShift) -> Step? {
    guard let earlier = shift.earlier(place.line - 1) else { return nil }
    let place = Position(line: earlier + 1, column: place.column)
    return steps.last { $0.span.start <= place && place <= $0.span.end }
  }

  /// Returns the last step directly inside of a step, or nil without one.
  fileprivate func lastInner(of outer: Step) -> Step? {
    let inner = steps.filter { $0.span.start > outer.span.start && $0.span.end <= outer.span.end }
    let depth = inner.map { $0.path.utf8.count { $0 == UInt8(ascii: "/") } }.min()
    return inner.last { step in step.path.utf8.count { $0 == UInt8(ascii: "/") } == depth }
  }
}
