public import FlowCore

/// The values of an expression's variables at run time.
public struct Activation: Sendable {
  /// The slots of each level of nested blocks; nil in one that was never set.
  public var levels: [[Value?]]

  /// The values of these slots.
  public init(levels: [[Value?]] = []) {
    self.levels = levels
  }

  /// The value of a slot; nil when it was never set or does not exist.
  ///
  /// - Precondition: a slot that is set exists.
  public subscript(slot: Slot) -> Value? {
    get {
      guard slot.level < levels.count, slot.index < levels[slot.level].count else { return nil }
      return levels[slot.level][slot.index]
    }
    set { levels[slot.level][slot.index] = newValue }
  }
}
