import FlowCore
import Testing

@testable import FlowReport

@Suite struct TrialResultTests {
  /// The bounds of Wilson's interval, as R 4.3 prints them: `prop.test(x, n, correct = FALSE)`.
  @Test(arguments: [
    (0, 1, "0 of 1 passed (0%, 95% interval 0% to 79%)"),
    (1, 1, "1 of 1 passed (100%, 95% interval 21% to 100%)"),
    (8, 9, "8 of 9 passed (89%, 95% interval 57% to 98%)"),
    (0, 10, "0 of 10 passed (0%, 95% interval 0% to 28%)"),
    (10, 10, "10 of 10 passed (100%, 95% interval 72% to 100%)"),
    (500, 1_000, "500 of 1000 passed (50%, 95% interval 47% to 53%)"),
  ])
  func `the share has Wilson's interval`(passed: Int, tried: Int, text: String) {
    let failures = (passed..<tried).map { TrialResult.Failure(number: $0 + 1, []) }

    let result = TrialResult(
      failures, of: tried, atLeast: 1, atMost: 1_000, .failed, limitNotes: [])

    #expect(result.text == text)
  }

  @Test func `of very many failures the first ones are told`() {
    let failures = (1...25).map { TrialResult.Failure(number: $0, []) }

    let notes = TrialResult(
      failures, of: 30, atLeast: 20, atMost: 40, .failed, limitNotes: []
    ).notes

    #expect(notes.count == 21)
    #expect(notes.first == "trial 1 failed")
    #expect(notes.last == "and 5 further trials failed")
  }
}
