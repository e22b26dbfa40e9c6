/// One of several parts into which a suite is cut, so that each runs on a machine of its own.
struct Shard: Sendable, Equatable {
  /// Which part, from 1.
  let number: Int
  /// How many parts there are, `number` or more.
  let count: Int

  /// Reads `2/3`; nil for everything else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], 1...10_000 ~= count,
      1...count ~= number
    else { return nil }
    self.number = number
    self.count = count
  }

  /// The items of this part, in their order; every item is in one part of the same count.
  ///
  /// The longest goes first, to the part that has the least to do. Items of unknown duration count as
  /// the mean of the known; when none is known, the parts differ by one item at most.
  func part<Item>(of items: [Item], duration: (Item) -> Int?) -> [Item] {
    let known = items.compactMap(duration)
    let mean = known.isEmpty ? 1 : max(1, known.reduce(0, +) / known.count)
    let durations = items.map { max(1, duration($0) ?? mean) }
    // Among equals the order of the items decides, so that every machine cuts the same way.
    let order = items.indices.sorted { (durations[$1], $0) < (durations[$0], $1) }
    var loads = [Int](repeating: 0, count: count)
    var mine: Set<Int> = []
    for index in order {
      let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
      loads[least] += durations[index]
      if least == number - 1 { mine.insert(index) }
    }
    return items.indices.filter { mine.contains($0) }.map { items[$0] }
  }
}
