internal import FlowCore

/// An index of recorded values by their content, in whatever notation.
///
/// A value with patterns may match anything.
struct ValueIndex {
  /// The most values compared to find one that is the same, however many were compared before.
  private static let mostCandidates = 1_000
  /// The most comparisons of values with patterns, so a hostile transcript takes bounded time.
  private static let mostLooks = 4_000_000

  private let type: ValueType?
  /// The numbers of the values without patterns, by the hashes of their content.
  private var byHash: [Int: ArraySlice<Int>] = [:]
  private var withPatterns: ArraySlice<Int> = []
  private var looks = 0

  /// Creates an empty index.
  ///
  /// With an unknown type it finds only values with patterns.
  init(as type: ValueType?) {
    self.type = type
  }

  /// Adds a value.
  ///
  /// - Precondition: The numbers rise.
  mutating func add(_ number: Int, _ value: RecordedValue) {
    if value.hasPatterns {
      withPatterns.append(number)
    } else if let hash = hash(of: value) {
      byHash[hash, default: []].append(number)
    }
  }

  /// The first remaining value that matches one without patterns, preferring values without
  /// patterns.
  mutating func first(
    like value: RecordedValue, whereLeft isLeft: (Int) -> Bool, _ matches: (Int) -> Bool
  ) -> Int? {
    if let hash = hash(of: value), let numbers = byHash[hash] {
      byHash[hash] = numbers.drop { !isLeft($0) }
      let left = numbers.lazy.filter(isLeft)
      if let equal = left.prefix(Self.mostCandidates).first(where: matches) { return equal }
    }
    withPatterns = withPatterns.drop { !isLeft($0) }
    let most = max(Self.mostCandidates, Self.mostLooks - looks)
    return withPatterns.lazy.filter(isLeft).prefix(most).first { number in
      looks += 1
      return matches(number)
    }
  }

  /// A hash that is the same for all equal values, or nil for a value of another type.
  private func hash(of value: RecordedValue) -> Int? {
    guard let type, let value = try? Value(value.served, as: type) else { return nil }
    var hasher = Hasher()
    value.hashSame(into: &hasher)
    return hasher.finalize()
  }
}
