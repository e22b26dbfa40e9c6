public import FlowCore
public import FlowScenario

/// What a call is inside of, as far as its order among other calls depends on it.
public struct CallOrder: Sendable, Hashable {
  /// Something that holds calls.
  public enum Scope: Sendable, Hashable {
    /// A branch, whose calls come in any order among those of the branches beside it.
    case branch(Branch)
    /// A step that says how the order of its calls is compared.
    case step(Address, OrderRule)

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
  public var comparison: OrderRule {
    for case .step(_, let comparison) in scopes.reversed() { return comparison }
    return .causal
  }

  /// Whether it goes on beside others.
  package var isInBranch: Bool {
    scopes.contains { if case .branch = $0 { true } else { false } }
  }

  mutating func enter(_ scope: Scope) { scopes.append(scope) }

  mutating func leave() { scopes.removeLast() }
}

/// A part of a run that goes on beside others: a branch of `parallel`, or an iteration of a `for`
/// whose iterations run at the same time.
public struct Branch: Sendable, Hashable {
  /// The address of the step that it is a part of.
  public let address: Address
  /// Its position among the others, from 0, as the scenario orders them.
  public let index: Int
  /// What the addresses of its events begin with: a path, without the last `/`, and iterations.
  public let root: Address

  /// The branch of a name.
  init(of address: Address, index: Int, name: String) {
    self.address = address
    self.index = index
    root = Address(path: "\(address.path)/\(name)", iterations: address.iterations)
  }

  /// The iteration of an index, from 0.
  init(of address: Address, iteration index: Int) {
    self.address = address
    self.index = index
    root = Address(path: address.path, iterations: address.iterations + [index + 1])
  }

  /// Whether an address is of a step inside of this branch.
  public func contains(_ other: Address) -> Bool {
    other.belongs(to: root)
  }
}
