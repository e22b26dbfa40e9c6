import FlowCommand
import FlowCore
import ProtobufCoding
import TestKit
import Testing

@testable import GRPCPlugin

/// The plugin of a description in flow.lock, without a server.
struct DescriptionTests {
  private static func description(_ services: [(String, [String])]) throws -> ServiceDescription {
    let entries = services.map { name, methods in
      (name, Value.map(ValueMap(methods.map { ($0, .string("t.A -> stream t.A")) })))
    }
    let message = Value.map(ValueMap([("user_id", .string("int64 = 1"))]))
    return try ServiceDescription(
      lock: .map(
        ValueMap([
          ("messages", .map(ValueMap([("t.A", message)]))), ("services", .map(ValueMap(entries))),
        ])))
  }

  @Test func `methods of one name, or with that of another operation, have that of their service`()
    throws
  {
    let description = try Self.description([
      ("t.One", ["Get", "Only", "open"]), ("t.Two", ["Get"]), ("u.Two", ["Get"]),
    ])

    #expect(
      description.methods.map(\.operation) == [
        "One-Get", "Only", "One-open", "t-Two-Get", "u-Two-Get",
      ])
    #expect(description.method("/t.Two/Get")?.name == "t.Two/Get")
  }

  @Test func `messages are read and written in place of the server`() throws {
    let messages = SchemaMessages(try Self.description([("t.One", ["Get"])]))

    #expect(messages.streams(of: "t.One/Get") == MessageStreams(client: false, server: true))
    #expect(messages.streams(of: "t.One/Got") == nil)
    #expect(try messages.value(ofRequest: [0x08, 7], to: "t.One/Get").json == #"{"userId":7}"#)
    #expect(
      try messages.bytes(ofAnswer: .map(ValueMap([("userId", .int(7))])), of: "t.One/Get")
        == [0x08, 7])
    #expect(messages.number(ofStatus: "not_found") == 5)
    #expect(try messages.bytes(ofStatus: 5, message: "gone", details: []) == nil)
  }

  @Test func `the details of a status are read as they were written`() throws {
    let description = try Self.description([("t.One", ["Get"])])
    let details: [Value] = [
      .map(
        ValueMap([
          ("@type", .string("type.googleapis.com/google.rpc.ErrorInfo")),
          ("reason", .string("GONE")),
        ])),
      .map(
        ValueMap([
          ("@type", .string("type.googleapis.com/google.rpc.RetryInfo")),
          ("retryDelay", .duration(.seconds(2))),
        ])),
    ]

    let bytes = try StatusDetails.bytes(5, "gone", details, description.schema)

    #expect(StatusDetails.values(Bytes(bytes).base64, description.schema) == details)
  }

  private static let hasProtoc =
    (try? ChildProcess("/usr/bin/env", ["protoc", "--version"]).ending())?.code == 0

  @Test(.enabled(if: hasProtoc, "not run: no protoc (protobuf-compiler)"))
  func `a file is described by protoc, whose words an error has`() async throws {
    let project = try CallProject("http://127.0.0.1:1", grpc: "t.proto", steps: "  []")
    try project.folder.write(
      try ProjectFiles.text("Plugins/GRPC/Tests/test.proto"), to: "t.proto")

    let lock = try await project.lock()
    let text = try project.folder.text("flow.lock")
    try project.folder.write("syntax = \"proto3\";\nmessage {}\n", to: "t.proto")
    let broken = try await project.lock()

    #expect(lock.code == .passed, "\(lock.errors)")
    #expect(
      text.contains(
        "UnaryCall: \"grpc.testing.SimpleRequest -> grpc.testing.SimpleResponse\""), "\(text)")
    #expect(broken.errors.contains("t.proto:2:9: Expected message name."), "\(broken.errors)")
  }
}
