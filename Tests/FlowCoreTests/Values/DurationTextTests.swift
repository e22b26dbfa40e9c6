import FlowCore
import Testing

struct DurationTextTests {
  static let accepted: [TextRow<Duration>] = [
    TextRow("1ns", .nanoseconds(1)), TextRow("1us", .microseconds(1)),
    TextRow("1\u{b5}s", .microseconds(1)), TextRow("1\u{3bc}s", .microseconds(1)),
    TextRow("200ms", .milliseconds(200)), TextRow("1s", .seconds(1)), TextRow("1m", .seconds(60)),
    TextRow("1h", .seconds(3_600)), TextRow("30d", .seconds(2_592_000)),
    TextRow("1h30m", .seconds(5_400)),
    TextRow("1d1h1m1s1ms1us1ns", .nanoseconds(90_061_001_001_001)),
    TextRow("1m1h", .seconds(3_660)), TextRow("1s1s", .seconds(2)),
    TextRow("1.5s", .milliseconds(1_500)), TextRow(".5s", .milliseconds(500)),
    TextRow("1.s", .seconds(1)), TextRow("1.5h1.5m", .seconds(5_490)),
    TextRow("-1.5s", .milliseconds(-1_500)), TextRow("-1h30m", .seconds(-5_400)),
    TextRow("+5s", .seconds(5)), TextRow("0s", .zero), TextRow("-0s", .zero),
    TextRow("0", .zero), TextRow("-0", .zero), TextRow("+0", .zero), TextRow("007s", .seconds(7)),
    TextRow("0.1ns", .zero), TextRow("1.9ns", .nanoseconds(1)), TextRow("-1.9ns", .nanoseconds(-1)),
    TextRow("0.0000000019s", .nanoseconds(1)),
    TextRow("0.333333333333d", .nanoseconds(28_799_999_999_971)),
    TextRow("9223372036854775807ns", .nanoseconds(Int.max)),
    TextRow("9223372036.854775807s", .nanoseconds(Int.max)),
    TextRow("-9223372036854775808ns", .nanoseconds(Int.min)),
    TextRow("106751d", .seconds(9_223_286_400)),
  ]

  @Test(arguments: accepted)
  func `numbers with units are added up`(_ row: TextRow<Duration>) {
    #expect(Duration(flowText: row.text) == row.expected)
  }

  @Test(arguments: [
    "", "-", "+", "1", "00", "s", ".s", "-s", "1x", "1S", "1min", "1w", "1y", "1 s", " 1s", "1s ",
    "1h 30m", "1h-30m", "1h+30m", "--1s", "+-1s", "1e3s", "1,5s", "1.5.5s", "1_000s", "1h30",
    "\u{661}s", "１s", "1s\u{301}", "1\u{301}s", "1s\0", "9223372036854775808ns",
    "-9223372036854775809ns", "106752d", "9223372036.854775808s", "99999999999999999999999999999d",
    "1" + String(repeating: "0", count: 40) + "s",
  ])
  func `another form or a span too long is refused`(_ text: String) {
    #expect(Duration(flowText: text) == nil)
  }

  static let printed: [Row<Duration, String>] = [
    Row("zero", .zero, "0s"), Row("a second", .seconds(1), "1s"),
    Row("30 days", .seconds(2_592_000), "2592000s"),
    Row("a fraction", .milliseconds(1_500), "1.5s"),
    Row("a negative fraction", .milliseconds(-200), "-0.2s"),
    Row("a negative number", .milliseconds(-1_500), "-1.5s"),
    Row("a nanosecond", .nanoseconds(1), "0.000000001s"),
    Row("a negative nanosecond", .nanoseconds(-1), "-0.000000001s"),
    Row("the most nanoseconds", .nanoseconds(Int.max), "9223372036.854775807s"),
    Row("the least nanoseconds", .nanoseconds(Int.min), "-9223372036.854775808s"),
  ]

  @Test(arguments: printed)
  func `a duration prints as seconds`(_ row: Row<Duration, String>) {
    #expect(row.input.flowText == row.expected)
  }

  @Test(arguments: printed.map(\.input) + accepted.map(\.expected))
  func `what is printed is read again`(_ duration: Duration) {
    #expect(Duration(flowText: duration.flowText) == duration)
  }

  @Test(arguments: [1, 999_999_999, -1, -999_999_999])
  func `a part below a nanosecond is not printed`(_ attoseconds: Int64) {
    let duration = Duration(secondsComponent: 0, attosecondsComponent: attoseconds)

    #expect(duration.flowText == "0s")
  }

  @Test(arguments: [
    Row("the longest", Duration.seconds(Int64.max), "9223372036854775807s"),
    Row("the longest backwards", .seconds(Int64.min), "-9223372036854775808s"),
  ])
  func `a span of any length prints`(_ row: Row<Duration, String>) {
    #expect(row.input.flowText == row.expected)
  }
}
