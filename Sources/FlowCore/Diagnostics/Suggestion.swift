/// Offers the names that a mistyped one may have meant.
package enum Suggestion {
  /// At most four names near `name`, sorted; empty when none is near.
  ///
  /// Near is an edit distance (insertions, deletions, substitutions and swapped neighbours, each
  /// one) of at most a third of the longer name, and at least one.
  package static func nearest(to name: String, among names: some Sequence<String>) -> [String] {
    let wanted = Array(name.lowercased().utf8)
    guard wanted.count <= longestName else { return [] }
    var best = Int.max
    var nearest: [String] = []
    for candidate in names {
      let letters = Array(candidate.lowercased().utf8)
      let bound = max(1, max(letters.count, wanted.count) / 3)
      guard abs(letters.count - wanted.count) <= bound, letters.count <= longestName else {
        continue
      }
      let distance = distance(wanted, letters)
      guard distance <= bound, distance <= best else { continue }
      if distance < best { nearest = [] }
      best = distance
      nearest.append(candidate)
    }
    return Array(Set(nearest).sorted().prefix(4))
  }

  /// `did you mean 'balance'?`, or nil for no names.
  package static func phrase(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    return "did you mean " + names.map { "'\($0)'" }.joined(separator: " or ") + "?"
  }

  // Keeps the quadratic comparison small on hostile names.
  private static let longestName = 64

  /// The optimal string alignment distance.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
        var cost = min(last[column + 1] + 1, current[column] + 1, substitution)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
