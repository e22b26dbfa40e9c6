internal import FlowCore
internal import FlowExpression

/// Which variables the expressions of a scenario read, and whether those have a value there.
///
/// A class, because the planner and all of its compilers write to the same one while a scenario is
/// planned; it does not outlive the planning.
final class DefiniteAssignment {
  /// Why a variable may have no value.
  enum Absence {
    /// Its step, or the `set` that makes it, has a condition; nil for one that may change.
    case condition(Fact?)
    /// Its step may fail while the scenario goes on.
    case failure
    /// Its step expects an error.
    case error(String)
  }

  /// What is known of the variables of one block.
  private struct Level {
    var absences: [Int: [Absence]] = [:]
    var used: [Bool] = []
  }

  private var levels: [Level] = []
  private var facts: [Fact] = []
  /// The variables that were given a value where they may have had none, with the reasons for that.
  private var assigned: [(slot: Slot, absences: [Absence])] = []

  /// The slots of the steps before each `finally` that is planned: any of them may not have run.
  var uncertainSlots: [(level: Int, indices: Range<Int>)] = []

  func open() { levels.append(Level()) }

  func close() { levels.removeLast() }

  /// Notes one more reason why a variable may have no value.
  func mark(_ slot: Slot, _ absence: Absence) {
    levels[slot.level].absences[slot.index, default: []].append(absence)
  }

  /// Begins a stretch in which conditions hold; `forget` ends it.
  func know(_ conditions: [Fact]) {
    facts += conditions
  }

  /// Forgets the latest conditions.
  func forget(_ count: Int) {
    facts.removeLast(count)
  }

  /// Whether any expression so far reads the variable.
  func isUsed(_ slot: Slot) -> Bool {
    let used = levels[slot.level].used
    return slot.index < used.count && used[slot.index]
  }

  /// Takes note of a use by an expression that has these references; the problem with it, if there is one.
  func use(_ reference: Reference, among references: [Reference]) -> Problem? {
    markUsed(reference.slot)
    let absences = levels[reference.slot.level].absences[reference.slot.index] ?? []
    for case .error(let code) in absences { return .noAnswer(reference.name, error: code) }
    if reference.isGuarded || facts.contains(where: { $0.text == "has(\(reference.name))" }) {
      return nil
    }
    for absence in absences {
      switch absence {
      case .condition(let condition?) where isKnown(condition, reference, references): continue
      case .condition: return .mayHaveNoValue(reference.name, .condition)
      case .failure, .error: return .mayHaveNoValue(reference.name, .failure)
      }
    }
    return isUncertain(reference) ? .mayHaveNoValue(reference.name, .finally) : nil
  }

  /// Whether a condition holds where a variable is used.
  private func isKnown(
    _ condition: Fact, _ reference: Reference, _ references: [Reference]
  ) -> Bool {
    let own = reference.conditions.map { Fact($0, reading: references) }
    return (facts + own).contains { $0.implies(condition) }
  }

  private func isUncertain(_ reference: Reference) -> Bool {
    guard reference.name.hasPrefix("steps.") else { return false }
    return uncertainSlots.contains { slots in
      slots.level == reference.slot.level && slots.indices.contains(reference.slot.index)
    }
  }

  private func markUsed(_ slot: Slot) {
    let missing = slot.index + 1 - levels[slot.level].used.count
    if missing > 0 {
      levels[slot.level].used += Array(repeating: false, count: missing)
    }
    levels[slot.level].used[slot.index] = true
  }
}

// MARK: - Variables that are set again

extension DefiniteAssignment {
  /// How many variables have been given a value where they may have had none.
  var assignedCount: Int { assigned.count }

  /// Notes that a variable has a value from here on.
  func assign(_ slot: Slot) {
    guard let absences = levels[slot.level].absences.removeValue(forKey: slot.index) else { return }
    assigned.append((slot, absences))
  }

  /// Ends a stretch of steps that may not have run: what was assigned in it may have no value again.
  ///
  /// - Parameters:
  ///   - count: The `assignedCount` at the beginning of the stretch.
  ///   - end: What the stretch declared itself has a slot from here on, and is left out.
  /// - Returns: The slots, in the order of their assignment.
  @discardableResult
  func forgetAssigned(after count: Int, below end: Slot) -> [Slot] {
    let ended = assigned[count...].filter {
      ($0.slot.level, $0.slot.index) < (end.level, end.index)
    }
    assigned.removeSubrange(count...)
    for (slot, absences) in ended { levels[slot.level].absences[slot.index] = absences }
    return ended.map(\.slot)
  }

  /// Takes back the latest reason why a variable may have no value.
  func unmark(_ slot: Slot) {
    _ = levels[slot.level].absences[slot.index]?.popLast()
  }
}

/// A condition as a text, and the variables that it reads: where a loop hides a name, the same text
/// is about another one.
struct Fact {
  let text: String
  private let references: [Reference]

  /// A condition in an expression that has these references.
  init(_ condition: Reference.Condition, reading references: [Reference]) {
    // Of the two ways to write a negation, this is the one without a second '!'.
    text = condition.holds ? condition.text : Self.negation(of: condition.text)
    self.references = references
  }

  private static func negation(of text: String) -> String {
    text.hasPrefix("!") ? String(text.dropFirst()) : "!" + text
  }

  /// Whether another condition, a whole expression, holds where this one does.
  func implies(_ other: Fact) -> Bool {
    text == other.text
      && other.references.allSatisfy { read in
        references.contains { $0.name == read.name && $0.slot == read.slot }
      }
  }
}
