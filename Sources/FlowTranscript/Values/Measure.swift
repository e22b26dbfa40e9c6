internal import FlowCore
internal import FlowSystem

/// A value with a distance from others: a number, an instant or a duration.
enum Measure {
  case number(Decimal)
  /// A number that is too large or too small to be exact.
  case double(Double)
  case instant(Timestamp)
  case span(Duration)

  /// Reads a value.
  ///
  /// Nil for one without a distance from others.
  init?(_ value: Value) {
    switch value {
    case .int(let number): self = .number(Decimal(number))
    case .uint(let number): self = .number(Decimal(significand: Int128(number), scale: 0))
    case .decimal(let number): self = .number(number)
    case .number(let number): self.init(number.value)
    // By its shortest text, so 1.6 is 0.1 away from 1.5.
    case .double(let number): self = Decimal("\(number)").map(Self.number) ?? .double(number)
    case .timestamp(let instant): self = .instant(instant)
    case .duration(let span): self = .span(span)
    default: return nil
    }
  }

  /// Reads a number, or a string of a number, an instant or a duration.
  init?(_ json: JSON) {
    switch json {
    case .number(let text):
      if let number = Decimal(text) {
        self = .number(number)
      } else if let number = Double(text), number.isFinite {
        self = .double(number)
      } else {
        return nil
      }
    case .string(let text):
      if let number = Decimal(text) {
        self = .number(number)
      } else if let instant = Timestamp(text) {
        self = .instant(instant)
      } else if let span = Duration(flowText: text) {
        self = .span(span)
      } else {
        return nil
      }
    case .object:
      guard let value = try? Value(dynamic: json) else { return nil }
      self.init(value)
    default: return nil
    }
  }

  /// True for a number.
  var isNumber: Bool {
    switch self {
    case .number, .double: true
    case .instant, .span: false
    }
  }

  /// Returns true if it is a distance, zero or more, that fits the kind of the center.
  func isTolerance(of center: Measure) -> Bool {
    switch self {
    case .number(let number): center.isNumber && number >= .zero
    case .double(let number): center.isNumber && number >= 0 && number.isFinite
    case .span(let span): !center.isNumber && span >= .zero
    case .instant: false
    }
  }

  /// Returns true if it is no further from the center than the tolerance.
  func isNear(_ center: Measure, within tolerance: Measure) -> Bool {
    switch (self, center, tolerance) {
    case (.instant(let instant), .instant(let center), .span(let limit)):
      Self.isNear(instant.duration(since: center), limit)
    case (.span(let span), .span(let center), .span(let limit)): Self.isNear(span - center, limit)
    case (.number(let number), .number(let center), .number(let limit)):
      Self.isNear(number, center, limit)
    default: Self.isNear(double, center.double, tolerance.double)
    }
  }

  private static func isNear(_ distance: Duration, _ limit: Duration) -> Bool {
    (.zero - limit)...limit ~= distance
  }

  private static func isNear(_ number: Decimal, _ center: Decimal, _ limit: Decimal) -> Bool {
    guard let distance = try? number - center, let lowest = try? limit.negated() else {
      return isNear(number.double, center.double, limit.double)
    }
    return lowest...limit ~= distance
  }

  private static func isNear(_ number: Double?, _ center: Double?, _ limit: Double?) -> Bool {
    guard let number, let center, let limit else { return false }
    // Infinite numbers are no distance from themselves.
    return number == center || abs(number - center) <= limit
  }

  private var double: Double? {
    switch self {
    case .number(let number): number.double
    case .double(let number): number
    case .instant, .span: nil
    }
  }
}

extension Measure: CustomStringConvertible {
  /// The notation of scenarios.
  var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .double(let number): "\(number)"
    case .instant(let instant): "\(instant)"
    case .span(let span): span.flowText
    }
  }
}
