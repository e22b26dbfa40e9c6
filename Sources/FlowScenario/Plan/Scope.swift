internal import FlowCore
internal import FlowExpression
internal import FlowYAML

/// The names that expressions can use at the present step, block within block.
struct Scope {
  private struct Level {
    /// Each declared name with what it meant before, to be restored when the block closes.
    var names: [(name: String, before: Environment.Binding?)] = []
    var ids: [String] = []
    var slotCount = 0
  }

  private(set) var environment = Environment()
  private var levels: [Level] = []
  private var lines: [String: Int] = [:]
  private var variables: [String: (slot: Slot, type: ValueType)] = [:]

  /// The innermost level's number, from 0.
  var level: Int { levels.count - 1 }

  /// How many variables the innermost level has.
  var slotCount: Int { levels.last?.slotCount ?? 0 }

  /// Opens a block.
  mutating func open() {
    levels.append(Level())
  }

  /// Closes the innermost block and forgets its names; tells how many variables it had.
  mutating func close() -> Int {
    guard let level = levels.popLast() else { return 0 }
    for (name, before) in level.names.reversed() {
      environment[name] = before
      variables[name] = nil
    }
    for id in level.ids { lines[id] = nil }
    return level.slotCount
  }

  /// Declares a name in the innermost block.
  @discardableResult
  mutating func declare(_ name: String, _ type: ValueType) -> Slot {
    let slot = Slot(level: level, index: slotCount)
    levels[level].slotCount += 1
    levels[level].names.append((name, environment[name]))
    environment.declare(name, type: type, slot: slot)
    return slot
  }

  /// Declares a variable of `set`, which inner blocks can set again.
  mutating func declareVariable(_ name: String, _ type: ValueType) -> Slot {
    let slot = declare(name, type)
    variables[name] = (slot, type)
    return slot
  }

  /// A variable that was set in this block or around it.
  func variable(_ name: String) -> (slot: Slot, type: ValueType)? {
    variables[name]
  }

  /// Takes an id; the line of the step that has it already, or nil when it was free.
  mutating func take(id: String, line: Int) -> Int? {
    if let other = lines[id] { return other }
    lines[id] = line
    levels[level].ids.append(id)
    return nil
  }
}
