private import Synchronization

/// A part of a component that outlives a run, such as a started program.
public protocol KeptPart: AnyObject, Sendable {
  /// Ends the part, because no run follows.
  ///
  /// Called once, on one task, and not after the part was taken.
  func end() async
}

/// The parts that components leave for the next run of the same scenario.
///
/// At most one for each component, so they do not grow with the number of runs.
package final class KeptParts: Sendable {
  private let parts = Mutex<[String: any KeptPart]>([:])

  /// True if also components without `restart: never` leave their programs.
  package let includesAll: Bool

  /// No parts yet.
  package init(includesAll: Bool = false) { self.includesAll = includesAll }

  /// The addresses of the components that have left something, in alphabetical order.
  package var owners: [String] { parts.withLock { $0.keys.sorted() } }

  /// Ends all parts.
  package func end() async {
    for part in takeAll() { await part.end() }
  }

  private func takeAll() -> [any KeptPart] {
    parts.withLock { parts in
      defer { parts = [:] }
      return parts.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  fileprivate func take(_ owner: String) -> (any KeptPart)? {
    parts.withLock { $0.removeValue(forKey: owner) }
  }

  fileprivate func leave(_ part: any KeptPart, of owner: String) {
    parts.withLock { $0[owner] = part }
  }
}

/// The place where a component leaves a part of itself for the next run of the same scenario.
///
/// `flow mutate` runs a scenario very often. A component that finds a keeper in its context takes
/// over what the run before has left, and leaves it again in `close`.
public struct PartKeeper: Sendable {
  private let parts: KeptParts
  private let owner: String

  package init(_ parts: KeptParts, of component: Address) {
    (self.parts, owner) = (parts, "\(component)")
  }

  /// Takes the part that the run before has left, or returns nil.
  ///
  /// The caller owns it from now on, and ends what it does not use.
  public func take() -> (any KeptPart)? { parts.take(owner) }

  /// Leaves a part for the next run, or to be ended after the last one.
  public func leave(_ part: any KeptPart) { parts.leave(part, of: owner) }
}
