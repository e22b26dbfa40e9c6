internal import FlowCore
internal import FlowSystem

/// Conversions between types, `type` and `dyn` ("Types and Conversions").
enum Conversions {
  static let all = [
    Function("bool", signatures([.bool, .string], .bool), .unary(bool)),
    Function(
      "int", signatures([.int, .uint, .double, .decimal, .string, .timestamp], .int),
      .unary(NumberConversions.int)),
    Function(
      "uint", signatures([.uint, .int, .double, .decimal, .string], .uint),
      .unary(NumberConversions.uint)),
    Function(
      "double", signatures([.double, .int, .uint, .decimal, .string], .double),
      .unary(NumberConversions.double)),
    Function(
      "decimal", signatures([.decimal, .int, .uint, .double, .string], .decimal),
      .unary(NumberConversions.decimal)),
    Function("string", signatures(textual, .string), .unary(string)),
    Function("string", [Signature([.bytes, .string], .string)], .binary(decoded)),
    Function("bytes", signatures([.bytes, .string], .bytes), .unary(bytes)),
    Function("timestamp", signatures([.timestamp, .string, .int], .timestamp), .unary(timestamp)),
    Function("duration", signatures([.duration, .string], .duration), .unary(duration)),
    Function(
      "dyn", [Signature([.parameter(0)], .dyn, typeParameterCount: 1)], .unary { value, _ in value }
    ),
    Function(
      "type", [Signature([.parameter(0)], .type, typeParameterCount: 1)],
      .unary { value, _ in .type(value.typeName) }),
  ]

  private static let textual: [ExpressionType] = [
    .string, .bool, .int, .uint, .double, .decimal, .bytes, .timestamp, .duration,
  ]

  private static func signatures(
    _ parameters: [ExpressionType], _ result: ExpressionType
  ) -> [Signature] {
    parameters.map { Signature([$0], result) }
  }

  private static func bool(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .bool: return value
    case .string("1"), .string("t"), .string("T"), .string("true"), .string("TRUE"),
      .string("True"):
      return .bool(true)
    case .string("0"), .string("f"), .string("F"), .string("false"), .string("FALSE"),
      .string("False"):
      return .bool(false)
    case .string: throw .conversion(value, to: "bool")
    default: throw .noOverload
    }
  }

  private static func string(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch value {
    case .string: return value
    case .bool, .int, .uint, .decimal, .number, .timestamp, .duration:
      return .string(value.description)
    case .double(let number): return .string(NumberText.shortest(number))
    case .bytes(let bytes):
      try frame.charge(bytes.content.count / 32)
      guard let text = String(validating: bytes.content, as: UTF8.self) else { throw .invalidUTF8 }
      return .string(text)
    default: throw .noOverload
    }
  }

  /// Decodes bytes by the name of their encoding.
  private static func decoded(
    _ value: Value, _ name: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .bytes(let bytes) = value, case .string(let label) = name else { throw .noOverload }
    try frame.charge(1 + bytes.content.count / 8)
    guard let charset = Charset(label: label) else { throw .unknownEncoding(label) }
    guard let text = charset.text(ofMarked: bytes.content) else { throw .notEncoded(label) }
    return .string(text)
  }

  private static func bytes(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .bytes: return value
    case .string(let text):
      try frame.charge(text.utf8.count / 32)
      return .bytes(Bytes(Array(text.utf8)))
    default: throw .noOverload
    }
  }

  private static func timestamp(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch value {
    case .timestamp: return value
    case .int(let seconds):
      guard let instant = Timestamp(seconds: seconds) else { throw .range(value, of: "timestamp") }
      return .timestamp(instant)
    case .string(let text):
      guard let instant = Timestamp(text) else { throw .conversion(value, to: "timestamp") }
      return .timestamp(instant)
    default: throw .noOverload
    }
  }

  private static func duration(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch value {
    case .duration: return value
    case .string(let text):
      // Go's grammar, which the definition follows, has a zero without a unit.
      if text == "0" || text == "+0" || text == "-0" { return .duration(.zero) }
      guard let span = Duration(flowText: text) else { throw .conversion(value, to: "duration") }
      return .duration(span)
    default: throw .noOverload
    }
  }
}

private enum NumberConversions {
  static func int(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .int: return value
    case .uint(let number): return .int(try inRange(Int(exactly: number), value, "int"))
    case .double(let number):
      // The bounds themselves are excluded: whether they survive depends on the rounding.
      guard number > -0x1p63, number < 0x1p63 else { throw .range(value, of: "int") }
      return .int(Int(number))
    case .decimal(let number): return .int(try inRange(Int(exactly: cut(number)), value, "int"))
    case .string(let text): return .int(try parsed(Int(text), value, "int"))
    case .timestamp(let instant): return .int(instant.seconds)
    default: throw .noOverload
    }
  }

  static func uint(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .uint: return value
    case .int(let number): return .uint(try inRange(UInt(exactly: number), value, "uint"))
    case .double(let number):
      guard number >= 0, number < 0x1p64 else { throw .range(value, of: "uint") }
      return .uint(UInt(number))
    case .decimal(let number): return .uint(try inRange(UInt(exactly: cut(number)), value, "uint"))
    case .string(let text):
      // Without a sign, as in Go; `UInt.init` takes even `-0`.
      let isUnsigned = text.utf8.allSatisfy(\.isDigit)
      return .uint(try parsed(isUnsigned ? UInt(text) : nil, value, "uint"))
    default: throw .noOverload
    }
  }

  static func double(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .double: return value
    case .int(let number): return .double(Double(number))
    case .uint(let number): return .double(Double(number))
    case .decimal(let number): return .double(number.double)
    case .string(let text): return .double(try parsed(Double(text), value, "double"))
    default: throw .noOverload
    }
  }

  static func decimal(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .decimal: return value
    case .int(let number): return .decimal(Decimal(number))
    case .uint(let number): return .decimal(Decimal(significand: Int128(number), scale: 0))
    case .double(let number): return .decimal(try inRange(Decimal(number), value, "decimal"))
    // The nearest double would be one of other digits.
    case .number(let number): return .decimal(try inRange(Decimal(number.text), value, "decimal"))
    case .string(let text): return .decimal(try parsed(Decimal(text), value, "decimal"))
    default: throw .noOverload
    }
  }

  private static func inRange<Number>(
    _ number: Number?, _ value: Value, _ type: String
  ) throws(EvaluationError) -> Number {
    guard let number else { throw .range(value, of: type) }
    return number
  }

  private static func parsed<Number>(
    _ number: Number?, _ value: Value, _ type: String
  ) throws(EvaluationError) -> Number {
    guard let number else { throw .conversion(value, to: type) }
    return number
  }

  private static func cut(_ number: Decimal) -> Int128 {
    DecimalMath.rounded(number, to: 0, .towardZero).significand
  }
}

/// The texts of binary floating-point numbers.
enum NumberText {
  /// The shortest text that reads as the number, without a fraction of zero: `1`, `0.1`, `1e+23`.
  static func shortest(_ number: Double) -> String {
    if let name = name(number) { return name }
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The name of a number without digits.
  static func name(_ number: Double) -> String? {
    if number.isNaN { return "NaN" }
    return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : nil
  }
}

extension Value {
  var typeName: String {
    switch self {
    case .null: "null_type"
    case .timestamp: "google.protobuf.Timestamp"
    case .duration: "google.protobuf.Duration"
    case .optional: "optional_type"
    default: kindName
    }
  }
}

/// `json` and `toJSON`: values and their JSON texts, as components read and write them.
enum JSONFunctions {
  static let all = [
    Function("json", [Signature([.string], .dyn), Signature([.bytes], .dyn)], .unary(value)),
    Function(
      "toJSON", [Signature([.parameter(0)], .string, typeParameterCount: 1)], .unary(text)),
  ]

  private static func text(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    try frame.charge(sizeOf: value)
    do throws(JSONNumberError) { return .string(try value.jsonText()) } catch {
      throw .notInJSON("\(error)")
    }
  }

  private static func value(_ text: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    let bytes =
      switch text {
      case .string(let text): Array(text.utf8)
      case .bytes(let bytes): bytes.content
      default: throw .noOverload
      }
    try frame.charge(bytes.count / 8)
    let value: Value
    do throws(JSONError) { value = try Value(json: bytes) } catch { throw .json(error, in: bytes) }
    if let excess = value.excess() { throw .excess(excess) }
    return value
  }
}
