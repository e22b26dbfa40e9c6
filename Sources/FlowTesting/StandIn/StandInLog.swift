internal import FlowCore
private import Synchronization

/// Gives a stand-in's answers and keeps its calls.
final class StandInLog: Sendable {
  private struct State {
    var calls: [ComponentCall] = []
    /// How many calls of each operation there were.
    var counts: [String: Int] = [:]
    var unscripted: [UnscriptedCall] = []
  }

  private let plugin: String
  private let state = Mutex(State())

  /// No calls yet.
  init(plugin: String) {
    self.plugin = plugin
  }

  /// The calls so far.
  var calls: [ComponentCall] { state.withLock { $0.calls } }

  /// The calls so far that had no answer.
  var unscripted: [UnscriptedCall] { state.withLock { $0.unscripted } }

  /// The scripted answer of an operation to its next call.
  ///
  /// - Throws: the scripted `ComponentError`, what a closure throws, or `UnscriptedCall`.
  func answer(
    _ answer: StandIn.Answer?, _ operation: OperationDescription, _ input: Value, _ context: Context
  ) async throws -> Value {
    let call = ComponentCall(
      address: context.address, name: "\(plugin).\(operation.name)", input: input)
    let (index, count) = begin(call)
    do {
      let value = try await value(of: answer, operation, call, count, context)
      end(index, .output(value))
      return value
    } catch {
      end(index, ComponentCall.Answer(error))
      throw error
    }
  }

  private func value(
    of answer: StandIn.Answer?, _ operation: OperationDescription, _ call: ComponentCall,
    _ count: Int, _ context: Context
  ) async throws -> Value {
    switch answer?.kind {
    case nil: throw unscripted(call, answers: 0)
    case .sequence(let answers)?:
      guard count < answers.count else { throw unscripted(call, answers: answers.count) }
      return try await value(of: answers[count], operation, call, count, context)
    case .laidOut(let value)?: return value
    case .output(let fields)?: return try StandIn.Answer.laidOut(fields, operation, call.name)
    case .error(let code, let message)?:
      throw ComponentError(operation.errors.first { $0.name == code } ?? .unexpected, message)
    case .body(let body)?:
      guard case .record(let record) = try call.input.converted(to: .record(operation.input)) else {
        throw DecodeError(expected: .record(operation.input), call.input)
      }
      return try StandIn.Answer.laidOut(try await body(record, context), operation, call.name)
    }
  }

  /// Notes a call; tells its position, and how many of the same operation came before it.
  private func begin(_ call: ComponentCall) -> (index: Int, count: Int) {
    state.withLock { state in
      state.calls.append(call)
      let count = state.counts[call.name, default: 0]
      state.counts[call.name] = count + 1
      return (state.calls.count - 1, count)
    }
  }

  private func end(_ index: Int, _ answer: ComponentCall.Answer) {
    state.withLock { $0.calls[index].answer = answer }
  }

  private func unscripted(_ call: ComponentCall, answers: Int) -> UnscriptedCall {
    let failure = UnscriptedCall(call: call, answers: answers)
    state.withLock { $0.unscripted.append(failure) }
    return failure
  }
}

extension ComponentCall.Answer {
  /// What a run says of a call that threw an error.
  fileprivate init(_ error: any Error) {
    switch error {
    case let error as ComponentError: self = .error(error)
    case is CancellationError: self = .cancelled
    default: self = .error(ComponentError(.unexpected, "\(error)"))
    }
  }
}
