public import FlowCore

/// What one evaluation works with: the variables, the variables of macros, and the steps left.
struct Frame {
  let activation: Activation
  /// The variables of macros, by the index that the checker gave them.
  var locals: [Value]
  private var steps: Int

  init(_ activation: Activation, locals: Int, steps: Int) {
    self.activation = activation
    self.locals = locals == 0 ? [] : Array(repeating: .null, count: locals)
    self.steps = steps
  }

  /// The value of a whole expression.
  mutating func result(of code: Code) throws(EvaluationError) -> Value {
    let value = try code.value(&self)
    // A variable of a macro can be put into a list twice, level by level: small, until it is written.
    if !locals.isEmpty { try charge(sizeOf: value) }
    return value
  }

  /// Takes steps from those that are left.
  mutating func charge(_ count: Int) throws(EvaluationError) {
    steps -= count
    if steps < 0 { throw .tooManySteps }
  }

  /// Takes a step for every value inside a value, and one for every 32 bytes of text.
  ///
  /// Parts of a list may be shared (`[x, x]` of `[y, y]` ...), so that walking it takes far longer
  /// than making it did.
  mutating func charge(sizeOf value: Value) throws(EvaluationError) {
    switch value {
    case .string(let text): try charge(text.utf8.count / 32)
    case .bytes(let bytes): try charge(bytes.content.count / 32)
    case .list(let values):
      try charge(values.count)
      for value in values { try charge(sizeOf: value) }
    case .map(let map):
      try charge(map.count)
      for entry in map.entries { try charge(sizeOf: entry.value) }
    case .record(let record):
      for value in record.values { try charge(sizeOf: value) }
    case .optional(let value?): try charge(sizeOf: value)
    default: break
    }
  }
}

/// The values of an expression's variables at run time.
public struct Activation: Sendable {
  /// The slots of each level of nested blocks; nil in one that was never set.
  public var levels: [[Value?]]

  /// The values of these slots.
  public init(levels: [[Value?]] = []) {
    self.levels = levels
  }

  /// The value of a slot; nil when it was never set or does not exist.
  ///
  /// - Precondition: a slot that is set exists.
  public subscript(slot: Slot) -> Value? {
    get {
      guard slot.level < levels.count, slot.index < levels[slot.level].count else { return nil }
      return levels[slot.level][slot.index]
    }
    set { levels[slot.level][slot.index] = newValue }
  }
}

/// Where a variable's value is kept at run time.
public struct Slot: Sendable, Hashable {
  /// The level of nested blocks, from 0 for the outermost.
  public let level: Int
  /// The index in the level, from 0.
  public let index: Int

  /// The slot at an index of a level.
  public init(level: Int, index: Int) {
    self.level = level
    self.index = index
  }
}
