internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import Synchronization

/// The recorded calls of a run, found by address, each served once.
final class RecordedCalls: Sendable {
  private let calls: [Transcript.Call]
  private let advice: String
  /// The calls of each address that have not been served, the next one last.
  private let waiting: Mutex<[String: [Int]]>

  /// Calls in the order of their beginnings; `advice` is told with every departure from them.
  init(_ calls: [Transcript.Call], advice: String) {
    self.calls = calls
    self.advice = advice
    var waiting: [String: [Int]] = [:]
    for (index, call) in calls.enumerated().reversed() {
      waiting[call.address, default: []].append(index)
    }
    self.waiting = Mutex(waiting)
  }

  /// The next call at the same address; nil when there is none.
  ///
  /// - Throws: `BoundaryFailure` when it called another operation or had another input.
  func next(for invocation: Invocation) throws -> Transcript.Call? {
    let address = invocation.address.description
    guard let index = waiting.withLock({ $0[address]?.popLast() }) else { return nil }
    let recorded = calls[index]
    guard recorded.name == invocation.name else {
      throw failure(.otherOperation(invocation, recorded: recorded.name))
    }
    try compareInput(of: invocation, with: recorded)
    return recorded
  }

  /// Reports what the component reported during a call, or after it; `events` keeps it for steps that
  /// wait.
  func emit(
    _ recorded: Transcript.Call, _ invocation: Invocation, _ sinks: EventSinks,
    _ events: EventQueue = EventQueue()
  ) throws {
    for (event, json) in recorded.emitted {
      guard let type = invocation.payloadType(of: event) else {
        throw failure(.unknownEvent(invocation, event: event))
      }
      do {
        let payload = try Value(json, as: .record(type))
        sinks.receive(.emitted(invocation.address, event: event, payload: payload))
        events.add(
          EventQueue.Key(scope: invocation.scope, name: event),
          sinks.redactor.restored(payload) ?? payload)
      } catch {
        throw failure(.unreadablePayload(invocation, event: event, error))
      }
    }
  }

  /// What was answered; the output as a value of the operation's type.
  func outcome(of answer: Transcript.Answer, _ invocation: Invocation) throws -> Outcome {
    switch answer {
    case .error(let code, let message):
      return .error(ComponentError(ErrorCode(code, ""), message))
    case .output(let json):
      do {
        return .answer(try Value(json, as: .record(invocation.outputType)))
      } catch {
        throw failure(.unreadableAnswer(invocation, error))
      }
    case .cancelled: return .cancelled
    }
  }

  /// A failure for a call that is not recorded.
  func notRecorded(_ invocation: Invocation) -> BoundaryFailure {
    // Recorded calls of the same operation that still wait: the likeliest renamed step.
    let near = left.filter { $0.name == invocation.name }.prefix(3).map(\.address)
    return failure(.notRecorded(invocation, near: near))
  }

  /// Checks that every recorded call was made.
  func finish() throws {
    let left = left
    if !left.isEmpty { throw failure(.notCalled(left)) }
  }

  private var left: [Transcript.Call] {
    waiting.withLock { $0.values.flatMap { $0 } }.sorted().map { calls[$0] }
  }

  private func compareInput(of invocation: Invocation, with recorded: Transcript.Call) throws {
    let expected: Value
    do {
      expected = try Value(recorded.input, as: .record(invocation.inputType))
    } catch {
      throw failure(.unreadableInput(invocation, error))
    }
    if !expected.isSame(as: invocation.input) {
      throw failure(.changedInput(invocation, recorded: expected))
    }
  }

  private func failure(_ failure: ReplayFailure) -> BoundaryFailure {
    failure.failure(advice: advice)
  }
}

extension Invocation {
  /// The type of what the called component tells with an event `component.event`; nil for an event
  /// that it does not declare.
  fileprivate func payloadType(of event: String) -> RecordType? {
    let plugin: RegisteredPlugin
    switch target {
    case .open(let component, _): plugin = component.plugin
    case .operation(let operation): plugin = operation.plugin
    // It is reported where it happens, not where it is waited for.
    case .event: return nil
    }
    let component = name.prefix { $0 != "." }
    guard event.hasPrefix(component + ".") else { return nil }
    let name = event.dropFirst(component.count + 1)
    return plugin.events.first { $0.name == name }?.payload
  }
}

extension Value {
  /// Whether both are equal, or show the same: NaN is unequal to itself, and yet the same.
  func isSame(as other: Value) -> Bool {
    self == other || "\(self)" == "\(other)"
  }
}
