internal import FlowCore
internal import ProtobufCoding

/// A plugin in flow.yaml, of a `.proto` file, of compiled ones, or of a server with reflection.
public struct GRPCDeclaration: Sendable {
  let grpc: String
  let state: String
  let services: [String]
  let imports: [String]
  let authorities: String?

  static let record = Record(
    GRPCDeclaration.init(grpc:state:services:imports:authorities:),
    Field(
      "grpc", \.grpc,
      "The path of a .proto file or of a compiled set of them, or the URL of a server with reflection."
    ),
    Field(
      "state", \.state, "The place of the server's state: none, memory or external.",
      default: ComponentState.external.rawValue),
    Field(
      "services", \.services, "The full names of the services to use. All of them by default.",
      default: []),
    Field(
      "imports", \.imports,
      "Folders in which protoc looks for imported files, beside that of the file.",
      default: []),
    Field(
      "ca_file", \.authorities,
      "A PEM file. Its certificates are trusted instead of the system's by 'flow plugin lock'."))

  private init(
    grpc: String, state: String, services: [String], imports: [String], authorities: String?
  ) {
    (self.grpc, self.state, self.services) = (grpc, state, services)
    (self.imports, self.authorities) = (imports, authorities)
  }

  /// The source of the description.
  enum Source: Sendable, Hashable {
    case proto(String)
    case descriptors(String)
    case server(CallAddress)
  }

  /// The source of the description.
  func source() throws(GRPCError) -> Source {
    if grpc.hasPrefix("http://") || grpc.hasPrefix("https://") {
      return .server(try CallAddress(grpc))
    }
    guard !grpc.isEmpty, !grpc.hasPrefix("-"), !grpc.utf8.contains(0) else {
      throw .invalid("'\(GRPCText.line(grpc))' is not a path or a URL")
    }
    return grpc.hasSuffix(".proto") ? .proto(grpc) : .descriptors(grpc)
  }

  /// The place of the server's state.
  func componentState() throws(GRPCError) -> ComponentState {
    guard let state = ComponentState(rawValue: state) else {
      throw .invalid("'state' is none, memory or external, not '\(GRPCText.line(self.state))'")
    }
    return state
  }

  /// Checks everything that needs no file and no server.
  func check() throws(GRPCError) {
    _ = try componentState()
    let source = try source()
    if case .proto = source { return }
    guard imports.isEmpty else { throw .invalid("'imports' are for a .proto file") }
  }

  /// Returns the services to keep of a schema.
  ///
  /// - Throws: `GRPCError.invalid` for a name that it does not have, or for a schema without services.
  func kept(of schema: ProtobufSchema) throws(GRPCError) -> Set<String> {
    for name in services where schema.services[name] == nil {
      let known = schema.services.keys.sorted().joined(separator: ", ")
      throw .invalid("there is no service '\(GRPCText.line(name))' among \(GRPCText.line(known))")
    }
    let kept = services.isEmpty ? Set(schema.services.keys) : Set(services)
    guard !kept.isEmpty else { throw .invalid("'\(GRPCText.line(grpc))' has no services") }
    return kept
  }
}
