internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// The names for expressions of the present step, block within block.
struct Scope {
  private typealias Variable = (slot: Slot, type: ValueType)

  private typealias HiddenName = (name: String, before: Environment.Binding?, variable: Variable?)

  private struct Level {
    var hidden: [HiddenName] = []
    /// The line of each slot's declaration, one for each slot.
    var lines: [Int32] = []
  }

  private struct Branch {
    /// The first variable that only this branch or iteration can set.
    let first: Slot
    var names: [HiddenName] = []
  }

  /// The inputs' level and the steps' level stay open to the end, so nothing is restored in them.
  private static let lastingLevels = 2

  private(set) var environment = Environment()
  /// The index of the file, or nil if nobody asks for it.
  let index: IndexBuilder?
  private var levels: [Level] = []
  private var variables: [String: Variable] = [:]
  private var branches: [Branch] = []
  /// The names of branches parallel to the present one.
  private var hiddenNames: [String: Environment.Binding] = [:]

  init(_ index: IndexBuilder?) { self.index = index }

  var level: Int { levels.count - 1 }
  var slotCount: Int { levels.last?.lines.count ?? 0 }
  /// Returns the steps from a slot of the present level to its latest one.
  func stretch(from first: Int) -> DefiniteAssignment.Stretch {
    DefiniteAssignment.Stretch(level: level, slots: first..<slotCount)
  }
  /// Reserves room for the names of this many steps.
  ///
  /// Growing step by step would copy them all again.
  mutating func reserve(_ count: Int) { environment.reserveCapacity(count) }
  /// Opens a block.
  mutating func open() { levels.append(Level()) }

  /// Closes the innermost block and removes its names.
  ///
  /// Returns the number of its variables.
  mutating func close() -> Int {
    guard let level = levels.popLast() else { return 0 }
    for (name, before, variable) in level.hidden.reversed() {
      bind(name, before)
      variables[name] = variable
    }
    return level.lines.count
  }

  @discardableResult
  mutating func declare(_ name: String, _ type: ExpressionType, at span: Span? = nil) -> Slot {
    let slot = Slot(level: level, index: slotCount)
    levels[level].lines.append(Int32(clamping: span?.start.line ?? 0))
    if branches.last?.first.level == level {
      branches[branches.count - 1].names.append((name, environment[name], variables[name]))
    }
    if level >= Self.lastingLevels {
      levels[level].hidden.append((name, environment[name], variables[name]))
      // A loop's variable is not one of `set`, even when one around the loop has its name.
      variables[name] = nil
    }
    environment.declare(name, expressionType: type, slot: slot)
    index?.declare(name, type, slot, at: span)
    index?.change(name, environment[name])
    return slot
  }

  /// Gives a name another meaning, or none.
  private mutating func bind(_ name: String, _ binding: Environment.Binding?) {
    environment[name] = binding
    index?.change(name, binding)
  }

  /// Declares a variable of `set`, which inner blocks can set again.
  mutating func declareVariable(_ name: String, _ type: ValueType, at span: Span) -> Slot {
    let slot = declare(name, ExpressionType(type), at: span)
    variables[name] = (slot, type)
    return slot
  }

  func variable(_ name: String) -> (slot: Slot, type: ValueType)? { variables[name] }

  /// The line of a declared name, or nil for a free name.
  func line(of name: String) -> Int? {
    (environment[name] ?? hiddenNames[name]).map {
      Int(levels[$0.slot.level].lines[$0.slot.index])
    }
  }

  // MARK: - Branches

  /// Returns true if a variable is declared outside the branch being planned.
  func isShared(_ slot: Slot) -> Bool {
    guard let first = branches.last?.first else { return false }
    return (slot.level, slot.index) < (first.level, first.index)
  }

  mutating func beginBranch() {
    branches.append(Branch(first: Slot(level: level, index: slotCount)))
  }

  /// Ends the latest iteration, whose block is closed already.
  mutating func endIteration() { branches.removeLast() }

  /// Ends the latest stretch: forgets its variables, and hides its other names until they are imported.
  mutating func endBranch() -> [String] {
    guard let branch = branches.popLast() else { return [] }
    var names: [String] = []
    for (name, before, variable) in branch.names.reversed() {
      if variables.removeValue(forKey: name) == nil {
        names.append(name)
        hiddenNames[name] = environment[name]
      }
      bind(name, before)
      variables[name] = variable
    }
    return names
  }

  /// Makes the names of ended branches known in the next one, which needs them.
  mutating func importNames(_ names: [String]) {
    for name in names { bind(name, hiddenNames.removeValue(forKey: name)) }
  }

  /// Makes the names of ended branches known for good, after all of them.
  mutating func exportNames(_ names: [String]) {
    importNames(names)
    // They belong to the branch or iteration around those as well.
    if branches.last?.first.level == level {
      branches[branches.count - 1].names += names.map { ($0, nil, nil) }
    }
  }

  /// Hides imported names again.
  mutating func hideNames(_ names: [String]) {
    for name in names { hiddenNames[name] = environment[name] }
    for name in names { bind(name, nil) }
  }
}

/// The uses of variables by a scenario's expressions, with a check that each has a value there.
///
/// A class, because the planner and all of its compilers write to the same one. It does not outlive
/// the planning.
final class DefiniteAssignment {
  enum Absence {
    /// Its step, or the `set` that assigns it, has a condition, with the steps in a stretch.
    ///
    /// Nil for a condition that may change.
    case condition(Fact?, Stretch)
    /// Its step may fail, with the steps in a stretch, while the scenario goes on.
    case failure(Stretch)
    case error(String)
    /// The steps in a stretch may have ended early before a `finally`.
    case finally(Stretch)
  }

  /// Steps that run one after the other until one of them fails, by their slots.
  struct Stretch: Hashable {
    let level: Int
    let slots: Range<Int>
    /// The slot from which on an answer proves that the variable has its value, or nil for the one
    /// after its own.
    ///
    /// A variable may have been declared long before it is assigned.
    var start: Int?
  }

  /// Slots of steps of which one with a value says nothing of the others.
  private struct Apart {
    let parts: [Range<Int>]
    /// The parts that have ended before each part starts.
    let needs: [Set<Int>]

    func separates(_ slot: Int, _ later: Int) -> Bool {
      guard let one = parts.firstIndex(where: { $0.contains(slot) }),
        let other = parts.firstIndex(where: { $0.contains(later) })
      else { return false }
      return one != other && !needs[other].contains(one)
    }
  }

  private struct Level {
    var absences: [Int: [Absence]] = [:]
    /// The errors of steps, each true if later steps run in spite of it.
    var errors: [Int: Bool] = [:]
    var apart: [Apart] = []
    var used: [Bool] = []
  }

  private var levels: [Level] = []
  private var facts: [Fact] = []
  /// The variables assigned where they may have had no value, with the reasons.
  private var assigned: [(slot: Slot, absences: [Absence], end: Int)] = []

  /// The steps before each `finally` that is planned, any of which may not have run, and the
  /// variables that have no value then.
  private var uncertain: [(steps: Stretch, slots: [Slot])] = []

  /// The number of the next level.
  var nextLevel: Int { levels.count }
  func open() { levels.append(Level()) }
  func close() { levels.removeLast() }

  func markAbsent(_ slot: Slot, because absence: Absence) {
    levels[slot.level].absences[slot.index, default: []].append(absence)
  }

  /// Declares the slot of a step's error, which is null without one.
  ///
  /// Later steps can read it if they run in spite of it.
  func declareError(_ slot: Slot, isAllowed: Bool) {
    levels[slot.level].errors[slot.index] = isAllowed
  }

  /// Allows later steps to read the errors of a step and of those inside it.
  func allowErrors(in indices: Range<Int>, of level: Int) {
    for index in indices where levels[level].errors[index] != nil {
      levels[level].errors[index] = true
    }
  }

  /// Assumes conditions until `endAssumptions`.
  func assume(_ conditions: [Fact]) { facts += conditions }
  func endAssumptions(_ count: Int) { facts.removeLast(count) }

  func isUsed(_ slot: Slot) -> Bool {
    let used = levels[slot.level].used
    return slot.index < used.count && used[slot.index]
  }

  /// Notes a use by an expression with these references, and returns its problem, if there is one.
  func use(_ reference: Reference, among references: [Reference]) -> Problem? {
    markUsed(reference.slot)
    if let isAllowed = levels[reference.slot.level].errors[reference.slot.index] {
      return isAllowed || isUncertain(reference.slot) ? nil : .noError(reference.name)
    }
    let absences = levels[reference.slot.level].absences[reference.slot.index] ?? []
    for case .error(let code) in absences { return .noAnswer(reference.name, error: code) }
    if reference.isGuarded || facts.contains(where: { $0.text == "has(\(reference.name))" }) {
      return nil
    }
    for absence in absences {
      switch absence {
      case .condition(let condition?, _) where isKnown(condition, reference, references): continue
      case .condition(_, let steps), .failure(let steps), .finally(let steps):
        if hasLaterStep(than: reference, in: steps, references) { continue }
      case .error: break
      }
      return .mayHaveNoValue(reference.name, absence.reason)
    }
    return nil
  }

  /// Returns true if a step is known to have run that runs only after the one of a reference.
  private func hasLaterStep(
    than reference: Reference, in steps: Stretch, _ references: [Reference]
  ) -> Bool {
    let own = reference.conditions.map { Fact($0, reading: references) }
    let start = steps.start ?? reference.slot.index + 1
    return (facts + own).contains { fact in
      guard let later = fact.presentVariable, later.level == steps.level, start <= later.index,
        steps.slots.contains(later.index), levels[later.level].errors[later.index] == nil
      else { return false }
      return !levels[later.level].apart.contains { $0.separates(start - 1, later.index) }
    }
  }

  private func isKnown(
    _ condition: Fact, _ reference: Reference, _ references: [Reference]
  ) -> Bool {
    let own = reference.conditions.map { Fact($0, reading: references) }
    return (facts + own).contains { $0.implies(condition) }
  }

  private func isUncertain(_ slot: Slot) -> Bool {
    uncertain.contains { $0.steps.level == slot.level && $0.steps.slots.contains(slot.index) }
  }

  // MARK: - Steps that may have ended early

  /// Begins the steps of a `finally` after steps, except for some slots that have a value even then.
  ///
  /// `count` is the `assignedCount` before these steps.
  func beginFinally(after steps: Stretch, assignedAfter count: Int, certain: Set<Int>) {
    // One assigned again has its value only after that. Those of a loop's body have ended with it.
    let again = assigned[count...].filter { $0.slot.level < levels.count }.map { ($0.slot, $0.end) }
    let ends = Dictionary(again, uniquingKeysWith: min)
    let own = steps.slots.map { Slot(level: steps.level, index: $0) }
    let slots = (own.filter { !certain.contains($0.index) } + again.map { $0.0 }).unique
    for slot in slots {
      var stretch = steps
      stretch.start = ends[slot]
      markAbsent(slot, because: .finally(stretch))
    }
    uncertain.append((steps, slots))
  }

  /// Ends the steps of the latest `finally`, which had slots in a range.
  ///
  /// Steps after it run only if all steps before it have.
  func endFinally(_ own: Range<Int>) {
    guard let (steps, slots) = uncertain.popLast() else { return }
    for slot in slots {
      let latest = levels[slot.level].absences[slot.index]?.lastIndex {
        if case .finally(let stretch) = $0 { stretch.slots == steps.slots } else { false }
      }
      if let latest { levels[slot.level].absences[slot.index]?.remove(at: latest) }
    }
    levels[steps.level].apart.append(Apart(parts: [steps.slots, own], needs: [[], []]))
  }

  /// Notes the slots of branches.
  ///
  /// A branch runs after the ones that it needs, and no others.
  func separate(_ branches: [Range<Int>], of level: Int, needs: [Set<Int>]) {
    levels[level].apart.append(Apart(parts: branches, needs: needs))
  }

  func markUsed(_ slot: Slot) {
    let missing = slot.index + 1 - levels[slot.level].used.count
    if missing > 0 { levels[slot.level].used += Array(repeating: false, count: missing) }
    levels[slot.level].used[slot.index] = true
  }

  // MARK: - Variables that are set again

  var assignedCount: Int { assigned.count }

  /// Notes a variable assigned by the step before the slot `end` of the present level.
  func assign(_ slot: Slot, before end: Int) {
    guard let absences = levels[slot.level].absences.removeValue(forKey: slot.index) else { return }
    assigned.append((slot, absences, end))
  }

  /// Ends steps, from `assignedCount` and slot on, that may not have run.
  ///
  /// Variables assigned in them may have no value again.
  @discardableResult
  func forgetAssigned(after count: Int, below end: Slot) -> [Slot] {
    let ended = assigned[count...].filter {
      ($0.slot.level, $0.slot.index) < (end.level, end.index)
    }
    assigned.removeSubrange(count...)
    for (slot, absences, _) in ended { levels[slot.level].absences[slot.index] = absences }
    return ended.map(\.slot)
  }

  func removeLatestAbsence(of slot: Slot) { _ = levels[slot.level].absences[slot.index]?.popLast() }
}

/// A condition as a text, with the variables that it reads.
///
/// A loop can hide a name, and then the same text refers to another variable.
struct Fact {
  let text: String
  private let references: [Reference]

  init(_ condition: Reference.Condition, reading references: [Reference]) {
    // Of the two ways to write a negation, this is the one without a second '!'.
    text = condition.holds ? condition.text : Self.negation(of: condition.text)
    self.references = references
  }

  private static func negation(of text: String) -> String {
    text.hasPrefix("!") ? String(text.dropFirst()) : "!" + text
  }

  /// The variable that has a value where the fact holds, of `has(steps.page)`, or nil.
  ///
  /// So does `steps.?page.hasValue()`.
  var presentVariable: Slot? {
    guard text.hasPrefix("has(") || text.hasSuffix(".hasValue()") else { return nil }
    return references.first {
      text == "has(\($0.name))" || text == Self.optionalTest(of: $0.name)
    }?.slot
  }

  /// The other form of `has(steps.page)`, or nil for a name without a point.
  private static func optionalTest(of name: String) -> String? {
    name.lastIndex(of: ".").map {
      name[..<$0] + ".?" + name[name.index(after: $0)...] + ".hasValue()"
    }
  }

  /// Returns true if another condition, a whole expression, holds whenever this one does.
  func implies(_ other: Fact) -> Bool {
    text == other.text
      && other.references.allSatisfy { read in
        references.contains { $0.name == read.name && $0.slot == read.slot }
      }
  }
}

extension DefiniteAssignment.Absence {
  /// The reason for a message.
  fileprivate var reason: Problem.Absence {
    switch self {
    case .condition: .condition
    case .failure, .error: .failure
    case .finally: .finally
    }
  }
}
