/// Suggests names for a mistyped one.
public enum Suggestion {
  /// Returns at most four names near `name`, sorted, or none.
  ///
  /// The largest edit distance (insertions, deletions, substitutions and swapped neighbours, each
  /// one) is a third of the longer name, and at least one. Of more than a thousand candidates only
  /// those with the nearest lengths are compared, in the given order, so that a long file full of
  /// mistakes does not take long.
  package static func nearest(to name: String, among names: some Sequence<String>) -> [String] {
    let wanted = Array(name.lowercased().utf8)
    var (nearest, best): ([String], Int) = ([], .max)
    var distances = EditDistance()
    for candidate in comparable(to: name, among: names) {
      let length = max(candidate.utf8.count, name.utf8.count)
      let limit = min(best, max(1, length / 3))
      let letters = Array(candidate.lowercased().utf8)
      guard let distance = distances.between(wanted, letters, limit: limit) else { continue }
      if distance < best { nearest = [] }
      best = distance
      keep(candidate, in: &nearest)
    }
    return nearest
  }

  /// Returns the names of possible lengths, the nearest lengths first.
  private static func comparable(
    to name: String, among names: some Sequence<String>
  ) -> some Sequence<String> {
    let length = name.utf8.count
    var byDifference = [[String]](repeating: [], count: longestName / 3 + 1)
    for candidate in names where max(candidate.utf8.count, length) <= longestName {
      let difference = abs(candidate.utf8.count - length)
      guard difference <= max(1, max(candidate.utf8.count, length) / 3),
        byDifference[difference].count < mostCompared
      else { continue }
      byDifference[difference].append(candidate)
    }
    return byDifference.joined().prefix(mostCompared)
  }

  /// Adds a name to the few that are offered, unless others come before it.
  private static func keep(_ name: String, in names: inout [String]) {
    if let last = names.last, names.count == mostOffered, name >= last { return }
    guard !names.contains(name) else { return }
    names.append(name)
    names.sort()
    names = Array(names.prefix(mostOffered))
  }

  /// `did you mean 'balance'?`, or nil for no names.
  package static func phrase(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    return "did you mean " + names.map { "'\($0)'" }.joined(separator: " or ") + "?"
  }

  /// Returns the end of a message about an unknown name, or the empty string.
  ///
  /// It is `; did you mean 'balance'?`, or if no name is near, `; there are balance, shop and 3
  /// more`.
  public static func ending(for name: String, among names: [String]) -> String {
    ending(nearest(to: name, among: names), among: names)
  }

  /// Returns the same for names already known to be near.
  package static func ending(_ near: [String], among names: [String] = []) -> String {
    (phrase(near) ?? list(names)).map { "; \($0)" } ?? ""
  }

  /// Returns `there are balance, shop and 3 more`, or nil for no names.
  private static func list(_ names: [String]) -> String? {
    guard let first = names.first else { return nil }
    if names.count == 1 { return "there is only \(first)" }
    let rest = names.count - mostListed
    return "there are " + names.prefix(mostListed).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }

  private static let mostListed = 30
  private static let mostOffered = 4
  private static let mostCompared = 1_000
  // The longest name to compare in bytes, which bounds the quadratic comparison of hostile names.
  private static let longestName = 64
}

/// The optimal string alignment distance between texts: insertions, deletions, substitutions and
/// swapped neighbours, each one.
///
/// Only as much of the matrix is computed as can hold a distance up to the limit, in rows that are
/// used again for every pair of texts.
struct EditDistance {
  private var beforeLast: [Int] = []
  private var last: [Int] = []
  private var current: [Int] = []

  /// Returns the distance between two strings, or nil if it exceeds the limit.
  mutating func between(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit,
      Self.least(Self.letters(of: left), Self.letters(of: right)) <= limit
    else { return nil }
    prepare(columns: right.count + 1, far: limit + 1)
    for row in left.indices {
      let least = fill(row: row, left, right, limit: limit)
      // No later row has less than the least of this one.
      guard least <= limit else { return nil }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }

  /// Returns a bit set of the letters that occur, in which some letters share one bit.
  private static func letters(of text: [UInt8]) -> UInt64 {
    text.reduce(0) { $0 | 1 << UInt64($1 & 63) }
  }

  /// No change takes more than one letter away or brings more than one: most names need no matrix.
  private static func least(_ left: UInt64, _ right: UInt64) -> Int {
    max((left & ~right).nonzeroBitCount, (right & ~left).nonzeroBitCount)
  }

  private mutating func prepare(columns: Int, far: Int) {
    let missing = columns - last.count
    if missing > 0 {
      let padding = [Int](repeating: 0, count: missing)
      beforeLast += padding
      last += padding
      current += padding
    }
    for column in 0..<columns { last[column] = min(column, far) }
  }

  /// Computes the row for a letter of `left`, near the diagonal only, and returns its least cost.
  private mutating func fill(
    row: Int, _ left: [UInt8], _ right: [UInt8], limit: Int
  ) -> Int {
    let far = limit + 1
    let columns = max(0, row - limit)..<min(right.count, row + limit + 1)
    // Costs outside of the diagonal band count as far, so the cells next to it must be set.
    current[columns.lowerBound] = columns.lowerBound == 0 ? min(row + 1, far) : far
    var least = current[columns.lowerBound]
    for column in columns {
      let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
      var cost = min(last[column + 1] + 1, current[column] + 1, substitution)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current[column + 1] = min(cost, far)
      least = min(least, cost)
    }
    if columns.upperBound < right.count { current[columns.upperBound + 1] = far }
    return least
  }
}
