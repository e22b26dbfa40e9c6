/// Whether an operation may be done again when nobody knows if it was done.
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
  /// Whether it may be repeated.
  public let retry: RetrySafety
}

/// One thing that scenarios can ask of a component.
public struct Operation<Owner: Component>: Sendable {
  /// What it takes and answers.
  public let description: OperationDescription
  let call: @Sendable (Owner, Value, Context) async throws -> Value
  /// Decodes an input and encodes it again.
  package let inputCopy: @Sendable (Value) throws(DecodeError) -> Value
  /// Decodes an output and encodes it again.
  package let outputCopy: @Sendable (Value) throws(DecodeError) -> Value

  /// An operation done by `body`.
  ///
  /// - Parameters:
  ///   - name: Lower case; unique among the component's operations.
  ///   - summary: What it does, one sentence.
  ///   - input: The fields it takes; `.none` for nothing.
  ///   - output: The fields it answers; `.none` for nothing.
  ///   - errors: Every code that `body` throws in a `ComponentError`.
  ///   - retry: Whether doing it twice is as good as once.
  ///   - body: Called for each step that uses the operation, possibly for several at once.
  public init<Input: Sendable, Output: Sendable>(
    _ name: String, _ summary: String, input: Record<Input>, output: Record<Output>,
    errors: [ErrorCode] = [], retry: RetrySafety = .never,
    body: @escaping @Sendable (Owner, Input, Context) async throws -> Output
  ) {
    description = OperationDescription(
      name: name, summary: summary, input: input.type, output: output.type, errors: errors,
      retry: retry)
    call = { owner, value, context in
      output.encode(try await body(owner, try input.decode(value), context))
    }
    inputCopy = input.copy
    outputCopy = output.copy
  }
}
