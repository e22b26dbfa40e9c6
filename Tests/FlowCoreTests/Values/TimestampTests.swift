import FlowCore
import Testing

struct TimestampTests {
  static let accepted: [TextRow<String>] = [
    TextRow("1970-01-01T00:00:00Z", "0 0"), TextRow("1970-01-01t00:00:00z", "0 0"),
    TextRow("1970-01-01T00:00:00+00:00", "0 0"), TextRow("1970-01-01T00:00:00-00:00", "0 0"),
    TextRow("1969-12-31T23:59:59Z", "-1 0"), TextRow("1969-12-31T23:59:59.5Z", "-1 500000000"),
    TextRow("2026-01-31T08:00:00.5Z", "1769846400 500000000"),
    TextRow("2026-01-31T08:00:00.123456789Z", "1769846400 123456789"),
    TextRow("2026-01-31T08:00:00.000000001Z", "1769846400 1"),
    TextRow("2026-01-31T08:00:00.100000000Z", "1769846400 100000000"),
    TextRow("2026-01-31T08:00:00+05:30", "1769826600 0"),
    TextRow("2026-01-31T08:00:00.5-23:59", "1769932740 500000000"),
    TextRow("2000-02-29T00:00:00Z", "951782400 0"), TextRow("2024-02-29T12:00:00Z", "1709208000 0"),
    TextRow("2024-12-31T23:59:59Z", "1735689599 0"),
    TextRow("0001-01-01T00:00:00Z", "-62135596800 0"),
    TextRow("0001-01-01T23:59:00+23:59", "-62135596800 0"),
    TextRow("9999-12-31T23:59:59.999999999Z", "253402300799 999999999"),
    TextRow("9999-12-31T00:00:00-23:59", "253402300740 0"),
  ]

  @Test(arguments: accepted)
  func `a text of RFC 3339 is read as its instant`(_ row: TextRow<String>) throws {
    let timestamp = try #require(Timestamp(row.text))

    #expect("\(timestamp.seconds) \(timestamp.nanoseconds)" == row.expected)
  }

  @Test(arguments: [
    "", "2026", "2026-01-31", "2026-01-31T08:00:00", "2026-01-31 08:00:00Z", "2026-01-31T08:00Z",
    "2026-1-31T08:00:00Z", "26-01-31T08:00:00Z", "+2026-01-31T08:00:00Z", "20260-01-31T08:00:00Z",
    "2026/01/31T08:00:00Z", "2026-01-31T8:00:00Z", "2026-01-31T08.00.00Z", "2026-01-31T08:00:00 Z",
    " 2026-01-31T08:00:00Z", "2026-01-31T08:00:00Z ", "2026-01-31T08:00:00ZZ",
    "2026-01-31T08:00:00.Z", "2026-01-31T08:00:00,5Z", "2026-01-31T08:00:00.1234567890Z",
    "2026-01-31T08:00:00+24:00", "2026-01-31T08:00:00+05:60", "2026-01-31T08:00:00+0530",
    "2026-01-31T08:00:00+05", "2026-01-31T08:00:00+5:30", "2026-01-31T08:00:00\u{2212}05:30",
    "２０２６-01-31T08:00:00Z", "2026-01-31T08:00:00Z\0",
  ])
  func `another form is refused`(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(arguments: [
    "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
    "2026-04-31T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
    "2000-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
    "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
  ])
  func `an instant that is not in the calendar or its range is refused`(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(arguments: [
    TextRow("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
    TextRow("2026-01-31T08:00:00.500+05:30", "2026-01-31T02:30:00.5Z"),
    TextRow("2026-01-31T08:00:00.000000000Z", "2026-01-31T08:00:00Z"),
    TextRow("1969-12-31T23:59:59.000000001Z", "1969-12-31T23:59:59.000000001Z"),
    TextRow("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    TextRow("0033-04-03T05:06:07.010Z", "0033-04-03T05:06:07.01Z"),
    TextRow("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
  ])
  func `an instant prints in UTC with the digits it needs`(_ row: TextRow<String>) {
    #expect(Timestamp(row.text)?.description == row.expected)
  }

  typealias Parts = (seconds: Int, nanoseconds: Int)

  static let carried: [Row<Parts, String>] = [
    Row("carried nanoseconds", (1, 1_500_000_000), "2 500000000"),
    Row("a second of nanoseconds", (1, 1_000_000_000), "2 0"),
    Row("borrowed nanoseconds", (1, -1), "0 999999999"),
    Row("a second less", (1, -1_000_000_000), "0 0"),
    Row("more than one less", (0, -1_000_000_001), "-2 999999999"),
    Row("the first", (-62_135_596_800, 0), "-62135596800 0"),
    Row("before the first", (-62_135_596_800, -1), "nil"),
    Row("carried to the first", (-62_135_596_801, 1_000_000_000), "-62135596800 0"),
    Row("the last", (253_402_300_799, 999_999_999), "253402300799 999999999"),
    Row("after the last", (253_402_300_799, 1_000_000_000), "nil"),
    Row("the least seconds", (Int.min, -1), "nil"), Row("the most seconds", (Int.max, .max), "nil"),
    Row("the least nanoseconds", (0, Int.min), "-9223372037 145224192"),
  ]

  @Test(arguments: carried)
  func `nanoseconds are carried into seconds`(_ row: Row<Parts, String>) {
    let timestamp = Timestamp(seconds: row.input.seconds, nanoseconds: row.input.nanoseconds)

    #expect((timestamp.map { "\($0.seconds) \($0.nanoseconds)" } ?? "nil") == row.expected)
  }
}
