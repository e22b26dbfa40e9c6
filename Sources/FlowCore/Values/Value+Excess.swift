extension Value {
  /// How many lists, maps, records and optionals may stand inside each other in a value that is kept.
  ///
  /// Printing, encoding, comparing and releasing a value take a frame of the stack for each level.
  public static let greatestDepth: Int = 100

  /// How many values may stand inside a value that is kept, one that stands there twice counting twice.
  ///
  /// A value that holds another twice costs no memory, but printing it does: 30 levels are 2^30 values.
  public static let greatestCount: Int = 10_000_000

  /// A bound that a value is over, with the bound.
  public enum Excess: Sendable, Hashable {
    /// Its collections stand inside each other on more levels than this.
    case depth(Int)
    /// It holds more values than this.
    case count(Int)
  }

  /// The bound that this value is over; nil when it may be kept.
  ///
  /// Visits no more than `count` values and `depth` levels, so a value over a bound costs no more than
  /// one within. Depth 0 is a value that is no collection, and an empty list has depth 1.
  public func excess(
    depth: Int = greatestDepth, count: Int = greatestCount
  ) -> Excess? {
    var visits = 0
    switch measure(levels: depth, count: count, &visits) {
    case .within: return nil
    case .tooDeep: return .depth(depth)
    case .tooMany: return .count(count)
    }
  }

  private enum Measure {
    case within, tooDeep, tooMany
  }

  private func measure(levels: Int, count: Int, _ visits: inout Int) -> Measure {
    switch self {
    case .null, .bool, .int, .uint, .double, .decimal, .string, .bytes, .timestamp, .duration,
      .type:
      return .within
    case .list(let values): return Self.measure(values, levels: levels, count: count, &visits)
    case .record(let record):
      return Self.measure(record.values, levels: levels, count: count, &visits)
    case .map(let map):
      return Self.measure(
        map.entries.lazy.map(\.value), levels: levels, count: count, &visits)
    case .optional(let value):
      return Self.measure(
        CollectionOfOne(value ?? .null), levels: levels, count: count, &visits)
    }
  }

  private static func measure(
    _ values: some Collection<Value>, levels: Int, count: Int, _ visits: inout Int
  ) -> Measure {
    guard levels > 0 else { return .tooDeep }
    visits += values.count
    guard visits <= count else { return .tooMany }
    for value in values {
      let measure = value.measure(levels: levels - 1, count: count, &visits)
      guard measure == .within else { return measure }
    }
    return .within
  }
}

extension Value.Excess: CustomStringConvertible {
  /// `deeper than 100 levels`, `more than 10000000 values`.
  public var description: String {
    switch self {
    case .depth(let limit): "deeper than \(limit) levels"
    case .count(let limit): "more than \(limit) values"
    }
  }
}
