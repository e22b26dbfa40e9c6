internal import FlowSystem

/// An instant: nanoseconds since 1970-01-01T00:00:00Z, on the proleptic Gregorian calendar.
///
/// The range is that of CEL and Protocol Buffers' `Timestamp`: the years 1 to 9999.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Whole seconds since the epoch, rounded down.
  public let seconds: Int
  /// Nanoseconds beyond `seconds`, 0 to 999,999,999.
  public let nanoseconds: Int

  /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds.
  public static let secondsRange = -62_135_596_800...253_402_300_799

  /// The instant, or nil when it lies outside the years 1 to 9999.
  public init?(seconds: Int, nanoseconds: Int = 0) {
    let (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let borrow = rest < 0 ? 1 : 0
    let (sum, overflow) = seconds.addingReportingOverflow(carry - borrow)
    guard !overflow, Self.secondsRange.contains(sum) else { return nil }
    self.seconds = sum
    self.nanoseconds = rest + borrow * 1_000_000_000
  }

  /// 1970-01-01T00:00:00Z.
  public static let epoch = Timestamp(checkedSeconds: 0)

  private init(checkedSeconds: Int) {
    seconds = checkedSeconds
    nanoseconds = 0
  }

  /// Earlier comes first.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// The instant `duration` later, to the nanosecond, or nil outside the years 1 to 9999.
  public func advanced(by duration: Duration) -> Timestamp? {
    let (wholeSeconds, attoseconds) = duration.components
    let (sum, overflow) = seconds.addingReportingOverflow(Int(wholeSeconds))
    if overflow { return nil }
    return Timestamp(
      seconds: sum, nanoseconds: nanoseconds + Int(attoseconds / 1_000_000_000))
  }

  /// The time from another instant to this one.
  public func duration(since other: Timestamp) -> Duration {
    .seconds(seconds - other.seconds) + .nanoseconds(nanoseconds - other.nanoseconds)
  }
}

// MARK: - Calendar

extension Timestamp {
  /// An instant's fields on the calendar, in UTC.
  public struct CalendarFields: Sendable, Hashable {
    /// Year 1 to 9999.
    public var year: Int
    /// Month 1 to 12.
    public var month: Int
    /// Day of the month, from 1.
    public var day: Int
    /// Hour 0 to 23.
    public var hour: Int
    /// Minute 0 to 59.
    public var minute: Int
    /// Second 0 to 59.
    public var second: Int
  }

  /// The fields in UTC, by the algorithm of Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  public var calendarFields: CalendarFields {
    let days = (seconds - modulo(seconds, 86_400)) / 86_400
    let time = modulo(seconds, 86_400)
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return CalendarFields(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * marchMonth + 2) / 5 + 1,
      hour: time / 3_600, minute: time / 60 % 60, second: time % 60)
  }

  /// The instant with these fields in UTC, or nil if a field is out of its range.
  public init?(_ fields: CalendarFields) {
    guard
      1...9_999 ~= fields.year, 1...12 ~= fields.month,
      1...Self.days(inMonth: fields.month, of: fields.year) ~= fields.day,
      0...23 ~= fields.hour, 0...59 ~= fields.minute, 0...59 ~= fields.second
    else { return nil }
    let days = Self.daysSinceEpoch(fields.year, fields.month, fields.day)
    self.init(
      seconds: days * 86_400 + fields.hour * 3_600 + fields.minute * 60 + fields.second)
  }

  /// The day's number, 0 for 1970-01-01.
  static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  private func modulo(_ value: Int, _ divisor: Int) -> Int {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, with as many fraction digits as needed, at most nine: `2026-01-31T08:00:00.5Z`.
  public var description: String {
    let fields = calendarFields
    let date = "\(padded(fields.year, 4))-\(padded(fields.month, 2))-\(padded(fields.day, 2))"
    let time = "\(padded(fields.hour, 2)):\(padded(fields.minute, 2)):\(padded(fields.second, 2))"
    return date + "T" + time + FractionText.of(nanoseconds: nanoseconds) + "Z"
  }

  /// Reads RFC 3339 (section 5.6, `date-time`) with at most nine fraction digits.
  ///
  /// Nil for another form.
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

/// The digits after the point of a number of seconds.
enum FractionText {
  /// `.5` for 500,000,000 nanoseconds, or an empty string for 0.
  static func of(nanoseconds: Int) -> String {
    guard nanoseconds > 0 else { return "" }
    var (number, count) = (nanoseconds, 9)
    while number % 10 == 0 { (number, count) = (number / 10, count - 1) }
    let digits = String(number)
    return "." + String(repeating: "0", count: count - digits.utf8.count) + digits
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

  /// Nanoseconds of an optional `.digits`, or nil for a point without digits or more than nine.
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
    guard let byte = rest.first, byte.isDigit else { return nil }
    rest.removeFirst()
    return Int(byte - UInt8(ascii: "0"))
  }
}

/// The system's wall clock.
package enum SystemTime {
  /// The time now, in UTC.
  @Sendable package static func now() -> Timestamp {
    let (seconds, nanoseconds) = FileSystem.wallClock
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds) ?? .epoch
  }
}
