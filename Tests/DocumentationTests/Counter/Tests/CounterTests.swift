import FlowCore
import FlowTesting
import Testing

@testable import DocumentedCounter

@Suite struct CounterTests {
  @Test func `the counter counts, refuses and reports`() async throws {
    let counter = try await OpenComponent(Counter.self, with: ["limit": 3])

    let texts = [
      await counter.text("add"),
      await counter.text("add", ["amount": -1]),
      await counter.text("add", ["amount": 3]),
      await counter.text("add", ["amount": 2], at: "rest"),
    ]

    #expect(
      texts == [
        "{count: 1}", "negative: the amount -1 is negative", "full: the count would exceed 3",
        "{count: 3}",
      ])
    #expect(counter.events == ["rest#1 counter.reached {count: 3}"])
  }
}
