import FlowReport
import Testing

@Suite struct DurationTextTests {
  @Test(arguments: [
    (Duration.zero, "0.00 ms"), (.nanoseconds(999), "0.00 ms"), (.microseconds(10), "0.01 ms"),
    (.microseconds(129), "0.12 ms"), (.microseconds(999), "0.99 ms"), (.milliseconds(1), "1.0 ms"),
    (.microseconds(9_999), "9.9 ms"), (.milliseconds(10), "10 ms"), (.milliseconds(999), "999 ms"),
    (.seconds(1), "1.0 s"), (.milliseconds(1_299), "1.2 s"), (.milliseconds(59_999), "59.9 s"),
    (.seconds(60), "1 min 0 s"), (.seconds(200), "3 min 20 s"), (.seconds(3_599), "59 min 59 s"),
    (.seconds(3_600), "1 h 0 min"), (.seconds(Int64.max), "106751991167300 d 15 h"),
    (.microseconds(-5), "0.00 ms"), (.seconds(-5), "0.00 ms"),
  ]) func `a duration is told in about three digits`(_ duration: Duration, _ text: String) {
    #expect(duration.reportText == text)
  }
}
