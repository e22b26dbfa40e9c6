internal import FlowCore
internal import FlowEngine
internal import FlowPlan
private import Synchronization

/// The quantities in the answers of live calls, of all trials of a scenario.
final class UsedQuantities: EventSink {
  /// The names of the live components, or nil for all.
  private let live: Set<String>?
  private let used = Mutex<[String: [Value]]>([:])

  init(of live: Set<String>?) { self.live = live }

  /// The quantities by their names, in the order of the answers.
  var all: [String: [Value]] { used.withLock { $0 } }

  func receive(_ event: Event) {
    guard case .completed(let invocation, .answer(let answer)) = event,
      case .operation = invocation.target,
      live?.contains(invocation.componentName) ?? true
    else { return }
    answer.visitQuantities { name, value in
      used.withLock { $0[name, default: []].append(value) }
    }
  }
}
