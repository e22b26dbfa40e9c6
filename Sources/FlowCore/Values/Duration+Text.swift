extension Duration {
  /// Reads a signed sequence of numbers with units, as in `1h30m`, `200ms`, `1.5s` or `30d`.
  ///
  /// The grammar is that of Go's `time.ParseDuration`, which CEL refers to, with `d` for 24 hours.
  /// Only `0` needs no unit. Nil for another form or beyond about 292 years. The smallest step is a
  /// nanosecond.
  public init?(flowText text: String) {
    var rest = Substring(text)
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    if rest == "0" { rest = "0s" }
    var total = Decimal.zero
    while !rest.isEmpty {
      guard let part = Self.takePart(&rest), let sum = try? total + part else { return nil }
      total = sum
    }
    // Digits below a nanosecond are cut off, as Go does.
    let whole = total.significand / Decimal.powerOfTen(Int(total.scale))
    guard let nanoseconds = Int(exactly: isNegative ? -whole : whole) else { return nil }
    self = .nanoseconds(nanoseconds)
  }

  /// Seconds with the unit, as CEL's `string(duration)` prints them: `1.5s`, `-0.2s`, `2592000s`.
  public var flowText: String {
    let (seconds, attoseconds) = components
    let nanoseconds = attoseconds / 1_000_000_000
    let isNegative = seconds < 0 || nanoseconds < 0
    let fraction = FractionText.of(nanoseconds: Int(nanoseconds.magnitude))
    return (isNegative ? "-" : "") + String(seconds.magnitude) + fraction + "s"
  }

  private static func takePart(_ rest: inout Substring) -> Decimal? {
    // By bytes: the properties of a character take long to find.
    let unitStart = rest.utf8.firstIndex { !isOfNumber($0) } ?? rest.endIndex
    let end = rest.utf8[unitStart...].firstIndex(where: isOfNumber) ?? rest.endIndex
    let (digits, unit) = (rest[..<unitStart], rest[unitStart..<end])
    rest = rest[end...]
    guard let number = Decimal(String(digits)), let nanoseconds = nanoseconds(of: unit) else {
      return nil
    }
    // Only a number of absurd length overflows here, and it is no duration either.
    return try? number * Decimal(nanoseconds)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
  }

  private static func nanoseconds(of unit: Substring) -> Int? {
    switch unit {
    case "ns": 1
    case "us", "µs", "μs": 1_000
    case "ms": 1_000_000
    case "s": 1_000_000_000
    case "m": 60_000_000_000
    case "h": 3_600_000_000_000
    case "d": 86_400_000_000_000
    default: nil
    }
  }
}
