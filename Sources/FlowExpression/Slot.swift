/// Where a variable's value is kept at run time.
public struct Slot: Sendable, Hashable {
  /// The level of nested blocks, from 0 for the outermost.
  public let level: Int
  /// The index in the level, from 0.
  public let index: Int

  /// The slot at an index of a level.
  public init(level: Int, index: Int) {
    self.level = level
    self.index = index
  }
}
