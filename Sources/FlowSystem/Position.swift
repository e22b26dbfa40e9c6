/// A place in a text by line and column, both from 1.
///
/// Columns are in unicode scalars.
public struct Position: Sendable, Hashable, Comparable {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in unicode scalars.
  public let column: Int

  /// The place at this line and column.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Earlier in the text comes first.
  public static func < (left: Position, right: Position) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
