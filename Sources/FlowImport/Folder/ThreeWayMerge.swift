internal import FlowSystem

/// A merge of two versions of a text into one, line by line (diff3).
package struct ThreeWayMerge: Sendable {
  /// A place where both versions changed the same lines in different ways.
  package struct Conflict: Sendable, Hashable {
    /// The lines of our version, from 1.
    ///
    /// Empty if they were removed there.
    package let ours: Range<Int>
    /// The lines of their version, from 1.
    ///
    /// Empty if they were removed there.
    package let theirs: Range<Int>
  }

  /// The merged text, or nil if there is a conflict.
  package let text: String?
  package let conflicts: [Conflict]

  /// Merges two versions that were made from `base`.
  package init(base: String, ours: String, theirs: String) {
    let (base, ours, theirs) = (Self.lines(base), Self.lines(ours), Self.lines(theirs))
    var merge = Lines(
      base: base, ours: ours, theirs: theirs, inOurs: Self.places(of: base, in: ours),
      inTheirs: Self.places(of: base, in: theirs))
    merge.run()
    conflicts = merge.conflicts
    text = conflicts.isEmpty ? merge.merged.joined(separator: "\n") : nil
  }

  private static func lines(_ text: String) -> [String] {
    // Not by characters, of which `\r\n` is one.
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The most pairs of lines compared one by one.
  ///
  /// Longer parts count as changed as a whole.
  private static let mostPairs = 25_000_000

  /// Returns the place of each line of a text in another version, or nil for a line that is not
  /// there.
  private static func places(of old: [String], in new: [String]) -> [Int?] {
    var places = [Int?](repeating: nil, count: old.count)
    let start = zip(old, new).prefix { $0.isIdentical(to: $1) }.count
    for index in 0..<start { places[index] = index }
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
      .prefix { $0.isIdentical(to: $1) }.count
    for index in 0..<end { places[old.count - 1 - index] = new.count - 1 - index }
    let middle = (Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)]))
    guard middle.0.count * middle.1.count <= mostPairs else { return places }
    var (removed, added) = (Set<Int>(), Set<Int>())
    for change in middle.1.difference(from: middle.0, by: { $0.isIdentical(to: $1) }) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    let rest = middle.1.indices.filter { !added.contains($0) }
    for (index, place) in zip(middle.0.indices.filter { !removed.contains($0) }, rest) {
      places[start + index] = start + place
    }
    return places
  }
}

/// The lines of the three versions, up to the places that were merged.
private struct Lines {
  let base: [String]
  let ours: [String]
  let theirs: [String]
  let inOurs: [Int?]
  let inTheirs: [Int?]
  private(set) var merged: [String] = []
  private(set) var conflicts: [ThreeWayMerge.Conflict] = []

  mutating func run() {
    var (old, left, right) = (0, 0, 0)
    while old < base.count || left < ours.count || right < theirs.count {
      // The next line that all three have ends the part before it.
      var end = old
      while end < base.count, inOurs[end] == nil || inTheirs[end] == nil { end += 1 }
      let leftEnd = end < base.count ? inOurs[end] ?? ours.count : ours.count
      let rightEnd = end < base.count ? inTheirs[end] ?? theirs.count : theirs.count
      merge(old..<end, left..<leftEnd, right..<rightEnd)
      if end < base.count { merged.append(base[end]) }
      (old, left, right) = (end + 1, leftEnd + 1, rightEnd + 1)
    }
  }

  /// Merges a part of which no line is in all three versions.
  private mutating func merge(_ old: Range<Int>, _ left: Range<Int>, _ right: Range<Int>) {
    let (was, mine, new) = (base[old], ours[left], theirs[right])
    if new.isSame(as: was) || new.isSame(as: mine) {
      merged += mine
    } else if mine.isSame(as: was) {
      merged += new
    } else {
      let conflict = ThreeWayMerge.Conflict(
        ours: left.lowerBound + 1..<left.upperBound + 1,
        theirs: right.lowerBound + 1..<right.upperBound + 1)
      conflicts.append(conflict)
    }
  }
}

extension ArraySlice<String> {
  fileprivate func isSame(as other: ArraySlice<String>) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isIdentical(to: $1) }
  }
}
