/// The changed places between two versions of a text, in their order.
package struct SourceChanges: Sendable {
  /// The most lines compared one by one.
  private static let longest = 4_000

  /// Lines in place of others.
  package struct Change: Sendable, Hashable {
    /// The numbers of the earlier lines, from 1.
    ///
    /// Empty at the place of added lines.
    package let old: Range<Int>
    /// The numbers of the later lines, from 1.
    ///
    /// Empty at the place of removed lines.
    package let new: Range<Int>
  }

  /// The changes.
  package let changes: [Change]
  private let oldLines: [String]
  private let newLines: [String]

  /// Compares two versions.
  package init(from old: String, to new: String) {
    (oldLines, newLines) = (LineDifference.lines(of: old), LineDifference.lines(of: new))
    let alignment = Alignment(
      from: oldLines, to: newLines, longest: Self.longest, by: { $0.isIdentical(to: $1) })
    var changes: [Change] = []
    var (left, right) = (0, 0)
    for (index, place) in alignment.places.enumerated() {
      guard let place else { continue }
      if left < index || right < place {
        changes.append(Change(old: left + 1..<index + 1, new: right + 1..<place + 1))
      }
      (left, right) = (index + 1, place + 1)
    }
    if left < oldLines.count || right < newLines.count {
      changes.append(
        Change(old: left + 1..<oldLines.count + 1, new: right + 1..<newLines.count + 1))
    }
    self.changes = changes
  }

  /// The change of an earlier line, or nil if it has stayed.
  package func change(ofOld line: Int) -> Change? { changes.first { $0.old.contains(line) } }

  /// The first change within some earlier or some later lines, or nil.
  package func change(in old: ClosedRange<Int>?, _ new: ClosedRange<Int>?) -> Change? {
    changes.first { change in
      (new.map { change.new.meets($0) } ?? false) || (old.map { change.old.meets($0) } ?? false)
    }
  }

  /// The change that is the fewest earlier lines away from one, or nil without a change.
  package func nearest(toOld line: Int) -> Change? {
    changes.min { $0.distance(from: line) < $1.distance(from: line) }
  }

  /// The later line that corresponds to an earlier one in a change.
  package func line(of old: Int, in change: Change) -> Int {
    let place = change.new.lowerBound + max(0, old - change.old.lowerBound)
    // After a last newline there is no line to show.
    let last = newLines.last == "" ? newLines.count - 1 : newLines.count
    return max(1, min(place, max(change.new.upperBound - 1, change.new.lowerBound), last))
  }

  /// The texts of the earlier lines of a change.
  package func removed(by change: Change) -> [String] { change.old.map { oldLines[$0 - 1] } }

  /// The texts of its later lines.
  package func added(by change: Change) -> [String] { change.new.map { newLines[$0 - 1] } }
}

extension Range<Int> {
  /// True if some lines are within others, or are missing between them.
  fileprivate func meets(_ lines: ClosedRange<Int>) -> Bool {
    isEmpty
      ? lines.lowerBound < lowerBound && lowerBound <= lines.upperBound
      : lowerBound <= lines.upperBound && lines.lowerBound < upperBound
  }
}

extension SourceChanges.Change {
  fileprivate func distance(from line: Int) -> Int {
    if old.contains(line) { return 0 }
    return line < old.lowerBound ? old.lowerBound - line : line - old.upperBound + 1
  }
}
