internal import FlowCore

/// The sources of the answers of a run's calls.
package struct CallSources: Sendable {
  /// The source of the answers of most calls.
  package enum Usual: Sendable {
    /// The components.
    case live
    /// A recording, except for the calls of these components.
    case recorded(live: Set<String>)
  }

  private let usual: Usual
  /// The calls with another source, by their addresses.
  private var others: [Address: Bool] = [:]

  /// Creates the sources of a run that has not started.
  init(_ usual: Usual) { self.usual = usual }

  /// Notes the source of a call that has not ended.
  mutating func note(_ address: Address, isLive: Bool) { others[address] = isLive }

  /// Returns true if the component answered a call that has ended, and forgets the call.
  mutating func isLive(_ address: Address, of component: String) -> Bool {
    if !others.isEmpty, let isLive = others.removeValue(forKey: address) { return isLive }
    switch usual {
    case .live: return true
    case .recorded(let live): return live.contains(component)
    }
  }
}
