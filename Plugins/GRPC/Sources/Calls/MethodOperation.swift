internal import FlowCore
internal import GRPCCoding
internal import ProtobufCoding

/// The operation of a method: a whole call, with all messages of both sides.
struct MethodOperation: Sendable {
  private let method: CallMethod
  private let schema: ProtobufSchema
  private let input: RecordType
  private let answer: RecordType
  private let message: ValueType

  /// Creates the operation, whose messages have these types.
  init(_ method: CallMethod, _ schema: ProtobufSchema, input: ValueType, output: ValueType) {
    (self.method, self.schema, message) = (method, schema, output)
    self.input = Self.input(method, input)
    answer = Self.answer(method, output)
  }

  private static func input(_ method: CallMethod, _ type: ValueType) -> RecordType {
    let first =
      method.type.clientStreams
      ? RecordType.Field(
        name: "messages", type: .list(type),
        summary: "The messages \(method.type.input), in order.",
        defaultValue: .list([]))
      : RecordType.Field(
        name: "message", type: type, summary: "The message \(method.type.input).",
        defaultValue: try? Value.map(ValueMap()).converted(to: type))
    return RecordType([first] + CallFields.all)
  }

  private static func answer(_ method: CallMethod, _ type: ValueType) -> RecordType {
    let first =
      method.type.serverStreams
      ? RecordType.Field(
        name: "messages", type: .list(type),
        summary: "The messages \(method.type.output), in order.", defaultValue: nil)
      : RecordType.Field(
        name: "message", type: type, summary: "The message \(method.type.output).",
        defaultValue: nil)
    return RecordType([first, CallFields.received("metadata"), CallFields.received("trailers")])
  }

  /// The operation.
  var declared: Operation<GRPCServer> {
    let call = self
    let operation = Operation<GRPCServer>(
      method.operation, "Calls \(method.name).", input: Record(input), answers: Record(answer),
      errors: .ofCalls, retry: method.type.effect == .unknown ? .never : .safe
    ) { server, context, input in
      try await context.outside { try await call.answer(to: input, server.client, context) }
    }
    .checking { try call.check($0) }
    .failing(Record(answer), CallFaults.all())
    return method.type.effect == .none ? operation.readOnly : operation
  }

  /// Checks messages and metadata that are known before the run.
  private func check(_ known: [String: Value]) throws {
    if let metadata = known["metadata"] { _ = try GRPCMetadata.headers(metadata) }
    let messages = known["message"].map { [$0] } ?? known["messages"]?.list ?? []
    for message in messages { _ = try schema.written(message, as: method.type.input) }
  }

  private func answer(
    to input: RecordValue, _ client: GRPCClient, _ context: Context
  ) async throws -> RecordValue {
    let first = input.values[0]
    let messages = method.type.clientStreams ? first.list ?? [] : [first]
    var bytes: [[UInt8]] = []
    for message in messages { bytes.append(try client.bytes(message, as: method.type.input)) }
    let (metadata, span) = CallFields.values(input)
    let call = try client.open(method, metadata: metadata, within: span ?? client.timeout)
    defer { call.close() }
    let result = try await GRPCClient.within(call.deadline) { [bytes] in
      try await WholeCall.result(of: call, sending: bytes)
    }
    if let error = result.end.error { throw error }
    var values: [Value] = []
    for message in result.messages {
      values.append(try typed(client.value(message, as: method.type.output, context)))
    }
    if !method.type.serverStreams, values.count != 1 {
      throw GRPCError.status(
        .internal, "the server returned \(values.count) messages in place of one", [])
    }
    let all = method.type.serverStreams ? .list(values) : values[0]
    return RecordValue(answer, [all, result.metadata, result.end.trailers])
  }

  private func typed(_ value: Value) throws(GRPCError) -> Value {
    do { return try value.converted(to: message) } catch {
      throw .malformed("the message contradicts flow.lock: \(GRPCText.line("\(error)"))")
    }
  }
}

/// The fields that calls have beside messages.
enum CallFields {
  /// The fields of a step.
  static let all = [
    RecordType.Field(
      name: "metadata", type: .map(.dynamic), summary: "Metadata, beside that of the component.",
      defaultValue: .map(ValueMap())),
    RecordType.Field(
      name: "deadline", type: .optional(.duration),
      summary:
        "The time limit, of which the server is told. The 'timeout' of the component by default.",
      defaultValue: .null),
  ]

  /// Returns the values of these fields, the last ones of an input.
  static func values(_ input: RecordValue) -> (metadata: Value, deadline: Duration?) {
    let deadline: Duration? =
      if case .duration(let span)? = input["deadline"] { span } else { nil }
    return (input["metadata"] ?? .map(ValueMap()), deadline)
  }

  /// A field of an answer with headers, which depend on the machine.
  static func received(_ name: String) -> RecordType.Field {
    RecordType.Field(
      name: name, type: .map(.dynamic),
      summary: "The \(name) of the answer: a text or bytes, or a list of several.",
      defaultValue: nil, comparison: .whenRead, mutation: .onRequest)
  }
}

/// A call from its first message to its end.
enum WholeCall {
  struct Result: Sendable {
    var messages: [[UInt8]]
    var metadata: Value
    var end: CallEnd
  }

  /// The most bytes of all messages of an answer.
  private static let greatestCount = 64 << 20

  /// Sends messages and collects those of the answer.
  ///
  /// - Throws: `GRPCError` or `CancellationError`.
  static func result(of call: OpenCall, sending messages: [[UInt8]]) async throws -> Result {
    async let sent: Void = send(messages, to: call)
    var (received, count) = ([[UInt8]](), 0)
    while true {
      switch try await call.next() {
      case .message(let bytes):
        received.append(bytes)
        count += bytes.count + 16
        guard count <= greatestCount else {
          throw GRPCError.status(
            .resourceExhausted,
            "the messages have more than \(greatestCount) bytes; 'open' has them one by one", [])
        }
      case .end(let end):
        call.close()
        try await sent
        return Result(messages: received, metadata: await call.metadata, end: end)
      }
    }
  }

  private static func send(_ messages: [[UInt8]], to call: OpenCall) async throws {
    for message in messages { try await call.send(message) }
    try await call.finish()
  }
}

/// The typical failures of calls.
enum CallFaults {
  static func all<Output>() -> [Fault<Output>] {
    [
      .error("unavailable", "The server cannot be reached.", .of(.unavailable)),
      .error("deadline", "There is no answer in time.", .of(.deadlineExceeded)),
      .error("internal", "The server has a defect.", .of(.internal)),
      .error("exhausted", "A quota is used up.", .of(.resourceExhausted)),
      .lost("lost", "The server has done its work, and the answer is lost.", .of(.unavailable)),
      .late("slow", "The answer comes after five seconds.", by: .seconds(5)),
    ]
  }
}

extension [ErrorCode] {
  /// The errors of every call.
  static var ofCalls: [ErrorCode] { ErrorCode.ofCalls }
}
