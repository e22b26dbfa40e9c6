internal import FlowCore

/// Conversions to numbers; a fraction is cut off, a number out of range is an error.
enum NumberConversions {
  static func int(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .int: return value
    case .uint(let number): return .int(try whole(Int(exactly: number), value, "int"))
    case .double(let number):
      // The bounds themselves are excluded: whether they survive depends on the rounding.
      guard number > -0x1p63, number < 0x1p63 else { throw .range(value, of: "int") }
      return .int(Int(number))
    case .decimal(let number): return .int(try whole(Int(exactly: cut(number)), value, "int"))
    case .string(let text):
      guard let number = Int(text) else { throw .conversion(value, to: "int") }
      return .int(number)
    case .timestamp(let instant): return .int(instant.seconds)
    default: throw .noOverload
    }
  }

  static func uint(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .uint: return value
    case .int(let number): return .uint(try whole(UInt(exactly: number), value, "uint"))
    case .double(let number):
      guard number >= 0, number < 0x1p64 else { throw .range(value, of: "uint") }
      return .uint(UInt(number))
    case .decimal(let number): return .uint(try whole(UInt(exactly: cut(number)), value, "uint"))
    case .string(let text):
      // Without a sign, as in Go; `UInt.init` takes even `-0`.
      guard text.utf8.allSatisfy(Lexer.isDigit), let number = UInt(text) else {
        throw .conversion(value, to: "uint")
      }
      return .uint(number)
    default: throw .noOverload
    }
  }

  static func double(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .double: return value
    case .int(let number): return .double(Double(number))
    case .uint(let number): return .double(Double(number))
    case .decimal(let number): return .double(number.double)
    case .string(let text):
      guard let number = Double(text) else { throw .conversion(value, to: "double") }
      return .double(number)
    default: throw .noOverload
    }
  }

  static func decimal(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .decimal: return value
    case .int, .uint:
      guard let number = DecimalMath.widened(value) else { throw .noOverload }
      return .decimal(number)
    case .double(let double):
      guard let number = Decimal(double) else { throw .range(value, of: "decimal") }
      return .decimal(number)
    case .string(let text):
      guard let number = Decimal(text) else { throw .conversion(value, to: "decimal") }
      return .decimal(number)
    default: throw .noOverload
    }
  }

  private static func whole<Number>(
    _ number: Number?, _ value: Value, _ type: String
  ) throws(EvaluationError) -> Number {
    guard let number else { throw .range(value, of: type) }
    return number
  }

  private static func cut(_ number: Decimal) -> Int128 {
    DecimalMath.rounded(number, to: 0, .towardZero).significand
  }
}
