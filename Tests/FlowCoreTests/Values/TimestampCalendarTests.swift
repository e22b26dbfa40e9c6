import FlowCore
import Testing

struct TimestampCalendarTests {
  /// The calendar repeats itself after 400 years, which have 146,097 days.
  @Test(arguments: [1, 1_750, 9_599])
  func `the fields of every day make the same day again`(_ firstYear: Int) throws {
    var first = Timestamp.epoch.calendarFields
    first.year = firstYear
    let start = try #require(Timestamp(first)).seconds + 45_296
    var expected = (year: firstYear, month: 1, day: 1)

    for day in 0..<146_097 {
      let timestamp = try #require(Timestamp(seconds: start + day * 86_400))
      let fields = timestamp.calendarFields
      let isRight =
        (fields.year, fields.month, fields.day) == expected
        && (fields.hour, fields.minute, fields.second) == (12, 34, 56)
        && Timestamp(fields) == timestamp
      try #require(isRight, "\(fields) is not \(expected)")
      expected = following(expected)
    }

    #expect(expected == (firstYear + 400, 1, 1))
  }

  /// The next day, counted by hand rather than by the formula under test.
  private func following(_ date: (year: Int, month: Int, day: Int)) -> (Int, Int, Int) {
    let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if date.day < lengths[date.month - 1] { return (date.year, date.month, date.day + 1) }
    return date.month < 12 ? (date.year, date.month + 1, 1) : (date.year + 1, 1, 1)
  }

  @Test(arguments: [
    Row("the epoch", 0, "1970 1 1 0 0 0"), Row("a second before", -1, "1969 12 31 23 59 59"),
    Row("a day before", -86_400, "1969 12 31 0 0 0"),
    Row("a leap day", 951_868_799, "2000 2 29 23 59 59"),
    Row("the first second", -62_135_596_800, "1 1 1 0 0 0"),
    Row("the last second", 253_402_300_799, "9999 12 31 23 59 59"),
  ])
  func `an instant has its fields in UTC`(_ row: Row<Int, String>) throws {
    let fields = try #require(Timestamp(seconds: row.input)).calendarFields
    let numbers = [
      fields.year, fields.month, fields.day, fields.hour, fields.minute, fields.second,
    ]

    #expect(numbers.map(String.init).joined(separator: " ") == row.expected)
  }

  typealias Fields = Timestamp.CalendarFields
  typealias FieldChange = Row<@Sendable (inout Fields) -> Void, Bool>

  @Test(arguments: [
    FieldChange("year 0", { $0.year = 0 }, false), FieldChange("year 1", { $0.year = 1 }, true),
    FieldChange("year 9999", { $0.year = 9_999 }, true),
    FieldChange("year 10000", { $0.year = 10_000 }, false),
    FieldChange("month 0", { $0.month = 0 }, false),
    FieldChange("month 13", { $0.month = 13 }, false),
    FieldChange("day 0", { $0.day = 0 }, false), FieldChange("day 31", { $0.day = 31 }, true),
    FieldChange("day 32", { $0.day = 32 }, false), FieldChange("hour -1", { $0.hour = -1 }, false),
    FieldChange("hour 24", { $0.hour = 24 }, false),
    FieldChange("minute 60", { $0.minute = 60 }, false),
    FieldChange("minute -1", { $0.minute = -1 }, false),
    FieldChange("second 60", { $0.second = 60 }, false),
    FieldChange("second -1", { $0.second = -1 }, false),
  ])
  func `fields out of their range make no instant`(_ row: FieldChange) {
    var fields = Timestamp.epoch.calendarFields

    row.input(&fields)

    #expect((Timestamp(fields) != nil) == row.expected)
  }

  struct Step: Sendable, CustomTestStringConvertible {
    let start: String
    let duration: Duration
    let end: String?

    init(_ start: String, _ duration: Duration, _ end: String?) {
      self.start = start
      self.duration = duration
      self.end = end
    }

    var testDescription: String { "\(start) and \(duration)" }
  }

  static let steps = [
    Step("1970-01-01T00:00:00Z", .zero, "1970-01-01T00:00:00Z"),
    Step("1970-01-01T00:00:00Z", .seconds(86_400), "1970-01-02T00:00:00Z"),
    Step("1970-01-01T00:00:00Z", .nanoseconds(-1), "1969-12-31T23:59:59.999999999Z"),
    Step("2024-02-28T23:59:59.5Z", .milliseconds(500), "2024-02-29T00:00:00Z"),
    Step("2024-03-01T00:00:00.25Z", .milliseconds(-500), "2024-02-29T23:59:59.75Z"),
    Step("0001-01-01T00:00:00Z", .seconds(315_537_897_599), "9999-12-31T23:59:59Z"),
    Step("9999-12-31T23:59:59Z", .seconds(-315_537_897_599), "0001-01-01T00:00:00Z"),
    Step("9999-12-31T23:59:59.999999999Z", .nanoseconds(1), nil),
    Step("0001-01-01T00:00:00Z", .nanoseconds(-1), nil),
    Step("2026-01-31T08:00:00Z", .seconds(Int64.max), nil),
    Step("2026-01-31T08:00:00Z", .seconds(Int64.min), nil),
  ]

  @Test(arguments: steps)
  func `an instant is advanced by a duration`(_ step: Step) throws {
    let start = try #require(Timestamp(step.start))

    #expect(start.advanced(by: step.duration)?.description == step.end)
  }

  @Test(arguments: steps.filter { $0.end != nil })
  func `the duration since an instant leads from it to the other`(_ step: Step) throws {
    let start = try #require(Timestamp(step.start))
    let end = try #require(step.end.flatMap { Timestamp($0) })

    #expect(end.duration(since: start) == step.duration)
    #expect((start < end) == (step.duration > .zero))
  }

  @Test
  func `a part below a nanosecond does not advance`() {
    let tiny = Duration(secondsComponent: 0, attosecondsComponent: 999_999_999)

    #expect(Timestamp.epoch.advanced(by: tiny) == .epoch)
    #expect(Timestamp.epoch.advanced(by: .zero - tiny) == .epoch)
  }
}
