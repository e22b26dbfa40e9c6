internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// The latest assignments of a scenario's variables and outputs in a run, oldest first.
///
/// A value of the execution, so an attempt that is repeated and a branch of its own leave no
/// assignment behind. Only the latest ones are kept, and of the values behind them only small ones.
package struct Assignments: Sendable {
  /// The assignment of a variable, of an output of an iteration, or of all outputs of a scenario.
  struct Entry: Sendable {
    /// The variable, or nil for outputs.
    let slot: Slot?
    /// The number of the variable in its step, or of the output, from 0.
    let part: Int
    /// The address of the step, for an output with the iteration.
    let address: Address
    /// The small values that its expressions read, in the order of `Template.reads`.
    let values: [Value?]
    /// The scenario that gave the outputs, or nil.
    var scenario: EndedScenario? = nil

    fileprivate var weight: Int { 1 + (scenario?.assignments.weight ?? 0) }
  }

  /// Entries, and their number with those of the ended scenarios in them.
  private struct List: Sendable {
    var entries: [Entry] = []
    var weight = 0

    mutating func add(_ entry: Entry) {
      entries.append(entry)
      weight += entry.weight
      if weight >= 2 * Assignments.most { removeOldest() }
    }

    private mutating func removeOldest() {
      var count = 0
      while weight > Assignments.most, count < entries.count - 1 {
        weight -= entries[count].weight
        count += 1
      }
      entries.removeFirst(count)
    }
  }

  /// The assignments before the innermost branch, which shares them with its siblings.
  private var earlier = List()
  private var own = List()

  // A report shows a dozen, and a loop may assign a million times.
  private static let most = 500

  /// Creates an empty list.
  init() {}

  /// All entries, oldest first.
  var entries: [Entry] { earlier.entries + own.entries }

  private var weight: Int { earlier.weight + own.weight }

  /// Adds an entry, and removes the oldest ones when there are many.
  mutating func add(_ entry: Entry) { own.add(entry) }

  /// Returns the list for a branch, which shares the entries up to now.
  func branched() -> Assignments {
    var branch = Assignments()
    branch.earlier = earlier
    for entry in own.entries { branch.earlier.add(entry) }
    return branch
  }

  /// Adds the entries that a branch made.
  mutating func add(branch: Assignments) {
    for entry in branch.own.entries { own.add(entry) }
  }
}

/// An inner scenario that has passed, as far as it explains its outputs.
final class EndedScenario: Sendable {
  let plan: Plan
  let assignments: Assignments
  /// The small values that the expressions of each output read.
  let outputs: [[Value?]]

  init(plan: Plan, assignments: Assignments, outputs: [[Value?]]) {
    self.plan = plan
    self.assignments = assignments
    self.outputs = outputs
  }
}
