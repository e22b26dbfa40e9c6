/// Offers the names that a mistyped one may have meant.
package enum Suggestion {
  /// At most four names near `name`, sorted; empty when none is near.
  ///
  /// Near is an edit distance (insertions, deletions, substitutions and swapped neighbours, each
  /// one) of at most a third of the longer name, and at least one.
  /// Of more than a thousand such names only those of the nearest lengths are compared, in the order
  /// given, so that a long file full of mistakes is answered soon.
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

  /// The names whose lengths do not rule them out, those of the nearest lengths first.
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

  private static let mostOffered = 4
  private static let mostCompared = 1_000
  // Keeps the quadratic comparison small on hostile names; in bytes.
  private static let longestName = 64
}
