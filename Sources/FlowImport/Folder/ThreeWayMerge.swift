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
    let base = LineDifference.lines(of: base)
    let (ours, theirs) = (LineDifference.lines(of: ours), LineDifference.lines(of: theirs))
    var merge = Lines(
      base: base, ours: ours, theirs: theirs, inOurs: Self.places(of: base, in: ours),
      inTheirs: Self.places(of: base, in: theirs))
    merge.run()
    conflicts = merge.conflicts
    text = conflicts.isEmpty ? merge.merged.joined(separator: "\n") : nil
  }

  /// The most pairs of lines compared one by one.
  ///
  /// Longer parts count as changed as a whole.
  private static let mostPairs = 25_000_000

  /// Returns the place of each line of a text in another version, or nil for a line that is not
  /// there.
  private static func places(of old: [String], in new: [String]) -> [Int?] {
    Alignment(from: old, to: new, mostPairs: mostPairs) { $0.isIdentical(to: $1) }.places
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
