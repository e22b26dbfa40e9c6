internal import FlowCore
internal import GRPCCoding

/// The role of a server of gRPC, with its calls.
struct GRPCRole: Sendable {
  /// The role of the calls that programs make at the port and through the proxy.
  static let role = Role(
    "grpc", "Answers the calls of gRPC that programs make: a component declared with 'grpc'.",
    optional: true)
  /// The call of a method: all of it, or its beginning if one side streams.
  static let exchange = role.call(
    "exchange", input: ProgramCall.record, answers: MethodAnswer.record, errors: errors,
    fromOutside: true)
  /// The call for a message of a program that streams.
  static let send = role.call(
    "exchange-send", input: ProgramMessage.record, answers: .none, errors: errors,
    fromOutside: true)
  /// The call for the next message of a server that streams.
  static let piece = role.call(
    "piece", Parameter<String>("stream", "The name of the call."), answers: MethodPiece.record,
    errors: errors, continuingRequest: true)

  /// All calls.
  static let uses: [any DeclaredRoleUse] = [exchange, send, piece]

  private static let errors = (GRPCStatus.allCases.map(\.name) + ["malformed", "forbidden"]).map {
    ErrorCode($0, "")
  }
}

/// The call of a method by a program.
struct ProgramCall: Sendable {
  let method: String
  let metadata: Value
  let message: Value?
  let timeout: Duration?
  let written: Bytes?

  static let record = Record(
    ProgramCall.init(method:metadata:message:timeout:written:),
    Field("method", \.method, "The method: `shop.Orders/Get`."),
    Field("metadata", \.metadata, "The metadata of the program."),
    Field("message", \.message, "The message, unless the program streams."),
    Field(
      "timeout", \.timeout, "The rest of the program's deadline, which is passed on.",
      volatile: true),
    Field(
      "written", \.written, "The message as the program wrote it, which is passed on.",
      volatile: true))
}

/// The answer to a call, or its beginning.
struct MethodAnswer: Sendable {
  let metadata: Value
  let message: Value?
  let status: String?
  let reason: String?
  let details: [Value]
  let trailers: Value
  let stream: String?

  static let record = Record(
    MethodAnswer.init(metadata:message:status:reason:details:trailers:stream:),
    Field("metadata", \.metadata, "The metadata before the message."),
    Field("message", \.message, "The message, unless the server streams."),
    Field("status", \.status, "The name of the status, or null while the call goes on."),
    Field("reason", \.reason, "The message of the status."),
    Field("details", \.details, "The details of the status."),
    Field("trailers", \.trailers, "The metadata behind the message."),
    Field("stream", \.stream, "The name of a call with a stream."))
}

/// A message of a program that streams, or the end of its messages.
struct ProgramMessage: Sendable {
  let stream: String
  let message: Value?
  let end: Bool
  let written: Bytes?

  static let record = Record(
    ProgramMessage.init(stream:message:end:written:),
    Field("stream", \.stream, "The name of the call."), Field("message", \.message, "The message."),
    Field("end", \.end, "True for the end, without a message."),
    Field(
      "written", \.written, "The message as the program wrote it, which is passed on.",
      volatile: true))
}

/// A message of a server that streams, or the end of the call.
struct MethodPiece: Sendable {
  let message: Value?
  let end: Bool
  let metadata: Value?
  let status: String?
  let reason: String?
  let details: [Value]
  let trailers: Value?

  static let record = Record(
    MethodPiece.init(message:end:metadata:status:reason:details:trailers:),
    Field("message", \.message, "The message."),
    Field("end", \.end, "True at the end, without a message."),
    Field("metadata", \.metadata, "The metadata of the server, with the first piece."),
    Field("status", \.status, "The name of the status at the end."),
    Field("reason", \.reason, "The message of the status."),
    Field("details", \.details, "The details of the status."),
    Field("trailers", \.trailers, "The metadata at the end."))
}
