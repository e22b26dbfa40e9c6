import Testing

@testable import FlowTranscript

/// The recorded calls assigned to the tasks of a component, and those made in another order.
@Suite struct TaskOrderTests {
  private static let (load, change) = (1, 100)

  /// Calls by task and question, in their recorded order.
  private static func calls(_ recorded: [(lane: Int, question: Int)]) -> TaskOrder {
    TaskOrder(
      recorded.enumerated().map {
        TaskOrder.Entry(number: $0.offset, lane: $0.element.lane, question: $0.element.question)
      })
  }

  @Test func `more tasks than were recorded divide their work in any order`() {
    var calls = Self.calls([
      (1, Self.load), (1, Self.change), (2, Self.load), (2, Self.change + 1), (1, Self.load),
      (1, Self.change + 2),
    ])
    for task in 1...3 { _ = calls.take(Self.load, by: task) }

    // The third task was given the second call of the first one, and takes what stands before it.
    let taken = calls.take(Self.change, by: 3)

    #expect(taken?.number == 1)
    #expect(taken?.after == nil)
  }

  @Test func `a task that asks in another order is found`() {
    var calls = Self.calls([(1, Self.load), (1, Self.change), (2, Self.load), (2, Self.change)])
    _ = calls.take(Self.change, by: 1)

    let taken = calls.take(Self.load, by: 1)

    #expect(taken?.number == 0)
    #expect(taken?.after == 1)
  }
}
