internal import FlowCore
public import FlowEngine
internal import FlowScenario
internal import Synchronization

/// Appends each line of a run to its journal before the run goes on.
///
/// A resumed run tells again what its journal holds already; such lines are counted by address and
/// kind, and not written again.
public final class JournalRecorder: EventSink {
  private struct State {
    var written: WrittenLines
    var writer = JSONWriter()
    /// Where each open component keeps its state, by its scope and its index.
    var places: [Address?: [Int: Plugin.State]] = [:]
    /// Whether any component, open or closed, kept its state outside.
    var hasReachedOut = false
    var failure: (any Error)?
    var isStopped = false
    var isInterrupted = false
    /// Which `finally` began before the interruption.
    var begun = BegunFinally()
  }

  private let scenario: String
  private let run: String
  private let append: @Sendable ([UInt8], _ isDurable: Bool) throws -> Void
  private let state: Mutex<State>

  /// A recorder of one run.
  ///
  /// - Parameters:
  ///   - scenario: The scenario's path relative to the journal's folder.
  ///   - run: The run's name.
  ///   - journal: What is in the journal already; nil for a new one.
  ///   - append: Takes one whole line, in order, and says when it is in the file; a durable one must
  ///     be on the disk by then.
  public init(
    scenario: String, run: String, resuming journal: Journal? = nil,
    append: @escaping @Sendable ([UInt8], _ isDurable: Bool) throws -> Void
  ) {
    self.scenario = scenario
    self.run = run
    self.append = append
    state = Mutex(State(written: WrittenLines(journal)))
  }

  /// The first error that `append` threw; nothing was written after it.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// Whether nothing is written any more.
  public var isStopped: Bool { state.withLock { $0.isStopped || $0.failure != nil } }

  /// Writes nothing more, not even an end, so that the journal can be resumed as it is.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Prepares for a cancellation from outside; call it before the run is cancelled.
  ///
  /// What the run still does is written, but neither that calls were cancelled, nor the end, nor a
  /// `finally` that only runs because of the interruption: the resumed run will come to its own.
  public func interrupt() { state.withLock { $0.isInterrupted = true } }

  /// Writes the event's line, if it has one and the journal does not have it.
  public func receive(_ event: Event) {
    state.withLock { state in
      note(event, &state)
      guard !state.isStopped, state.failure == nil, isKept(event, state),
        !state.written.contains(event)
      else { return }
      state.writer.line(of: event, scenario: scenario, run: run)
      guard !state.writer.bytes.isEmpty else { return }
      do { try append(state.writer.bytes, Self.isDurable(event, state)) } catch {
        state.failure = error
      }
      state.writer.removeAll()
    }
  }

  /// Where the component that is asked keeps its state.
  func place(of invocation: Invocation) -> Plugin.State {
    state.withLock { Self.place(of: invocation, $0) }
  }

  private func note(_ event: Event, _ state: inout State) {
    switch event {
    case .invoked(let invocation):
      guard case .open(let component, let index) = invocation.target else { return }
      let place = component.plugin.state(invocation.input)
      state.places[invocation.scope, default: [:]][index] = place
      if place == .external { state.hasReachedOut = true }
    case .stepStarted(let address, _):
      if !state.isInterrupted { state.begun.note(address) }
    case .stepEnded(let address, let step, _, _):
      // A loop may run a scenario a million times.
      guard case .scenario = step.action else { return }
      state.places[address] = nil
      state.begun.forget(address)
    default: return
    }
  }

  private func isKept(_ event: Event, _ state: State) -> Bool {
    guard state.isInterrupted else { return true }
    switch event {
    case .completed(_, .cancelled), .runEnded: return false
    case .invoked(let invocation), .completed(let invocation, _):
      return state.begun.contains(invocation.address)
    case .emitted(let address, _, _): return state.begun.contains(address)
    default: return true
    }
  }

  private static func isDurable(_ event: Event, _ state: State) -> Bool {
    switch event {
    case .invoked(let invocation), .completed(let invocation, _):
      place(of: invocation, state) == .external
    case .runEnded: state.hasReachedOut
    default: false
    }
  }

  private static func place(of invocation: Invocation, _ state: State) -> Plugin.State {
    let index =
      switch invocation.target {
      case .open(_, let index): index
      case .operation(let operation): operation.component
      }
    // Every component is opened before it is called.
    return state.places[invocation.scope]?[index] ?? .external
  }
}
