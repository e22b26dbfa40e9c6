import TestKit
import Testing

/// The helpers of tests, which would hide faults if they were wrong.
@Suite struct HarnessTests {
  @Test func `what is not there cannot be replaced`() {
    var text = "one"

    withKnownIssue {
      text = text.replacing(existing: "two", with: "three")
    } matching: {
      "\($0.comments)".contains("nothing to replace: 'two' is not in the text")
    }
    #expect(text == "one")
    #expect(text.replacing(existing: "one", with: "two") == "two")
  }

  @Test(arguments: [
    "0.00 ms", "35 ms", "1.2 s", "59.9 s", "1 min 0 s", "59 min 59 s", "1 h 0 min",
    "106751991167300 d 15 h",
  ])
  func `every way to write a duration is hidden`(_ duration: String) {
    #expect("passed in \(duration): 3 passed".withoutDurations == "passed in T: 3 passed")
  }
}
