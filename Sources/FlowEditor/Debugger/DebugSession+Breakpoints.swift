internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowScenario

// Breakpoints of a session: numbered, bound to steps, with compiled conditions.

/// A request to a debugger that cannot be fulfilled.
package struct DebugError: Error, Hashable, CustomStringConvertible {
  /// The problem, in lower case and without a full stop.
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension DebugSession {
  /// Adds a breakpoint and returns it.
  ///
  /// - Throws: `DebugError` for an unknown step, a line without steps, and a condition that is no
  ///   expression of type bool there.
  package func addBreakpoint(
    at location: Breakpoint.Location, if condition: String? = nil, hits: Breakpoint.Hits? = nil,
    log: LogMessage? = nil
  ) throws(DebugError) -> Breakpoint {
    let breakpoint = try breakpoint(
      at: location, if: condition, hits: hits, log: log, number: latestBreakpoint + 1)
    latestBreakpoint += 1
    self.hits = BreakpointHits(breakpoints + [breakpoint])
    useBreakpoints()
    return breakpoint
  }

  /// Removes the breakpoints for which this is true.
  ///
  /// Returns their number.
  @discardableResult
  package func removeBreakpoints(_ isRemoved: (Breakpoint) -> Bool) -> Int {
    let kept = breakpoints.filter { !isRemoved($0) }
    let count = breakpoints.count - kept.count
    if count > 0 {
      hits = BreakpointHits(kept)
      useBreakpoints()
    }
    return count
  }

  func breakpoint(
    at location: Breakpoint.Location, if condition: String?, hits: Breakpoint.Hits?,
    log: LogMessage?, number: Int
  ) throws(DebugError) -> Breakpoint {
    let found = places.steps(at: location)
    guard !found.isEmpty else { throw unknown(location) }
    var steps: [(PlacedStep, Expression?)] = []
    for step in found {
      steps.append((step, try self.condition(condition, at: step)))
      for text in log?.expressions ?? [] { _ = try compiled(text, of: "the message", at: step) }
    }
    return Breakpoint(
      number: number, location: location, condition: condition, hits: hits, log: log, steps: steps)
  }

  private func condition(
    _ text: String?, at step: PlacedStep
  ) throws(DebugError) -> Expression? {
    guard let text, let expression = try compiled(text, of: "the condition", at: step) else {
      return nil
    }
    guard [.bool, .dyn].contains(expression.type) else {
      throw DebugError("the condition is a \(expression.type), not a bool")
    }
    return expression
  }

  private func compiled(
    _ text: String, of owner: String, at step: PlacedStep
  ) throws(DebugError) -> Expression? {
    let index = loaded.analysis.indexes[step.plan.path]
    guard let index, let indexed = index.step(at: step.step.path) else { return nil }
    do throws(ExpressionErrors) {
      return try Expression(ValuesInSight.inner(text), in: index.environment(before: indexed))
    } catch {
      throw DebugError("\(owner): \(error)")
    }
  }

  private func unknown(_ location: Breakpoint.Location) -> DebugError {
    switch location {
    case .step(let name):
      let ids = places.paths.flatMap { [$0, String($0.split(separator: "/").last ?? "")] }
      let near = Suggestion.nearest(to: name, among: Array(Set(ids)).sorted())
      let hint = near.first.map { "; did you mean '\($0)'?" } ?? ""
      return DebugError("no step '\(name.escaped)'\(hint)")
    case .line(let line, let file):
      guard places.files.contains(file) else {
        return DebugError("'\(file.escaped)' is not a file of the scenario")
      }
      return DebugError("'\(file.escaped)' has no step at or after line \(line)")
    }
  }
}
