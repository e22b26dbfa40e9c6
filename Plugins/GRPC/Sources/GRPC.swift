public import FlowCore
internal import ProtobufCoding

/// Servers of gRPC as plugins, by their `.proto` files or their reflection.
///
/// A project declares them in `plugins` of flow.yaml, with the key `grpc`. flow.lock has their services
/// and messages.
public enum GRPC: PluginFamily {
  /// The key of a declaration.
  public static let key = "grpc"

  /// The fields of a declaration.
  public static let declaration = GRPCDeclaration.record

  /// Checks a declaration.
  public static func check(_ declaration: GRPCDeclaration) throws { try declaration.check() }

  /// Creates the plugin of a description in flow.lock.
  public static func plugin(
    _ declared: DeclaredPlugin<GRPCDeclaration>, lock entry: Value
  ) throws -> Plugin<GRPCServer> {
    let description = try ServiceDescription(lock: entry)
    let messages = SchemaMessages(description)
    return Plugin(
      declared.name, version: "1.0", description.summary,
      state: try declared.declaration.componentState(), reaches: [.network, .files],
      settings: GRPCSettings.record, events: [StreamMessage.event, StreamEnd.event],
      operations: try description.operations()
    ) { context, settings in
      try GRPCServer(settings, description, context)
    }
    .checking(GRPCSettings.record) { try $0.check() }
    .characterized { _, _ in
      var traits = ComponentTraits()
      traits.messages = messages
      return traits
    }
  }

  /// Describes a server for flow.lock.
  public static func describe(
    _ declared: DeclaredPlugin<GRPCDeclaration>, _ context: Context
  ) async throws -> Value {
    let schema: ProtobufSchema =
      switch try declared.declaration.source() {
      case .proto(let path): try await ProtoFile(path, declared).schema(context)
      case .descriptors(let path):
        try ProtobufSchema(descriptorSet: try declared.folder.read(path))
      case .server(let address):
        try await ServerReflection.schema(of: address, declared.declaration, context)
      }
    let kept = try declared.declaration.kept(of: schema)
    let entry = Value.map(try schema.reduced(to: kept).lockEntry)
    // An entry that makes no plugin is refused now, and not when a scenario uses it.
    _ = try plugin(declared, lock: entry)
    return entry
  }
}
