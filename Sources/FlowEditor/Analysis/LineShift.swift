/// The lines of a text that are the same in an earlier one.
///
/// Edits are usually at one place, so equal lines are those before it and those after it.
struct LineShift {
  private let prefix: Int
  private let suffix: Int
  private let before: Int
  private let after: Int

  /// The lines of an unchanged text.
  init() { (prefix, suffix, before, after) = (.max, 0, 0, 0) }

  init(from earlier: LineTable, to present: LineTable) {
    let (before, after) = (earlier.count, present.count)
    var prefix = 0
    while prefix < min(before, after), earlier.line(prefix) == present.line(prefix) { prefix += 1 }
    var suffix = 0
    while suffix < min(before, after) - prefix,
      earlier.line(before - 1 - suffix) == present.line(after - 1 - suffix)
    {
      suffix += 1
    }
    (self.prefix, self.suffix, self.before, self.after) = (prefix, suffix, before, after)
  }

  /// Returns the line of the earlier text for a line of the present one, or nil for a new line.
  func earlier(_ line: Int) -> Int? {
    if line < prefix { return line }
    return line >= after - suffix ? line - after + before : nil
  }
}
