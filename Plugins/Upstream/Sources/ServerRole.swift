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
  /// All roles, each with separate recorded calls.
  static let all =
    [first]
    + ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"].map {
      ServerRole($0, "Answers the requests to the hosts that 'hosts' maps to it.")
    }

  /// Both calls.
  var calls: [any DeclaredRoleUse] { [exchange, piece] }

  private static let errors = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
  ].map { ErrorCode($0, "") }

  private init(_ name: String, _ summary: String) {
    role = Role(name, summary, optional: true)
    exchange = role.call(
      "exchange", input: PassedRequest.record, answers: ServerAnswer.record, errors: Self.errors,
      fromOutside: true)
    piece = role.call(
      "piece", Parameter<String>("stream", "The name of the stream."),
      answers: ServerPiece.record, errors: Self.errors)
  }
}
