internal import FlowCore
internal import FlowPlan

/// Finds the steps of a plan by the paths of their addresses, including those of included
/// scenarios.
struct StepFinder {
  /// A part of a plan with calls.
  struct Place {
    /// The called operation as in `balance.subtract`, the component of an opening as in `balance`,
    /// or nil.
    let name: String?
    /// The input of a call without expressions, or nil.
    var input: Value?
    /// The type of the call's answer, or nil if it is no call of an operation.
    var output: RecordType?
    /// The parts of its answer that are declared as different from run to run.
    var volatile: [ValuePath] = []
    /// Its place in its scenario.
    let span: SourceSpan
    /// The number of loops around it.
    let loops: Int
    /// True if the call may name a component differently, because the scenario takes components.
    let isHanded: Bool

    /// Returns true if a call of this name is made here.
    func calls(_ other: String) -> Bool {
      guard let name else { return false }
      if name == other { return true }
      return isHanded && name.memberName == other.memberName
    }

    /// Returns true if the iterations of an address fit the loops.
    ///
    /// Outside of loops there is one.
    func isInLoops(of iterations: [Int]) -> Bool {
      loops == 0
        ? iterations.allSatisfy { $0 == 1 } && iterations.count < 2
        : iterations.count == loops
    }
  }

  /// The included scenario in the search, and the findings on the way to it.
  private struct Way {
    var plan: Plan
    /// The prefix of the paths of its steps.
    var prefix = ""
    var loops = 0
    var isHanded = false
  }

  private let plan: Plan
  private var known: [String: Place?] = [:]

  init(_ plan: Plan) { self.plan = plan }

  /// Returns the part of the plan at a path without its occurrence, or nil.
  mutating func place(at path: String) -> Place? {
    if let known = known[path] { return known }
    let place = Self.place(at: path, Way(plan: plan))
    known[path] = .some(place)
    return place
  }

  private static func place(at path: String, _ start: Way) -> Place? {
    var way = start
    let opening = way.prefix + "components/"
    if path.hasPrefix(opening) {
      let name = String(path.dropFirst(opening.count))
      guard let component = way.plan.components.first(where: { $0.name == name }) else {
        return nil
      }
      return Place(
        name: name, span: component.place.span(in: way.plan.file), loops: way.loops,
        isHanded: way.isHanded)
    }
    if path.hasPrefix(way.prefix + "invariants/") { way.loops += 1 }
    var steps = way.plan.allSteps
    while let step = steps.first(where: { path.isInside(way.prefix + $0.path) }) {
      let own = way.prefix + step.path
      if own == path { return place(of: step, way) }
      let isInFinally = path.hasPrefix(own + "/finally/")
      if step.countsAttempts, !isInFinally { way.loops += 1 }
      if let inner = step.action.scenario, !isInFinally {
        way.isHanded = way.isHanded || !inner.handed.isEmpty
        (way.plan, way.prefix) = (inner.plan, own + "/")
        return place(at: path, way)
      }
      if step.action.loop != nil, !isInFinally { way.loops += 1 }
      steps = step.blocks.flatMap(\.steps)
    }
    return nil
  }

  private static func place(of step: PlannedStep, _ way: Way) -> Place {
    let span = step.place.span(in: way.plan.file)
    let make = { Place(name: $0, span: span, loops: way.loops, isHanded: way.isHanded) }
    switch step.action {
    case .call(let call):
      var place = make(call.operation.name)
      place.output = call.operation.description.output
      place.volatile = call.operation.volatile + call.parts.volatile
      if case .constant(let input) = call.input { place.input = input }
      return place
    case .await(let event): return make(event.event.name)
    case .loop, .block, .parallel, .set, .assert, .wait, .scenario: return make(nil)
    }
  }
}

extension String {
  /// Returns true for the path itself, and for a path inside of it.
  fileprivate func isInside(_ path: String) -> Bool {
    utf8.starts(with: path.utf8)
      && (utf8.count == path.utf8.count || utf8.dropFirst(path.utf8.count).first == 0x2F)
  }

  /// The part after the component's name in `component.operation`.
  var memberName: Substring { self[...].drop { $0 != "." } }
}
