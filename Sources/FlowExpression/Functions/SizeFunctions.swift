internal import FlowCore

/// `size`, as a function and as a method.
enum SizeFunctions {
  static let all = [
    Function("size", signatures, .unary(size)),
    Function("size", isMember: true, signatures, .unary(size)),
  ]

  private static let signatures = [
    Signature([.string], .int), Signature([.bytes], .int),
    Signature([.list(.parameter(0))], .int, typeParameterCount: 1),
    Signature([.map(.parameter(0), .parameter(1))], .int, typeParameterCount: 2),
  ]

  private static func size(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    switch value {
    case .string(let text):
      try frame.charge(text.utf8.count / 32)
      return .int(text.unicodeScalars.count)
    case .bytes(let bytes): return .int(bytes.content.count)
    case .list(let values): return .int(values.count)
    case .map(let map): return .int(map.count)
    default: throw .noOverload
    }
  }
}
