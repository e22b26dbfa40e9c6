internal import FlowCore
internal import FlowExpression
internal import FlowPlan

/// A scenario of a run whose values are explained.
final class OriginScenario {
  let plan: Plan
  /// The prefix of the addresses of its steps.
  let prefix: String
  /// The iterations around all its steps.
  let iterations: [Int]
  let entries: [Assignments.Entry]
  /// The step that runs it with its inputs, or nil for the main scenario.
  let caller: (moment: OriginMoment, scenario: PlannedScenario, values: [Value?]?)?
  /// The place and the values of its running steps, or nil if it has ended.
  fileprivate var present: (path: String, iterations: [Int], activation: Activation)?
  private(set) lazy var secrets = SecretNames(of: plan, given: givenSecrets)

  init(
    _ plan: Plan, prefix: String, iterations: [Int], _ assignments: Assignments,
    caller: (moment: OriginMoment, scenario: PlannedScenario, values: [Value?]?)?
  ) {
    self.plan = plan
    self.prefix = prefix
    self.iterations = iterations
    self.caller = caller
    entries = assignments.entries
  }

  private var givenSecrets: [String: String] {
    caller.map { $0.moment.scenario.secrets.given(to: $0.scenario) } ?? [:]
  }

  /// The path of one of its steps in its plan.
  fileprivate func path(of address: Address) -> String {
    String(decoding: address.path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// The moment of its running steps with their values, or nil if it has ended.
  ///
  /// Not stored, since a moment keeps its scenario.
  fileprivate var now: (moment: OriginMoment, activation: Activation)? {
    present.map { path, iterations, activation in
      (
        OriginMoment(scenario: self, path: path, iterations: iterations, end: entries.count),
        activation
      )
    }
  }
}

/// A point in a scenario of a run, between two assignments.
struct OriginMoment {
  let scenario: OriginScenario
  /// The path of the step in its scenario.
  let path: String
  /// The iterations around the step.
  let iterations: [Int]
  /// The number of assignments before it.
  var end: Int

  var plan: Plan { scenario.plan }

  /// Returns the address of a step that runs in iterations.
  func address(of path: String, _ iterations: [Int]) -> Address {
    Address(path: scenario.prefix + path, iterations: iterations)
  }

  func span(_ place: Place?) -> SourceSpan? { place?.span(in: plan.file) }

  /// The moment of an entry's step, before the entry.
  func moment(of index: Int) -> OriginMoment {
    let address = scenario.entries[index].address
    return OriginMoment(
      scenario: scenario, path: scenario.path(of: address), iterations: address.iterations,
      end: index)
  }

  /// Returns the number of the latest entry before the moment that fits, or nil.
  func lastEntry(where fits: (Assignments.Entry) -> Bool) -> Int? {
    scenario.entries[..<end].lastIndex(where: fits)
  }

  // MARK: - Blocks

  /// The steps whose variables are in one level of values.
  struct Block {
    /// The path of the loop, or an empty path.
    let path: String
    /// The iterations around its steps.
    let iterations: [Int]
    let steps: [PlannedStep]
    /// The loop, or nil.
    var loop: (step: PlannedStep, loop: PlannedLoop)?
  }

  /// Returns the block around the moment whose variables are in a level, or nil if none is.
  func block(ofLevel level: Int) -> Block? {
    let outer = scenario.iterations
    if level == 1 {
      return Block(path: "", iterations: outer, steps: plan.steps + plan.finally)
    }
    let isInvariant = path.hasPrefix("invariants/")
    if isInvariant, level == 2 {
      return Block(
        path: "invariants", iterations: Array(iterations.prefix(outer.count + 1)),
        steps: plan.invariants.steps)
    }
    for (step, depth) in loops(to: path) {
      guard let loop = step.action.loop, loop.level == level, depth < iterations.count else {
        continue
      }
      return Block(
        path: step.path, iterations: Array(iterations.prefix(depth + 1)), steps: loop.steps,
        loop: (step, loop))
    }
    return nil
  }

  /// The loops on the way to a step, each with the index of its iteration.
  private func loops(to path: String) -> [(step: PlannedStep, depth: Int)] {
    var depth = scenario.iterations.count + (path.hasPrefix("invariants/") ? 1 : 0)
    var loops: [(PlannedStep, Int)] = []
    for step in plan.steps(to: path) {
      if step.countsAttempts { depth += 1 }
      if step.action.loop == nil { continue }
      loops.append((step, depth))
      depth += 1
    }
    return loops
  }

  /// The iterations around this moment that are not around another one as well.
  func iterations(beside other: OriginMoment) -> [Int] {
    let (own, others) = (runningLoops, other.runningLoops)
    let common = zip(own, others).prefix { $0.path == $1.path && $0.number == $1.number }
    return own.dropFirst(common.count).map(\.number)
  }

  /// The loops around the moment, with the numbers of their iterations.
  private var runningLoops: [(path: String, number: Int)] {
    loops(to: path).filter { $0.depth < iterations.count }.map {
      ($0.step.path, iterations[$0.depth])
    }
  }

  /// Returns true if an address is of a step inside of a block, in the same iterations.
  func contains(_ block: Block, _ address: Address) -> Bool {
    let path = scenario.prefix + (block.path.isEmpty ? "" : block.path + "/")
    return address.path.utf8.starts(with: path.utf8)
      && address.iterations.starts(with: block.iterations)
  }

  /// The moment before a loop's first iteration.
  func start(of block: Block) -> OriginMoment {
    let outer = Array(block.iterations.dropLast())
    let path = scenario.prefix + block.path
    let first = scenario.entries[..<end].firstIndex {
      ($0.address.path == path || $0.address.path.utf8.starts(with: "\(path)/".utf8))
        && $0.address.iterations.starts(with: outer)
    }
    return OriginMoment(
      scenario: scenario, path: block.path, iterations: outer, end: first ?? end)
  }

  // MARK: - Values

  /// The value of a read at the moment if the run still has it, or nil.
  func value(of read: ValueRead) -> Value? {
    guard let present = scenario.now else { return nil }
    let level = read.slot.level
    if level > 0 {
      guard let block = block(ofLevel: level), let now = present.moment.block(ofLevel: level),
        block.path == now.path, block.iterations == now.iterations
      else { return nil }
      // Another assignment may have followed.
      let later = scenario.entries[end...].contains {
        $0.slot == read.slot && contains(block, $0.address)
      }
      if later { return nil }
    }
    return read.value(in: present.activation)
  }
}

extension PlannedStep {
  /// Returns the step whose answer or error is in a slot, among steps of one block.
  static func owner(of slot: Slot, in steps: [PlannedStep]) -> PlannedStep? {
    for step in steps {
      if step.slot == slot || step.errorSlot == slot { return step }
      var inner = step.options?.finally ?? []
      // The steps of a loop have their own variables.
      if step.action.loop == nil { inner = step.blocks.flatMap(\.steps) }
      if let owner = owner(of: slot, in: inner) { return owner }
    }
    return nil
  }
}

extension OriginMoment {
  /// The moment of a scope, with its scenarios from the main one in.
  init(_ scope: OriginScope) {
    let parent = scope.parent
    scenario = OriginScenario(
      scope.plan, prefix: parent?.prefix ?? "", iterations: parent?.address.iterations ?? [],
      scope.assignments,
      caller: parent.map { (OriginMoment($0.outer), $0.scenario, nil) })
    (path, iterations) = (scenario.path(of: scope.address), scope.address.iterations)
    end = scenario.entries.count
    scenario.present = (path, iterations, scope.activation)
  }
}
