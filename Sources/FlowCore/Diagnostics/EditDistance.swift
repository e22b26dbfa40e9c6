/// The optimal string alignment distance between texts: insertions, deletions, substitutions and
/// swapped neighbours, each one.
///
/// Only as much of the matrix is computed as can hold a distance up to the limit, in rows that are
/// used again for every pair of texts.
struct EditDistance {
  private var beforeLast: [Int] = []
  private var last: [Int] = []
  private var current: [Int] = []

  /// The distance between two texts; nil when it is over the limit.
  mutating func between(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    prepare(columns: right.count + 1, far: limit + 1)
    for row in left.indices {
      let least = fill(row, left, right, limit)
      // No later row has less than the least of this one.
      guard least <= limit else { return nil }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count] <= limit ? last[right.count] : nil
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
    _ row: Int, _ left: [UInt8], _ right: [UInt8], _ limit: Int
  ) -> Int {
    let far = limit + 1
    let columns = max(0, row - limit)..<min(right.count, row + limit + 1)
    // The costs beside the diagonal count as far; so the neighbours of the stretch must say.
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
