/// A stretch of a text; half-open, so that `end` is just after the last character.
public struct Span: Sendable, Hashable {
  /// The first character's place.
  public let start: Mark

  /// The place just after the last character; equal to `start` where nothing was written.
  public let end: Mark

  /// Makes a span; `end` is not before `start`.
  public init(start: Mark, end: Mark) {
    self.start = start
    self.end = end
  }
}
