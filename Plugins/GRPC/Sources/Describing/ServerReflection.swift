internal import FlowCore
internal import GRPCCoding
internal import ProtobufCoding

/// The description of a server by its own words: server reflection
/// (https://github.com/grpc/grpc/blob/master/doc/server-reflection.md).
enum ServerReflection {
  private static let versions = ["v1", "v1alpha"]
  /// The longest time for the whole description.
  private static let patience = Duration.seconds(60)
  private static let mostFiles = 10_000
  private static let greatestFile = 16 << 20

  /// Asks a server for its services.
  ///
  /// - Throws: `GRPCError`.
  static func schema(
    of address: CallAddress, _ declaration: GRPCDeclaration, _ context: Context
  ) async throws -> ProtobufSchema {
    var settings = GRPCSettings(
      address: "\(address)", metadata: .map(ValueMap()), timeout: patience, limit: greatestFile,
      compresses: false, connectTimeout: .seconds(10), isInsecure: false)
    settings.authorities = declaration.authorities
    let schema = try messages()
    let client = try GRPCClient(settings, schema, context)
    defer { client.close() }
    return try await context.outside {
      for version in versions {
        do {
          return try await GRPCClient.within(.now + patience) {
            try await description(client, version, declaration.services)
          }
        } catch GRPCError.status(.unimplemented, _, _) { continue }
      }
      throw GRPCError.invalid(
        "\(address) has no server reflection; declare a .proto file or a compiled set of them")
    }
  }

  /// The messages of both versions, which are the same.
  private static func messages() throws(ProtobufError) -> ProtobufSchema {
    let declared: [(String, [(String, String)])] = [
      (
        "Request",
        [
          ("file_by_filename", "string = 3 [oneof: kind]"),
          ("file_containing_symbol", "string = 4 [oneof: kind]"),
          ("list_services", "string = 7 [oneof: kind]"),
        ]
      ),
      (
        "Response",
        [
          ("file_descriptor_response", ".Files = 4"), ("list_services_response", ".Services = 6"),
          ("error_response", ".Problem = 7"),
        ]
      ),
      ("Files", [("file_descriptor_proto", "repeated bytes = 1")]),
      ("Services", [("service", "repeated .Service = 1")]), ("Service", [("name", "string = 1")]),
      ("Problem", [("error_code", "int32 = 1"), ("error_message", "string = 2")]),
    ]
    let entries = declared.map { name, fields in
      (name, Value.map(ValueMap(fields.map { ($0, .string($1)) })))
    }
    return try ProtobufSchema(lock: .map(ValueMap([("messages", .map(ValueMap(entries)))])))
  }

  private static func description(
    _ client: GRPCClient, _ version: String, _ wanted: [String]
  ) async throws -> ProtobufSchema {
    let name = "grpc.reflection.\(version).ServerReflection/ServerReflectionInfo"
    let type = MethodType(
      name: "ServerReflectionInfo", input: "Request", output: "Response", clientStreams: true,
      serverStreams: true, effect: .none)
    let method = CallMethod(operation: type.name, name: name, type: type)
    let call = try client.open(method, metadata: .map(ValueMap()), within: nil)
    defer { call.close() }
    var inquiry = Inquiry(client, call)
    let services = try await inquiry.services().filter { service in
      wanted.isEmpty ? !service.hasPrefix("grpc.reflection.") : wanted.contains(service)
    }
    for service in services { try await inquiry.addFiles("fileContainingSymbol", service) }
    while let missing = inquiry.missing, inquiry.files.count <= mostFiles {
      try await inquiry.addFiles("fileByFilename", missing)
    }
    let schema = try ProtobufSchema(fileDescriptors: Array(inquiry.files.values))
    return try schema.reduced(to: Set(services))
  }

  /// The questions to a server, one after the other on one stream.
  private struct Inquiry {
    private let client: GRPCClient
    private let call: OpenCall
    private(set) var files: [String: [UInt8]] = [:]
    private var needed: Set<String> = []

    init(_ client: GRPCClient, _ call: OpenCall) { (self.client, self.call) = (client, call) }

    /// The name of a file that another one needs.
    var missing: String? { needed.filter { files[$0] == nil }.min() }

    private func ask(_ kind: String, _ text: String) async throws -> Value {
      let request = Value.map(ValueMap([(kind, .string(text))]))
      try await call.send(client.bytes(request, as: "Request"))
      switch try await call.next() {
      case .end(let end):
        throw end.error ?? GRPCError.malformed("the server's reflection ends without an answer")
      case .message(let bytes):
        let answer: Value
        do { answer = try client.schema.read(bytes, as: "Response").value } catch {
          throw GRPCError.malformed("the server's reflection cannot be read: \(error)")
        }
        guard let problem = answer["errorResponse"] else { return answer }
        let reason = GRPCText.line(problem["errorMessage"]?.string ?? "")
        throw GRPCError.malformed("the server's reflection does not know '\(text)': \(reason)")
      }
    }

    func services() async throws -> [String] {
      let answer = try await ask("listServices", "")
      return (answer["listServicesResponse"]?["service"]?.list ?? []).compactMap {
        $0["name"]?.string
      }
    }

    mutating func addFiles(_ kind: String, _ text: String) async throws {
      let answer = try await ask(kind, text)
      let found = answer["fileDescriptorResponse"]?["fileDescriptorProto"]?.list ?? []
      for case .bytes(let bytes) in found {
        let (name, needs) = try ProtobufSchema.dependencies(ofFileDescriptor: bytes.content)
        files[name] = bytes.content
        needed.formUnion(needs)
      }
      if kind == "fileByFilename", files[text] == nil {
        throw GRPCError.malformed("the server's reflection does not return the file '\(text)'")
      }
    }
  }
}
