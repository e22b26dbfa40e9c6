public import FlowCore
private import Synchronization

/// Scripted answers in place of a component: declared as the real one is, recorded, and without its work.
///
///     let balance = try StandIn(for: Balance.self, [
///       "load": .answer(["balance": 100]),
///       "subtract": .sequence([.error("unavailable"), .answer(["balance": 90])]),
///     ])
///     try await scenario.run(with: [.standIn(balance)])
///     #expect(balance.calls.count == 3)
///
/// A scenario is checked against the real type, and so is the script. A call without an answer fails the
/// run and says which.
public struct StandIn: Sendable {
  /// The real plugin, opened without its components.
  let plugin: RegisteredPlugin
  private let log: StandInLog

  /// Creates a stand-in for a component.
  ///
  /// - Parameters:
  ///   - component: The real type. Its operations, records and errors are used.
  ///   - script: The answered operations with their answers. The others have no answer.
  /// - Throws: `StandInError` if the script names an operation, a field or an error code that the
  ///   type
  ///   does not have.
  public init<Real: Component>(
    for component: Real.Type, _ script: KeyValuePairs<String, Answer>
  ) throws(StandInError) {
    let real = Real.plugin
    let name = real.description.name
    let script = try Self.checked(script, real.operations.map(\.description), of: name)
    let log = StandInLog(plugin: name)
    self.log = log
    plugin = RegisteredPlugin(standingInFor: component) { operation, input, context in
      try await log.answer(script[operation.name], to: operation, input, context)
    }
  }

  /// The calls so far, in the order of their start.
  ///
  /// Their names start with the plugin's.
  public var calls: [ComponentCall] { log.calls }

  var unscripted: [Diagnostic] {
    log.unscripted.map { Diagnostic("stand-in", $0.description, at: nil) }
  }

  private static func checked(
    _ script: KeyValuePairs<String, Answer>, _ operations: [OperationDescription], of plugin: String
  ) throws(StandInError) -> [String: Answer] {
    var checked: [String: Answer] = [:]
    for (name, answer) in script {
      guard let operation = operations.first(where: { $0.name == name }) else {
        throw .unknownOperation(name, of: plugin, known: operations.map(\.name))
      }
      if checked[name] != nil { throw .scriptedTwice("\(plugin).\(name)") }
      checked[name] = try answer.checked(for: operation, "\(plugin).\(name)")
    }
    return checked
  }

  /// The answer of a scripted operation.
  public struct Answer: Sendable {
    /// Makes an answer from the input and the call's context.
    public typealias Body =
      @Sendable (_ input: RecordValue, _ context: Context) async throws -> [String: any FieldValue]

    enum Kind: Sendable {
      case output([String: any FieldValue])
      case laidOut(Value)
      case error(code: String, message: String)
      case sequence([Answer])
      case body(Body)
    }

    let kind: Kind

    /// Answers with these fields every time.
    ///
    /// Optional fields and fields with a default may be left out.
    public static func answer(_ fields: [String: any FieldValue]) -> Answer {
      Answer(kind: .output(fields))
    }

    /// Answers without fields every time.
    public static var answer: Answer { .answer([:]) }

    /// Answers with a declared error every time.
    public static func error(_ code: String, _ message: String = "scripted") -> Answer {
      Answer(kind: .error(code: code, message: message))
    }

    /// Gives the answers one after the other, each once.
    ///
    /// A call after the last has no answer.
    public static func sequence(_ answers: [Answer]) -> Answer { Answer(kind: .sequence(answers)) }

    /// Answers by a closure, which may sleep and emit through the context, and throw a
    /// `ComponentError`.
    public static func body(_ body: @escaping Body) -> Answer { Answer(kind: .body(body)) }

    /// The answer with its fields in order, after a check that the operation can give it.
    func checked(
      for operation: OperationDescription, _ name: String
    ) throws(StandInError) -> StandIn.Answer {
      switch kind {
      case .body, .laidOut: return self
      case .output(let fields):
        return StandIn.Answer(kind: .laidOut(try Self.laidOut(fields, operation, name)))
      case .error(let code, _):
        guard !operation.errors.contains(where: { $0.name == code }) else { return self }
        throw .unknownError(code, of: name, known: operation.errors.map(\.name))
      case .sequence(let answers):
        var checked: [StandIn.Answer] = []
        for answer in answers {
          if case .sequence = answer.kind { throw .nestedSequence(of: name) }
          checked.append(try answer.checked(for: operation, name))
        }
        return .sequence(checked)
      }
    }

    static func laidOut(
      _ fields: [String: any FieldValue], _ operation: OperationDescription, _ name: String
    ) throws(StandInError) -> Value {
      // In the order of their names, so the first mistake is always the same one.
      let pairs = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.encoded) }
      do {
        return try Value.map(ValueMap(pairs)).converted(to: .record(operation.output))
      } catch {
        throw .wrongAnswer("\(error)", of: name)
      }
    }
  }
}

private final class StandInLog: Sendable {
  private struct State {
    var calls: [ComponentCall] = []
    var counts: [String: Int] = [:]
    var unscripted: [UnscriptedCall] = []
  }

  private let plugin: String
  private let state = Mutex(State())

  init(plugin: String) { self.plugin = plugin }
  var calls: [ComponentCall] { state.withLock { $0.calls } }
  var unscripted: [UnscriptedCall] { state.withLock { $0.unscripted } }

  /// The scripted answer of an operation to its next call.
  ///
  /// - Throws: the scripted `ComponentError`, what a closure throws, or `UnscriptedCall`.
  func answer(
    _ answer: StandIn.Answer?, to operation: OperationDescription, _ input: Value,
    _ context: Context
  ) async throws -> Value {
    let call = ComponentCall(
      address: context.address, name: "\(plugin).\(operation.name)", input: input)
    let (index, count) = begin(call)
    do {
      let value = try await value(of: answer, operation, to: call, after: count, context)
      end(index, .output(value))
      return value
    } catch {
      end(index, ComponentCall.Answer(error))
      throw error
    }
  }

  private func value(
    of answer: StandIn.Answer?, _ operation: OperationDescription, to call: ComponentCall,
    after count: Int, _ context: Context
  ) async throws -> Value {
    switch answer?.kind {
    case nil: throw unscripted(call, answers: 0)
    case .sequence(let answers)?:
      guard count < answers.count else { throw unscripted(call, answers: answers.count) }
      return try await value(of: answers[count], operation, to: call, after: count, context)
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

  /// Notes a call.
  ///
  /// Returns its position, and the number of earlier calls of the same operation.
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
  fileprivate init(_ error: any Error) {
    switch error {
    case let error as ComponentError: self = .error(error)
    case is CancellationError: self = .cancelled
    default: self = .error(ComponentError(.unexpected, "\(error)"))
    }
  }
}

/// A script that does not fit its component.
public enum StandInError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An unknown operation.
  ///
  /// The message offers near names, or all of them.
  case unknownOperation(String, of: String, known: [String])
  /// An operation is scripted in two places.
  case scriptedTwice(String)
  /// An undeclared error.
  ///
  /// The message offers near codes, or all of them.
  case unknownError(String, of: String, known: [String])
  /// An answer that does not fit the operation's output.
  ///
  /// The first text is the reason.
  case wrongAnswer(String, of: String)
  /// A sequence stands inside a sequence.
  case nestedSequence(of: String)

  /// The message.
  public var description: String {
    switch self {
    case .unknownOperation(let name, let plugin, let known):
      "there is no operation '\(plugin).\(name)'" + Suggestion.ending(for: name, among: known)
    case .scriptedTwice(let name): "'\(name)' is scripted twice"
    case .unknownError(let code, let name, let known):
      "'\(name)' does not declare the error '\(code)'" + Suggestion.ending(for: code, among: known)
    case .wrongAnswer(let problem, let name): "the answer of '\(name)' does not fit: \(problem)"
    case .nestedSequence(let name): "'\(name)' has a sequence inside a sequence"
    }
  }
}

private struct UnscriptedCall: Error, CustomStringConvertible {
  let call: ComponentCall
  /// The number of scripted answers, all of them given, or 0 for an operation without any.
  let answers: Int

  var description: String {
    let scripted =
      answers == 0
      ? "no answer is scripted"
      : answers == 1 ? "the one scripted answer is used up" : "all \(answers) answers are used up"
    return
      "\(scripted) for '\(call.name)', called at '\(call.address)' with \(call.input.summary())"
  }
}
