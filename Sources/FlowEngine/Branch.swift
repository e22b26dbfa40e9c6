public import FlowCore

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
    guard other.iterations.starts(with: root.iterations) else { return false }
    let path = other.path.utf8
    let length = root.path.utf8.count
    return path.count > length && path.starts(with: root.path.utf8)
      && path[path.index(path.startIndex, offsetBy: length)] == UInt8(ascii: "/")
  }
}
