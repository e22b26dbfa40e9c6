import FlowCore
import FlowTesting
import Testing

@testable import DocumentedCounter

@Suite struct CounterTests {
  @Test func `the counter counts, refuses and reports`() async throws {
    let counter = try await OpenComponent(Counter.self, with: ["limit": 3])

    #expect(await counter.text("add") == "{count: 1}")
    #expect(await counter.text("add", ["amount": -1]) == "negative: the amount -1 is negative")
    #expect(await counter.text("add", ["amount": 3]) == "full: the count would exceed 3")
    #expect(await counter.text("add", ["amount": 2], at: "rest") == "{count: 3}")
    #expect(counter.events == ["rest#1 counter.reached {count: 3}"])
  }
}
