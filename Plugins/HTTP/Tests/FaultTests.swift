import FlowCore
import Testing

@testable import HTTPPlugin

/// The typical failures of requests.
@Suite struct FaultTests {
  @Test func `every operation for a response has the same failures`() {
    let names = [
      "refused", "reset-before", "reset-after", "timeout", "slow", "unavailable", "limited",
      "truncated",
    ]
    #expect(HTTPAnswer.faults.map(\.name) == names)
    #expect(ExchangeAnswer.faults.map(\.name) == names)
  }

  @Test func `the first half of a body is left in the form that it has then`() {
    var answer = ExchangeAnswer(status: 200, headers: HeaderFields())
    answer.json = .map(ValueMap([("id", .int(17))]))
    #expect(answer.truncated.json == nil)
    #expect(answer.truncated.text == #"{"id"#)

    answer.json = nil
    answer.text = "hello!"
    #expect(answer.truncated.text == "hel")

    answer.text = nil
    answer.bytes = Bytes([1, 2, 3, 4])
    #expect(answer.truncated.bytes == Bytes([1, 2]))
    #expect(answer.truncated.text == nil)
  }
}
