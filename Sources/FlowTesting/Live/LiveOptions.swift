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
  /// The secrets by name: for what components ask of `context.secrets`, and for secret inputs; none unless given.
  ///
  /// A name is letters, digits and `_`; a value has 4 bytes or more, and an empty one is not given. The
  /// environment, where `flow run` would look as well, has no part in a test.
  public var secrets: [String: String] = [:]

  /// The options of `flow run`, but for those that are given.
  public init(
    isVirtualTime: Bool = false, seed: UInt64 = 0, date: Timestamp? = nil,
    secrets: [String: String] = [:]
  ) {
    self.isVirtualTime = isVirtualTime
    self.seed = seed
    self.date = date
    self.secrets = secrets
  }
}

extension LiveOptions: CustomStringConvertible, CustomReflectable {
  /// All but the values of the secrets, which a test that prints it is not to show.
  public var description: String {
    let time = isVirtualTime ? "virtual time" : "real time"
    let begin = date.map { ", from \(Value.timestamp($0).summary())" } ?? ""
    let names = secrets.keys.sorted().joined(separator: ", ")
    return "\(time), seed \(seed)\(begin)" + (names.isEmpty ? "" : ", secrets \(names)")
  }

  /// Nothing that `description` does not show.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
