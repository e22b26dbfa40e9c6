public import FlowCore

/// How a scenario is run on components.
public struct LiveOptions: Sendable {
  /// Whether time passes only when nothing is left to do, so that waiting takes none; false unless said.
  public var isVirtualTime = false
  /// What decides everything random in the run; 0 unless said.
  public var seed: UInt64 = 0
  /// The date at which the run begins; the system's for nil.
  ///
  /// The time that passes is added to it.
  public var date: Timestamp?

  /// The options of `flow run`, but for those that are given.
  public init(isVirtualTime: Bool = false, seed: UInt64 = 0, date: Timestamp? = nil) {
    self.isVirtualTime = isVirtualTime
    self.seed = seed
    self.date = date
  }
}
