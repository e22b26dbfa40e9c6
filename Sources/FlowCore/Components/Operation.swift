/// The safety of repeating an operation with an unknown outcome.
public enum RetrySafety: String, Sendable {
  /// Doing it twice is as good as once.
  case safe
  /// Doing it twice is not the same as once.
  case never
}

/// The input and output of an operation, without the component's type.
public struct OperationDescription: Sendable {
  /// The name after the component's in `uses: component.name`.
  public let name: String
  /// Its effect, in one sentence.
  public let summary: String
  /// The fields of `with:`.
  public let input: RecordType
  /// The fields of its answer.
  public fileprivate(set) var output: RecordType
  /// The codes it may answer with instead.
  public let errors: [ErrorCode]
  /// The safety of repeating it, or nil if the input decides.
  public let retry: RetrySafety?
  /// Returns true if it may be repeated with an input of its type.
  package let isSafeToRepeat: @Sendable (Value) -> Bool
  /// True if it changes nothing, so that it can be called at any time without the calls before it.
  public fileprivate(set) var isReadOnly: Bool = false
  /// Returns true if it changes nothing with an input of its type.
  package fileprivate(set) var readsOnly: @Sendable (Value) -> Bool = { _ in false }
  /// True if it passes on the requests of other programs, for components that use it in a role.
  public fileprivate(set) var passesOn: Bool = false
  /// Returns the wait that an answer asks for before the next attempt, or nil for the step's own.
  package fileprivate(set) var pause: @Sendable (Value) -> Duration? = { _ in nil }
  /// Returns the reason that a null or empty field of an answer has no value, or nil if that is its
  /// value.
  package fileprivate(set) var absence: @Sendable (Value, String) -> String? = { _, _ in nil }
  /// Returns the field of an answer that a step has to mention in its expectation, with the reason,
  /// or nil if the mentioned ones are enough.
  package fileprivate(set) var refusal: @Sendable (Value, Set<String>) -> FieldRefusal? = {
    _, _ in nil
  }
  /// Its typical failures.
  package fileprivate(set) var faults: [FaultDescription] = []
  /// The errors to try in place of typical failures, none if it declares these.
  package var untypicalErrors: [ErrorCode] { declaresFaults ? [] : errors }
  fileprivate var declaresFaults = false
  /// Checks the fields of an input that are known before the run, and throws the problem with them.
  package fileprivate(set) var check: (@Sendable ([String: Value]) throws -> Void)?
  /// The descriptions of the fields of its answers, by name.
  package fileprivate(set) var answerDescriptions: [String: any DescribedValues] = [:]
  /// The lists in its input and its answers whose elements have names.
  public fileprivate(set) var namedLists: [NamedList] = []
  fileprivate var narrowedTypes: (@Sendable ([String: Value]) -> [String: ValueType])?
  /// True if its answers may have narrower types than `output`.
  package var narrowsOutput: Bool { narrowedTypes != nil }

  /// Returns the same with further named lists, and with another type of the same output.
  func with(_ lists: [NamedList], output: RecordType?) -> OperationDescription {
    var copy = self
    copy.namedLists += lists
    copy.output = output ?? self.output
    return copy
  }

  /// The output with the narrower types that follow from no input.
  package var listedOutput: RecordType { narrowsOutput ? output(given: { [:] }) : output }

  /// Returns `output`, or the same fields with narrower types, for the fields of its input known
  /// before the run.
  package func output(given input: () -> [String: Value]) -> RecordType {
    guard let types = narrowedTypes?(input()), !types.isEmpty else { return output }
    return output.with(
      output.fields.map { field in
        var copy = field
        copy.type = types[field.name] ?? field.type
        return copy
      })
  }
}

/// A field of an answer because of which a step fails that does not mention it.
public struct FieldRefusal: Sendable, Hashable {
  /// The field's name.
  public let field: String
  /// The reason: lower case, no full stop.
  public let reason: String

  /// Creates a refusal.
  public init(_ field: String, _ reason: String) { (self.field, self.reason) = (field, reason) }
}

/// One operation of a component, available to scenarios.
public struct Operation<Owner: Sendable>: Sendable {
  /// Its input and output.
  public private(set) var description: OperationDescription
  let call: @Sendable (Owner, Value, Context) async throws -> Value
  /// Decodes an output and encodes it again.
  package let outputCopy: @Sendable (Value) throws(DecodeError) -> Value

  /// Creates an operation whose input is the parameters of `body`.
  ///
  /// - Parameters:
  ///   - name: Lower case; unique among the component's operations.
  ///   - summary: Its effect, in one sentence.
  ///   - parameter: The fields of `with:`, in the order of the parameters of `body`, or none.
  ///   - output: The fields of the answer, or `.none`.
  ///   - errors: Every code that `body` throws, in a `CodedError`.
  ///   - retry: The safety of repeating the operation.
  ///   - body: Called for each step that uses the operation, possibly for several at once.
  public init<each Input: FieldValue, Output: Sendable>(
    _ name: String, _ summary: String, _ parameter: repeat Parameter<each Input>,
    answers output: Record<Output>, errors: [ErrorCode] = [], retry: RetrySafety = .never,
    body: @escaping @Sendable (Owner, Context, repeat each Input) async throws -> Output
  ) {
    let type = RecordType(repeat each parameter)
    self.init(name, summary, takes: type, answers: output, errors: errors, retry: .always(retry)) {
      owner, context, value in
      var reader = try FieldReader(value, as: type)
      return try await body(owner, context, repeat try reader.next((each Input).self))
    }
  }

  /// Creates an operation with a record of parameters, when they are too many for a closure.
  ///
  /// The rest is as above.
  public init<Input: Sendable, Output: Sendable>(
    _ name: String, _ summary: String, input: Record<Input>, answers output: Record<Output>,
    errors: [ErrorCode] = [], retry: RetrySafety = .never,
    body: @escaping @Sendable (Owner, Context, Input) async throws -> Output
  ) {
    self.init(
      name, summary, takes: input.type, answers: output, errors: errors, retry: .always(retry)
    ) {
      owner, context, value in
      try await body(owner, context, try input.decode(value))
    }
  }

  /// Creates an operation whose input decides if it is safe to repeat.
  ///
  /// An example is a request whose receiver detects repetitions by `Context.idempotencyKey`. The
  /// rest is as above.
  public init<Input: Sendable, Output: Sendable>(
    _ name: String, _ summary: String, input: Record<Input>, answers output: Record<Output>,
    errors: [ErrorCode] = [], retry: @escaping @Sendable (Input) -> RetrySafety,
    body: @escaping @Sendable (Owner, Context, Input) async throws -> Output
  ) {
    // What cannot be read is not called either.
    let safety = Repetition.byInput { value in
      (try? input.decode(value)).map { retry($0) == .safe } ?? false
    }
    self.init(name, summary, takes: input.type, answers: output, errors: errors, retry: safety) {
      owner, context, value in
      try await body(owner, context, try input.decode(value))
    }
  }

  /// Returns the operation with a wait that its answers may ask for, as servers do with
  /// `Retry-After`.
  ///
  /// - Parameters:
  ///   - output: The record that the operation answers with.
  ///   - pause: Returns the wait before another attempt, or nil for the wait in the step's `retry`.
  ///     Called when a step is about to try again after such an answer, also in a replay, so the
  ///     answer alone decides.
  /// - Returns: The operation, to be listed in its place.
  public func pausing<Output: Sendable>(
    _ output: Record<Output>, _ pause: @escaping @Sendable (Output) -> Duration?
  ) -> Operation {
    var copy = self
    copy.description.pause = { (try? output.decode($0)).flatMap(pause) }
    return copy
  }

  /// The operation, declared to change nothing, in the component or outside of it.
  ///
  /// `flow test --update missing` calls such operations for answers missing from a transcript. A
  /// cache that affects no answer does not count as a change.
  public var readOnly: Operation {
    var copy = self
    copy.description.isReadOnly = true
    copy.description.readsOnly = { _ in true }
    return copy
  }

  /// Returns the operation, declared to change nothing with some inputs, such as a request with the
  /// method GET.
  ///
  /// The rest is as for `readOnly`.
  public func readOnly<Input: Sendable>(
    _ input: Record<Input>, when holds: @escaping @Sendable (Input) -> Bool
  ) -> Operation {
    var copy = self
    copy.description.readsOnly = { (try? input.decode($0)).map(holds) ?? false }
    return copy
  }

  /// The operation, declared to pass on the requests of other programs, for a component that has its
  /// component in a role.
  ///
  /// It is not counted, checked by `flow contract`, called with generated inputs or offered by
  /// completions, because scenarios rarely call it themselves.
  public var passingOn: Operation {
    var copy = self
    copy.description.passesOn = true
    return copy
  }

  /// Returns the operation with answer types that depend on its input, such as the columns of a
  /// table.
  ///
  /// - Parameter types: Returns the types of the answer's fields that the input determines, by
  ///   name. Called by `flow check` with the fields of the input that are known before the run:
  ///   those written without an expression, and the defaults. The answers must have these types,
  ///   except that a map may take the place of a record with the same fields.
  /// - Returns: The operation, to be listed in its place.
  public func narrowing(
    _ types: @escaping @Sendable ([String: Value]) -> [String: ValueType]
  ) -> Operation {
    var copy = self
    copy.description.narrowedTypes = types
    return copy
  }

  /// Returns the operation with descriptions of the fields of its answers, such as JSON Schemas.
  ///
  /// `flow mutate` asks them for other answers that the component could give. Nothing else does, so
  /// the operation itself checks its answers.
  ///
  /// - Parameter fields: The descriptions by the names of the answer's fields.
  /// - Returns: The operation, to be listed in its place.
  public func describing(_ fields: [String: any DescribedValues]) -> Operation {
    var copy = self
    copy.description.answerDescriptions = fields
    return copy
  }

  /// Returns the operation with lists in its input and its answers whose elements have names, such as
  /// the messages of a conversation.
  ///
  /// Differences name the elements, as in "message 7 (tool)".
  public func naming(_ lists: [NamedList]) -> Operation {
    var copy = self
    copy.description.namedLists += lists
    return copy
  }

  /// Returns the operation with a check of its input that needs no component and throws any
  /// problem.
  ///
  /// The operation itself checks its input as well, because the input may be unknown before the
  /// run.
  ///
  /// - Parameter check: Called by `flow check` with the fields of the input that are known before
  ///   the run, by name: those written without an expression, and the defaults.
  /// - Returns: The operation, to be listed in its place.
  public func checking(_ check: @escaping @Sendable ([String: Value]) throws -> Void) -> Operation {
    var copy = self
    copy.description.check = check
    return copy
  }

  /// Returns the operation with reasons for fields of its answer without a value, such as `json` of
  /// a page that is not JSON.
  ///
  /// An expectation of such a field fails, even if it expects null, with the reason in its message.
  ///
  /// - Parameters:
  ///   - output: The record that the operation answers with.
  ///   - reason: Returns the reason for a field that is null or an empty string, or nil if that is
  ///     its value. Called with the name of a field in the step's expectation, also in a replay, so
  ///     the answer alone decides.
  /// - Returns: The operation, to be listed in its place.
  public func explaining<Output: Sendable>(
    _ output: Record<Output>, _ reason: @escaping @Sendable (Output, String) -> String?
  ) -> Operation {
    var copy = self
    copy.description.absence = { answer, field in
      (try? output.decode(answer)).flatMap { reason($0, field) }
    }
    return copy
  }

  /// Returns the operation with answers that fail a step unless its expectation mentions a field of
  /// them, such as the errors of a query.
  ///
  /// - Parameters:
  ///   - output: The record that the operation answers with.
  ///   - refusal: Returns the field and the reason, or nil for an answer that passes. Called with the
  ///     names of the fields in the step's expectation, also in a replay, so the answer alone
  ///     decides. Not called for a step that expects an error, or the whole answer by a condition.
  /// - Returns: The operation, to be listed in its place.
  public func demanding<Output: Sendable>(
    _ output: Record<Output>, _ refusal: @escaping @Sendable (Output, Set<String>) -> FieldRefusal?
  ) -> Operation {
    var copy = self
    copy.description.refusal = { answer, names in
      (try? output.decode(answer)).flatMap { refusal($0, names) }
    }
    return copy
  }

  func with(faults: [FaultDescription]) -> Operation {
    var copy = self
    copy.description.faults = faults
    copy.description.declaresFaults = true
    return copy
  }

  private enum Repetition: Sendable {
    case always(RetrySafety)
    case byInput(@Sendable (Value) -> Bool)

    var declared: RetrySafety? { if case .always(let safety) = self { safety } else { nil } }

    func isSafe(_ input: Value) -> Bool {
      switch self {
      case .always(let safety): safety == .safe
      case .byInput(let isSafe): isSafe(input)
      }
    }
  }

  private init<Output: Sendable>(
    _ name: String, _ summary: String, takes input: RecordType, answers output: Record<Output>,
    errors: [ErrorCode], retry repetition: Repetition,
    body: @escaping @Sendable (Owner, Context, Value) async throws -> Output
  ) {
    description = OperationDescription(
      name: name, summary: summary, input: input, output: output.type, errors: errors,
      retry: repetition.declared, isSafeToRepeat: repetition.isSafe)
    call = { owner, value, context in
      do {
        return output.encode(try await body(owner, context, value))
      } catch let error as any CodedError where !(error is ComponentError) {
        throw ComponentError(error.code, "\(error)")
      }
    }
    outputCopy = output.copy
  }
}

/// A parameter of an operation, or a setting of a component.
public struct Parameter<Content: FieldValue>: Sendable {
  let description: RecordType.Field

  /// Creates a parameter, which is required unless it has a default or `Content` is optional.
  ///
  /// - Parameters:
  ///   - name: The name in scenarios and transcripts, in lower case with dashes or underscores.
  ///   - summary: Its meaning, in one sentence.
  ///   - defaultValue: The value if it is absent.
  ///   - isSecret: True to hide the value wherever it appears in the output of a run, for `String`
  ///     and `String?` only.
  ///   - isCode: True for executed text. `flow check` then warns of expressions in the middle of it.
  ///   - examples: Values worth trying, such as the ends of a range. `flow explore --generate` draws from them.
  ///   - hint: The right way to write the value, as a note in the error of `flow check` about another type.
  public init(
    _ name: String, _ summary: String, default defaultValue: Content? = nil,
    secret isSecret: Bool = false, code isCode: Bool = false, examples: [Content] = [],
    hint: String? = nil
  ) {
    description = RecordType.Field(
      name: name, type: Content.valueType, summary: summary,
      defaultValue: Content.absent(defaultValue), isSecret: isSecret, isCode: isCode,
      examples: examples.map(\.encoded), hint: hint)
  }
}

extension RecordType {
  /// Creates a record from parameters.
  convenience init<each Content: FieldValue>(_ parameter: repeat Parameter<each Content>) {
    var fields: [Field] = []
    repeat fields.append((each parameter).description)
    self.init(fields)
  }
}

/// An event's name and payload, without the payload's Swift type.
public struct EventDescription: Sendable {
  /// The name after the component's in `component.name`.
  public let name: String
  /// The occasion of the event, in one sentence.
  public let summary: String
  /// The fields of its payload.
  public let payload: RecordType
  /// Decodes a payload and encodes it again.
  package let payloadCopy: @Sendable (Value) throws(DecodeError) -> Value
}

/// An event of any payload, as a plugin lists it: `EventKind` alone.
public protocol DeclaredEvent: Sendable {
  /// Name, meaning and payload.
  ///
  /// Read once, when the registry is created.
  var description: EventDescription { get }
}

/// An event that a component reports on its own initiative, such as `balance.changed`.
///
///     static let changed = EventKind("changed", "The balance changed.", balance)
///     // in the plugin:
///     events: [changed]
///     // in an operation:
///     context.emit(Self.changed, newBalance)
public struct EventKind<Payload: Sendable>: DeclaredEvent {
  /// Name, meaning and payload.
  public let description: EventDescription
  let record: Record<Payload>

  /// Creates an event of this name with the fields of `payload`.
  public init(_ name: String, _ summary: String, _ payload: Record<Payload>) {
    record = payload
    description = EventDescription(
      name: name, summary: summary, payload: payload.type, payloadCopy: payload.copy)
  }
}
