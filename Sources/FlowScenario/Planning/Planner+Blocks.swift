internal import FlowCore
internal import FlowExpression
internal import FlowYAML

extension Planner {
  /// A block whose condition chooses between it and the steps of `else`.
  mutating func choice(
    _ step: Step, _ condition: PlannedExpression?, _ path: String
  ) -> (PlannedAction, ExpressionType)? {
    guard case .block(let inner) = step.action else { return nil }
    let first = Slot(level: scope.level, index: scope.slotCount)
    let (steps, assigned) = arm(inner.steps, path: path + "/", condition, holds: true)
    let (alternative, assignedInElse) = arm(
      inner.alternative ?? [], path: path + "/else/", condition, holds: false)
    for slot in assignedInElse {
      if slot.level == first.level && slot.index >= first.index {
        // A variable of the first block that the other one sets too lacks its value in neither.
        use.unmark(slot)
      } else if assigned.contains(slot) {
        use.assign(slot)
      }
    }
    return condition.map {
      (
        .block(PlannedBlock(condition: $0, steps: steps, alternative: alternative)),
        .record(.empty)
      )
    }
  }

  /// The steps that run when a condition is true, or false, and the variables from before them to which they
  /// give a value.
  private mutating func arm(
    _ nodes: [Node], path: String, _ condition: PlannedExpression?, holds: Bool
  ) -> (steps: [PlannedStep], assigned: Set<Slot>) {
    let first = Slot(level: scope.level, index: scope.slotCount)
    let count = use.assignedCount
    let facts = facts(condition, holds: holds)
    use.know(facts)
    let steps = block(nodes, path: path)
    use.forget(facts.count)
    let assigned = use.forgetAssigned(after: count, below: first)
    // Without a condition, which was wrong, nobody can say what may be read where.
    if condition != nil {
      markAbsent(first.index..<scope.slotCount, .condition(facts.first))
    }
    return (steps, Set(assigned))
  }

  // MARK: - Branches

  /// Steps in branches, which run at the same time as far as they do not need each other.
  mutating func plan(
    _ branches: [Step.Branch], failsFast: Node?, path: String
  ) -> (PlannedAction, ExpressionType)? {
    let needs = branches.indices.map { self.needs(of: branches[$0], $0, branches) }
    guard let order = order(of: branches, needs) else { return nil }
    var planned = [PlannedBranch?](repeating: nil, count: branches.count)
    var names = [[String]](repeating: [], count: branches.count)
    for index in order {
      let known = Self.closure(of: index, needs).sorted().flatMap { names[$0] }
      scope.reveal(known)
      scope.beginBranch()
      let first = scope.slotCount
      let name = branches[index].name.text
      let steps = block(branches[index].steps, path: "\(path)/\(name)/")
      planned[index] = PlannedBranch(
        name: name, needs: needs[index], steps: steps, slots: first..<scope.slotCount)
      names[index] = scope.endBranch()
      scope.conceal(known)
    }
    runsInParallel = true
    scope.adopt(names.flatMap { $0 })
    let parallel = PlannedParallel(
      branches: planned.compactMap { $0 }, level: scope.level,
      failsFast: failsFast.map { flag($0, "'fail-fast'") } ?? true)
    return (.parallel(parallel), .record(.empty))
  }

  /// The positions of the branches that a branch waits for, each once.
  private func needs(
    of branch: Step.Branch, _ index: Int, _ branches: [Step.Branch]
  ) -> [Int] {
    var needs: [Int] = []
    for node in branch.needs {
      guard let other = branches.firstIndex(where: { $0.name.text == node.text }), other != index
      else {
        let others = branches.map(\.name.text).filter { $0 != branch.name.text }
        let near = Suggestion.nearest(to: node.text, among: others)
        problems.add(.unknownBranch(node.text, near: near), at: node.span)
        continue
      }
      if !needs.contains(other) { needs.append(other) }
    }
    return needs
  }

  /// The branches, each after those that it needs; nil after a problem, which is a cycle.
  private func order(of branches: [Step.Branch], _ needs: [[Int]]) -> [Int]? {
    var order: [Int] = []
    var placed = Set<Int>()
    while order.count < branches.count {
      let ready = branches.indices.filter {
        !placed.contains($0) && needs[$0].allSatisfy(placed.contains)
      }
      if ready.isEmpty {
        let cycle = Self.cycle(among: branches.indices.filter { !placed.contains($0) }, needs)
        problems.add(
          .branchCycle(cycle.map { branches[$0].name.text }), at: branches[cycle[0]].name.span)
        return nil
      }
      order += ready
      placed.formUnion(ready)
    }
    return order
  }

  /// A cycle among branches each of which waits for another one of them; it begins with the one
  /// that stands first in the file.
  private static func cycle(among blocked: [Int], _ needs: [[Int]]) -> [Int] {
    var way: [Int] = []
    var next = blocked.first
    while let branch = next, !way.contains(branch) {
      way.append(branch)
      next = needs[branch].first(where: blocked.contains)
    }
    let cycle = way.drop { $0 != next }
    let start = cycle.min().flatMap(cycle.firstIndex) ?? cycle.startIndex
    return Array(cycle[start...] + cycle[..<start])
  }

  /// All branches that have ended when a branch begins.
  private static func closure(of branch: Int, _ needs: [[Int]]) -> Set<Int> {
    var closure: Set<Int> = []
    var left = needs[branch]
    while let next = left.popLast() {
      if closure.insert(next).inserted { left += needs[next] }
    }
    return closure
  }
}
