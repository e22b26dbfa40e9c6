/// A group of concurrent jobs on several items.
struct Jobs: Sendable {
  let limit: Int

  /// Works on the items, started in their order.
  ///
  /// Their results are passed to `receive` in the same order, as soon as possible.
  ///
  /// No more work starts after `goesOn` returns false for a result, or after the task is cancelled.
  /// Work in progress is awaited.
  func run<Item: Sendable, Output: Sendable>(
    _ items: [Item], work: @escaping @Sendable (_ index: Int, Item) async -> Output,
    goesOn: (Output) -> Bool = { _ in true }, receive: (Output) -> Void
  ) async {
    await withTaskGroup(of: (Int, Output).self) { group in
      var rest = items.enumerated().makeIterator()
      func begin() {
        guard !Task.isCancelled, let (index, item) = rest.next() else { return }
        group.addTask { (index, await work(index, item)) }
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

/// The results held back until all earlier ones are complete.
private struct OrderedResults<Output> {
  private var waiting: [Int: Output] = [:]
  private var next = 0

  /// Adds a result.
  ///
  /// Work starts in order, so only unfinished work is missing before a result.
  mutating func add(_ output: Output, at index: Int, _ receive: (Output) -> Void) {
    waiting[index] = output
    while let output = waiting.removeValue(forKey: next) {
      receive(output)
      next += 1
    }
  }
}
