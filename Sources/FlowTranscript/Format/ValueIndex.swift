internal import FlowCore

/// Finds recorded values by what they are, in whatever words; those with patterns may be anything.
struct ValueIndex {
  /// How many values are looked at for one that is the same.
  private static let mostCandidates = 1_000

  private let type: ValueType?
  /// The numbers of the values without patterns, by the hashes of what they are.
  private var byHash: [Int: ArraySlice<Int>] = [:]
  private var withPatterns: ArraySlice<Int> = []

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
      if let equal = Self.first(of: numbers, isLeft, matches) { return equal }
    }
    withPatterns = withPatterns.drop { !isLeft($0) }
    return Self.first(of: withPatterns, isLeft, matches)
  }

  private static func first(
    of numbers: ArraySlice<Int>, _ isLeft: (Int) -> Bool, _ matches: (Int) -> Bool
  ) -> Int? {
    numbers.lazy.filter(isLeft).prefix(mostCandidates).first(where: matches)
  }

  /// The same for all values that are the same; nil for one that does not have the type.
  private func hash(of value: RecordedValue) -> Int? {
    guard let type, let value = try? Value(value.served, as: type) else { return nil }
    var hasher = Hasher()
    value.hashSame(into: &hasher)
    return hasher.finalize()
  }
}
