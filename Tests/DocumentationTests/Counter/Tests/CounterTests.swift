import FlowCore
import PluginHarness
import Testing

@testable import DocumentedCounter

@Suite struct CounterTests {
  @Test func `the model refuses what exceeds its limit and stays as it is`() throws {
    var model = CounterModel(limit: 3)
    try model.add(2)

    #expect(throws: CounterError.full(limit: 3)) { try model.add(2) }
    #expect(model.count == 2)
  }

  @Test func `the component counts, refuses and reports`() async throws {
    let folder = try TemporaryFolder()
    var options = ContextServices.Options(directory: folder.directory)
    options.date = { .epoch }
    let counter = try await OpenComponent(Counter.self, with: [("limit", .int(3))], options)

    #expect(await counter.text("add") == "{count: 1, date: 1970-01-01T00:00:00Z}")
    #expect(
      await counter.text("add", [("amount", .int(-1))]) == "illegal: the amount -1 is negative")
    #expect(await counter.text("add", [("amount", .int(3))]) == "full: the count would exceed 3")
    #expect(
      await counter.text("add", [("amount", .int(2))], at: "rest")
        == "{count: 3, date: 1970-01-01T00:00:00Z}")
    #expect(counter.events == ["rest#1 counter.reached {count: 3, date: 1970-01-01T00:00:00Z}"])
  }
}
