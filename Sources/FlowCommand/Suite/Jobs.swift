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
    await Places(Places.Limits(working: limit)).run(
      items, of: { _ in Places.Use() }, work: { index, item, _ in await work(index, item) },
      goesOn: goesOn, receive: receive)
  }
}

extension Places {
  /// Works on the items, each in a place, otherwise as `Jobs` do.
  ///
  /// `use` returns the live components of an item, whose limits hold.
  func run<Item: Sendable, Output: Sendable>(
    _ items: [Item], of use: (Item) -> Use,
    work: @escaping @Sendable (_ index: Int, Item, Place) async -> Output,
    goesOn: (Output) -> Bool, receive: (Output) -> Void
  ) async {
    await withTaskGroup(of: Turn<Output>.self) { group in
      var rest = items.enumerated().makeIterator()
      var first = rest.next()
      var firstUse = first.map { use($0.element) }
      var (running, isOpen) = (0, true)
      func begin() {
        while isOpen, !Task.isCancelled, let (index, item) = first, let itsUse = firstUse,
          let place = take(for: itsUse)
        {
          first = rest.next()
          firstUse = first.map { use($0.element) }
          running += 1
          group.addTask {
            defer { place.end() }
            return .ended(index, await work(index, item, place))
          }
        }
      }
      func listen() {
        group.addTask { [self] in
          await news()
          return .news
        }
      }
      begin()
      if limits.leavesWaiting { listen() }
      var results = OrderedResults<Output>()
      while running > 0, let turn = await group.next() {
        switch turn {
        case .news: listen()
        case .ended(let index, let output):
          running -= 1
          isOpen = isOpen && goesOn(output)
          results.add(output, at: index, receive)
        }
        begin()
      }
      close()
    }
  }
}

/// A reason to look if more work can start.
private enum Turn<Output: Sendable>: Sendable {
  case ended(Int, Output)
  case news
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
