public import FlowCore
public import FlowPlan

/// The reported events of components that no step has taken yet.
///
/// A report is kept until a step takes it, so the order of report and wait does not matter. A step
/// takes the earliest report that it accepts, and each report once. The latest 1,000 reports of
/// each event are kept.
public final class EventQueue: Sendable {
  private static let capacity = 1_000

  /// An event of an open component.
  public struct Key: Sendable, Hashable {
    /// The step whose scenario has the component, or nil for the main scenario.
    let scope: Address?
    /// `component.event`.
    let name: String

    /// The event of this name.
    public init(scope: Address?, name: String) {
      self.scope = scope
      self.name = name
    }
  }

  private struct Request: Sendable {
    let key: Key
    let event: AwaitedEvent

    /// The answer for a report, or nil if the report is not accepted.
    func answer(_ payload: Value) -> Result<Value, any Error>? {
      do throws(EvaluationFailure) {
        return try event.accepts(payload) ? .success(payload) : nil
      } catch {
        return .failure(error)
      }
    }
  }

  private struct State {
    var reports: [Key: [Value]] = [:]
    /// Reports taken before their repetition.
    var taken: [Key: [Value]] = [:]
  }

  private let names: Set<String>
  /// The streams that bring reports to the components that use them.
  package let streams: ReportStreams
  private let state = Monitor<State, Request, Value>(State())

  /// Creates a queue of the events that a plan's steps wait for, or of no events without a plan.
  public convenience init(_ plan: Plan? = nil) {
    self.init(plan, deliveries: nil)
  }

  init(_ plan: Plan?, deliveries: ReportStreams.Deliveries?) {
    names = plan.map(Self.names) ?? []
    streams = ReportStreams(deliveries: deliveries)
  }

  private static func names(of plan: Plan) -> Set<String> {
    plan.scenarios.reduce(into: plan.awaitedEvents) { $0.formUnion(names(of: $1)) }
  }

  /// Notes a report, or passes it to the step that has waited for it the longest.
  public func add(_ key: Key, _ payload: Value) {
    let isAwaited = names.contains(key.name)
    for _ in 0..<streams.deliveries(of: key, isAwaited: isAwaited) {
      streams.deliver(key, payload)
      if isAwaited { keep(key, payload) }
    }
  }

  private func keep(_ key: Key, _ payload: Value) {
    state.withLock { state, steps in
      if let index = state.taken[key]?.firstIndex(of: payload) {
        state.taken[key]?.remove(at: index)
        return
      }
      // A step whose condition fails does not take the report.
      var isTaken = false
      steps.resume { request in
        guard !isTaken, request.key == key, let answer = request.answer(payload) else { return nil }
        if case .success = answer { isTaken = true }
        return answer
      }
      if isTaken { return }
      state.reports[key, default: []].append(payload)
      if state.reports[key, default: []].count > Self.capacity {
        state.reports[key]?.removeFirst()
      }
    }
  }

  /// The earliest accepted report, present or future.
  ///
  /// - Throws: `CancellationError` if the task is cancelled. `EvaluationFailure` if a condition has
  ///   no value for a report.
  func next(_ event: AwaitedEvent, for invocation: Invocation) async throws -> Value {
    let key = Key(scope: invocation.scope, name: invocation.name)
    let request = Request(key: key, event: event)
    return try await state.wait(for: request) { state in
      for (index, payload) in (state.reports[request.key] ?? []).enumerated() {
        guard let answer = request.answer(payload) else { continue }
        if case .success = answer { state.reports[request.key]?.remove(at: index) }
        return answer
      }
      return nil
    }
  }

  /// Removes the reports of the components of a step's scenario.
  func forget(_ scope: Address) {
    streams.end(in: scope)
    if names.isEmpty { return }
    state.withLock { state, _ in
      state.reports = state.reports.filter { $0.key.scope != scope }
      state.taken = state.taken.filter { $0.key.scope != scope }
    }
  }

  /// Takes a report that a step is known to have taken, now or when it comes again.
  public func take(_ key: Key, _ payload: Value) {
    guard names.contains(key.name) else { return }
    state.withLock { state, _ in
      if let index = state.reports[key]?.firstIndex(of: payload) {
        state.reports[key]?.remove(at: index)
      } else {
        state.taken[key, default: []].append(payload)
      }
    }
  }
}
