internal import FlowCore

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
  mutating func result(of node: any Node) throws(EvaluationError) -> Value {
    let value = try node.value(&self)
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
