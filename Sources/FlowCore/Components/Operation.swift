/// Whether an operation may be done again when it is not known whether it was done.
public enum RetrySafety: String, Sendable {
  /// Doing it twice is as good as once.
  case safe
  /// Doing it twice is not the same as once.
  case never
}

/// What an operation takes and answers, without the component's type.
public struct OperationDescription: Sendable {
  /// The name behind the component's in `uses: component.name`.
  public let name: String
  /// What it does, one sentence.
  public let summary: String
  /// The fields of `with:`.
  public let input: RecordType
  /// The fields of its answer.
  public let output: RecordType
  /// The codes it may answer with instead.
  public let errors: [ErrorCode]
  /// Whether it may be repeated; nil where the input decides that.
  public let retry: RetrySafety?
  /// Whether it may be repeated with an input of its type.
  package let isSafeToRepeat: @Sendable (Value) -> Bool
  /// Whether it changes nothing, so that it can be asked at any time without what was asked before.
  public fileprivate(set) var isReadOnly: Bool = false
  /// How long an answer asks to wait before the next attempt; nil for as long as the step says.
  package fileprivate(set) var pause: @Sendable (Value) -> Duration? = { _ in nil }
  fileprivate var narrowedTypes: (@Sendable ([String: Value]) -> [String: ValueType])?
  fileprivate var inputCheck: (@Sendable ([String: Value]) throws -> Void)?
  /// Why it can only fail with an input, of which those fields are given that are known before the run; nil for no reason.
  package func refusal(of input: () -> [String: Value]) -> String? {
    guard let inputCheck else { return nil }
    do { try inputCheck(input()) } catch {
      return (error as? ComponentError)?.message ?? "\(error)"
    }
    return nil
  }

  /// Whether what it answers may be of narrower types than `output` says.
  package var narrowsOutput: Bool { narrowedTypes != nil }

  /// What it answers, given the fields of its input that are known before the run: `output`, or the same fields of
  /// narrower types.
  package func output(given input: () -> [String: Value]) -> RecordType {
    guard let types = narrowedTypes?(input()), !types.isEmpty else { return output }
    return RecordType(
      output.fields.map { field in
        var copy = field
        copy.type = types[field.name] ?? field.type
        return copy
      })
  }
}

/// One thing that scenarios can ask of a component.
public struct Operation<Owner: Sendable>: Sendable {
  /// What it takes and answers.
  public private(set) var description: OperationDescription
  let call: @Sendable (Owner, Value, Context) async throws -> Value
  /// Decodes an output and encodes it again.
  package let outputCopy: @Sendable (Value) throws(DecodeError) -> Value

  /// An operation whose input is the parameters of `body`.
  ///
  /// - Parameters:
  ///   - name: Lower case; unique among the component's operations.
  ///   - summary: What it does, one sentence.
  ///   - parameter: The fields of `with:`, in the order of the parameters of `body`; none for nothing.
  ///   - output: The fields it answers; `.none` for nothing.
  ///   - errors: Every code that `body` throws, in a `CodedError`.
  ///   - retry: Whether doing it twice is as good as once.
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

  /// An operation with more parameters than a closure reads well with: a record of them; the rest as above.
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

  /// An operation whose input decides whether doing it twice is as good as once, as one does that has the receiver
  /// tell repetitions by `Context.idempotencyKey`; the rest as above.
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

  /// The same operation, whose answers may ask to be left alone for a while, as servers do with `Retry-After`.
  ///
  /// - Parameters:
  ///   - output: The record that the operation answers with.
  ///   - pause: How long to wait before another attempt; nil for as long as the step's `retry` says. Called when a step
  ///     is about to try again after such an answer, also in a replay, so the answer alone decides.
  /// - Returns: The operation, to be listed in its place.
  public func pausing<Output: Sendable>(
    _ output: Record<Output>, _ pause: @escaping @Sendable (Output) -> Duration?
  ) -> Operation {
    var copy = self
    copy.description.pause = { (try? output.decode($0)).flatMap(pause) }
    return copy
  }

  /// The same operation, which changes nothing, be it in the component or outside of it.
  ///
  /// `flow test --update missing` asks such operations for what a transcript does not have. A cache that no answer
  /// shows is nothing.
  public var readOnly: Operation {
    var copy = self
    copy.description.isReadOnly = true
    return copy
  }

  /// The same operation, whose input says more about its answer's types than its record does: the columns of a table.
  ///
  /// - Parameter types: The types of fields of the answer that the input settles, by name. Called by `flow check`, with
  ///   the fields of the input that are known before the run: those written without an expression, and the defaults.
  ///   The answers must have these types; where a record is promised, a map with its fields will do.
  /// - Returns: The operation, to be listed in its place.
  public func narrowing(
    _ types: @escaping @Sendable ([String: Value]) -> [String: ValueType]
  ) -> Operation {
    var copy = self
    copy.description.narrowedTypes = types
    return copy
  }

  /// The same operation, which fails with some inputs whatever the component's state: a pattern that nothing matches.
  ///
  /// The body refuses them itself, too, since an input may be known only in the run.
  ///
  /// - Parameter check: Throws what is wrong with an input; the text begins with the field's name, as `'glob' is …`.
  ///   Called by `flow check`, with the fields of the input that are known before the run: those written without an
  ///   expression, and the defaults.
  /// - Returns: The operation, to be listed in its place.
  public func checking(
    _ check: @escaping @Sendable ([String: Value]) throws -> Void
  ) -> Operation {
    var copy = self
    copy.description.inputCheck = check
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

  /// A parameter that must be given, unless it has a default or `Content` is optional.
  ///
  /// - Parameters:
  ///   - name: The name in scenarios and transcripts, in lower case with dashes or underscores.
  ///   - summary: What it means, one sentence.
  ///   - defaultValue: The value of one that is absent.
  ///   - isSecret: Whether the value is hidden wherever it appears in what a run writes; for `String` and
  ///     `String?` only.
  ///   - isCode: Whether the text is executed: `flow check` then warns of expressions in the middle of it.
  ///   - examples: Values worth trying, such as the ends of a range; `flow explore --generate` draws from them.
  ///   - hint: What to write in place of a value of another type; a note in the error of `flow check`.
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
  /// The fields that some parameters are.
  convenience init<each Content: FieldValue>(_ parameter: repeat Parameter<each Content>) {
    var fields: [Field] = []
    repeat fields.append((each parameter).description)
    self.init(fields)
  }
}

/// An event's name and payload, without the payload's Swift type.
public struct EventDescription: Sendable {
  /// The name behind the component's in `component.name`.
  public let name: String
  /// When it is emitted, one sentence.
  public let summary: String
  /// The fields of its payload.
  public let payload: RecordType
  /// Decodes a payload and encodes it again.
  package let payloadCopy: @Sendable (Value) throws(DecodeError) -> Value
}

/// An event of any payload, as a plugin lists it: `EventKind` alone.
public protocol DeclaredEvent: Sendable {
  /// Name, meaning and payload. Read once, when the registry is made.
  var description: EventDescription { get }
}

/// Something that a component reports by itself, such as `balance.changed`.
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

  /// An event of this name, which carries the fields of `payload`.
  public init(_ name: String, _ summary: String, _ payload: Record<Payload>) {
    record = payload
    description = EventDescription(
      name: name, summary: summary, payload: payload.type, payloadCopy: payload.copy)
  }
}
