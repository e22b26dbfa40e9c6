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
    settings: StandInSettings.record, uses: StandInRole.anyName.uses,
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
  ) { context, settings in try MCPStandIn(settings, in: context) }

  private let listener: Listener
  private let token = accessToken()
  private let unasked = Unasked()

  private init(_ settings: StandInSettings, in context: Context) throws {
    do {
      // Whoever has the token may ask, such as an agent of another user in a container.
      listener = try Listener(
        port: settings.port, limits: StandInDesk.limits, clients: .anyone,
        refused: { context.log(Messages.refused($0)) })
    } catch {
      throw ComponentError(.settings, "\(error)")
    }
    let desk = StandInDesk(
      listener: listener, token: token, unasked: unasked, hold: settings.hold ?? .seconds(60))
    context.spawn("serve") { context in await desk.serve(context) }
    context.spawn("reply") { context in await desk.passReplies(context) }
  }

  /// Ends all connections, and closes the port.
  public func close() async { await listener.close() }
}

/// The settings of a stand-in.
struct StandInSettings: Sendable {
  let port: Int
  let hold: Duration?

  static let record = Record(
    StandInSettings.init(port:hold:),
    Field("port", \.port, "The port on 127.0.0.1. Any free one for 0.", default: 0),
    Field(
      "hold", \.hold,
      "The longest wait for the agent to give up a request that had a timeout. Default: 60s."))
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
