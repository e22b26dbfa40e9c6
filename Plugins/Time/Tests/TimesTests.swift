import FlowCore
import FlowTesting
import Testing

@testable import TimePlugin

@Suite struct TimesTests {
  @Test(arguments: ComponentCheck.allCases)
  func `times pass the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../Scenarios/dates.yaml")

    try await ComponentChecks(Times.self, sample: sample).verify(check)
  }

  @Test(arguments: try Scenarios.all(in: "../Scenarios"))
  func `a scenario replays`(_ scenario: ScenarioFile) async throws {
    try await scenario.replay(try Registry([Times.self]))
  }

  @Test func `now is the run's time`() async throws {
    var options = LiveOptions()
    options.date = try time("2024-02-29T12:00:00Z")
    let times = try await OpenComponent(Times.self, options: options)

    #expect(await times.text("now") == "{time: 2024-02-29T12:00:00Z}")
  }

  @Test(arguments: [
    ("%Y-%m-%d", "0987-06-05", "0987-06-05T00:00:00Z"),
    ("%d.%m.%Y %H:%M:%S.%L", "05.06.0987 04:03:02.001", "0987-06-05T04:03:02.001Z"),
    ("%H%%%M é", "04%03 é", "1970-01-01T04:03:00Z"),
    ("", "", "1970-01-01T00:00:00Z"),
  ])
  func `a time is written and read in a format`(
    _ format: String, text: String, read: String
  ) throws {
    let time = try time("0987-06-05T04:03:02.001999999Z")

    #expect(try TimeFormat(format).text(of: time) == text)
    #expect(try TimeFormat(format).time(in: text).description == read)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
    ("Thursday, 01-Jan-70 00:00:00 GMT", "2070-01-01T00:00:00Z"),
    ("Friday, 01-Jan-77 00:00:00 GMT", "1977-01-01T00:00:00Z"),
    ("Mon, 01 Jan 0001 00:00:00 GMT", "0001-01-01T00:00:00Z"),
    ("Sun, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
    ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 31 Nov 1994 08:49:37 GMT", nil), ("Son, 06 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("", nil),
  ])
  func `a date of HTTP is read in its three forms`(_ text: String, read: String?) throws {
    let now = try time("2026-11-26T12:00:00Z")

    #expect(HTTPDate.time(in: text, now: now)?.description == read)
  }

  @Test(arguments: [
    ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ("0001-01-01T00:00:00Z", "Mon, 01 Jan 0001 00:00:00 GMT"),
    ("9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func `a date of HTTP is written in the present form`(_ moment: String, text: String) throws {
    #expect(HTTPDate.text(of: try time(moment)) == text)
  }

  @Test(arguments: [
    ("http", "06 Nov 1994", "malformed: '06 Nov 1994' is not a time of this format"),
    ("%Y", "20", "malformed: '20' is not a time of this format"),
    ("%Y", "20245", "malformed: '20245' is not a time of this format"),
    ("%Y", "+024", "malformed: '+024' is not a time of this format"),
    ("%Y-%m-%d", "2023-02-29", "malformed: '2023-02-29' is not a time of this format"),
    ("%H h", "12 u", "malformed: '12 u' is not a time of this format"),
    ("%Q", "", "invalid: the format has an unknown part '%Q'"),
    ("100%", "", "invalid: the format has an unknown part '%'"),
  ])
  func `what is not of the format is refused`(
    _ format: String, text: String, expected: String
  ) async throws {
    let times = try await OpenComponent(Times.self)

    #expect(await times.text("parse", ["text": text, "format": format]) == expected)
  }

  @Test(arguments: [
    ("2024-01-31T08:00:00Z", 0, 1, 0, "2024-02-29T08:00:00Z"),
    ("2023-01-31T08:00:00Z", 0, 1, 0, "2023-02-28T08:00:00Z"),
    ("2024-02-29T08:00:00Z", 1, 0, 0, "2025-02-28T08:00:00Z"),
    ("2024-01-15T08:00:00Z", 0, -1, 0, "2023-12-15T08:00:00Z"),
    ("2024-12-31T23:00:00Z", 0, 0, 1, "2025-01-01T23:00:00Z"),
    ("2024-03-01T00:00:00.5Z", 0, 0, -1, "2024-02-29T00:00:00.5Z"),
    ("0001-01-01T00:00:00Z", 0, -1, 0, "none"), ("9999-12-01T00:00:00Z", 0, 1, 0, "none"),
    ("2024-01-01T00:00:00Z", Int.max, 0, 0, "none"), ("2024-01-01T00:00:00Z", 0, 0, .max, "none"),
    ("2024-01-01T00:00:00Z", 0, Int.max, 0, "none"),
    ("2024-01-01T00:00:00Z", 0, 0, Int.max / 86_400, "none"),
    ("9999-12-31T08:00:00Z", 0, 2, -60, "9999-12-31T08:00:00Z"),
    ("0001-01-31T08:00:00Z", 0, -2, 62, "0001-01-31T08:00:00Z"),
    ("2000-02-29T00:00:00Z", 100_000, 0, -36_524_250, "2000-02-29T00:00:00Z"),
    ("2024-01-01T00:00:00Z", .max, .min, .max, "none"),
  ])
  func `a time moves on the calendar`(
    _ text: String, years: Int, months: Int, days: Int, expected: String
  ) throws {
    let moved = try time(text).moved(years: years, months: months, days: days, .zero)

    #expect(moved?.description ?? "none" == expected)
  }

  @Test func `only where a time ends has to be in range`() throws {
    let end = try time("9999-12-31T23:59:59.5Z")

    #expect(end.moved(years: 0, months: 0, days: 1, .seconds(-86_400)) == end)
    #expect(end.moved(years: 0, months: 0, days: 0, .milliseconds(500)) == nil)
    #expect(end.moved(years: 0, months: 0, days: 0, .seconds(Int.max)) == nil)
  }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }
}
