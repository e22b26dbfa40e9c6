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

/// A half-open range of a text: `end` is just after the last character.
public struct Span: Sendable, Hashable {
  /// The first character's place.
  public let start: Position
  /// The place just after the last character, equal to `start` for an empty range.
  public let end: Position

  /// Creates a span.
  ///
  /// - Precondition: `end` is not before `start`.
  public init(start: Position, end: Position) {
    self.start = start
    self.end = end
  }
}
