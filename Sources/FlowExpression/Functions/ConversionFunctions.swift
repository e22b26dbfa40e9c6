internal import FlowCore

/// Conversions between types, `type` and `dyn` ("Types and Conversions").
enum ConversionFunctions {
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
    case .bool, .int, .uint, .decimal, .timestamp, .duration: return .string(value.description)
    case .double(let number): return .string(NumberText.shortest(number))
    case .bytes(let bytes):
      guard let text = String(validating: bytes.content, as: UTF8.self) else { throw .invalidUTF8 }
      return .string(text)
    default: throw .noOverload
    }
  }

  private static func bytes(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .bytes: return value
    case .string(let text): return .bytes(Bytes(Array(text.utf8)))
    default: throw .noOverload
    }
  }

  private static func timestamp(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch value {
    case .timestamp: return value
    case .int(let seconds):
      guard let instant = Timestamp(seconds: seconds) else {
        throw .range(value, of: "timestamp")
      }
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
