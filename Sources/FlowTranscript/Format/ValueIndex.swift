internal import FlowCore

/// Finds recorded values by what they are, in whatever words; those with patterns may be anything.
struct ValueIndex {
  /// How many values are looked at for one that is the same, however many have been looked at before.
  private static let mostCandidates = 1_000
  /// How many values with patterns are looked at in all, so that a hostile transcript takes no time without end.
  private static let mostLooks = 4_000_000

  private let type: ValueType?
  /// The numbers of the values without patterns, by the hashes of what they are.
  private var byHash: [Int: ArraySlice<Int>] = [:]
  private var withPatterns: ArraySlice<Int> = []
  private var looks = 0

  /// No values yet; where their type is not known, only those with patterns are found.
  init(as type: ValueType?) {
    self.type = type
  }

  /// Adds a value; the numbers rise.
  mutating func add(_ number: Int, _ value: RecordedValue) {
    if value.hasPatterns {
      withPatterns.append(number)
    } else if let hash = hash(of: value) {
      byHash[hash, default: []].append(number)
    }
  }

  /// The first of those that are left, and that match a value without patterns: one without patterns, else one with.
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

  /// The same for all values that are the same; nil for one that does not have the type.
  private func hash(of value: RecordedValue) -> Int? {
    guard let type, let value = try? Value(value.served, as: type) else { return nil }
    var hasher = Hasher()
    value.hashSame(into: &hasher)
    return hasher.finalize()
  }
}
