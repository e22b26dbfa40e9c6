public import FlowCore

/// A port between an agent under test and the MCP servers that it calls.
///
/// An agent starts `flow stand-in NAME` in place of a server, or has the URL of this component. Each
/// of its requests becomes a call of the role with this name, whose answer goes back to the agent.
public final class MCPStandIn: Component {
  /// `stand-in`.
  public static let pluginName = "stand-in"

  /// The declaration.
  public static let plugin = Plugin(
    pluginName, version: "1.0",
    "Answers an agent under test as its MCP servers would, live or from a recording.",
    state: .memory, reaches: [.network],
    settings: Parameter<Int>("port", "The port on 127.0.0.1. Any free one for 0.", default: 0),
    uses: [StandInRole.anyName.exchange],
    operations: [
      Operation(
        "environment",
        "Returns the variable by which 'flow stand-in NAME' finds the servers here.",
        Parameter<[String: String]>(
          "add", "Further variables, which come before those of the same name.", default: [:]),
        answers: StandInEnvironment.record, retry: .safe
      ) { standIn, context, others in
        standIn.unasked.handOut("variables", context, notes: Messages.unaskedAdviceOfAgents)
        return StandInEnvironment(
          port: standIn.listener.port, token: standIn.token, adding: others)
      }
      .failing(StandInEnvironment.record, [])
    ]
  ) { context, port in try MCPStandIn(port: port, in: context) }

  private let listener: Listener
  private let token = accessToken()
  private let unasked = Unasked()

  private init(port: Int, in context: Context) throws {
    do {
      // Whoever has the token may ask, such as an agent of another user in a container.
      listener = try Listener(
        port: port, limits: StandInDesk.limits, clients: .anyone,
        refused: { context.log(Messages.refused($0)) })
    } catch {
      throw ComponentError(.settings, "\(error)")
    }
    let desk = StandInDesk(listener: listener, token: token, unasked: unasked)
    context.spawn("serve") { context in await desk.serve(context) }
  }

  /// Ends all connections, and closes the port.
  public func close() async { await listener.close() }
}

/// The answer of `environment`.
struct StandInEnvironment: Sendable {
  let variables: [String: String]
  let url: String
  let token: String

  static let record = Record(
    StandInEnvironment.init(variables:url:token:),
    Field(
      "variables", \.variables, "The variables for 'env' of 'process.start' and 'process.run'.",
      volatile: true),
    Field(
      "url", \.url, "The URL with its token, which '/NAME' follows for the server of a role.",
      volatile: true),
    Field(
      "token", \.token, "The part of the URL that others do not have.", secret: true,
      volatile: true))

  private init(variables: [String: String], url: String, token: String) {
    (self.variables, self.url, self.token) = (variables, url, token)
  }

  fileprivate init(port: Int, token: String, adding others: [String: String]) {
    let url = "http://127.0.0.1:\(port)/\(token)"
    self.init(
      variables: ["FLOW_STAND_IN": url].merging(others) { $1 }, url: url, token: token)
  }
}

/// The role of an MCP server, with its call.
struct StandInRole: Sendable {
  let role: Role
  /// The call for a request of an agent.
  let exchange: RoleCall<AgentAnswer, AgentRequest>

  /// The declared roles, each with separate recorded calls.
  static let anyName = StandInRole(
    Role(anyName: "Answers the requests to 'flow stand-in' with this name: a component of 'mcp'."))

  /// The role with a name of the scenario's choice, or nil for a name that no role can have.
  init?(named name: String) {
    guard Role.isName(name) else { return nil }
    self.init(Role(name, "", optional: true))
  }

  private init(_ role: Role) {
    self.role = role
    exchange = role.call(
      "exchange", input: AgentRequest.record, answers: AgentAnswer.record,
      errors: ["malformed", "unavailable", "timeout"].map { ErrorCode($0, "") },
      fromOutside: true)
  }
}
