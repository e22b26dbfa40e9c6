public import FlowCore
public import FlowScenario

/// What a call is inside of, as far as its order among other calls depends on it.
public struct CallOrder: Sendable, Hashable {
  /// Something that holds calls.
  public enum Scope: Sendable, Hashable {
    /// A branch, whose calls come in any order among those of the branches beside it.
    case branch(Branch)
    /// A step that says how the order of its calls is compared.
    case step(Address, Comparison)

    /// The step.
    public var address: Address {
      switch self {
      case .branch(let branch): branch.address
      case .step(let address, _): address
      }
    }
  }

  /// From the outside in; none for most calls.
  public private(set) var scopes: [Scope] = []

  /// The order of a sequential run.
  public init() {}

  /// How the order is compared: as the innermost step says that says it, else causally.
  public var comparison: Comparison {
    for case .step(_, let comparison) in scopes.reversed() { return comparison }
    return .causal
  }

  /// Whether it goes on beside others.
  package var isInBranch: Bool {
    scopes.contains { if case .branch = $0 { true } else { false } }
  }

  /// The outermost step with branches whose calls are compared exactly with this one; nil for none.
  package var exactStep: Address? {
    if scopes.isEmpty || comparison != .exact { return nil }
    for (index, scope) in scopes.enumerated() {
      guard case .step(let address, .exact) = scope else { continue }
      let hasBranches = scopes[index...].contains { if case .branch = $0 { true } else { false } }
      return hasBranches ? address : nil
    }
    return nil
  }

  mutating func enter(_ scope: Scope) { scopes.append(scope) }

  mutating func leave() { scopes.removeLast() }
}
