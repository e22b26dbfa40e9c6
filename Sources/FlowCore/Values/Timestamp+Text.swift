extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, with as many fraction digits as needed, at most nine: `2026-01-31T08:00:00.5Z`.
  public var description: String {
    let fields = calendarFields
    let date = "\(padded(fields.year, 4))-\(padded(fields.month, 2))-\(padded(fields.day, 2))"
    let time = "\(padded(fields.hour, 2)):\(padded(fields.minute, 2)):\(padded(fields.second, 2))"
    return date + "T" + time + FractionText.of(nanoseconds: nanoseconds) + "Z"
  }

  /// Reads RFC 3339 (section 5.6, `date-time`), at most nine fraction digits; nil for another form.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    guard
      let year = reader.number(digits: 4), reader.take("-"),
      let month = reader.number(digits: 2), reader.take("-"),
      let day = reader.number(digits: 2), reader.take("T") || reader.take("t"),
      let hour = reader.number(digits: 2), reader.take(":"),
      let minute = reader.number(digits: 2), reader.take(":"),
      let second = reader.number(digits: 2),
      let nanoseconds = reader.fraction(), let offset = reader.zoneOffset(), reader.isAtEnd,
      let local = Timestamp(
        CalendarFields(
          year: year, month: month, day: day, hour: hour, minute: minute, second: second))
    else { return nil }
    self.init(seconds: local.seconds - offset, nanoseconds: nanoseconds)
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}

/// The digits behind the point of a number of seconds.
enum FractionText {
  /// `.5` for 500,000,000 nanoseconds; empty for none.
  static func of(nanoseconds: Int) -> String {
    guard nanoseconds > 0 else { return "" }
    var digits = String(nanoseconds)
    digits = String(repeating: "0", count: 9 - digits.utf8.count) + digits
    while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
    return "." + digits
  }
}

/// Reads the fixed-width numbers of a date.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Nanoseconds of an optional `.digits`; nil for a point without digits or more than nine.
  mutating func fraction() -> Int? {
    guard take(".") else { return 0 }
    var (number, count) = (0, 0)
    while let digit = digit() {
      number = number * 10 + digit
      count += 1
      if count > 9 { return nil }
    }
    guard count > 0 else { return nil }
    for _ in count..<9 { number *= 10 }
    return number
  }

  /// Seconds east of UTC.
  mutating func zoneOffset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+") else { return nil }
    guard let hours = number(digits: 2), take(":"), let minutes = number(digits: 2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
    rest.removeFirst()
    return Int(byte - UInt8(ascii: "0"))
  }
}
