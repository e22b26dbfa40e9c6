internal import FlowCore
internal import FlowExpression

/// Which variables the expressions of a scenario read, and whether those have a value there.
///
/// A class, because the planner and all of its compilers write to the same one while a scenario is
/// planned; it does not outlive the planning.
final class VariableUse {
  /// Why a variable may have no value.
  enum Absence {
    /// Its step, or the `set` that makes it, has a condition; nil for one that may change.
    case condition(String?)
    /// Its step may fail while the scenario goes on.
    case failure
    /// Its step expects an error.
    case error(String)
  }

  /// What is known of the variables of one block.
  private struct Level {
    var absences: [Int: Absence] = [:]
    var used: [Bool] = []
  }

  private var levels: [Level] = []
  private var facts: [String] = []

  /// The slots of the steps before each `finally` that is planned: any of them may not have run.
  var uncertainSlots: [(level: Int, indices: Range<Int>)] = []

  func open() { levels.append(Level()) }

  func close() { levels.removeLast() }

  /// Notes why a variable may have no value; what never has one stays so.
  func mark(_ slot: Slot, _ absence: Absence) {
    if case .error? = levels[slot.level].absences[slot.index] { return }
    levels[slot.level].absences[slot.index] = absence
  }

  /// Begins a stretch in which conditions hold; `forget` ends it.
  func know(_ conditions: [String]) {
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

  /// Takes note of a use; the problem with it, if there is one.
  func use(_ reference: Reference) -> Problem? {
    markUsed(reference.slot)
    let absence = levels[reference.slot.level].absences[reference.slot.index]
    if case .error(let code)? = absence { return .noAnswer(reference.name, error: code) }
    if reference.isGuarded || facts.contains("has(\(reference.name))") { return nil }
    if case .failure? = absence { return .mayHaveNoValue(reference.name, .failure) }
    if case .condition(let condition)? = absence {
      let known = facts + reference.conditions.filter(\.holds).map(\.text)
      let isKnown = condition.map(known.contains) ?? false
      return isKnown ? nil : .mayHaveNoValue(reference.name, .condition)
    }
    return isUncertain(reference) ? .mayHaveNoValue(reference.name, .finally) : nil
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
