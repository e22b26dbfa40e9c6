internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// `parallel`: branches of steps, which run at the same time as far as they do not need each other.
struct WrittenParallel: WrittenAction {
  static let kind = StepKind(
    Key(
      "parallel", "The branches that run at the same time, each a list of steps.",
      .names(
        .either([.steps, .keys(branch)]), mayBeEmpty: false, reserved: Name.reservedForBranches),
      isRequired: true),
    companions: [.failFast, .retryOfBlock, .finally, .comparison], yields: true,
    nested: Self.nested
  ) { reader in
    reader.demandContent("parallel")
    let entries = reader.entries("parallel")
    // The indirect needs of a branch are looked up for each branch.
    guard entries.count <= mostBranches else {
      return reader.diagnostics.reject(
        .manyBranches(limit: mostBranches), at: entries[mostBranches].key.span)
    }
    return WrittenParallel(branches: entries.map { Branch($0, reader.diagnostics) })
  }

  private static let mostBranches = 1_000

  fileprivate static let branch = KeySet([
    Key("needs", "The branches to wait for.", .list(.text)), .body,
  ])

  struct Branch {
    let name: Node
    let needs: [Node]
    let steps: [Node]
  }

  let branches: [Branch]

  private static func nested(_ step: Node) -> [NestedSteps] {
    (step["parallel"]?.entries).map(Array.init)?.map { entry in
      let branch = NestedSteps.Branch(name: entry.key.text, span: entry.value.span)
      let steps = entry.value.kind == .mapping ? entry.value["do"]?.items : entry.value.items
      return NestedSteps(steps: steps.map(Array.init) ?? [], scope: .branch(branch))
    } ?? []
  }

  // MARK: - Planning

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    let needs = branches.indices.map { self.needs(of: $0, planner.diagnostics) }
    guard let order = order(needs, planner.diagnostics) else { return nil }
    var planned = [PlannedBranch?](repeating: nil, count: branches.count)
    var names = [[String]](repeating: [], count: branches.count)
    for index in order {
      let known = Self.closure(of: index, needs).sorted().flatMap { names[$0] }
      planner.scope.importNames(known)
      planner.scope.beginBranch()
      let first = planner.scope.slotCount
      let name = branches[index].name.text
      let steps = planner.block(branches[index].steps, path: "\(context.path)/\(name)/")
      planned[index] = PlannedBranch(
        name: name, needs: needs[index], steps: steps, slots: first..<planner.scope.slotCount)
      names[index] = planner.scope.endBranch()
      planner.scope.hideNames(known)
    }
    planner.scope.exportNames(names.flatMap { $0 })
    planner.use.separate(
      planned.map { $0?.slots ?? 0..<0 }, of: planner.scope.level,
      needs: branches.indices.map { Self.closure(of: $0, needs) })
    let parallel = PlannedParallel(
      branches: planned.compactMap { $0 }, level: planner.scope.level,
      failsFast: context.step.failsFast.map { planner.options.flag($0, "'fail-fast'") } ?? true)
    return (.parallel(parallel), .record(.empty))
  }

  private func needs(of index: Int, _ diagnostics: DiagnosticCollector) -> [Int] {
    var needs: [Int] = []
    for node in branches[index].needs {
      guard let other = branches.firstIndex(where: { $0.name.text == node.text }), other != index
      else {
        let others = branches.map(\.name.text).filter { $0 != branches[index].name.text }
        diagnostics.add(.unknownBranch(node.text, among: others), at: node.span)
        continue
      }
      if !needs.contains(other) { needs.append(other) }
    }
    return needs
  }

  /// The branches, each after those that it needs, or nil after reporting a cycle.
  private func order(_ needs: [[Int]], _ diagnostics: DiagnosticCollector) -> [Int]? {
    var order: [Int] = []
    var placed = Set<Int>()
    while order.count < branches.count {
      let ready = branches.indices.filter {
        !placed.contains($0) && needs[$0].allSatisfy(placed.contains)
      }
      if ready.isEmpty {
        let cycle = Self.cycle(among: branches.indices.filter { !placed.contains($0) }, needs)
        return diagnostics.reject(
          .branchCycle(cycle.map { branches[$0].name.text }), at: branches[cycle[0]].name.span)
      }
      order += ready
      placed.formUnion(ready)
    }
    return order
  }

  /// A cycle among branches that wait for each other, starting with the first one in the file.
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

  private static func closure(of branch: Int, _ needs: [[Int]]) -> Set<Int> {
    var closure: Set<Int> = []
    var left = needs[branch]
    while let next = left.popLast() {
      if closure.insert(next).inserted { left += needs[next] }
    }
    return closure
  }
}

extension WrittenParallel.Branch {
  /// Reads a branch: a list of steps, or a mapping with `needs` and `do`.
  ///
  /// A broken branch still exists, so branches that need it are not reported as well.
  fileprivate init(_ entry: Node.Entry, _ diagnostics: DiagnosticCollector) {
    name = entry.key
    _ = Name.check(name, owner: "a branch", reserved: Name.reservedForBranches, diagnostics)
    let owner = "the branch '\(name.text)'"
    let value = entry.value
    switch value.kind {
    case .sequence:
      if value.items.isEmpty { diagnostics.add(.empty(owner), at: value.span) }
      needs = []
      steps = Array(value.items)
    case .mapping where !StepKind.isStep(value):
      let reader = MappingReader(
        value, owner: owner, keys: WrittenParallel.branch.names, diagnostics)
      let names = reader?.items("needs")
      needs = names?.filter { $0.isText(owner: "a name in 'needs'", diagnostics) } ?? []
      steps = reader?.body ?? []
    case .mapping, .scalar:
      let actual = value.kind == .mapping ? "a single step" : value.kindPhrase
      diagnostics.add(.noSteps(owner, actual: actual), at: value.span)
      needs = []
      steps = []
    }
  }
}
