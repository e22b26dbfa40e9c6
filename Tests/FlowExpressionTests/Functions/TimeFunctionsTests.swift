import FlowSystem
import Testing

@testable import FlowExpression

/// Instants, spans, time zones and regular expressions.
struct TimeFunctionsTests {
  @Test(arguments: [
    Sample("timestamp('2023-12-25T00:00:00Z').getDate('America/Los_Angeles')", "int 24"),
    Sample("timestamp('2023-12-25T12:00:00Z').getDayOfWeek()", "int 1"),
    Sample("timestamp('2023-12-25T12:00:00Z').getDayOfYear()", "int 358"),
    Sample("timestamp('0001-01-01T00:00:00Z').getDayOfWeek()", "int 1"),
    Sample("timestamp('2024-12-31T23:59:59Z').getDayOfYear()", "int 365"),
    Sample("timestamp('2026-07-01T12:00:00Z').getHours('Europe/Paris')", "int 14"),
    Sample("timestamp('2026-01-01T12:00:00Z').getHours('Europe/Paris')", "int 13"),
    Sample("timestamp('2100-07-01T12:00:00Z').getHours('Europe/Paris')", "int 14"),
    Sample("timestamp('2100-01-01T12:00:00Z').getHours('America/New_York')", "int 7"),
    Sample("timestamp('2100-01-01T12:00:00Z').getHours('Australia/Sydney')", "int 23"),
    Sample("timestamp('2100-07-01T12:00:00Z').getHours('Australia/Sydney')", "int 22"),
    Sample("timestamp('1800-01-01T12:00:00Z').getMinutes('Europe/Paris')", "int 9"),
    Sample("timestamp('2026-01-01T12:00:00Z').getMinutes('Asia/Kathmandu')", "int 45"),
    Sample("timestamp('2026-01-01T12:00:00Z').getHours('-02:30')", "int 9"),
    Sample("timestamp('2026-01-01T12:00:00Z').getHours('02:00')", "int 14"),
    Sample("timestamp('2026-01-01T12:00:00Z').getHours('UTC')", "int 12"),
    Sample(
      "timestamp('9999-12-31T23:59:59Z').getHours('+01:00')", "error 0..<52: timestamp overflow"),
    Sample("timestamp('2026-01-01T00:00:00.5Z').getMilliseconds()", "int 500"),
    Sample("duration('1.234s').getMilliseconds()", "int 234"),
    Sample("duration('-90m').getHours()", "int -1"),
    Sample("timestamp(0).getHours(inputs.names[0])", "error 0..<38: 'a' is not a time zone"),
  ])
  func `an instant has parts, in each zone`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    "../../../etc/passwd", "Europe/../../../../etc/passwd", "/etc/localtime", "Europe//Paris",
    "Europe", "./Europe/Paris", "posixrules\u{0}", "+1:00", "24:00", "+0100", "tzdata.zi",
    String(repeating: "a/", count: 40),
  ])
  func `a name that is no zone reads no file`(_ name: String) {
    #expect(TimeZone(name) == nil)
  }

  @Test(arguments: [
    ("<+0330>-3:30", 0, 12_600), ("EST5EDT,M3.2.0,M11.1.0", 1_772_953_199, -18_000),
    ("EST5EDT,M3.2.0,M11.1.0", 1_772_953_200, -14_400),
    ("EST5EDT,M3.2.0,M11.1.0", 1_793_512_799, -14_400),
    ("EST5EDT,M3.2.0,M11.1.0", 1_793_512_800, -18_000),
    ("A1B0,J60/0,J300/0", 5_097_599 + 3_600, -3_600), ("A1B0,J60/0,J300/0", 5_097_600 + 3_600, 0),
    ("A1B0,J60/0,J300/0", 1_709_254_799, -3_600), ("A1B0,J60/0,J300/0", 1_709_254_800, 0),
    ("A1B0,59/0,299/0", 5_097_600 + 3_600, 0),
  ])
  func `the rule behind the last transition is followed`(
    _ rule: String, _ seconds: Int, _ offset: Int
  ) throws {
    let footer = try #require(ZoneFooter(Array("\n\(rule)\n".utf8)[...]))

    #expect(footer.offset(at: seconds) == offset)
  }

  @Test(arguments: ["", "\n\n", "\nEST\n", "\nEST5EDT,M3\n", "\nEST5EDT,M13.1.0,M1.1.0\n"])
  func `a malformed rule is none`(_ text: String) {
    #expect(ZoneFooter(Array(text.utf8)[...]) == nil)
  }

  @Test func `a file that is cut off is no zone`() throws {
    let bytes = try FileSystem.contents(
      of: "/usr/share/zoneinfo/Europe/Paris", limit: 1_000_000)

    #expect(ZoneRules(bytes) != nil)
    for count in stride(from: 0, to: bytes.count - 60, by: 7) {
      #expect(ZoneRules(Array(bytes[..<count])) == nil)
    }
  }

  @Test(arguments: [
    Sample("duration('1h34us')", "duration 3600.000034s"), Sample("duration('0')", "duration 0s"),
    Sample("duration('-1.5h')", "duration -5400s"),
    Sample("duration('1')", "error 0..<13: '1' is not a duration"),
    Sample(
      "timestamp('2026-02-29T00:00:00Z')", "error 0..<33: '2026-02-29T00:00:00Z' is not a timestamp"
    ),
    Sample(
      "timestamp(253402300800)", "error 0..<23: 253402300800 is out of the range of timestamp"),
    Sample("timestamp('2026-01-31T08:00:00+02:00')", "timestamp 2026-01-31T06:00:00Z"),
    Sample("timestamp(0) + duration('1h') - duration('30m')", "timestamp 1970-01-01T00:30:00Z"),
    Sample(
      "timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error 0..<50: timestamp overflow"),
    Sample("timestamp(253402300799) - timestamp(-62135596800)", "error 0..<49: duration overflow"),
    Sample("-duration('1s')", "0..<15 '-' is not defined for (duration)"),
    Sample("-dyn(duration('1s'))", "error 0..<20: '-' is not defined for (duration)"),
    Sample("timestamp(0) < timestamp(1) && duration('1s') > duration('1ms')", "bool true"),
  ])
  func `instants and spans keep their range`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("'banana'.matches('^b.*a$')", "bool true"), Sample("'a\\n'.matches('a$')", "bool false"),
    Sample("'é'.matches('^.$')", "bool true"), Sample("matches('xay', 'a')", "bool true"),
    Sample("'A'.matches('(?i)a')", "bool true"),
    Sample("'ab'.matches('(?P<n>a)b')", "bool true"),
    Sample("'a'.matches('[[:alpha:]]')", "bool true"), Sample("'é'.matches('\\\\w')", "bool false"),
    Sample("']'.matches('[]]')", "bool true"),
    Sample(
      "'aa'.matches('(a)\\\\1')",
      "0..<22 '(a)\\1' is not a regular expression: invalid escape sequence: '\\1'"),
    Sample(
      "'a'.matches('(?=a)')",
      "0..<20 '(?=a)' is not a regular expression: invalid perl operator: '(?='"),
    Sample(
      "'a'.matches('a++')",
      "0..<18 'a++' is not a regular expression: bad repetition operator: '++'"),
    Sample(
      "'a'.matches('(*UCP)a')",
      "0..<22 '(*UCP)a' is not a regular expression: no argument for repetition operator: '*'"),
    Sample(
      "'a'.matches('\\\\Ga')",
      "0..<19 '\\Ga' is not a regular expression: invalid escape sequence: '\\G'"),
    Sample(
      "'a'.matches('(?>a)')",
      "0..<20 '(?>a)' is not a regular expression: invalid perl operator: '(?>'"),
    Sample(
      "'a'.matches('[' + inputs.names[0])",
      "error 0..<34: '[a' is not a regular expression: missing ]"),
    Sample("dyn(1).matches('a')", "error 0..<19: 'matches' is not defined for (int)"),
    Sample(
      "'\(String(repeating: "a", count: 50))!'.matches('(a|aa)+$')", "bool false"),
    Sample(
      "lists.range(150).exists(i, 'a'.matches('(\\\\pL{90}){9' + string(i) + '}'))",
      "error 27..<72: the evaluation takes too many steps"),
  ])
  func `a pattern has the syntax of RE2`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }
}
