public import FlowCore
internal import FlowEngine
internal import FlowRedaction
private import Synchronization

/// A call of an operation, as a run made it.
public struct ComponentCall: Sendable, Hashable, CustomStringConvertible {
  /// The result of a call.
  public enum Answer: Sendable, Hashable, CustomStringConvertible {
    /// An answer, a record of the operation's output.
    case output(Value)
    /// An error.
    ///
    /// `unexpected` replaces an error that the operation does not declare.
    case error(ComponentError)
    /// The call was stopped before its answer.
    case cancelled

    /// `{balance: 87.50}`, `insufficient: 1000 is more than 87.50` or `cancelled`.
    public var description: String {
      switch self {
      case .output(let value): "\(value.withoutSecrets)"
      case .error(let error): "\(error)"
      case .cancelled: "cancelled"
      }
    }

    init(_ outcome: Outcome) {
      switch outcome {
      case .answer(let value): self = .output(value)
      case .error(let error): self = .error(error)
      case .cancelled: self = .cancelled
      }
    }
  }

  /// The address in the run.
  public let address: Address
  /// The called operation, such as `balance.subtract`.
  public let name: String
  /// The input, a record of the operation's input.
  public let input: Value
  /// The answer.
  public internal(set) var answer = Answer.cancelled

  /// `spend#1 balance.subtract {amount: 12.50} -> {balance: 87.50}`.
  ///
  /// What its component declares secret has a placeholder.
  public var description: String { "\(address) \(name) \(input.withoutSecrets) -> \(answer)" }
}

/// An event that a component reported.
public struct ComponentReport: Sendable, Hashable, CustomStringConvertible {
  /// The call during which it was reported.
  public let address: Address
  /// The event, such as `balance.changed`.
  public let name: String
  /// The payload, a record.
  public let payload: Value

  /// `spend#1 balance.changed {balance: 87.50}`.
  public var description: String { "\(address) \(name) \(payload.withoutSecrets)" }
}

extension Value {
  /// The value with placeholders in the fields declared secret.
  ///
  /// A field with a placeholder keeps it.
  ///
  /// This includes secrets that are too short for a redactor to find elsewhere.
  fileprivate var withoutSecrets: Value {
    switch self {
    case .list(let elements): return .list(elements.map(\.withoutSecrets))
    case .map(let map):
      var result = ValueMap()
      for entry in map.entries { result[entry.key] = entry.value.withoutSecrets }
      return .map(result)
    case .record(let record) where record.type.hasSecrets:
      return .record(
        RecordValue(record.type, zip(record.type.fields, record.values).map(Self.withoutSecret)))
    default: return self
    }
  }

  private static func withoutSecret(_ field: RecordType.Field, _ value: Value) -> Value {
    guard field.isSecret, case .string = value else { return value.withoutSecrets }
    return Redactor.hasPlaceholder(value) ? value : .string("${secret:\(field.name)}")
  }
}

/// A sink that keeps the calls between a run and its components.
final class CallLog: EventSink {
  fileprivate struct State {
    var calls: [ComponentCall] = []
    var reports: [ComponentReport] = []
    /// The unanswered calls, by address, which differs for parallel steps.
    var open: [Address: Int] = [:]

    fileprivate mutating func begin(_ invocation: Invocation) {
      open[invocation.address] = calls.count
      calls.append(
        ComponentCall(
          address: invocation.address, name: invocation.name, input: invocation.input))
    }

    fileprivate mutating func end(_ address: Address, _ answer: ComponentCall.Answer) {
      guard let index = open.removeValue(forKey: address) else { return }
      calls[index].answer = answer
    }
  }

  private let state = Mutex(State())

  var calls: [ComponentCall] { state.withLock { $0.calls } }
  var reports: [ComponentReport] { state.withLock { $0.reports } }

  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation):
      guard case .operation = invocation.target else { return }
      state.withLock { $0.begin(invocation) }
    case .completed(let invocation, let outcome):
      state.withLock { $0.end(invocation.address, ComponentCall.Answer(outcome)) }
    case .emitted(let address, let name, let payload):
      let report = ComponentReport(address: address, name: name, payload: payload)
      state.withLock { $0.reports.append(report) }
    default: return
    }
  }
}
