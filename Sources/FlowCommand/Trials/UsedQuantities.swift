internal import FlowCore
internal import FlowEngine
private import Synchronization

/// The quantities of live calls, of all trials of a scenario.
final class UsedQuantities: EventSink {
  fileprivate struct State {
    var amounts: [String: [Value]] = [:]
    var unknown: [String: String] = [:]
    /// The meters of the present trial.
    var meters = CallMeters()
  }

  /// The names of the live components, or nil for all.
  private let live: Set<String>?
  private let state = Mutex(State())

  init(of live: Set<String>?) { self.live = live }

  /// The amounts by the last names of their places, as decimals in the order of the calls.
  var amounts: [String: [Value]] { state.withLock { $0.amounts } }

  /// The first reason for which an amount is not known, by the same names.
  var unknown: [String: String] { state.withLock { $0.unknown } }

  func receive(_ event: Event) {
    switch event {
    case .runStarted: state.withLock { $0.meters = CallMeters() }
    case .completed(let invocation, let outcome):
      guard live?.contains(invocation.componentName) ?? true else { return }
      state.withLock { state in
        let found = state.meters.quantities(of: invocation, outcome) ?? []
        for quantity in found { state.add(quantity) }
      }
    default: return
    }
  }
}

extension UsedQuantities.State {
  fileprivate mutating func add(_ quantity: Quantity) {
    let name = String(quantity.name.split(separator: ".").last ?? "")
    if let amount = quantity.amount {
      amounts[name, default: []].append(.decimal(amount))
    } else if unknown[name] == nil {
      unknown[name] = quantity.reason ?? "it is not known"
    }
  }
}
