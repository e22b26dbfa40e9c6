internal import FlowCore
public import FlowEngine
public import FlowScenario
internal import Synchronization

/// Serves recorded answers in place of the components.
///
/// Strict: a call that was not recorded, a call with another input, and a recorded call that never
/// came are failures. Calls are found by their address, so their order among others is free.
public final class ReplayingCaller: Caller {
  private struct State {
    /// The recorded calls of each address that have not been served, the next one last.
    var waiting: [String: [Int]]
  }

  private let transcript: Transcript
  private let clock: any Clock<Duration>
  /// The type of each event's payload, by `component.event`.
  private let payloads: [String: RecordType]
  private let sinks: EventSinks
  private let state: Mutex<State>

  /// A caller that answers a plan's calls from a transcript.
  ///
  /// A call that was cancelled when it was recorded waits on the clock until it is cancelled again.
  public init(
    _ transcript: Transcript, plan: Plan, sinks: EventSinks,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.transcript = transcript
    self.clock = clock
    self.sinks = sinks
    payloads = Dictionary(
      plan.components.flatMap { component in
        component.plugin.events.map { ("\(component.name).\($0.name)", $0.payload) }
      }, uniquingKeysWith: { first, _ in first })
    var waiting: [String: [Int]] = [:]
    for (index, call) in transcript.calls.enumerated().reversed() {
      waiting[call.address, default: []].append(index)
    }
    state = Mutex(State(waiting: waiting))
  }

  /// The recorded answer to the same call at the same address.
  public func call(_ invocation: Invocation) async throws -> Outcome {
    let address = invocation.address.description
    guard let index = state.withLock({ $0.waiting[address]?.popLast() }) else {
      throw ReplayFailure.notRecorded(invocation, near: near(invocation, address)).failure
    }
    let recorded = transcript.calls[index]
    guard recorded.name == invocation.name else {
      throw ReplayFailure.otherOperation(invocation, recorded: recorded.name).failure
    }
    try compareInput(of: invocation, with: recorded)
    for emitted in recorded.emitted { try emit(emitted, invocation) }
    if case .cancelled? = recorded.answer {
      try await clock.sleep(for: .seconds(Self.forever))
    }
    return try outcome(recorded, invocation)
  }

  /// Checks that every recorded call was made.
  public func finish() async throws {
    let left = state.withLock { $0.waiting.values.flatMap { $0 } }.sorted()
    if !left.isEmpty {
      throw ReplayFailure.notCalled(left.map { transcript.calls[$0] }).failure
    }
  }

  // Longer than any timeout, short enough for every clock: 100 years in seconds.
  private static let forever = 3_153_600_000

  private func emit(
    _ emitted: (event: String, payload: JSON), _ invocation: Invocation
  ) throws {
    guard let type = payloads[emitted.event] else {
      throw ReplayFailure.unknownEvent(invocation, event: emitted.event).failure
    }
    do {
      let payload = try Value(emitted.payload, as: .record(type))
      sinks.receive(.emitted(invocation.address, event: emitted.event, payload: payload))
    } catch {
      throw ReplayFailure.unreadablePayload(invocation, event: emitted.event, error).failure
    }
  }

  private func compareInput(of invocation: Invocation, with recorded: Transcript.Call) throws {
    let expected: Value
    do {
      expected = try Value(recorded.input, as: .record(invocation.inputType))
    } catch {
      throw ReplayFailure.unreadableInput(invocation, error).failure
    }
    // NaN is unequal to itself, and yet the same input.
    if expected != invocation.input, "\(expected)" != "\(invocation.input)" {
      throw ReplayFailure.changedInput(invocation, recorded: expected).failure
    }
  }

  private func outcome(_ recorded: Transcript.Call, _ invocation: Invocation) throws -> Outcome {
    switch recorded.answer {
    case .error(let code, let message)?:
      return .error(ComponentError(ErrorCode(code, ""), message))
    case .output(let json)?:
      do {
        return .answer(try Value(json, as: .record(invocation.outputType)))
      } catch {
        throw ReplayFailure.unreadableAnswer(invocation, error).failure
      }
    case .cancelled?: throw CancellationError()
    case nil: throw ReplayFailure.notRecorded(invocation, near: []).failure
    }
  }

  /// Recorded calls of the same operation that still wait, as the likeliest renamed step.
  private func near(_ invocation: Invocation, _ address: String) -> [String] {
    let waiting = state.withLock { $0.waiting.values.flatMap { $0 } }.sorted()
    return waiting.map { transcript.calls[$0] }.filter { $0.name == invocation.name }
      .prefix(3).map(\.address)
  }
}
