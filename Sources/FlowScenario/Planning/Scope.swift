internal import FlowCore
internal import FlowExpression
internal import FlowYAML

/// The names that expressions can use at the present step, block within block.
struct Scope {
  private typealias Variable = (slot: Slot, type: ValueType)

  /// A declared name with what it meant before.
  private typealias HiddenName = (
    name: String, before: Environment.Binding?, variable: Variable?
  )

  private struct Level {
    /// What is to be restored when the block closes.
    var hidden: [HiddenName] = []
    /// The line of each slot's declaration; its count is the number of slots.
    var lines: [Int32] = []
  }

  /// A stretch of steps that runs beside others.
  private struct Branch {
    /// The first variable that only this stretch can set.
    let first: Slot
    /// What it declared in its own level, in order.
    var names: [HiddenName] = []
  }

  /// The inputs' level and the steps' level stay open to the end, so nothing is restored in them.
  private static let lastingLevels = 2

  private(set) var environment = Environment()
  private var levels: [Level] = []
  private var variables: [String: Variable] = [:]
  private var branches: [Branch] = []
  /// The names of branches that run beside the present one.
  private var concealed: [String: Environment.Binding] = [:]

  /// The innermost level's number, from 0.
  var level: Int { levels.count - 1 }

  /// How many variables the innermost level has.
  var slotCount: Int { levels.last?.lines.count ?? 0 }

  /// Makes room for the names of this many steps; growing step by step would copy them all again.
  mutating func reserve(_ count: Int) {
    environment.reserveCapacity(count)
  }

  /// Opens a block.
  mutating func open() {
    levels.append(Level())
  }

  /// Closes the innermost block and forgets its names; returns how many variables it had.
  mutating func close() -> Int {
    guard let level = levels.popLast() else { return 0 }
    for (name, before, variable) in level.hidden.reversed() {
      environment[name] = before
      variables[name] = variable
    }
    return level.lines.count
  }

  /// Declares a name in the innermost block.
  @discardableResult
  mutating func declare(_ name: String, _ type: ExpressionType, line: Int = 0) -> Slot {
    let slot = Slot(level: level, index: slotCount)
    levels[level].lines.append(Int32(clamping: line))
    if branches.last?.first.level == level {
      branches[branches.count - 1].names.append((name, environment[name], variables[name]))
    }
    if level >= Self.lastingLevels {
      levels[level].hidden.append((name, environment[name], variables[name]))
      // A loop's variable is not one of `set`, even when one around the loop has its name.
      variables[name] = nil
    }
    environment.declare(name, expressionType: type, slot: slot)
    return slot
  }

  /// Declares a variable of `set`, which inner blocks can set again.
  mutating func declareVariable(_ name: String, _ type: ValueType) -> Slot {
    let slot = declare(name, ExpressionType(type))
    variables[name] = (slot, type)
    return slot
  }

  /// A variable that was set in this block or around it.
  func variable(_ name: String) -> (slot: Slot, type: ValueType)? {
    variables[name]
  }

  /// The line in which a name was declared that is still taken; nil for a free name.
  func line(of name: String) -> Int? {
    (environment[name] ?? concealed[name]).map {
      Int(levels[$0.slot.level].lines[$0.slot.index])
    }
  }
}

// MARK: - Branches

extension Scope {
  /// Whether a variable is declared outside of the branch that is being planned.
  func isShared(_ slot: Slot) -> Bool {
    guard let first = branches.last?.first else { return false }
    return (slot.level, slot.index) < (first.level, first.index)
  }

  /// Begins a stretch of steps that runs beside others.
  mutating func beginBranch() {
    branches.append(Branch(first: Slot(level: level, index: slotCount)))
  }

  /// Ends the latest stretch, a loop's iteration, whose block has been closed with its names.
  mutating func endIteration() {
    branches.removeLast()
  }

  /// Ends the latest stretch.
  ///
  /// Its variables are forgotten, and its other names are hidden from what runs beside it.
  ///
  /// - Returns: The hidden names, to be revealed where it has ended.
  mutating func endBranch() -> [String] {
    guard let branch = branches.popLast() else { return [] }
    var names: [String] = []
    for (name, before, variable) in branch.names.reversed() {
      if variables.removeValue(forKey: name) == nil {
        names.append(name)
        concealed[name] = environment[name]
      }
      environment[name] = before
      variables[name] = variable
    }
    return names
  }

  /// Makes hidden names known for a while.
  mutating func reveal(_ names: [String]) {
    for name in names { environment[name] = concealed.removeValue(forKey: name) }
  }

  /// Makes hidden names known for good: the stretches that declared them have ended.
  mutating func adopt(_ names: [String]) {
    reveal(names)
    // They belong to the stretch around those as well.
    if branches.last?.first.level == level {
      branches[branches.count - 1].names += names.map { ($0, nil, nil) }
    }
  }

  /// Hides names again.
  mutating func conceal(_ names: [String]) {
    for name in names { concealed[name] = environment[name] }
    for name in names { environment[name] = nil }
  }
}
