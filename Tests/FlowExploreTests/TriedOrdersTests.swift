import Testing

@testable import FlowExplore

/// The tree of the orders that a search has tried.
@Suite struct TriedOrdersTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// The number of ready tasks after some choices, or nil at the end.
    let width: @Sendable ([Int]) -> Int?
    let count: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Row(name: "one choice of two", width: { $0.isEmpty ? 2 : nil }, count: 2),
    Row(name: "three choices of two", width: { $0.count < 3 ? 2 : nil }, count: 8),
    Row(name: "all orders of four tasks", width: { $0.count < 3 ? 4 - $0.count : nil }, count: 24),
    Row(
      name: "a choice that decides how many follow",
      width: { choices in choices.isEmpty ? 3 : choices.count <= choices[0] ? 2 : nil },
      count: 1 + 2 + 4),
  ]) func `each untried order is given once, until all were tried`(_ row: Row) {
    var orders = TriedOrders()
    var next: [Int]? = []
    var given: Set<[Int]> = []

    while let choices = next {
      let order = Self.order(behind: choices, row.width)
      let isNew = orders.note(order.widths, order.choices)
      let isNewAgain = orders.note(order.widths, order.choices)
      #expect([isNew, isNewAgain] == [true, false], "\(order.choices)")
      given.insert(order.choices)
      next = orders.untried()
    }

    #expect(given.count == row.count)
    #expect(orders.count == row.count)
    #expect(orders.isComplete)
  }

  @Test func `a choice that a run does not have again is given up`() {
    var orders = TriedOrders()

    let areNew = [orders.note([2, 2], [0, 0]), orders.note([2, 2], [0, 0])]
    #expect(areNew == [true, false])
    #expect(orders.untried() == [0, 1])
    orders.giveUp([0, 1])
    #expect(orders.untried() == [1])
    #expect(!orders.isComplete)
    orders.giveUp([1])
    #expect(orders.isComplete)
    #expect(orders.count == 1)
  }

  @Test func `a run without a choice has one order`() {
    var orders = TriedOrders()

    let isNew = orders.note([], [])
    #expect(isNew)
    #expect(orders.isComplete)
    #expect(orders.count == 1)
  }

  @Test func `with too many moments nothing is known, and nothing is kept`() {
    var orders = TriedOrders()
    let widths = Array(repeating: 2, count: 60_000)

    let choices = widths.map { _ in 0 }
    let areNew = [orders.note(widths, choices), orders.note(widths, choices)]
    #expect(areNew == [true, true])
    #expect(orders.untried() == nil)
    #expect(!orders.isComplete)
  }

  /// The order with some choices, and the first task at each further moment.
  private static func order(
    behind choices: [Int], _ width: ([Int]) -> Int?
  ) -> (widths: [Int], choices: [Int]) {
    var (widths, all) = ([Int](), [Int]())
    while let next = width(all) {
      widths.append(next)
      all.append(all.count < choices.count ? choices[all.count] : 0)
    }
    return (widths, all)
  }
}
