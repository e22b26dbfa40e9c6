public import FlowCore

/// A part of a compiled expression: a value known in advance, or how to compute it.
enum Code: Sendable {
  /// Computes a value.
  ///
  /// Called by the part around it, any number of times at once.
  typealias Compute = @Sendable (_ frame: inout Frame) throws(EvaluationError) -> Value

  case constant(Value)
  case computed(Compute)

  var constant: Value? { if case .constant(let value) = self { value } else { nil } }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    switch self {
    case .constant(let value): value
    case .computed(let compute): try compute(&frame)
    }
  }

  /// A part of an unchecked expression that can only fail, because the checker would have refused
  /// it.
  static func failing(_ error: EvaluationError) -> Code {
    .computed { (_) throws(EvaluationError) in throw error }
  }

  // MARK: - Variables

  static func variable(_ name: String, _ slot: Slot, _ span: Range<Int>) -> Code {
    let stretch = Stretch(span)
    return .computed { (frame) throws(EvaluationError) in
      guard let value = frame.activation[slot] else { throw .unset(name, stretch.range) }
      return value
    }
  }

  /// A variable that may be null, and is null without a value: `steps.page.error`.
  static func nullableVariable(_ slot: Slot) -> Code {
    .computed { frame in frame.activation[slot] ?? .null }
  }

  /// A variable of the environment, or nothing: `steps.?page`.
  static func optionalVariable(_ slot: Slot) -> Code {
    .computed { frame in .optional(frame.activation[slot]) }
  }

  /// Tests that a variable of the environment is set: `has(steps.page)`.
  static func isSet(_ slot: Slot) -> Code {
    .computed { frame in .bool(frame.activation[slot] != nil) }
  }

  static func local(_ index: Int) -> Code {
    .computed { frame in frame.locals[index] }
  }

  /// `cel.bind(name, value, result)`.
  static func bind(_ index: Int, _ bound: Code, _ result: Code) -> Code {
    .computed { (frame) throws(EvaluationError) in
      frame.locals[index] = try bound.value(&frame)
      return try result.value(&frame)
    }
  }

  // MARK: - Calls

  typealias Unary = @Sendable (Value, inout Frame) throws(EvaluationError) -> Value
  typealias Binary = @Sendable (Value, Value, inout Frame) throws(EvaluationError) -> Value
  typealias Several = @Sendable ([Value], inout Frame) throws(EvaluationError) -> Value

  static func call(_ name: CallName, _ argument: Code, _ body: @escaping Unary) -> Code {
    .computed { (frame) throws(EvaluationError) in
      let value = try argument.value(&frame)
      do throws(EvaluationError) { return try body(value, &frame) } catch {
        return try name.retry(error, [value], &frame) { (values, frame) throws(EvaluationError) in
          try body(values[0], &frame)
        }
      }
    }
  }

  static func call(
    _ name: CallName, _ first: Code, _ second: Code, body: @escaping Binary
  ) -> Code {
    .computed { (frame) throws(EvaluationError) in
      let left = try first.value(&frame)
      let right = try second.value(&frame)
      do throws(EvaluationError) { return try body(left, right, &frame) } catch {
        let constant = first.constant ?? second.constant
        return try name.retry(error, [left, right], constant: constant, &frame) {
          (values, frame) throws(EvaluationError) in try body(values[0], values[1], &frame)
        }
      }
    }
  }

  static func call(_ name: CallName, _ arguments: [Code], _ body: @escaping Several) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var values: [Value] = []
      values.reserveCapacity(arguments.count)
      for argument in arguments { values.append(try argument.value(&frame)) }
      do throws(EvaluationError) { return try body(values, &frame) } catch {
        return try name.retry(error, values, &frame, body)
      }
    }
  }

  // MARK: - Logic

  /// `&&`, decided by false, or `||`, decided by true.
  ///
  /// A deciding operand absorbs the errors of others.
  static func logic(
    _ sign: String, deciding: Bool, _ operands: [Code], _ span: Range<Int>
  ) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var failure: EvaluationError?
      for operand in operands {
        do throws(EvaluationError) {
          let value = try operand.value(&frame)
          guard case .bool(let holds) = value else {
            throw .noMatchingOverload(sign, [value], span)
          }
          if holds == deciding { return value }
        } catch {
          // The limit belongs to the whole evaluation, not to the operand that reached it.
          if error.code == .limit { throw error }
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      return .bool(!deciding)
    }
  }

  static func conditional(
    _ condition: Code, then first: Code, else second: Code, at span: Range<Int>
  ) -> Code {
    .computed { (frame) throws(EvaluationError) in
      let value = try condition.value(&frame)
      guard case .bool(let holds) = value else { throw .noMatchingOverload("?:", [value], span) }
      return try holds ? first.value(&frame) : second.value(&frame)
    }
  }
}

/// The name and place of a call, for its error messages.
struct CallName: Sendable {
  let name: String
  private let stretch: Stretch

  init(name: String, span: Range<Int>) {
    self.name = name
    stretch = Stretch(span)
  }

  var span: Range<Int> { stretch.range }

  /// Calls again with numbers to compute with, if the error is about values that keep their text.
  ///
  /// A function takes such a number as it is only where it passes it on or compares it. Other
  /// numbers cost nothing.
  ///
  /// - Throws: The result of `located`.
  func retry(
    _ error: EvaluationError, _ values: [Value], constant: Value? = nil, _ frame: inout Frame,
    _ body: Code.Several
  ) throws(EvaluationError) -> Value {
    guard error == .noOverload, values.contains(where: \.hasWrittenNumbers) else {
      throw located(error, values, constant: constant)
    }
    for value in values { try frame.charge(sizeOf: value) }
    let numbers = values.map(\.calculable)
    do throws(EvaluationError) { return try body(numbers, &frame) } catch {
      throw located(error, numbers, constant: constant)
    }
  }

  /// The error with the place of the call, and with the values if their kinds are wrong.
  ///
  /// `constant` is the value written in the expression itself, if there is one.
  func located(
    _ error: EvaluationError, _ values: [Value], constant: Value? = nil
  ) -> EvaluationError {
    guard error == .noOverload else { return error.located(span) }
    return .noMatchingOverload(name, values, span, constant: constant)
  }
}

/// The state of one evaluation: the variables, the macro variables, and the remaining steps.
struct Frame {
  let activation: Activation
  /// The macro variables, by the checker's index.
  var locals: [Value]
  /// The steps that are left.
  private(set) var steps: Int

  init(_ activation: Activation, locals: Int, steps: Int) {
    self.activation = activation
    self.locals = locals == 0 ? [] : Array(repeating: .null, count: locals)
    self.steps = steps
  }

  mutating func result(of code: Code) throws(EvaluationError) -> Value {
    let value = try code.value(&self)
    // A variable of a macro can be put into a list twice, level by level: small, until it is written.
    if !locals.isEmpty { try charge(sizeOf: value) }
    return value
  }

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
    case .record(let record): for value in record.values { try charge(sizeOf: value) }
    case .optional(let value?): try charge(sizeOf: value)
    default: break
    }
  }
}

/// The values of an expression's variables at run time.
public struct Activation: Sendable {
  /// The slots of each level of nested blocks, nil in a slot that was never set.
  public var levels: [[Value?]]

  /// The values of these slots.
  public init(levels: [[Value?]] = []) { self.levels = levels }

  /// The value of a slot, or nil if it was never set or does not exist.
  ///
  /// - Precondition: A slot to be set exists.
  public subscript(slot: Slot) -> Value? {
    get {
      guard slot.level < levels.count, slot.index < levels[slot.level].count else { return nil }
      return levels[slot.level][slot.index]
    }
    set { levels[slot.level][slot.index] = newValue }
  }
}

/// The place of a variable's value at run time, in 8 bytes.
public struct Slot: Sendable, Hashable {
  private let levelNumber: Int32
  private let indexNumber: Int32

  /// The slot at an index of a level, both less than 2³¹.
  public init(level: Int, index: Int) {
    levelNumber = Int32(level)
    indexNumber = Int32(index)
  }

  /// The level of nested blocks, from 0 for the outermost.
  public var level: Int { Int(levelNumber) }
  /// The index in the level, from 0.
  public var index: Int { Int(indexNumber) }
}
