internal import FlowCore
internal import FlowEngine
internal import FlowPlan

/// The recorded calls that a replayed run has made, and the check that later ones follow them.
///
/// One call comes after another if both belong to one sequence of steps. Calls of sibling branches
/// come in any order.
struct CausalOrder {
  /// A line of the transcript, and its call.
  struct Mark {
    var line = 0
    var call = 0

    fileprivate mutating func raise(to other: Mark) {
      if other.line > line { self = other }
    }
  }

  /// The calls of one sequence of steps, and of the branches inside it.
  private struct Succession {
    /// The last line of the finished ones.
    var last = Mark()
    /// The sequences inside its present step.
    var inner: [OrderScopes.Scope: Succession] = [:]

    /// The last line of all its calls.
    var end: Mark {
      var end = last
      for sequence in inner.values { end.raise(to: sequence.end) }
      return end
    }

    /// Adds the finished branches to the sequence itself.
    mutating func close() {
      if inner.isEmpty { return }
      last = end
      inner.removeAll()
    }
  }

  private var sequence = Succession()

  /// Notes a call, and returns the line that it should follow, or nil if the order is right.
  ///
  /// - Parameters:
  ///   - calls: The recorded calls.
  ///   - finding: The recorded call.
  ///   - invocation: The call of the run.
  /// - Returns: The line that comes too early, and the call in that line.
  mutating func add(
    _ calls: CallList, _ finding: TaskOrder.Finding, _ invocation: Invocation
  ) -> Mark? {
    if !invocation.address.calls.isEmpty {
      return finding.after.map { Mark(line: calls.line(of: $0), call: $0) }
    }
    let number = finding.number
    let begin = Mark(line: calls.line(of: number), call: number)
    let end = Mark(line: calls.answerLine(of: number) ?? begin.line, call: number)
    let order = invocation.order
    // As nearly all calls of nearly all runs.
    if order.scopes.isEmpty, sequence.inner.isEmpty {
      let floor = sequence.last
      sequence.last.raise(to: end)
      return begin.line < floor.line ? floor : nil
    }
    if case .step(invocation.address, .set)? = order.scopes.last { return nil }
    return Self.add(begin, end, in: order.scopes[...], isFree: false, after: Mark(), &sequence)
  }

  private static func add(
    _ begin: Mark, _ end: Mark, in scopes: ArraySlice<OrderScopes.Scope>, isFree: Bool,
    after floor: Mark, _ sequence: inout Succession
  ) -> Mark? {
    guard let scope = scopes.first else {
      sequence.close()
      var floor = floor
      if !isFree { floor.raise(to: sequence.last) }
      sequence.last.raise(to: end)
      return begin.line < floor.line ? floor : nil
    }
    // A new step: everything inside the last one has ended.
    if let other = sequence.inner.keys.first, other.address != scope.address { sequence.close() }
    var floor = floor
    if !isFree { floor.raise(to: sequence.last) }
    var comparison: OrderRule?
    if case .step(_, let own) = scope { comparison = own }
    var inner = sequence.inner.removeValue(forKey: scope) ?? Succession()
    defer { sequence.inner[scope] = inner }
    return add(
      begin, end, in: scopes.dropFirst(), isFree: comparison.map { $0 == .set } ?? isFree,
      after: floor, &inner)
  }
}
