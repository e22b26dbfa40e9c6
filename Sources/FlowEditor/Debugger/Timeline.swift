package import FlowCore
package import FlowEngine
package import FlowExpression
package import FlowPlan

/// The moments of a run in the order of time, each with its step and the values written there.
///
/// The values at a moment are folded from the writes of the moments that it continues. Copies of
/// all values are kept at few moments, so a long run stays small.
package struct Timeline: Sendable {
  /// The values written at a moment.
  enum Writes: Sendable {
    /// None.
    case nothing
    /// The values of a new level.
    case level([Value?])
    /// Values of slots.
    case slots([(slot: Slot, value: Value?)])
  }

  /// A crossing of a call at a step, with secrets hidden.
  package struct Call: Sendable {
    /// The name of the operation or the event.
    package let name: String
    /// The input.
    package let input: Value
    /// The answer or the error, or nil so far.
    package var outcome: Outcome?
  }

  /// A moment.
  package struct Moment: Sendable {
    /// The kind, and the end of a step that has ended.
    package let kind: StepMoment.Kind
    /// The address of the step, or of the step around a level or a scenario.
    package let address: Address
    /// The step, or nil for the start of a scenario or a level.
    package let step: PlannedStep?
    /// The scenario of its values.
    package let plan: Plan
    /// The moment whose values it continues, nil for the start of the run.
    package let base: Int?
    /// The start of its scenario.
    package let scope: Int
    /// The moment before the innermost step around it, or nil.
    package let container: Int?
    /// The problems of a failed step.
    package let problems: [Diagnostic]
    /// The latest call of the step that has ended, or nil.
    package var call: Call?
    /// The moment after the step that is about to run, or nil while it runs.
    package internal(set) var end: Int?
    /// The number of levels of values.
    let levels: Int
    let writes: Writes
    /// The number of moments to the latest copy of all values.
    let distance: Int
  }

  /// The most moments of a run, of which later ones are left out.
  package static let most = 500_000
  /// The number of moments between two copies of all values.
  private static let stretch = 1_024

  /// The moments, the earliest first.
  package private(set) var moments: [Moment] = []
  /// True if the run had more moments.
  package private(set) var isCut = false
  private var copies: [Int: Activation] = [:]

  /// Adds a moment with the latest call of its step.
  ///
  /// Returns its number, or that of the last one if there are too many.
  mutating func add(_ moment: StepMoment, _ call: Call? = nil) -> Int {
    let number = moments.count
    guard number < Self.most else {
      isCut = true
      return number - 1
    }
    let base = moment.base.map { moments[$0] }
    let isScope = moment.kind.isScenario
    let distance = isScope ? 0 : ((base?.distance ?? 0) + 1) % Self.stretch
    if !isScope, distance == 0 { copies[number] = moment.scope.activation }
    moments.append(
      Moment(
        kind: moment.kind, address: moment.scope.address, step: moment.step,
        plan: moment.scope.plan, base: moment.base, scope: isScope ? number : base?.scope ?? 0,
        container: container(of: moment), problems: moment.problems, call: call,
        levels: moment.scope.activation.levels.count, writes: Writes(of: moment),
        distance: distance))
    if case .after(_, let opened) = moment.kind, moments.indices.contains(opened) {
      moments[opened].end = number
    }
    return number
  }

  /// The moment before the innermost step that has begun and not ended.
  private func container(of moment: StepMoment) -> Int? {
    if case .after(_, let opened) = moment.kind {
      return moments.indices.contains(opened) ? moments[opened].container : nil
    }
    guard let base = moment.base else { return nil }
    return moments[base].kind.isBefore ? base : moments[base].container
  }

  /// The values at a moment.
  ///
  /// - Precondition: The moment exists.
  package func values(at number: Int) -> Activation {
    var (path, place) = ([number], number)
    while copies[place] == nil, !moments[place].kind.isScenario, let base = moments[place].base {
      place = base
      path.append(base)
    }
    var values = copies[place] ?? Activation()
    if copies[place] != nil { path.removeLast() }
    for number in path.reversed() { moments[number].apply(to: &values) }
    return values
  }

  /// The moments before the steps around a moment, from the inside out, through inner scenarios.
  package func containers(of number: Int) -> [Int] {
    var (containers, place) = ([Int](), moments[number].container)
    while let container = place {
      containers.append(container)
      place = moments[container].container
    }
    return containers
  }

  /// Returns true if a moment is inside of the step that starts at another one.
  package func isInside(_ number: Int, _ opening: Int) -> Bool {
    number > opening && containers(of: number).contains(opening)
  }
}

extension Timeline.Moment {
  fileprivate func apply(to values: inout Activation) {
    switch writes {
    case .level(let level) where kind.isScenario:
      let variables = [Value?](repeating: nil, count: plan.variableCount)
      values = Activation(levels: [level, variables])
    case .level(let level):
      values.levels = values.levels.prefix(levels - 1) + [level]
    case .nothing, .slots:
      // Levels of ended blocks are gone.
      if values.levels.count > levels { values.levels.removeLast(values.levels.count - levels) }
      guard case .slots(let slots) = writes else { return }
      for (slot, value) in slots { values[slot] = value }
    }
  }
}

extension Timeline.Writes {
  /// The values that a moment has in addition to those of the moment that it continues.
  fileprivate init(of moment: StepMoment) {
    switch moment.kind {
    case .before: self = .nothing
    case .scenario: self = .level(moment.scope.activation.levels.first ?? [])
    case .level: self = .level(moment.scope.activation.levels.last ?? [])
    case .after(.notRun, _): self = .nothing
    case .after:
      let slots = moment.step?.writtenSlots ?? []
      self = slots.isEmpty ? .nothing : .slots(slots.map { ($0, moment.scope.activation[$0]) })
    }
  }
}

extension PlannedStep {
  /// The places of the values that the step itself may write, without those of the steps inside.
  fileprivate var writtenSlots: [Slot] {
    switch action {
    case .set(let set): slots + set.assignments.map(\.slot)
    // The variables of branches have their values when all have ended.
    case .parallel(let parallel):
      slots
        + parallel.branches.flatMap { branch in
          branch.slots.map { Slot(level: parallel.level, index: $0) }
        }
    case .call, .loop, .block, .assert, .wait, .await, .scenario: slots
    }
  }
}

extension StepMoment.Kind {
  /// True at the start of a scenario.
  package var isScenario: Bool { if case .scenario = self { true } else { false } }

  /// True before a step.
  package var isBefore: Bool { if case .before = self { true } else { false } }

  /// The end of the step, or nil unless it has just ended.
  package var end: StepState? { if case .after(let state, _) = self { state } else { nil } }
}
