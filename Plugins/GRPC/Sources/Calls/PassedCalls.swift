internal import FlowCore
internal import GRPCCoding
internal import ProtobufCoding

/// A call of another program, to be passed on as it is.
struct PassedCall: Sendable {
  let method: String
  let metadata: Value
  let message: Value?
  /// The rest of the program's own time limit.
  let timeout: Duration?
  /// The bytes of the message as the program wrote them, which are sent and never recorded.
  let written: Bytes?

  static let record = Record(
    PassedCall.init(method:metadata:message:timeout:written:),
    Field("method", \.method, "The method, such as 'shop.Orders/Get'."),
    Field("metadata", \.metadata, "The metadata of the program.", default: .map(ValueMap())),
    Field("message", \.message, "The one message of a client that sends one."),
    Field(
      "timeout", \.timeout, "The rest of the program's time limit. A recording has none.",
      volatile: true),
    Field(
      "written", \.written,
      "The message as the program wrote it, which is sent in place of `message`. A recording has none.",
      volatile: true))
}

/// A further message of another program, or the end of its side.
struct PassedMessage: Sendable {
  let stream: String
  let message: Value?
  let written: Bytes?
  let isEnd: Bool

  static let record = Record(
    PassedMessage.init(stream:message:written:isEnd:),
    Field("stream", \.stream, "The 'stream' of the answer of 'exchange'."),
    Field("message", \.message, "The message, or null for none."),
    Field(
      "written", \.written,
      "The message as the program wrote it, which is sent in place of `message`. A recording has none.",
      volatile: true),
    Field("end", \.isEnd, "True if the program sends nothing more.", default: false))
}

/// The answer of a server to another program: a message or the end, or the name of a stream.
struct PassedAnswer: Sendable {
  var metadata: Value = .map(ValueMap())
  var message: Value?
  var end = false
  var status: String?
  var reason: String?
  var details: [Value] = []
  var trailers: Value = .map(ValueMap())
  var stream: String?

  static let record = Record(
    PassedAnswer.init(metadata:message:status:reason:details:trailers:stream:),
    metadataField, Field("message", \.message, "The message of a server that sends one."),
    Field("status", \.status, "The name of the status, or null while the call goes on."),
    Field("reason", \.reason, "The server's message of a status other than 'ok'."),
    Field("details", \.details, "The details of the status."),
    Field("trailers", \.trailers, "The trailers of the answer.", compared: .whenRead),
    Field("stream", \.stream, "The name for 'exchange-send' and 'piece'. Null for a whole call."))

  static let piece = Record(
    PassedAnswer.init(metadata:message:end:status:reason:details:trailers:), metadataField,
    Field("message", \.message, "The next message of the server. Null at the end."),
    Field("end", \.end, "True at the end of the call, without a message."),
    Field("status", \.status, "The name of the status at the end."),
    Field("reason", \.reason, "The server's message of a status other than 'ok'."),
    Field("details", \.details, "The details of the status."),
    Field("trailers", \.trailers, "The trailers of the answer, at its end.", compared: .whenRead))

  private static let metadataField = Field<PassedAnswer, Value>(
    "metadata", \.metadata, "The metadata of the answer.", compared: .whenRead)

  private init(
    metadata: Value, message: Value?, status: String?, reason: String?, details: [Value],
    trailers: Value, stream: String?
  ) {
    (self.metadata, self.message, self.status) = (metadata, message, status)
    (self.reason, self.details, self.trailers, self.stream) = (reason, details, trailers, stream)
  }

  private init(
    metadata: Value, message: Value?, end: Bool, status: String?, reason: String?,
    details: [Value], trailers: Value
  ) {
    self.init(
      metadata: metadata, message: message, status: status, reason: reason, details: details,
      trailers: trailers, stream: nil)
    self.end = end
  }

  /// The answer with a stream, a message or an end.
  init(
    metadata: Value = .map(ValueMap()), message: Value? = nil, end: CallEnd? = nil,
    stream: String? = nil
  ) {
    (self.metadata, self.message, self.stream) = (metadata, message, stream)
    guard let end else { return }
    self.end = true
    (status, details, trailers) = (end.status.name, end.details, end.trailers)
    reason = end.status == .ok ? nil : end.message
  }
}

/// The operations that pass on the calls of other programs.
enum PassedCalls {
  static var operations: [Operation<GRPCServer>] {
    [
      Operation(
        "exchange", "Passes on the call of another program.", input: PassedCall.record,
        answers: PassedAnswer.record, errors: .ofCalls
      ) { server, context, call in
        try await context.outside { try await server.pass(call, context) }
      }
      .failing(PassedAnswer.record, CallFaults.all()).passingOn,
      Operation(
        "exchange-send", "Passes on a further message of another program.",
        input: PassedMessage.record, answers: .none, errors: .ofCalls
      ) { server, context, message in
        try await context.outside { try await server.send(message) }
      }
      .failing(Record.none, []).passingOn,
      Operation(
        "piece", "Waits for the next message of a call of another program.",
        Parameter<String>("stream", "The 'stream' of the answer of 'exchange'."),
        Parameter<Bool>("stop", "Ends the call without waiting for a message.", default: false),
        answers: PassedAnswer.piece, errors: .ofCalls
      ) { server, context, name, stops in
        try await server.piece(of: name, stops: stops, context)
      }
      .failing(PassedAnswer.piece, []).passingOn,
    ]
  }
}

extension GRPCServer {
  /// Starts a call, and waits for its end unless a side sends any number of messages.
  fileprivate func pass(_ passed: PassedCall, _ context: Context) async throws -> PassedAnswer {
    let method = try description.known(passed.method)
    let first = try bytes(passed.message, passed.written, method)
    let span = passed.timeout ?? (method.isUnary ? client.timeout : nil)
    let call = try client.open(method, metadata: passed.metadata, within: span)
    guard method.isUnary else {
      do {
        if let first { try await call.send(first) }
        if !method.type.clientStreams { try await call.finish() }
      } catch {
        call.close()
        throw error
      }
      return PassedAnswer(stream: self.passed.add(call).name)
    }
    defer { call.close() }
    let result = try await GRPCClient.within(call.deadline) {
      try await WholeCall.result(of: call, sending: first.map { [$0] } ?? [])
    }
    let message = try result.messages.first.map {
      try client.value($0, as: method.type.output, context)
    }
    return PassedAnswer(metadata: result.metadata, message: message, end: result.end)
  }

  private func bytes(
    _ message: Value?, _ written: Bytes?, _ method: CallMethod
  ) throws(GRPCError) -> [UInt8]? {
    if let written { return written.content }
    guard let message else { return nil }
    return try client.bytes(message, as: method.type.input)
  }

  /// Sends a further message, or ends the side of the program.
  fileprivate func send(_ message: PassedMessage) async throws {
    let call = try passed.stream(message.stream).call
    if let bytes = try bytes(message.message, message.written, call.method) {
      try await call.send(bytes)
    }
    if message.isEnd { try await call.finish() }
  }

  /// Waits for the next message of a call.
  ///
  /// A failed or cancelled call has ended.
  fileprivate func piece(
    of name: String, stops: Bool, _ context: Context
  ) async throws -> PassedAnswer {
    let stream = try passed.stream(name)
    if stops {
      passed.remove(name)
      stream.call.close()
      return PassedAnswer(end: CallEnd(status: .cancelled, message: "the call was ended"))
    }
    do {
      let news = try await next(of: stream.call, context)
      let metadata = await stream.call.metadata
      switch news {
      case .message(let bytes):
        let value = try client.value(bytes, as: stream.call.method.type.output, context)
        return PassedAnswer(metadata: metadata, message: value)
      case .end(let end):
        passed.remove(name)
        stream.call.close()
        return PassedAnswer(metadata: metadata, end: end)
      }
    } catch {
      passed.remove(name)
      stream.call.close()
      throw error
    }
  }
}

extension CallMethod {
  /// True if both sides send one message.
  var isUnary: Bool { !type.clientStreams && !type.serverStreams }
}
