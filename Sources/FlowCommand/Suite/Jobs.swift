/// Does work on several items at once.
struct Jobs: Sendable {
  /// How many items at once, 1 or more.
  let limit: Int

  /// Works on the items, begun in their order.
  ///
  /// When the task is cancelled, no further work begins; what is under way is cancelled and awaited.
  ///
  /// - Parameters:
  ///   - items: What is worked on.
  ///   - work: Makes the result of one item; called for several at once.
  ///   - goesOn: Says as soon as a result is there whether further work begins.
  ///   - receive: Takes the results in the items' order; those without one are left out.
  func run<Item: Sendable, Output: Sendable>(
    _ items: [Item], work: @escaping @Sendable (Item) async -> Output,
    goesOn: (Output) -> Bool = { _ in true }, receive: (Output) -> Void
  ) async {
    await withTaskGroup(of: (Int, Output).self) { group in
      var rest = items.enumerated().makeIterator()
      func begin() {
        guard !Task.isCancelled, let (index, item) = rest.next() else { return }
        group.addTask { (index, await work(item)) }
      }
      for _ in 0..<limit { begin() }
      var isOpen = true
      var results = OrderedResults<Output>()
      for await (index, output) in group {
        isOpen = isOpen && goesOn(output)
        if isOpen { begin() }
        results.add(output, at: index, receive)
      }
    }
  }
}

/// Holds back results until those before them are there.
private struct OrderedResults<Output> {
  private var waiting: [Int: Output] = [:]
  private var next = 0

  /// Work begins in order, so nothing is missing before a result but what is still under way.
  mutating func add(_ output: Output, at index: Int, _ receive: (Output) -> Void) {
    waiting[index] = output
    while let output = waiting.removeValue(forKey: next) {
      receive(output)
      next += 1
    }
  }
}
