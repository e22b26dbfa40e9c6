internal import FlowCore

/// One of the roles for servers, with its calls.
struct ServerRole: Sendable {
  let role: Role
  /// The call for a request.
  let exchange: RoleCall<ServerAnswer, PassedRequest>
  /// The call for the next piece of a streamed answer.
  let piece: RoleCall<ServerPiece, String>

  /// The role of requests to the port.
  static let first = ServerRole(
    "server", "Answers the requests: an 'http' component whose 'base' is the server.")
  /// The declared roles, each with separate recorded calls.
  static let declared = [
    first,
    ServerRole(Role(anyName: "Answers the requests to the hosts that 'hosts' maps to it.")),
  ]

  /// Both calls.
  var calls: [any DeclaredRoleUse] { [exchange, piece] }

  /// The role with a name of the scenario's choice.
  static func named(_ name: String) -> ServerRole {
    name == first.role.name ? first : ServerRole(name, "")
  }

  /// The errors of requests.
  static let errors = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
  ].map { ErrorCode($0, "") }

  private init(_ name: String, _ summary: String) {
    self.init(Role(name, summary, optional: true))
  }

  private init(_ role: Role) {
    self.role = role
    exchange = role.call(
      "exchange", input: PassedRequest.record, answers: ServerAnswer.record, errors: Self.errors,
      fromOutside: true)
    piece = role.call(
      "piece", Parameter<String>("stream", "The name of the stream."),
      answers: ServerPiece.record, errors: Self.errors, continuingRequest: true)
  }
}
