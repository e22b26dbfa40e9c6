/// A place in a text.
///
/// Lines end at LF, CR or CRLF, and, because libyaml follows YAML 1.1 there, at U+0085, U+2028 and
/// U+2029. A byte order mark takes no column; a tab takes one.
public struct Mark: Sendable, Hashable, Comparable {
  /// The line, from 1.
  public let line: Int

  /// The column, from 1, in unicode scalars.
  public let column: Int

  /// Makes a mark; both numbers count from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders marks as they stand in the text.
  public static func < (left: Mark, right: Mark) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
