internal import FlowCore

/// The functions of the math extension on bits.
enum BitFunctions {
  static let all = [
    pair("math.bitAnd") { $0 & $1 },
    pair("math.bitOr") { $0 | $1 },
    pair("math.bitXor") { $0 ^ $1 },
    Function("math.bitNot", [Signature([.int], .int), Signature([.uint], .uint)], .unary(not)),
    shift("math.bitShiftLeft") { $0 << $1 },
    // Vacant bits are filled with zeros, also for negative numbers.
    shift("math.bitShiftRight") { $0 >> $1 },
  ]

  private static func pair(
    _ name: String, _ combine: @escaping @Sendable (UInt, UInt) -> UInt
  ) -> Function {
    Function(
      name, [Signature([.int, .int], .int), Signature([.uint, .uint], .uint)],
      .binary { (left, right, _) throws(EvaluationError) in
        switch (left, right) {
        case (.int(let a), .int(let b)):
          .int(Int(bitPattern: combine(UInt(bitPattern: a), UInt(bitPattern: b))))
        case (.uint(let a), .uint(let b)): .uint(combine(a, b))
        default: throw .noOverload
        }
      })
  }

  private static func shift(
    _ name: String, _ shifted: @escaping @Sendable (UInt, Int) -> UInt
  ) -> Function {
    Function(
      name, [Signature([.int, .int], .int), Signature([.uint, .int], .uint)],
      .binary { (number, count, _) throws(EvaluationError) in
        guard case .int(let count) = count else { throw .noOverload }
        if count < 0 { throw .negativeShift }
        // The smart shift of Swift answers with zero for 64 and more.
        switch number {
        case .int(let number):
          return .int(Int(bitPattern: shifted(UInt(bitPattern: number), count)))
        case .uint(let number): return .uint(shifted(number, count))
        default: throw .noOverload
        }
      })
  }

  private static func not(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .int(let number): .int(~number)
    case .uint(let number): .uint(~number)
    default: throw .noOverload
    }
  }
}
