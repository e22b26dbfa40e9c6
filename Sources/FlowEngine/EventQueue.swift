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

  /// An event of a component that is open.
  public struct Key: Sendable, Hashable {
    /// The step whose scenario has the component; nil for the main scenario.
    let scope: Address?
    /// `component.event`.
    let name: String

    /// The event of this name.
    public init(scope: Address?, name: String) {
      self.scope = scope
      self.name = name
    }
  }

  private struct Waiter {
    let number: Int
    let key: Key
    let event: AwaitedEvent
    let continuation: CheckedContinuation<Value, any Error>
  }

  private struct State {
    var reports: [Key: [Value]] = [:]
    var waiters: [Waiter] = []
    /// Reports that were taken before they were repeated.
    var taken: [Key: [Value]] = [:]
    var count = 0
    /// Who was cancelled before beginning to wait.
    var cancelled: Set<Int> = []
  }

  private let names: Set<String>
  private let state = Mutex(State())

  /// A queue of the events that a plan's steps wait for; without a plan, of none.
  public init(_ plan: Plan? = nil) {
    names = plan.map(Self.names) ?? []
  }

  private static func names(of plan: Plan) -> Set<String> {
    plan.scenarios.reduce(into: plan.awaitedEvents) { $0.formUnion(names(of: $1)) }
  }

  /// Takes note of a report, or hands it to the step that has been waiting for it the longest.
  public func add(_ key: Key, _ payload: Value) {
    guard names.contains(key.name) else { return }
    state.withLock { state in
      if let index = state.taken[key]?.firstIndex(of: payload) {
        state.taken[key]?.remove(at: index)
        return
      }
      for (index, waiter) in state.waiters.enumerated() where waiter.key == key {
        do throws(EvaluationFailure) {
          guard try waiter.event.accepts(payload) else { continue }
          waiter.continuation.resume(returning: payload)
        } catch {
          waiter.continuation.resume(throwing: error)
        }
        state.waiters.remove(at: index)
        return
      }
      state.reports[key, default: []].append(payload)
      if state.reports[key, default: []].count > Self.capacity {
        state.reports[key]?.removeFirst()
      }
    }
  }

  /// The earliest report that is accepted, now or in future.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; `EvaluationFailure` when a condition has
  ///   no value for a report.
  func next(_ event: AwaitedEvent, in scope: Address?) async throws -> Value {
    let key = Key(scope: scope, name: event.reference.name)
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(Waiter(number: number, key: key, event: event, continuation: continuation))
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Forgets what the components of a step's scenario have reported.
  func forget(_ scope: Address) {
    if names.isEmpty { return }
    state.withLock { state in
      state.reports = state.reports.filter { $0.key.scope != scope }
      state.taken = state.taken.filter { $0.key.scope != scope }
    }
  }

  /// Takes a report that a step is known to have taken, now or when it comes again.
  public func take(_ key: Key, _ payload: Value) {
    guard names.contains(key.name) else { return }
    state.withLock { state in
      if let index = state.reports[key]?.firstIndex(of: payload) {
        state.reports[key]?.remove(at: index)
      } else {
        state.taken[key, default: []].append(payload)
      }
    }
  }

  private func wait(_ waiter: Waiter) {
    let result: Result<Value, any Error>? = state.withLock { state in
      if state.cancelled.remove(waiter.number) != nil { return .failure(CancellationError()) }
      for (index, payload) in (state.reports[waiter.key] ?? []).enumerated() {
        do throws(EvaluationFailure) {
          guard try waiter.event.accepts(payload) else { continue }
          state.reports[waiter.key]?.remove(at: index)
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

  private func cancel(_ number: Int) {
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
