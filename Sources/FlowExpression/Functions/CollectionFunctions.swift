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

/// The lists extension, with `reverse` of the strings extension, which has the same name.
enum ListExtension {
  private static let element = ExpressionType.parameter(0)
  private static let list = ExpressionType.list(.parameter(0))

  static let all = [
    Function(
      "flatten", isMember: true,
      [Signature([.list(list)], list, typeParameterCount: 1)], .unary(flatten)),
    method("flatten", [list, .int], result: .list(.dyn), .several(2, flattenDeep)),
    method("slice", [list, .int, .int], result: list, .several(3, slice)),
    method("part", [list, .int], result: list, .several(2, part)),
    method("part", [list, .int, .int], result: list, .several(3, part)),
    method("distinct", [list], result: list, .unary(distinct)),
    method("unique", [list], result: list, .unary(distinct)),
    Function("sum", isMember: true, sums, .unary(sum)),
    Function("sum", sums, .unary(sum)),
    Function(
      "descendants", [Signature([element], .list(.dyn), typeParameterCount: 1)],
      .unary(descendants)),
    method("sort", [list], result: list, .unary(sort)),
    method("first", [list], result: .optional(element), .unary(first)),
    method("last", [list], result: .optional(element), .unary(last)),
    Function(
      "reverse", isMember: true,
      [Signature([.string], .string), Signature([list], list, typeParameterCount: 1)],
      .unary(reverse)),
    Function("lists.range", [Signature([.int], .list(.int))], .unary(range)),
  ]

  private static var sums: [Signature] {
    [.int, .uint, .double, .decimal, .duration].map { Signature([.list($0)], $0) }
  }

  private static func method(
    _ name: String, _ parameters: [ExpressionType], result: ExpressionType, _ body: Function.Body
  ) -> Function {
    Function(name, isMember: true, [Signature(parameters, result, typeParameterCount: 1)], body)
  }

  private static func values(_ value: Value) throws(EvaluationError) -> [Value] {
    guard case .list(let values) = value else { throw .noOverload }
    return values
  }

  private static func int(_ value: Value) throws(EvaluationError) -> Int {
    guard case .int(let number) = value else { throw .noOverload }
    return number
  }

  private static func first(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    .optional(try values(value).first)
  }

  private static func last(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    .optional(try values(value).last)
  }

  // MARK: - Shape

  private static func flatten(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    .list(try flattened(try values(value), 1, &frame))
  }

  private static func flattenDeep(
    _ arguments: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let depth = try int(arguments[1])
    if depth < 0 { throw .negativeDepth }
    return .list(try flattened(try values(arguments[0]), depth, &frame))
  }

  private static func flattened(
    _ values: [Value], _ depth: Int, _ frame: inout Frame
  ) throws(EvaluationError) -> [Value] {
    try frame.charge(values.count)
    guard depth > 0 else { return values }
    var result: [Value] = []
    for value in values {
      if case .list(let inner) = value {
        result += try flattened(inner, depth - 1, &frame)
      } else {
        result.append(value)
      }
    }
    return result
  }

  private static func slice(
    _ arguments: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let values = try values(arguments[0])
    let start = try int(arguments[1])
    let end = try int(arguments[2])
    for index in [start, end] where !(0...values.count ~= index) {
      throw .sliceOutOfRange(index, count: values.count)
    }
    guard start <= end else { throw .reversedRange(start, end) }
    try frame.charge(end - start)
    return .list(Array(values[start..<end]))
  }

  /// The part of a list between two limits.
  ///
  /// A negative limit counts from the end, and a limit outside of the list is its nearest end.
  private static func part(
    _ arguments: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let values = try values(arguments[0])
    func limited(_ value: Value) throws(EvaluationError) -> Int {
      let index = try int(value)
      return index < 0 ? max(0, values.count + index) : min(index, values.count)
    }
    let start = try limited(arguments[1])
    let end = arguments.count > 2 ? try limited(arguments[2]) : values.count
    guard start < end else { return .list([]) }
    try frame.charge(end - start)
    return .list(Array(values[start..<end]))
  }

  /// The sum of numbers or durations of one type, the whole number 0 for an empty list.
  private static func sum(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    let values = try values(value)
    try frame.charge(values.count)
    guard var sum = values.first else { return .int(0) }
    guard NumericValue(sum) != nil || sum.isDuration else { throw .noOverload }
    for value in values.dropFirst() {
      guard NumericValue(value) != nil || value.isDuration else { throw .noOverload }
      sum = try Arithmetic.sum(sum, value, &frame)
    }
    return sum
  }

  /// A value and all values inside of its lists and maps, outer ones first.
  private static func descendants(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    var all: [Value] = []
    try collect(value, into: &all, &frame)
    return .list(all)
  }

  private static func collect(
    _ value: Value, into all: inout [Value], _ frame: inout Frame
  ) throws(EvaluationError) {
    try frame.charge(1)
    all.append(value)
    switch value {
    case .list(let values): for value in values { try collect(value, into: &all, &frame) }
    case .map(let map): for entry in map.entries { try collect(entry.value, into: &all, &frame) }
    default: break
    }
  }

  private static func reverse(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch value {
    case .list(let values):
      try frame.charge(values.count)
      return .list(values.reversed())
    case .string(let text):
      try frame.charge(text.utf8.count / 16)
      return .string(String(String.UnicodeScalarView(text.unicodeScalars.reversed())))
    default: throw .noOverload
    }
  }

  private static func range(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    let count = max(0, try int(value))
    try frame.charge(count)
    return .list((0..<count).map(Value.int))
  }

  // MARK: - Order

  private static func distinct(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let values = try values(value)
    try frame.charge(sizeOf: value)
    var seen: Set<Value> = []
    var result: [Value] = []
    for value in values {
      // Maps and records hash by their kind alone, so each is compared with all before it.
      switch value {
      case .map, .record: try frame.charge(seen.count)
      default: break
      }
      if seen.insert(value).inserted { result.append(value) }
    }
    return .list(result)
  }

  private static func sort(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    .list(try Ordering.sorted(try values(value).map { ($0, $0) }, &frame))
  }
}

/// The functions of the optionals extension.
///
/// `optMap` and `optFlatMap` are macros.
enum OptionalFunctions {
  private static let element = ExpressionType.parameter(0)
  private static let optional = ExpressionType.optional(.parameter(0))

  static let all = [
    Function("optional.none", [generic([], optional)], .several(0) { _, _ in .optional(nil) }),
    Function(
      "optional.of", [generic([element], optional)], .unary { value, _ in .optional(value) }),
    Function(
      "optional.ofNonZeroValue", [generic([element], optional)],
      .unary { value, _ in .optional(isZero(value) ? nil : value) }),
    Function("optional.unwrap", [generic([.list(optional)], .list(element))], .unary(unwrap)),
    Function(
      "unwrapOpt", isMember: true, [generic([.list(optional)], .list(element))], .unary(unwrap)),
    Function("hasValue", isMember: true, [generic([optional], .bool)], .unary(hasValue)),
    Function("value", isMember: true, [generic([optional], element)], .unary(value)),
    Function(
      "or", isMember: true, [generic([optional, optional], optional)],
      .fallback(isUnwrapping: false)),
    Function(
      "orValue", isMember: true, [generic([optional, element], element)],
      .fallback(isUnwrapping: true)),
  ]

  private static func generic(
    _ parameters: [ExpressionType], _ result: ExpressionType
  ) -> Signature {
    Signature(parameters, result, typeParameterCount: 1)
  }

  private static func hasValue(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .optional(let wrapped) = value else { throw .noOverload }
    return .bool(wrapped != nil)
  }

  private static func value(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    guard case .optional(let wrapped) = value else { throw .noOverload }
    guard let wrapped else { throw .emptyOptional }
    return wrapped
  }

  private static func unwrap(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .list(let values) = value else { throw .noOverload }
    try frame.charge(values.count)
    var result: [Value] = []
    for value in values {
      guard case .optional(let wrapped) = value else { throw .noOverload }
      if let wrapped { result.append(wrapped) }
    }
    return .list(result)
  }

  /// The values that `ofNonZeroValue` treats as nothing.
  private static func isZero(_ value: Value) -> Bool {
    switch value {
    case .null, .bool(false), .int(0), .uint(0), .string(""): true
    case .double(let number): number == 0
    case .decimal(let number): number.significand == 0
    case .number(let number): isZero(number.value)
    case .bytes(let bytes): bytes.content.isEmpty
    case .list(let values): values.isEmpty
    case .map(let map): map.isEmpty
    case .duration(let span): span == .zero
    case .timestamp(let instant): instant == .epoch
    case .optional(let wrapped): wrapped == nil
    default: false
    }
  }
}

extension Value {
  fileprivate var isDuration: Bool {
    if case .duration = self { true } else { false }
  }
}
