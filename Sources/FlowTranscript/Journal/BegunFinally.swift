internal import FlowCore

/// Which `finally` of a run have begun: that of the main scenario, and those of the scenarios of steps.
struct BegunFinally {
  /// The path up to and with `finally`, in the iterations of its scenario.
  private var begun: Set<Address> = []

  /// Takes note of a step that begins.
  mutating func note(_ address: Address) {
    // Only the steps of a `finally` itself stand in just the iterations of their scenario.
    guard let path = address.finallyPath else { return }
    let rest = address.path.utf8.dropFirst(path.utf8.count + 1)
    if rest.contains(UInt8(ascii: "/")) { return }
    begun.insert(Address(path: path, iterations: address.iterations))
  }

  /// Forgets the scenario of a step that ends.
  mutating func forget(_ scope: Address) {
    begun.remove(Address(path: scope.path + "/" + Self.name, iterations: scope.iterations))
  }

  /// Whether an address is outside of every `finally`, or inside of one that has begun.
  func contains(_ address: Address) -> Bool {
    guard let path = address.finallyPath else { return true }
    return (0...address.iterations.count).contains { count in
      begun.contains(Address(path: path, iterations: Array(address.iterations.prefix(count))))
    }
  }

  fileprivate static let name = "finally"
}

extension Address {
  // No step has that id.
  /// The path up to and with its last `finally`, or nil outside of all of them.
  fileprivate var finallyPath: String? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    guard let last = parts.dropLast().last(where: { $0.elementsEqual(BegunFinally.name.utf8) })
    else { return nil }
    return String(path[..<last.endIndex])
  }
}
