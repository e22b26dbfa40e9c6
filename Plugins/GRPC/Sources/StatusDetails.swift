internal import FlowCore
internal import GRPCCoding
internal import ProtobufCoding

/// The details of a status, `google.rpc.Status` in `grpc-status-details-bin`, and their usual messages.
enum StatusDetails {
  static let header = "grpc-status-details-bin"
  private static let name = "google.rpc.Status"

  /// The messages, as their files declare them
  /// (https://github.com/googleapis/googleapis/tree/master/google/rpc).
  static func schema() throws(ProtobufError) -> ProtobufSchema {
    try ProtobufSchema(
      lock: .map(
        ValueMap([
          (
            "messages",
            .map(
              ValueMap(
                declared.map { name, fields in
                  (name, .map(ValueMap(fields.map { ($0, .string($1)) })))
                }))
          )
        ])))
  }

  private static let declared: [(String, [(String, String)])] = [
    (
      name,
      [
        ("code", "int32 = 1"), ("message", "string = 2"),
        ("details", "repeated google.protobuf.Any = 3"),
      ]
    ),
    ("google.protobuf.Any", [("type_url", "string = 1"), ("value", "bytes = 2")]),
    ("google.protobuf.Duration", [("seconds", "int64 = 1"), ("nanos", "int32 = 2")]),
    (
      "google.rpc.ErrorInfo",
      [
        ("reason", "string = 1"), ("domain", "string = 2"),
        ("metadata", "map<string, string> = 3"),
      ]
    ),
    ("google.rpc.RetryInfo", [("retry_delay", "google.protobuf.Duration = 1")]),
    (
      "google.rpc.DebugInfo",
      [("stack_entries", "repeated string = 1"), ("detail", "string = 2")]
    ),
    ("google.rpc.QuotaFailure", [("violations", "repeated google.rpc.QuotaFailure.Violation = 1")]),
    (
      "google.rpc.QuotaFailure.Violation",
      [("subject", "string = 1"), ("description", "string = 2")]
    ),
    (
      "google.rpc.PreconditionFailure",
      [("violations", "repeated google.rpc.PreconditionFailure.Violation = 1")]
    ),
    (
      "google.rpc.PreconditionFailure.Violation",
      [("type", "string = 1"), ("subject", "string = 2"), ("description", "string = 3")]
    ),
    (
      "google.rpc.BadRequest",
      [("field_violations", "repeated google.rpc.BadRequest.FieldViolation = 1")]
    ),
    (
      "google.rpc.BadRequest.FieldViolation",
      [
        ("field", "string = 1"), ("description", "string = 2"), ("reason", "string = 3"),
        ("localized_message", "google.rpc.LocalizedMessage = 4"),
      ]
    ),
    ("google.rpc.RequestInfo", [("request_id", "string = 1"), ("serving_data", "string = 2")]),
    (
      "google.rpc.ResourceInfo",
      [
        ("resource_type", "string = 1"), ("resource_name", "string = 2"), ("owner", "string = 3"),
        ("description", "string = 4"),
      ]
    ),
    ("google.rpc.Help", [("links", "repeated google.rpc.Help.Link = 1")]),
    ("google.rpc.Help.Link", [("description", "string = 1"), ("url", "string = 2")]),
    ("google.rpc.LocalizedMessage", [("locale", "string = 1"), ("message", "string = 2")]),
  ]

  /// Returns the details in a header, none if it cannot be read.
  static func values(_ header: String, _ schema: ProtobufSchema) -> [Value] {
    guard let bytes = GRPCMetadata.bytes(header),
      let status = try? schema.read(bytes.content, as: name)
    else { return [] }
    return status.value["details"]?.list ?? []
  }

  /// Returns the bytes of a status.
  ///
  /// - Throws: `ProtobufError`.
  static func bytes(
    _ number: Int, _ message: String, _ details: [Value], _ schema: ProtobufSchema
  ) throws(ProtobufError) -> [UInt8] {
    let fields = ValueMap([
      ("code", .int(number)), ("message", .string(message)), ("details", .list(details)),
    ])
    return try schema.written(.map(fields), as: name)
  }
}

/// The messages of a plugin's calls for a component that answers another program.
struct SchemaMessages: MessageCoding {
  private let description: ServiceDescription

  init(_ description: ServiceDescription) { self.description = description }

  func streams(of method: String) -> MessageStreams? {
    description.method(method).map {
      MessageStreams(client: $0.type.clientStreams, server: $0.type.serverStreams)
    }
  }

  func value(ofRequest bytes: [UInt8], to method: String) throws -> Value {
    try description.schema.read(bytes, as: description.known(method).type.input).value
  }

  func bytes(ofAnswer message: Value, of method: String) throws -> [UInt8] {
    try description.schema.written(message, as: description.known(method).type.output)
  }

  func number(ofStatus name: String) -> Int? { GRPCStatus(name: name)?.rawValue }

  func bytes(ofStatus number: Int, message: String, details: [Value]) throws -> [UInt8]? {
    if details.isEmpty { return nil }
    return try StatusDetails.bytes(number, message, details, description.schema)
  }
}
