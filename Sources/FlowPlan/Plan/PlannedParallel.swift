/// Branches of steps that run at the same time, in the variables of the block around them.
public struct PlannedParallel: Sendable {
  /// The branches in file order, never empty.
  public let branches: [PlannedBranch]
  /// The level of their variables.
  public let level: Int
  /// True if a failed branch cancels the others.
  public let failsFast: Bool

  package init(branches: [PlannedBranch], level: Int, failsFast: Bool) {
    self.branches = branches
    self.level = level
    self.failsFast = failsFast
  }
}

/// One of several branches of steps.
public struct PlannedBranch: Sendable {
  /// Its name in structural paths.
  public let name: String
  /// The positions of the branches that must pass before it starts, without cycles.
  public let needs: [Int]
  /// Its steps.
  public let steps: [PlannedStep]
  /// The variables of its level that only it sets.
  public let slots: Range<Int>

  package init(name: String, needs: [Int], steps: [PlannedStep], slots: Range<Int>) {
    self.name = name
    self.needs = needs
    self.steps = steps
    self.slots = slots
  }
}

extension PlannedParallel {
  /// The steps inside it.
  var blocks: [StepBlock] {
    branches.map { branch in
      let needs = branch.needs.map { branches[$0].name }.joined(separator: ", ")
      let label = branch.name + (needs.isEmpty ? "" : " (needs \(needs))")
      return StepBlock(label: label, steps: branch.steps, isBranch: true)
    }
  }
}

extension PlannedParallel: PlannedContent {
  package var isConcurrent: Bool { true }
  package var waiting: Waiting { .nothing }
  package var lines: [String] { ["parallel:"] }
  package var closingLines: [String] { failsFast ? [] : ["fail-fast: false"] }
  package var summary: String { "parallel" }
}
