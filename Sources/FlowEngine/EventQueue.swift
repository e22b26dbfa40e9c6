public import FlowCore
internal import FlowExpression
public import FlowScenario
private import Synchronization

/// What components have reported and no step has waited for yet.
///
/// A report is kept until a step takes it, so it does not matter which comes first. Each is taken once;
/// a step takes the earliest that it accepts. Of each event the latest 1,000 reports are kept.
public final class EventQueue: Sendable {
  private static let capacity = 1_000

  private struct Waiter {
    let key: Int
    let event: AwaitedEvent
    let continuation: CheckedContinuation<Value, any Error>
  }

  private struct State {
    var reports: [String: [Value]] = [:]
    var waiters: [Waiter] = []
    /// Reports that were taken before they were repeated, by their event's name.
    var taken: [String: [Value]] = [:]
    var nextKey = 0
    /// Who was cancelled before beginning to wait.
    var cancelled: Set<Int> = []
  }

  private let names: Set<String>
  private let state = Mutex(State())

  /// A queue of the events that a plan's steps wait for; without a plan, of none.
  public init(_ plan: Plan? = nil) {
    names = plan?.awaitedEvents ?? []
  }

  /// Takes note of a report, or hands it to the step that has been waiting for it the longest.
  public func add(_ name: String, _ payload: Value) {
    guard names.contains(name) else { return }
    state.withLock { state in
      if let index = state.taken[name]?.firstIndex(of: payload) {
        state.taken[name]?.remove(at: index)
        return
      }
      for (index, waiter) in state.waiters.enumerated() where waiter.event.reference.name == name {
        do throws(EvaluationFailure) {
          guard try waiter.event.accepts(payload) else { continue }
          waiter.continuation.resume(returning: payload)
        } catch {
          waiter.continuation.resume(throwing: error)
        }
        state.waiters.remove(at: index)
        return
      }
      state.reports[name, default: []].append(payload)
      if state.reports[name, default: []].count > Self.capacity {
        state.reports[name]?.removeFirst()
      }
    }
  }

  /// The earliest report that is accepted, now or in future.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; `EvaluationFailure` when a condition has
  ///   no value for a report.
  func next(_ event: AwaitedEvent) async throws -> Value {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(Waiter(key: key, event: event, continuation: continuation))
      }
    } onCancel: {
      cancel(key)
    }
  }

  /// Takes a report that a step is known to have taken, now or when it comes again.
  public func take(_ name: String, _ payload: Value) {
    guard names.contains(name) else { return }
    state.withLock { state in
      if let index = state.reports[name]?.firstIndex(of: payload) {
        state.reports[name]?.remove(at: index)
      } else {
        state.taken[name, default: []].append(payload)
      }
    }
  }

  private func wait(_ waiter: Waiter) {
    let result: Result<Value, any Error>? = state.withLock { state in
      if state.cancelled.remove(waiter.key) != nil { return .failure(CancellationError()) }
      let name = waiter.event.reference.name
      for (index, payload) in (state.reports[name] ?? []).enumerated() {
        do throws(EvaluationFailure) {
          guard try waiter.event.accepts(payload) else { continue }
          state.reports[name]?.remove(at: index)
          return .success(payload)
        } catch {
          return .failure(error)
        }
      }
      state.waiters.append(waiter)
      return nil
    }
    if let result { waiter.continuation.resume(with: result) }
  }

  private func cancel(_ key: Int) {
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.key == key }) else {
        state.cancelled.insert(key)
        return nil
      }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
