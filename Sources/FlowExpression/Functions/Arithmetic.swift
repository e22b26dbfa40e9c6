internal import FlowCore

/// `+ - * / %` on values, with errors where a result leaves its range ("Overflow").
enum Arithmetic {
  static func sum(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): return try int(a.addingReportingOverflow(b))
    case (.uint(let a), .uint(let b)): return try uint(a.addingReportingOverflow(b))
    case (.double(let a), .double(let b)): return .double(a + b)
    case (.string(let a), .string(let b)):
      try frame.charge((a.utf8.count + b.utf8.count) / 32)
      return .string(a + b)
    case (.bytes(let a), .bytes(let b)):
      try frame.charge((a.content.count + b.content.count) / 32)
      return .bytes(Bytes(a.content + b.content))
    case (.list(let a), .list(let b)):
      try frame.charge(a.count + b.count)
      return .list(a + b)
    case (.timestamp(let a), .duration(let b)), (.duration(let b), .timestamp(let a)):
      return try TimeMath.timestamp(a, advancedBy: b)
    case (.duration(let a), .duration(let b)): return try TimeMath.duration(a + b)
    default: return try decimal(left, right) { (a, b) throws(DecimalError) in try a + b }
    }
  }

  static func difference(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): try int(a.subtractingReportingOverflow(b))
    case (.uint(let a), .uint(let b)): try uint(a.subtractingReportingOverflow(b))
    case (.double(let a), .double(let b)): .double(a - b)
    case (.timestamp(let a), .timestamp(let b)): try TimeMath.duration(a.duration(since: b))
    case (.timestamp(let a), .duration(let b)): try TimeMath.timestamp(a, advancedBy: .zero - b)
    case (.duration(let a), .duration(let b)): try TimeMath.duration(a - b)
    default: try decimal(left, right) { (a, b) throws(DecimalError) in try a - b }
    }
  }

  static func product(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): try int(a.multipliedReportingOverflow(by: b))
    case (.uint(let a), .uint(let b)): try uint(a.multipliedReportingOverflow(by: b))
    case (.double(let a), .double(let b)): .double(a * b)
    default: try decimal(left, right) { (a, b) throws(DecimalError) in try a * b }
    }
  }

  static func quotient(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int, .int(0)), (.uint, .uint(0)): throw .divisionByZero
    case (.int(let a), .int(let b)): return try int(a.dividedReportingOverflow(by: b))
    case (.uint(let a), .uint(let b)): return .uint(a / b)
    case (.double(let a), .double(let b)): return .double(a / b)
    default: return try decimal(left, right) { (a, b) throws(DecimalError) in try a / b }
    }
  }

  static func remainder(
    _ left: Value, _ right: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int, .int(0)), (.uint, .uint(0)): throw .divisionByZero
    case (.int(let a), .int(let b)): return try int(a.remainderReportingOverflow(dividingBy: b))
    case (.uint(let a), .uint(let b)): return .uint(a % b)
    default:
      return try decimal(left, right) { (a, b) throws(DecimalError) in
        try DecimalMath.remainder(a, b)
      }
    }
  }

  static func negated(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .int(let number): return try int((0 as Int).subtractingReportingOverflow(number))
    case .double(let number): return .double(-number)
    case .decimal(let number):
      do { return .decimal(try number.negated()) } catch { throw EvaluationError(error) }
    default: throw .noOverload
    }
  }

  // MARK: - Results

  private static func int(
    _ result: (partialValue: Int, overflow: Bool)
  ) throws(EvaluationError) -> Value {
    if result.overflow { throw .overflow("int") }
    return .int(result.partialValue)
  }

  private static func uint(
    _ result: (partialValue: UInt, overflow: Bool)
  ) throws(EvaluationError) -> Value {
    if result.overflow { throw .overflow("uint") }
    return .uint(result.partialValue)
  }

  /// Two numbers of which one is a decimal and the other none with a binary fraction.
  private static func decimal(
    _ left: Value, _ right: Value,
    _ compute: (Decimal, Decimal) throws(DecimalError) -> Decimal
  ) throws(EvaluationError) -> Value {
    guard DecimalMath.isDecimal(left) || DecimalMath.isDecimal(right),
      let a = DecimalMath.widened(left), let b = DecimalMath.widened(right)
    else { throw .noOverload }
    do { return .decimal(try compute(a, b)) } catch { throw EvaluationError(error) }
  }
}
