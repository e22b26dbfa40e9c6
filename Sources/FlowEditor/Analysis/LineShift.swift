internal import FlowSystem

/// The lines of a text that are the same in an earlier one.
///
/// Edits are usually at one place, so equal lines are those before it and those after it.
struct LineShift {
  /// Nil for an unchanged text.
  private let alignment: Alignment?

  /// The lines of an unchanged text.
  init() { alignment = nil }

  init(from earlier: LineTable, to present: LineTable) {
    let lines = { (table: LineTable) in (0..<table.count).map(table.line) }
    alignment = Alignment(from: lines(earlier), to: lines(present), longest: 0, by: ==)
  }

  /// Returns the line of the earlier text for a line of the present one, or nil for a new line.
  func earlier(_ line: Int) -> Int? {
    guard let alignment else { return line }
    return alignment.places.firstIndex(of: line)
  }
}
